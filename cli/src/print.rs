//! Answers as text for people.
//!
//! Everything can be understood without colour. Tables keep to the width of the terminal; into a
//! pipe or file they take the width they need, or that of `COLUMNS` if it is set.

mod estimate;
mod facts;
mod fit;
mod flags;
mod formats;
mod model;
mod steps;
mod table;
mod validate;
mod what_runs;

pub(crate) use estimate::estimate;
pub(crate) use facts::facts;
pub(crate) use fit::fit;
pub(crate) use flags::flags;
pub(crate) use formats::formats;
pub(crate) use model::model;
pub(crate) use steps::steps;
pub(crate) use table::Table;
pub(crate) use validate::{report, rows};
pub(crate) use what_runs::what_runs;

use answer::text;
use estimator::num;
use serde::Serialize;

/// How a text may look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    colored: bool,
    width: Option<u16>,
}

/// A colour, by what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be.
    Good,
    /// It works, with a cost.
    Fair,
    /// It doesn't work.
    Bad,
    /// Nothing to say.
    Plain,
    /// Beside the point.
    Quiet,
}

impl Tone {
    /// The tone of a verdict.
    pub(crate) fn of_verdict(verdict: &str) -> Self {
        match verdict {
            "fits" => Self::Good,
            "tight" | "needs_offload" => Self::Fair,
            "does_not_fit" => Self::Bad,
            _ => Self::Plain,
        }
    }
}

impl Style {
    pub(crate) const fn new(colored: bool, width: Option<u16>) -> Self {
        Self { colored, width }
    }

    /// Whether a line of so many characters has room.
    pub(crate) fn has_room(self, characters: u16) -> bool {
        self.width.is_none_or(|width| width >= characters)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.paint("36", text)
    }

    pub(crate) fn tone(self, tone: Tone, text: &str) -> String {
        match tone {
            Tone::Good => self.paint("1;32", text),
            Tone::Fair => self.paint("1;33", text),
            Tone::Bad => self.paint("1;31", text),
            Tone::Plain => self.bold(text),
            Tone::Quiet => self.paint("2", text),
        }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colored {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// The width to keep to: that of the terminal, else `COLUMNS`, else none.
pub(crate) fn width() -> Option<u16> {
    comfy_table::Table::new()
        .width()
        .or_else(|| {
            std::env::var("COLUMNS")
                .ok()
                .and_then(|columns| columns.parse().ok())
        })
        .filter(|width| *width >= 40)
}

/// Indented JSON and a line end. What is printed here always has string keys and can't fail; if it
/// ever did, the text says so in JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| {
        format!(
            "{{\"error\": \"{}\", \"problems\": []}}",
            error.to_string().escape_default()
        )
    });
    text + "\n"
}

/// A text that grows block by block, with an empty line between blocks.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    style: Style,
}

impl Page {
    pub(crate) const fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    /// A block of its own, broken into lines at the width.
    pub(crate) fn paragraph(&mut self, tone: Tone, text: &str) {
        self.block();
        for line in wrapped(text, self.style.width) {
            self.text.push_str(&self.style.tone(tone, &line));
            self.text.push('\n');
        }
    }

    /// A table.
    pub(crate) fn table(&mut self, table: Table) {
        self.block();
        self.text.push_str(&table.print(self.style));
        self.text.push('\n');
    }

    /// A word in bold and a list under it; nothing if the list is empty.
    pub(crate) fn list(&mut self, heading: &str, items: impl IntoIterator<Item = String>) {
        self.items(
            heading,
            items.into_iter().map(|item| ("- ".to_owned(), item)),
        );
    }

    /// The same with numbers.
    pub(crate) fn numbered(&mut self, heading: &str, items: impl IntoIterator<Item = String>) {
        self.items(
            heading,
            (1_usize..)
                .zip(items)
                .map(|(number, item)| (format!("{number:>2}. "), item)),
        );
    }

    fn items(&mut self, heading: &str, items: impl Iterator<Item = (String, String)>) {
        let mut items = items.peekable();
        if items.peek().is_none() {
            return;
        }
        self.block();
        self.text.push_str(&self.style.bold(heading));
        self.text.push('\n');
        for (mark, item) in items {
            let indent = u16::try_from(mark.len()).unwrap_or(0);
            let width = self.style.width.map(|width| width.saturating_sub(indent));
            let lines: Vec<String> = item.lines().flat_map(|line| wrapped(line, width)).collect();
            for (at, line) in lines.iter().enumerate() {
                let start = if at == 0 {
                    mark.clone()
                } else {
                    " ".repeat(mark.len())
                };
                self.text.push_str(&start);
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }

    /// A word in bold and a text under it as it is, never broken, since it is copied.
    pub(crate) fn verbatim(&mut self, heading: &str, text: &str) {
        self.block();
        self.text.push_str(&self.style.bold(heading));
        self.text.push('\n');
        self.text.push_str(text.trim_end_matches('\n'));
        self.text.push('\n');
    }

    /// A line `name: value` in a block of its own, never broken, since values are copied; nothing
    /// without a value.
    pub(crate) fn pair(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        self.block();
        self.text.push_str(&format!(
            "{} {value}\n",
            self.style.bold(&format!("{name}:"))
        ));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn block(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// An amount of memory.
pub(crate) fn bytes(value: u64) -> String {
    text::memory(num::f(value))
}

/// A count of parameters.
pub(crate) fn parameters(count: u64) -> String {
    text::parameters(num::f(count))
}

/// A text in lines of at most `width` characters, where its words allow.
fn wrapped(text: &str, width: Option<u16>) -> Vec<String> {
    let Some(width) = width.map(usize::from) else {
        return vec![text.to_owned()];
    };
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
