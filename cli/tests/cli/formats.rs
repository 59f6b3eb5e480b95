//! What a model takes in each format.

use crate::{json, refused, stdout};

#[test]
fn the_table_shows_size_bits_and_types() {
    insta::assert_snapshot!(
        "formats-llama-3.1-8b",
        stdout(&["formats", "--model", "llama-3.1-8b"])
    );
}

#[test]
fn the_json_has_bytes_by_type() {
    // As printed: a parsed value's order of keys depends on features of other packages.
    let printed = stdout(&["formats", "--model", "llama 3.1 8b q4", "--json"]);
    insta::assert_snapshot!("formats-json", printed);
}

#[test]
fn other_families_are_listed_when_asked_for() {
    let families = |arguments: &[&str]| {
        let list = json(&[&["formats", "--model", "qwen3-8b"], arguments].concat());
        let mut families: Vec<String> = list["formats"]
            .as_array()
            .expect("formats")
            .iter()
            .map(|row| row["family"].as_str().expect("a family").to_owned())
            .collect();
        families.dedup();
        families
    };
    assert_eq!(families(&[]), ["gguf"]);
    assert_eq!(families(&["--family", "MLX"]), ["mlx"]);
    assert_eq!(families(&["--format", "awq"]), ["awq"]);
    assert!(families(&["--all"]).len() > 8);
}

#[test]
fn what_cannot_be_used_is_named() {
    for arguments in [
        &["formats"][..],
        &["formats", "--model", "lama 3.1 8b", "--format", "Q4_K_N"],
        &["formats", "--model", "llama-3.1-8b", "--family", "ggml"],
    ] {
        insta::assert_snapshot!(
            format!("refused-{}", arguments.join("-")),
            refused(arguments)
        );
    }
}
