//! What holds for the repository as a whole: which part knows which, where arithmetic lives, how
//! long a file may be, and that it speaks of the project alone.

#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use bandwise_tests::{root, text_files};
use serde_json::Value;

/// The most lines a source file may have.
const LINES: usize = 500;

/// Source files that may be longer, each with its reason.
const LONGER: [(&str, &str); 0] = [];

/// Which part of the workspace may depend on which; tests, benches and their helpers aside.
const EDGES: [(&str, &[&str]); 11] = [
    ("bandwise-catalog", &[]),
    ("bandwise-estimator", &[]),
    (
        "bandwise-hardware-db",
        &["bandwise-catalog", "bandwise-estimator"],
    ),
    (
        "bandwise-model-db",
        &["bandwise-catalog", "bandwise-estimator"],
    ),
    (
        "bandwise-model-file",
        &["bandwise-estimator", "bandwise-model-db"],
    ),
    ("bandwise-run-db", &["bandwise-catalog"]),
    (
        "bandwise-answer",
        &[
            "bandwise-catalog",
            "bandwise-estimator",
            "bandwise-hardware-db",
            "bandwise-model-db",
            "bandwise-model-file",
        ],
    ),
    (
        "bandwise-validation",
        &[
            "bandwise-answer",
            "bandwise-catalog",
            "bandwise-estimator",
            "bandwise-hardware-db",
            "bandwise-model-db",
            "bandwise-run-db",
        ],
    ),
    ("bandwise", COMMAND_LINE),
    ("bandwise-web", SURFACE),
    (
        "bandwise-web-files",
        &["bandwise-estimator", "bandwise-model-file"],
    ),
];

const COMMAND_LINE: &[&str] = &[
    "bandwise-answer",
    "bandwise-catalog",
    "bandwise-estimator",
    "bandwise-hardware-db",
    "bandwise-model-db",
    "bandwise-model-file",
    "bandwise-validation",
];

const SURFACE: &[&str] = &[
    "bandwise-answer",
    "bandwise-catalog",
    "bandwise-estimator",
    "bandwise-hardware-db",
    "bandwise-model-db",
    "bandwise-model-file",
];

/// Modules of the engine that estimate: `answer` calls them, the surfaces only show what it says.
const ESTIMATING: [&str; 8] = [
    "calibration",
    "estimate::estimate",
    "explain",
    "memory",
    "roofline",
    "scenario",
    "step",
    "tensor",
];

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Each package of the workspace with its dependencies, those for tests aside.
fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let text = cargo(&["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let product = dependencies
                .iter()
                .filter(|dependency| dependency["kind"] != "dev");
            (name(package), product.map(name).collect())
        })
        .collect()
}

