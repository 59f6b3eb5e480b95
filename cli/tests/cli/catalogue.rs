//! The catalogues: listed, shown with every source, searched.

use serde_json::Value;

use crate::{json, stdout};

fn ids(list: &Value) -> Vec<&str> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|entry| entry["id"].as_str().expect("an id"))
        .collect()
}

#[test]
fn lists_hold_every_device_and_model() {
    assert_eq!(
        ids(&json(&["hardware", "list"])).len(),
        hardware_db::devices().len()
    );
    assert_eq!(
        ids(&json(&["models", "list"])).len(),
        model_db::models().len()
    );
    let text = stdout(&["hardware", "list"]);
    assert!(
        hardware_db::devices()
            .iter()
            .all(|device| text.contains(&device.id))
    );
}

#[test]
fn filters_narrow_a_list() {
    let apple = json(&["hardware", "list", "--vendor", "APPLE"]);
    assert!(!ids(&apple).is_empty());
    assert!(
        apple
            .as_array()
            .expect("a list")
            .iter()
            .all(|device| device["vendor"] == "Apple")
    );
    let cards = json(&[
        "hardware",
        "list",
        "--kind",
        "discrete-gpu",
        "--vendor",
        "intel",
    ]);
    assert!(ids(&cards).contains(&"arc-b580"), "{cards}");
}

#[test]
fn a_search_finds_every_name_with_the_words() {
    let found = json(&["hardware", "search", "4090"]);
    assert_eq!(
        ids(&found),
        ["rtx-4090", "rtx-4090-48gb", "rtx-4090-d", "rtx-4090-laptop"]
    );
    assert_eq!(
        ids(&json(&["hardware", "search", "rtx", "4090", "laptop"])),
        ["rtx-4090-laptop"]
    );
}

#[test]
fn a_device_is_shown_with_the_sources_of_its_figures() {
    insta::assert_snapshot!("show-rtx-4090", stdout(&["hardware", "show", "4090"]));
    insta::assert_snapshot!("show-epyc-9554", stdout(&["hardware", "show", "epyc-9554"]));
    let sheet = json(&["hardware", "show", "RTX 4090"]);
    let bandwidth = sheet["facts"]
        .as_array()
        .expect("facts")
        .iter()
        .find(|fact| fact["key"] == "memory.bandwidth");
    let bandwidth = bandwidth.expect("a bandwidth");
    assert_eq!(bandwidth["value"], "1008 GB/s");
    let source = bandwidth["sources"][0].as_u64().expect("a source");
    let source = &sheet["sources"][usize::try_from(source).expect("a position")];
    assert!(
        source["link"]
            .as_str()
            .is_some_and(|link| link.starts_with("https://")),
        "{source}"
    );
}

#[test]
fn a_model_is_shown_with_the_sources_of_its_figures() {
    insta::assert_snapshot!(
        "show-llama-3.1-8b",
        stdout(&["models", "show", "llama 3.1 8b"])
    );
    insta::assert_snapshot!(
        "show-deepseek-v3",
        stdout(&["models", "show", "deepseek v3"])
    );
}

#[test]
fn models_are_filtered_by_family_and_found_by_words() {
    let family = json(&["models", "list", "--family", "Qwen3"]);
    assert!(ids(&family).contains(&"qwen3-30b-a3b"), "{family}");
    assert!(
        family
            .as_array()
            .expect("a list")
            .iter()
            .all(|model| model["family"] == "qwen3")
    );
    assert!(ids(&json(&["models", "search", "coder", "30b"])).contains(&"qwen3-coder-30b-a3b"));
}
