//! The models a machine runs.

use answer::tables::{RunList, RunRow};
use answer::text;

use crate::print::{Page, Style, Table, Tone, bytes, parameters};

/// Width of a table with the models' sizes.
const ROOMY: u16 = 100;
/// Width of a table with all columns.
const WIDE: u16 = 125;

/// The list as a page of text, with at most `limit` rows.
pub(crate) fn what_runs(list: &RunList, limit: usize, style: Style) -> String {
    let mut page = Page::new(style);
    let machine = &list.hardware;
    let tone = if list.rows.is_empty() {
        Tone::Bad
    } else {
        Tone::Good
    };
    let models = if list.rows.len() == 1 {
        "1 model".to_owned()
    } else {
        format!("{} models", list.rows.len())
    };
    page.paragraph(
        tone,
        &format!(
            "{models} on {machine} with {} tokens of context",
            text::tokens(list.context)
        ),
    );
    // What can be looked up elsewhere gives way first.
    let (roomy, wide) = (style.has_room(ROOMY), style.has_room(WIDE));
    let columns = [
        (true, "=model"),
        (roomy, ">parameters"),
        (wide, ">active"),
        (true, "=format"),
        (true, ">memory"),
        (true, ">max context"),
        (true, ">tok/s"),
        (wide, ">first token"),
    ];
    let shown = columns.map(|(shown, _)| shown);
    let mut table = Table::new(
        columns
            .iter()
            .filter(|(shown, _)| *shown)
            .map(|(_, name)| name),
    );
    for row in list.rows.iter().take(limit) {
        let cells = cells(row).into_iter().zip(shown);
        table.toned(cells.filter(|(_, shown)| *shown).map(|(cell, _)| cell));
    }
    if !table.is_empty() {
        page.table(table);
    }
    let hidden = list.rows.len().saturating_sub(limit);
    if hidden > 0 {
        page.paragraph(
            Tone::Quiet,
            &format!("{hidden} more; `--limit 0` shows all"),
        );
    }
    page.paragraph(Tone::Quiet, &format!("Rule: {}", list.rule));
    if list.too_large > 0 {
        page.paragraph(
            Tone::Quiet,
            &format!("Models that do not fit in any format: {}", list.too_large),
        );
    }
    page.finish()
}

/// A row with every column there is.
fn cells(row: &RunRow) -> [(String, Tone); 8] {
    let active = match row.active_parameters {
        all if all == row.parameters => String::new(),
        some => parameters(some),
    };
    let speed = row
        .tok_s
        .map_or_else(|| "?".to_owned(), |speed| text::span(speed.low, speed.high));
    [
        (row.model.clone(), Tone::Plain),
        (parameters(row.parameters), Tone::Plain),
        (active, Tone::Plain),
        (row.format.clone(), Tone::Plain),
        (bytes(row.total_bytes), Tone::of_verdict(&row.verdict)),
        (
            row.largest_context.map(text::tokens).unwrap_or_default(),
            Tone::Plain,
        ),
        (speed, Tone::Plain),
        (row.ttft_s.map(text::time).unwrap_or_default(), Tone::Plain),
    ]
}
