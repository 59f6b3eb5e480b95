//! What the documents point at exists: files, sections, tests.

use bandwise_tests::{root, text_files};

/// Files with this ending: paths from the root, and texts.
fn all(ending: &str) -> Vec<(String, String)> {
    let mut files = text_files();
    files.retain(|(path, _)| path.ends_with(ending));
    files
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut broken = Vec::new();
    for (path, text) in all(".md") {
        let file = root().join(&path);
        let folder = file.parent().unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let (linked, _) = target.split_once('#').unwrap_or((target, ""));
            if linked.is_empty() || linked.contains("://") {
                continue;
            }
            if !folder.join(linked).exists() {
                broken.push(format!("{path}: {target}"));
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
    let code: String = all(".rs").into_iter().map(|(_, text)| text).collect();
    let mut missing = Vec::new();
    for (path, text) in all(".md") {
        for word in text.split('`').filter(|word| is_test_name(word)) {
            if !code.contains(&format!("fn {word}(")) {
                missing.push(format!("{path}: {word}"));
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
    for (path, text) in all(".md") {
        for word in text.split('`') {
            let plain = word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"/.-_".contains(&byte));
            let ours = starts.iter().any(|start| word.starts_with(start));
            if plain && ours && !root().join(word).exists() {
                missing.push(format!("{path}: {word}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
