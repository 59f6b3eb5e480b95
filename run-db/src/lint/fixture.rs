//! A well-formed file for the rules' tests, to be spoilt in one place.

use std::path::PathBuf;

use catalog::files::DataFile;
use catalog::lint::{Finding, Rule, run};

use super::{Dataset, File};
use crate::load::parse;

/// A made-up report that every rule accepts.
pub(super) const REPORT: &str = "\
source: { kind: measurement, github: someone/benchmarks, commit: 0123456789ab, path: README.md, read: 2026-12-01 }
hardware: rtx-4090
shared: { engine: llama.cpp, backend: cuda, count: 1, placement: gpu, quality: a, date: 2026-06-07 }
runs:
  - { id: r0123456789ab, model: llama-3.1-8b, format: Q4_K_M, metric: decode, value: 128.5, output: 128, depth: 0 }
  - { id: r0123456789ac, model: llama-3.1-8b, format: Q4_K_M, metric: memory_gib, value: 5.25, depth: 8192, quality: b, issue: version not stated, note: what=total; as printed }
";

/// The findings of `rule` on files of these paths, without its exceptions.
pub(super) fn on(rule: &Rule<Dataset>, files: &[(&str, &str)]) -> Vec<Finding> {
    let files = files.iter().map(|(path, text)| {
        let (folder, id) = path.split_once('/').unwrap();
        let file = DataFile {
            path: PathBuf::from(format!("{path}.yaml")),
            id: id.to_owned(),
            folder: folder.to_owned(),
            text: (*text).to_owned(),
        };
        let report = parse(&file).unwrap();
        File {
            id: (*path).to_owned(),
            file: format!("{path}.yaml"),
            text: file.text,
            runs: report.runs().map(Result::unwrap).collect(),
            report,
        }
    });
    let dataset = Dataset {
        files: files.collect(),
    };
    let rule = Rule {
        id: rule.id,
        about: rule.about,
        check: rule.check,
        exceptions: &[],
    };
    run(&[rule], &dataset)
}

/// The findings of `rule` on the well-formed report.
pub(super) fn on_good(rule: &Rule<Dataset>) -> Vec<Finding> {
    on(rule, &[("rtx-4090/benchmarks-readme", REPORT)])
}

/// The findings of `rule` on the well-formed report with `from` replaced by `to`.
pub(super) fn on_spoilt(rule: &Rule<Dataset>, from: &str, to: &str) -> Vec<Finding> {
    assert!(REPORT.contains(from), "{from}");
    let text = REPORT.replacen(from, to, 1);
    on(rule, &[("rtx-4090/benchmarks-readme", &text)])
}
