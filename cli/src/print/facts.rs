//! A catalogue entry with the source of each figure.

use answer::facts::{Fact, FactSheet, SourceLine};

use crate::print::{Page, Style, Table, Tone};

/// The entry as a page of text.
pub(crate) fn facts(sheet: &FactSheet, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(Tone::Plain, &format!("{} (`{}`)", sheet.name, sheet.id));
    let mut table = Table::new(["", "fact", "value", "sources"]);
    let mut group = "";
    for fact in &sheet.facts {
        let first = if fact.group == group { "" } else { fact.group };
        group = fact.group;
        table.row([first, &fact.what, &value(fact), &numbers(&fact.sources)]);
    }
    page.table(table);
    page.list(
        "Also called",
        (!sheet.aliases.is_empty()).then(|| sheet.aliases.join(", ")),
    );
    page.list("Notes", sheet.notes.iter().cloned());
    page.numbered("Sources", sheet.sources.iter().map(source));
    page.pair("page", &sheet.page);
    page.finish()
}

/// The value and what to mind about it, or why there is none.
fn value(fact: &Fact) -> String {
    match (&fact.value, &fact.note) {
        (Some(value), None) => value.clone(),
        (Some(value), Some(note)) => format!("{value} ({note})"),
        (None, Some(why)) => format!("unknown: {why}"),
        (None, None) => "unknown".to_owned(),
    }
}

/// Positions as they are counted in the list of sources: `1, 3`.
fn numbers(positions: &[usize]) -> String {
    positions
        .iter()
        .map(|at| (at + 1).to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

fn source(source: &SourceLine) -> String {
    let mut text = format!("{} ({}, read {})", source.text, source.kind, source.read);
    if let Some(note) = &source.note {
        text.push_str(&format!("; {note}"));
    }
    if let Some(link) = &source.link {
        text.push_str(&format!(" {link}"));
    }
    text
}
