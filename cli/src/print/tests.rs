//! How answers look. The answers are kept as JSON, so that these tests are of the look alone: they
//! stay as they are when the method gets better. After a change to the shape of an answer, print
//! the JSON anew with the command in the test.

use answer::Answer;
use answer::tables::{FitTable, RunList};
use serde::de::DeserializeOwned;

use super::*;

#[test]
fn lines_keep_to_the_width_and_lose_no_word() {
    let text = "one two three four five six seven eight nine ten";
    let lines = wrapped(text, Some(12));
    assert!(
        lines.iter().all(|line| line.chars().count() <= 12),
        "{lines:?}"
    );
    assert_eq!(lines.join(" "), text);
    assert_eq!(wrapped(text, None), [text]);
}

#[test]
fn without_colour_there_is_no_escape_code() {
    assert_eq!(Style::new(false, None).red("x"), "x");
    assert_eq!(Style::new(true, None).red("x"), "\u{1b}[1;31mx\u{1b}[0m");
}

fn fixture<T: DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).expect("a fixture of today's shape")
}

/// Narrow, wide, and without a limit.
fn widths(print: impl Fn(Style) -> String) -> String {
    let page = |width: Option<u16>| {
        let name = width.map_or_else(|| "no limit".to_owned(), |width| format!("{width} columns"));
        format!("===== {name} =====\n{}", print(Style::new(false, width)))
    };
    [page(Some(80)), page(None)].join("\n")
}

#[test]
fn estimates_look_as_reviewed() {
    let answers = [
        // bandwise estimate --hardware rtx-4090 --model llama-3.1-8b --format Q4_K_M --context 4096 --json
        ("fits", include_str!("fixtures/fits.json")),
        // bandwise estimate --hardware 3090 --count 2 --model 'llama 3.3 70b' --context 32K --concurrency 4 --json
        ("too-large", include_str!("fixtures/too-large.json")),
        // bandwise estimate --hardware 4090 --model gpt-oss-120b --host desktop-ddr5-5600-dual --ram 128 --json
        ("offload", include_str!("fixtures/offload.json")),
        // bandwise estimate --hardware epyc-9554 --model 'qwen3 8b' --json
        (
            "prefill-refused",
            include_str!("fixtures/prefill-refused.json"),
        ),
    ];
    for (name, json) in answers {
        let answer: Answer = fixture(json);
        insta::assert_snapshot!(
            format!("estimate-{name}"),
            widths(|style| estimate(&answer, style))
        );
    }
}

#[test]
fn the_arithmetic_looks_as_reviewed() {
    let answer: Answer = fixture(include_str!("fixtures/fits.json"));
    insta::assert_snapshot!("explain", widths(|style| steps(&answer, style)));
}

#[test]
fn fit_tables_look_as_reviewed() {
    // bandwise fit --hardware 4060 --model llama-3.1-8b --json
    let table: FitTable = fixture(include_str!("fixtures/fit.json"));
    let page = "/?hardware=4060&model=llama-3.1-8b";
    insta::assert_snapshot!("fit", widths(|style| fit(&table, page, style)));
}

#[test]
fn lists_of_models_look_as_reviewed() {
    // bandwise what-runs --hardware 4090 --limit 6 --json
    let mut list: RunList = fixture(include_str!("fixtures/what-runs.json"));
    insta::assert_snapshot!("what-runs", widths(|style| what_runs(&list, 4, style)));
    list.rows.clear();
    insta::assert_snapshot!(
        "what-runs-nothing",
        widths(|style| what_runs(&list, 4, style))
    );
}

#[test]
fn a_verdict_is_said_in_colour_and_in_words() {
    let answer: Answer = fixture(include_str!("fixtures/too-large.json"));
    let text = estimate(&answer, Style::new(true, None));
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("\u{1b}[1;31m") && first.contains("does not fit"),
        "{first}"
    );
}