/// Every crate that ends up in a program, by `cargo tree`.
fn linked_into(package: &str, features: &str) -> BTreeSet<String> {
    let tree = cargo(&[
        "tree",
        "--offline",
        "--package",
        package,
        "--features",
        features,
        "--edges=normal",
        "--prefix=none",
        "--format={p}",
    ]);
    tree.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Source files below these folders, and what they say.
fn sources(folders: &[&str]) -> Vec<(String, String)> {
    let mut files = text_files();
    files.retain(|(path, _)| {
        path.ends_with(".rs") && folders.iter().any(|folder| path.starts_with(folder))
    });
    files
}

#[test]
fn databases_then_estimator_then_answer_then_surfaces() {
    let packages = packages();
    for (package, allowed) in EDGES {
        let ours: BTreeSet<_> = packages[package]
            .iter()
            .map(String::as_str)
            .filter(|name| packages.contains_key(*name))
            .collect();
        let allowed: BTreeSet<_> = allowed.iter().copied().collect();
        let unknown: Vec<_> = ours.difference(&allowed).collect();
        assert!(unknown.is_empty(), "{package} depends on {unknown:?}");
    }
    let known: BTreeSet<_> = EDGES
        .iter()
        .map(|(package, _)| *package)
        .chain(["bandwise-tests", "xtask"])
        .collect();
    let all: BTreeSet<_> = packages.keys().map(String::as_str).collect();
    assert_eq!(all, known);
}

#[test]
fn the_estimator_depends_on_thiserror_alone() {
    let dependencies = &packages()["bandwise-estimator"];
    assert_eq!(dependencies, &BTreeSet::from(["thiserror".to_owned()]));
}

#[test]
fn no_program_reads_yaml() {
    for (package, features) in [("bandwise", ""), ("bandwise-web", "ssr")] {
        let linked = linked_into(package, features);
        assert!(linked.contains("serde"), "{linked:?}");
        let yaml: Vec<_> = linked.iter().filter(|name| name.contains("yaml")).collect();
        assert!(yaml.is_empty(), "{package} has {yaml:?}");
    }
}

#[test]
fn every_dependency_has_its_reason_in_the_documents() {
    let reasons = std::fs::read_to_string(root().join("docs/dependencies.md")).expect("a file");
    let words: BTreeSet<_> = reasons
        .split(|letter: char| !(letter.is_ascii_alphanumeric() || "-_".contains(letter)))
        .collect();
    let packages = packages();
    let missing: Vec<_> = packages
        .values()
        .flatten()
        .filter(|name| !packages.contains_key(*name) && !words.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_package_takes_the_workspaces_lints() {
    for (path, text) in text_files() {
        if path.ends_with("/Cargo.toml") && !path.starts_with("fuzz/") {
            assert!(text.contains("[lints]\nworkspace = true"), "{path}");
        }
    }
}

#[test]
fn surfaces_estimate_through_answer_alone() {
    let mut found = Vec::new();
    for (path, text) in sources(&["cli/src/", "web/src/"]) {
        let grouped = text.contains("use estimator::{");
        for (line, text) in (1..).zip(text.lines()) {
            let named = ESTIMATING.iter().any(|module| {
                text.contains(&format!("estimator::{module}"))
                    || grouped && text.starts_with(&format!("    {module}::"))
            });
            if named {
                found.push(format!("{path}:{line}: {}", text.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A line multiplies or divides, outside a comment and a text.
fn is_arithmetic(line: &str) -> bool {
    let code: String = line
        .split('"')
        .step_by(2)
        .collect::<Vec<_>>()
        .join("\"\"")
        .split("//")
        .next()
        .unwrap_or_default()
        .to_owned();
    code.contains(" * ") || code.contains(" / ")
}

#[test]
fn arithmetic_is_told_from_comments_texts_and_references() {
    for line in [
        "let time = bytes / bandwidth;",
        "a * b // c",
        "\"x\" + a * 2",
    ] {
        assert!(is_arithmetic(line), "{line}");
    }
    for line in [
        "// a * b",
        "\"a / b\"",
        "(*count, &rest)",
        "let a = b; // a / b",
    ] {
        assert!(!is_arithmetic(line), "{line}");
    }
}

#[test]
fn no_figure_of_a_device_or_model_is_reckoned_with_outside_the_engine() {
    let figures = [
        "bandwidth",
        "peak",
        "fp16",
        "fp8",
        "flop",
        "parameters",
        "layers",
        "weights",
        "_bytes",
    ];
    let mut found = Vec::new();
    for (path, text) in sources(&["answer/src/", "cli/src/", "web/src/"]) {
        for (line, text) in (1..).zip(text.lines()) {
            if is_arithmetic(text) && figures.iter().any(|figure| text.contains(figure)) {
                found.push(format!("{path}:{line}: {}", text.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    let mut found = Vec::new();
    for (path, text) in sources(&[""]) {
        let lines = text.lines().count();
        let excused = LONGER.iter().any(|(longer, _)| *longer == path);
        if (lines > LINES) != excused {
            found.push(format!("{path}: {lines} lines"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    // Put together here, or this file would name them.
    let paths = ["home", "root", "work", "tmp", "Users"].map(|folder| format!("/{folder}/"));
    let mut found = Vec::new();
    for (path, text) in text_files() {
        for (line, text) in (1..).zip(text.lines()) {
            // In an address a folder may have any name.
            let mut words = text.split_whitespace().filter(|word| !word.contains("://"));
            if words.any(|word| paths.iter().any(|path| word.contains(path))) {
                found.push(format!("{path}:{line}: {}", text.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn files_say_what_is_and_leave_nothing_to_do() {
    // Put together here, or this file would say them.
    let markers = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["sub", "agent"],
        ["../sha", "red/"],
    ]
    .map(|parts| parts.concat());
    let mut found = Vec::new();
    for (path, text) in text_files() {
        for (line, text) in (1..).zip(text.lines()) {
            if markers.iter().any(|marker| text.contains(marker)) {
                found.push(format!("{path}:{line}: {}", text.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
