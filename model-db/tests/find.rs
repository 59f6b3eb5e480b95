//! What people type resolves to the model they mean.

use bandwise_model_db::{find, find_with_rest, get, models};

fn id(text: &str) -> Result<&'static str, Vec<String>> {
    find(text)
        .map(|model| model.id.as_str())
        .map_err(|error| error.nearest)
}

#[test]
fn people_find_their_model() {
    for (text, expected) in [
        ("llama-3.1-8b", "llama-3.1-8b"),
        ("Llama 3.1 8B", "llama-3.1-8b"),
        ("llama 3.1 8b instruct", "llama-3.1-8b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("llama 3.3 70b", "llama-3.3-70b"),
        ("qwen3 30b a3b", "qwen3-30b-a3b"),
        ("Qwen3-30B-A3B", "qwen3-30b-a3b"),
        ("qwen3 coder 30b", "qwen3-coder-30b-a3b"),
        ("gpt-oss 120b", "gpt-oss-120b"),
        ("gptoss 20b", "gpt-oss-20b"),
        ("deepseek r1", "deepseek-r1"),
        ("deepseek v3", "deepseek-v3"),
        ("mistral 7b", "mistral-7b-v0.3"),
        ("gemma 3 27b it", "gemma-3-27b"),
        ("gemma 3 27b", "gemma-3-27b"),
        ("mixtral 8x7b", "mixtral-8x7b"),
        ("phi 4", "phi-4"),
        ("kimi k2.5", "kimi-k2.5"),
    ] {
        assert_eq!(id(text), Ok(expected), "{text}");
    }
}

#[test]
fn a_format_behind_the_name_is_given_back() {
    let (model, rest) = find_with_rest("llama 3.3 70b q4").unwrap();
    assert_eq!((model.id.as_str(), rest), ("llama-3.3-70b", "q4"));
    let (model, rest) = find_with_rest("llama-3.1-8b Q4_K_M").unwrap();
    assert_eq!((model.id.as_str(), rest), ("llama-3.1-8b", "Q4_K_M"));
}

#[test]
fn a_slip_is_answered_with_the_nearest_names() {
    let nearest = id("lama-3.1-8b").unwrap_err();
    assert_eq!(nearest.first().map(String::as_str), Some("llama-3.1-8b"));
    assert!(id("").is_err());
    assert!(id("no such thing at all").is_err());
}

#[test]
fn every_id_name_and_alias_finds_its_own_model() {
    for model in models() {
        assert_eq!(get(&model.id).map(|found| &found.id), Some(&model.id));
        for text in [&model.id, &model.name].into_iter().chain(&model.aliases) {
            assert_eq!(id(text), Ok(model.id.as_str()), "{text}");
        }
        let typed = format!("{} q8_0", model.repository);
        let (found, rest) = find_with_rest(&typed).unwrap();
        assert_eq!((&found.repository, rest), (&model.repository, "q8_0"));
    }
}
