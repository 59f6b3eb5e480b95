//! One run, to be put through a rule.

use std::path::PathBuf;

use catalog::files::DataFile;
use catalog::lint::{Finding, Rule, run};
use run_db::lint::{Dataset, File};

/// The findings of `rule` on a run, with these words replaced.
pub(super) fn on(rule: &Rule<Dataset>, spoil: &[(&str, &str)]) -> Vec<Finding> {
    let mut text = "\
source: { kind: measurement, github: a/b, commit: 0123456789ab, path: c.md, read: 2026-12-01 }
hardware: rtx-4090
shared: { engine: llama.cpp, count: 1, placement: gpu, parallel: none, quality: a }
runs:
  - { id: r0123456789ab, model: llama-3.1-8b, format: Q4_K_M, backend: cuda, metric: decode, value: 128.5, output: 128, depth: 0 }
"
    .to_owned();
    for (from, to) in spoil {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let file = DataFile {
        path: PathBuf::from("rtx-4090/report.yaml"),
        id: "report".to_owned(),
        folder: "rtx-4090".to_owned(),
        text,
    };
    let report = run_db::load::parse(&file).unwrap();
    let dataset = Dataset {
        files: vec![File {
            id: "rtx-4090/report".to_owned(),
            file: "report.yaml".to_owned(),
            text: file.text,
            runs: report.runs().map(Result::unwrap).collect(),
            report,
        }],
    };
    let rule = Rule {
        id: rule.id,
        about: rule.about,
        check: rule.check,
        exceptions: &[],
    };
    run(&[rule], &dataset)
}
