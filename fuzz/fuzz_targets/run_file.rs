//! A file of measured runs is read or refused; each of its runs is whole.

#![no_main]

use std::path::PathBuf;

use catalog::files::DataFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let file = DataFile {
        path: PathBuf::from("report.yaml"),
        id: "report".to_owned(),
        folder: "rtx-4090".to_owned(),
        text: text.to_owned(),
    };
    match run_db::load::parse(&file) {
        Ok(report) => {
            for run in report.runs() {
                let run = run.expect("checked when read");
                assert!(run.value.is_finite() && run.value > 0.0);
            }
        }
        Err(error) => assert!(error.to_string().starts_with("report.yaml")),
    }
});
