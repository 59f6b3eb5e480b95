//! A file of measured runs is read or refused; what is written reads back to the same.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let path = Path::new("report.yaml");
    match run_db::parse(path, text) {
        Ok(report) => {
            let written = serde_yaml::to_string(&report.file).expect("YAML");
            let again = run_db::parse(path, &written).expect("its own YAML");
            assert_eq!(again.file, report.file, "{written}");
        }
        Err(error) => assert!(error.to_string().starts_with("report.yaml")),
    }
});
