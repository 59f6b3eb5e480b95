//! All runs pass the rules that need the catalogues and the estimator.

use std::path::Path;

use bandwise_validation::lint::lint;

#[test]
fn all_runs_are_possible_and_their_names_known() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../run-db/data");
    let findings = lint(&data).unwrap();
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let count = lines.len();
    assert!(lines.is_empty(), "{count} findings\n{}", lines.join("\n"));
}
