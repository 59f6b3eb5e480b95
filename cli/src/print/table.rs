//! Tables: a bold head, a rule under it, two spaces between columns.

use comfy_table::presets::NOTHING;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Width,
};

use crate::print::{Style, Tone};

/// No column of words gets narrower than this, unless its words are shorter.
const NARROWEST: u16 = 10;

/// A table being filled.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<Column>,
    rows: Vec<Vec<(String, Tone)>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    name: String,
    right: bool,
    whole: bool,
}

impl Table {
    /// A table with these columns. Cells under a name that starts with `>` are set right, and under
    /// `>` and `=` never broken into lines: a number or an id in two lines is none.
    pub(crate) fn new<N: AsRef<str>>(head: impl IntoIterator<Item = N>) -> Self {
        let head = head
            .into_iter()
            .map(|name| {
                let name = name.as_ref();
                let (mark, plain) = name.split_at(usize::from(name.starts_with(['>', '='])));
                Column {
                    name: plain.to_owned(),
                    right: mark == ">",
                    whole: !mark.is_empty(),
                }
            })
            .collect();
        Self {
            head,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.toned(cells.into_iter().map(|cell| (cell.into(), Tone::Plain)));
    }

    /// Adds a row of cells with tones.
    pub(crate) fn toned(&mut self, cells: impl IntoIterator<Item = (String, Tone)>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as lines without a line end after the last.
    pub(crate) fn print(&self, style: Style) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(NOTHING.header_separator(LineStyle::none().fill('─').junction('─')));
        table.force_no_tty();
        if style.colored {
            table.enforce_styling();
        }
        if let Some(width) = style.width {
            table
                .set_content_arrangement(ContentArrangement::Dynamic)
                .set_width(width);
        }
        table.set_header(
            self.head
                .iter()
                .map(|column| Cell::new(&column.name).add_attribute(Attribute::Bold)),
        );
        for row in &self.rows {
            table.add_row(row.iter().map(|(text, tone)| match tone {
                Tone::Good => Cell::new(text).fg(Color::Green),
                Tone::Fair => Cell::new(text).fg(Color::Yellow),
                Tone::Bad => Cell::new(text).fg(Color::Red),
                Tone::Plain | Tone::Quiet => Cell::new(text),
            }));
        }
        let natural = table.column_max_content_widths();
        let last = self.head.len().saturating_sub(1);
        for (at, column) in self.head.iter().enumerate() {
            if let Some(printed) = table.column_mut(at) {
                printed.set_padding((0, if at == last { 0 } else { 2 }));
                if column.right {
                    printed.set_cell_alignment(CellAlignment::Right);
                }
                if column.whole {
                    printed.set_constraint(ColumnConstraint::ContentWidth);
                } else if style.width.is_some() {
                    let least = natural.get(at).copied().unwrap_or(0).min(NARROWEST);
                    // Rather wider than the terminal than a column of single letters.
                    printed.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
                }
            }
        }
        table.trim_fmt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_to_the_width_and_trails_no_spaces() {
        let mut table = Table::new(["name", ">size", "remark"]);
        table.row([
            "weights",
            "4.58 GiB",
            "a remark that is much too long for a narrow terminal",
        ]);
        let text = table.print(Style::new(false, Some(40)));
        assert!(
            text.lines().all(|line| line.chars().count() <= 40),
            "{text}"
        );
        assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
        let wide = table.print(Style::new(false, None));
        assert_eq!(wide.lines().count(), 3, "{wide}");
    }
}
