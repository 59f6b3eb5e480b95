//! A fit table: formats down, contexts across.

use answer::tables::{FitCell, FitTable};
use answer::text;

use crate::print::{Page, Style, Table, Tone, bytes};

/// The table as a page of text.
pub(crate) fn fit(fit: &FitTable, permalink: &str, style: Style) -> String {
    let mut page = Page::new(style);
    let fitting = fit
        .rows
        .iter()
        .filter(|row| row.largest_context.is_some())
        .count();
    let machine = &fit.hardware;
    let tone = if fitting == 0 { Tone::Bad } else { Tone::Good };
    page.paragraph(
        tone,
        &format!(
            "{}: {fitting} of {} weight formats fit on {machine}, KV cache in {}",
            fit.model,
            fit.rows.len(),
            fit.kv_type
        ),
    );
    let engines: Vec<&str> = fit.rows.iter().map(|row| row.engine.as_str()).collect();
    let one_engine = engines.windows(2).all(|pair| pair[0] == pair[1]);
    let mut head = vec!["=format".to_owned(), ">file".to_owned()];
    if !one_engine {
        head.push("engine".to_owned());
    }
    head.extend(
        fit.contexts
            .iter()
            .map(|context| format!(">{}", text::tokens(*context))),
    );
    head.push(">largest context".to_owned());
    let mut table = Table::new(head);
    for row in &fit.rows {
        let mut cells = vec![
            (row.format.clone(), Tone::Plain),
            (bytes(row.file_bytes), Tone::Plain),
        ];
        if !one_engine {
            cells.push((row.engine.clone(), Tone::Plain));
        }
        cells.extend(
            row.cells
                .iter()
                .map(|cell| (cell_text(cell), Tone::of_verdict(&cell.verdict))),
        );
        cells.push((
            row.largest_context
                .map_or_else(|| "none".to_owned(), text::tokens),
            Tone::Plain,
        ));
        table.toned(cells);
    }
    if fitting > 0 && fit.best.len() > 1 {
        let mut best = vec![
            ("best that fits".to_owned(), Tone::Quiet),
            (String::new(), Tone::Plain),
        ];
        if !one_engine {
            best.push((String::new(), Tone::Plain));
        }
        best.extend(fit.best.iter().map(|format| {
            let name = format.clone().unwrap_or_else(|| "–".to_owned());
            (name, Tone::Plain)
        }));
        best.push((String::new(), Tone::Plain));
        table.toned(best);
    }
    page.table(table);
    if fit.kv_types.len() > 1 && fitting > 0 {
        page.table(by_kv_type(fit));
    }
    page.paragraph(
        Tone::Quiet,
        "Numbers are typical decode speeds in tok/s with the context full: alone it fits, ~ little memory is left, \
         ↓ weights spill into the host's RAM, – it does not fit, ? not known",
    );
    if one_engine && let Some(engine) = engines.first() {
        page.pair("engine", engine);
    }
    page.pair("page", permalink);
    page.finish()
}

/// The largest context of each format in each type of the cache.
fn by_kv_type(fit: &FitTable) -> Table {
    let mut head = vec!["=largest context".to_owned()];
    head.extend(fit.kv_types.iter().map(|kind| format!(">KV {kind}")));
    let mut table = Table::new(head);
    for row in &fit.rows {
        let mut cells = vec![row.format.clone()];
        cells.extend(
            row.largest_by_kv_type
                .iter()
                .map(|largest| largest.map_or_else(|| "none".to_owned(), text::tokens)),
        );
        table.row(cells);
    }
    table
}

fn cell_text(cell: &FitCell) -> String {
    let mark = match &*cell.verdict {
        "fits" => "",
        "tight" => "~",
        "needs_offload" => "↓",
        "does_not_fit" => "–",
        _ => "?",
    };
    match cell.tok_s {
        Some(speed) => format!("{mark}{}", text::digits(speed)),
        None if mark.is_empty() => "fits".to_owned(),
        None => mark.to_owned(),
    }
}
