//! Measured runs compared from the command line.

use serde_json::Value;

use crate::{refused, stdout};

const RUNS: &str = "tests/cli/runs.csv";

#[test]
fn rows_without_an_estimate_are_counted_with_their_reason() {
    let report: Value =
        serde_json::from_str(&stdout(&["validate", "--runs", RUNS, "--json"])).unwrap();
    assert_eq!(
        (&report["rows"], &report["answered"]),
        (&6.into(), &3.into())
    );
    let reasons: Vec<&str> = report["unanswered"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unanswered| unanswered["reason"].as_str().unwrap())
        .collect();
    for reason in [
        "unreadable row",
        "hardware not in the catalogue",
        "host's memory not told",
    ] {
        assert!(reasons.contains(&reason), "{reason}: {reasons:?}");
    }
    let all = |metric: &str| {
        report["by"]
            .as_array()
            .unwrap()
            .iter()
            .find(|slice| slice["metric"] == metric && slice["slice"] == "all")
            .unwrap()
            .clone()
    };
    let decode = all("decode");
    assert_eq!(
        (&decode["rows"], &decode["answered"]),
        (&3.into(), &1.into())
    );
    for key in [
        "median_ratio",
        "median_ape",
        "within_10",
        "within_25",
        "coverage_80",
    ] {
        assert!(decode[key].is_number(), "{key}");
    }
    assert!(all("memory_gib")["coverage_80"].is_null());
    assert!(!report["naive"].as_array().unwrap().is_empty());
}

#[test]
fn each_row_is_listed_with_its_estimate_or_reason() {
    let report = stdout(&["validate", "--runs", RUNS, "--each", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let each = report["each"].as_array().unwrap();
    assert_eq!(each.len(), 6);
    for row in each {
        assert!(
            row["estimate"].is_number() != row["reason"].is_string(),
            "{row}"
        );
    }
    let table = stdout(&["validate", "--runs", RUNS, "--each", "--metric", "decode"]);
    assert!(
        table.contains("rtx-4090") && !table.contains("memory_gib"),
        "{table}"
    );
}

#[test]
fn what_is_no_file_of_runs_is_refused() {
    for (arguments, problem) in [
        (["validate", "--runs", "nowhere.csv"], "can't be read"),
        (
            ["validate", "--runs", "Cargo.toml"],
            "there is no column `hardware`",
        ),
        (
            ["validate", "--metric", "decod"],
            "unknown metric; there are decode",
        ),
    ] {
        let text = refused(&arguments);
        assert!(text.contains(problem), "{text}");
    }
    let text = refused(&["validate", "--runs", RUNS, "--slice", "engine=none"]);
    assert!(text.contains("no row is in this slice"), "{text}");
}
