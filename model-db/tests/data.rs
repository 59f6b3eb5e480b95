//! All data passes all rules, and the schemas in the repository are those of the types.

use bandwise_model_db::{lint, schema};
use catalog::lint::Level;
use std::fs;
use std::path::Path;

#[test]
fn all_files_pass_all_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let findings = lint::lint(&root.join("data")).unwrap();
    let errors: Vec<String> = findings
        .iter()
        .filter(|f| f.level == Level::Error)
        .map(ToString::to_string)
        .collect();
    assert!(
        errors.is_empty(),
        "{} errors\n{}",
        errors.len(),
        errors.join("\n")
    );
}

#[test]
fn a_malformed_file_is_a_finding_with_its_line() {
    let root = std::env::temp_dir().join(format!("bandwise-model-lint-{}", std::process::id()));
    fs::create_dir_all(root.join("models/example")).unwrap();
    fs::write(
        root.join("models/example/x.yaml"),
        "name: X\nvendor: Example\ncolour: green\n",
    )
    .unwrap();
    let findings = lint::lint(&root).unwrap();
    fs::remove_dir_all(&root).unwrap();
    let schema = findings
        .iter()
        .find(|finding| finding.rule == "schema")
        .unwrap();
    assert_eq!(
        (schema.file.as_str(), schema.line),
        ("model-db/data/models/example/x.yaml", Some(3))
    );
    assert!(schema.message.contains("colour"), "{}", schema.message);
}

#[test]
fn the_schemas_in_the_repository_are_those_of_the_types() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    for (name, text) in schema::schemas() {
        let path = root.join(name);
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "{name} has drifted: run `cargo xtask schema`"
        );
    }
}

#[test]
fn every_file_starts_with_its_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in catalog::files::read_yaml(&root.join("data")).unwrap() {
        let line = file.text.lines().next().unwrap_or_default();
        let schema = line
            .strip_prefix("# yaml-language-server: $schema=")
            .unwrap_or_default();
        assert!(
            file.path.parent().unwrap().join(schema).is_file(),
            "{}: `{line}` names no schema",
            file.path.display()
        );
    }
}

#[test]
fn the_rules_have_ids_of_their_own() {
    let mut ids: Vec<&str> = lint::rules().iter().map(|rule| rule.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}
