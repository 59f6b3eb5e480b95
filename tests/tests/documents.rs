//! What the documents point at exists: files, sections, tests.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default()
}

/// Files with this ending below a folder, build output aside.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                files(&path, ending, found);
            }
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
}

fn all(ending: &str) -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    files(&root(), ending, &mut paths);
    let read = |path: PathBuf| fs::read_to_string(&path).ok().map(|text| (path, text));
    paths.into_iter().filter_map(read).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut broken = Vec::new();
    for (path, text) in all("md") {
        let folder = path.parent().unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let (file, _) = target.split_once('#').unwrap_or((target, ""));
            if file.is_empty() || file.contains("://") {
                continue;
            }
            if !folder.join(file).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A word in backticks that is written as tests are: `a_law_in_words`.
fn is_test_name(word: &str) -> bool {
    word.matches('_').count() >= 4
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[test]
fn every_test_named_in_a_document_exists() {
    let code: String = all("rs").into_iter().map(|(_, text)| text).collect();
    let mut missing = Vec::new();
    for (path, text) in all("md") {
        for word in text.split('`').filter(|word| is_test_name(word)) {
            if !code.contains(&format!("fn {word}(")) {
                missing.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_source_file_named_in_a_document_exists() {
    let starts = [
        "catalog/",
        "hardware-db/",
        "model-db/",
        "run-db/",
        "estimator/",
        "answer/",
        "cli/",
        "web/",
        "tests/",
        "xtask/",
        "docs/",
    ];
    let mut missing = Vec::new();
    for (path, text) in all("md") {
        for word in text.split('`') {
            let plain = word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"/.-_".contains(&byte));
            let ours = starts.iter().any(|start| word.starts_with(start));
            if plain && ours && !root().join(word).exists() {
                missing.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
