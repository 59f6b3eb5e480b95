//! The models a machine runs.

use answer::tables::RunList;
use answer::text;

use crate::print::{Page, Style, Table, Tone, bytes, parameters};

/// The list as a page of text, with at most `limit` rows.
pub(crate) fn what_runs(list: &RunList, limit: usize, style: Style) -> String {
    let mut page = Page::new(style);
    let machine = text::several(list.count, &list.hardware);
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
    let mut table = Table::new([
        "=model",
        ">parameters",
        ">active",
        "=format",
        ">memory",
        ">largest context",
        ">tok/s",
        ">first token",
    ]);
    for row in list.rows.iter().take(limit) {
        let active = if row.active_parameters == row.parameters {
            String::new()
        } else {
            parameters(row.active_parameters)
        };
        table.toned([
            (row.model.clone(), Tone::Plain),
            (parameters(row.parameters), Tone::Plain),
            (active, Tone::Plain),
            (row.format.clone(), Tone::Plain),
            (bytes(row.total_bytes), Tone::of_verdict(&row.verdict)),
            (
                row.largest_context.map(text::tokens).unwrap_or_default(),
                Tone::Plain,
            ),
            (
                row.tok_s
                    .map_or_else(|| "?".to_owned(), |speed| text::span(speed.low, speed.high)),
                Tone::Plain,
            ),
            (row.ttft_s.map(text::time).unwrap_or_default(), Tone::Plain),
        ]);
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
