//! Estimates against measured runs.

use validation::Report;
use validation::report::{Each, Naive, Slice};
use validation::statistics::Errors;

use crate::print::{Page, Style, Table, Tone};

/// Width of a page with the reasons' examples.
const WIDE: u16 = 110;
/// The most slices' rules of thumb, and unanswered reasons.
const REASONS: usize = 20;

/// The report as a page of text.
pub(crate) fn report(report: &Report, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(
        Tone::Plain,
        &format!(
            "{} rows, {} answered (methodology {})",
            report.rows, report.answered, report.methodology
        ),
    );
    let mut table = Table::new([
        "=metric",
        "=slice",
        ">rows",
        ">answered",
        ">ratio",
        ">median error",
        ">in 10 %",
        ">in 25 %",
        ">in interval",
    ]);
    for slice in &report.by {
        table.row(cells(slice));
    }
    page.table(table);
    let naive: Vec<_> = report
        .naive
        .iter()
        .filter(|naive| naive.slice == validation::slices::SCORED)
        .collect();
    if !naive.is_empty() {
        page.paragraph(
            Tone::Plain,
            "Rules of thumb, on the decode rows of one request that may be scored",
        );
        let mut table = Table::new([
            "=rule",
            ">rows",
            ">ratio",
            ">median error",
            ">in 10 %",
            ">in 25 %",
        ]);
        for naive in naive {
            table.row(rule(naive));
        }
        page.table(table);
    }
    if !report.unanswered.is_empty() {
        page.paragraph(Tone::Plain, "Rows without an estimate");
        let wide = style.has_room(WIDE);
        let mut table = Table::new(
            ["=reason", "=metric", ">rows", ">A and B"]
                .into_iter()
                .chain(wide.then_some("one of them")),
        );
        for reason in report.unanswered.iter().take(REASONS) {
            table.row(
                [
                    reason.reason.clone(),
                    reason.metric.to_owned(),
                    reason.rows.to_string(),
                    reason.scored.to_string(),
                ]
                .into_iter()
                .chain(wide.then(|| reason.example.clone())),
            );
        }
        page.table(table);
    }
    page.finish()
}

/// Each row, with its estimate or the reason there is none.
pub(crate) fn rows(each: &[Each], style: Style) -> String {
    let mut page = Page::new(style);
    let mut table = Table::new([
        "=row",
        "=hardware",
        "=model",
        "=format",
        "=engine",
        "=metric",
        ">measured",
        ">estimate",
        ">ratio",
        "reason",
    ]);
    for row in each {
        let number = |value: Option<f64>| value.map(figure).unwrap_or_default();
        table.row([
            row.id.clone(),
            row.hardware.clone(),
            row.model.clone(),
            row.format.clone(),
            row.engine.clone(),
            row.metric.to_owned(),
            number(row.measured),
            number(row.estimate),
            row.ratio
                .map(|ratio| format!("{ratio:.2}"))
                .unwrap_or_default(),
            row.reason.clone().unwrap_or_default(),
        ]);
    }
    page.table(table);
    page.finish()
}

fn cells(slice: &Slice) -> Vec<String> {
    let mut cells = vec![
        slice.metric.to_owned(),
        slice.slice.clone(),
        slice.rows.to_string(),
        slice.answered.to_string(),
    ];
    cells.extend(errors(slice.errors));
    cells.push(slice.coverage_80.map(percent).unwrap_or_default());
    cells
}

fn rule(naive: &Naive) -> Vec<String> {
    let mut cells = vec![naive.formula.to_owned(), naive.rows.to_string()];
    cells.extend(errors(naive.errors));
    cells
}

fn errors(errors: Option<Errors>) -> [String; 4] {
    match errors {
        None => Default::default(),
        Some(errors) => [
            format!("{:.2}", errors.median_ratio),
            percent(errors.median_ape),
            percent(errors.within_10),
            percent(errors.within_25),
        ],
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn figure(value: f64) -> String {
    answer::text::digits(value)
}
