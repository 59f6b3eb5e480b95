//! All runs pass all rules, the embedded ones are those of the files, and the schema in the
//! repository is that of the type.

use std::fs;
use std::path::Path;

use bandwise_run_db::{Quality, lint, load, reports, runs, schema};
use catalog::lint::Level;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn all_files_pass_all_rules() {
    let findings = lint::lint(&root().join("data")).unwrap();
    let errors: Vec<String> = findings
        .iter()
        .filter(|finding| finding.level == Level::Error)
        .map(ToString::to_string)
        .collect();
    let (count, errors) = (errors.len(), errors.join("\n"));
    assert!(errors.is_empty(), "{count} errors\n{errors}");
}

#[test]
fn the_embedded_runs_are_those_of_the_files() {
    let files = load::load(&root().join("data/runs")).unwrap();
    assert_eq!(reports(), files);
}

#[test]
fn all_of_the_runs_are_there_with_their_quality() {
    let of = |quality| runs().filter(|run| run.quality == quality).count();
    assert_eq!(runs().count(), 9310);
    assert_eq!(Quality::ALL.map(of), [4950, 3542, 818]);
}

#[test]
fn the_schema_in_the_repository_is_that_of_the_type() {
    for (name, text) in schema::schemas() {
        let written = fs::read_to_string(root().join("schema").join(name)).unwrap_or_default();
        assert_eq!(written, text, "run `cargo xtask schema`");
    }
}
