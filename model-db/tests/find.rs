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
    for (text, id, format) in [
        ("llama 3.3 70b q4", "llama-3.3-70b", "q4"),
        ("llama-3.1-8b Q4_K_M", "llama-3.1-8b", "Q4_K_M"),
        ("hf.co/Qwen/Qwen3-8B-GGUF:Q4_K_M", "qwen3-8b", "Q4_K_M"),
        (
            "hf.co/unsloth/Qwen3-8B-GGUF:UD-Q4_K_XL",
            "qwen3-8b",
            "UD-Q4_K_XL",
        ),
        ("Qwen/Qwen3-8B-GGUF q8_0", "qwen3-8b", "q8_0"),
        ("nvidia/Llama-3.1-8B-Instruct-FP8", "llama-3.1-8b", "FP8"),
        ("llama3.1:8b-instruct-q4_K_M", "llama-3.1-8b", "q4_K_M"),
        ("Qwen3-8B-Q4_K_M.gguf", "qwen3-8b", "Q4_K_M.gguf"),
    ] {
        let found = find_with_rest(text).unwrap();
        assert_eq!(
            (found.entry.id.as_str(), found.rest),
            (id, format),
            "{text}"
        );
        assert!(find(text).is_err(), "{text} is more than a name");
    }
}

#[test]
fn a_pasted_name_finds_its_model() {
    for (text, expected) in [
        ("https://huggingface.co/Qwen/Qwen3-8B", "qwen3-8b"),
        ("https://huggingface.co/Qwen/Qwen3-8B/tree/main", "qwen3-8b"),
        ("hf.co/Qwen/Qwen3-8B-GGUF", "qwen3-8b"),
        ("unsloth/Qwen3.8-27B-GGUF", "qwen3.8-27b"),
        ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "llama-3.1-8b"),
        ("unsloth/gemma-3-27b-it-GGUF", "gemma-3-27b"),
        ("llama3.2:latest", "llama-3.2-3b"),
        ("qwen3:8b", "qwen3-8b"),
        ("gpt-oss:20b", "gpt-oss-20b"),
        ("gpt-oss:latest", "gpt-oss-20b"),
        ("deepseek-r1:8b", "deepseek-r1-0528-qwen3-8b"),
        ("deepseek-r1:671b", "deepseek-r1"),
        ("gemma3:27b", "gemma-3-27b"),
        ("llama 3.1 8b chat", "llama-3.1-8b"),
    ] {
        assert_eq!(id(text), Ok(expected), "{text}");
    }
}

#[test]
fn a_short_name_means_the_usual_model() {
    for (text, expected) in [
        ("qwen3 coder", "qwen3-coder-30b-a3b"),
        ("qwen3", "qwen3-8b"),
        ("qwen", "qwen3-8b"),
        ("qwen2.5", "qwen2.5-7b"),
        ("qwen2.5 coder", "qwen2.5-coder-7b"),
        ("gemma 4", "gemma-4-12b"),
        ("gemma 3", "gemma-3-4b"),
        ("deepseek 3", "deepseek-v3"),
        ("deepseek 3.1", "deepseek-v3.1"),
        ("llama3", "llama-3-8b"),
        ("llama 3", "llama-3-8b"),
        ("llama 3.1", "llama-3.1-8b"),
        ("llama 3.2", "llama-3.2-3b"),
        ("llama 3.3", "llama-3.3-70b"),
        ("llama 8b", "llama-3.1-8b"),
        ("llama 70b", "llama-3.3-70b"),
        ("llama", "llama-3.1-8b"),
        ("kimi", "kimi-k2.6"),
        ("kimi k2", "kimi-k2"),
        ("gpt oss", "gpt-oss-20b"),
        ("phi", "phi-4"),
        ("mistral", "mistral-7b-v0.3"),
        ("qwen3 30b", "qwen3-30b-a3b"),
    ] {
        assert_eq!(id(text), Ok(expected), "{text}");
    }
}

#[test]
fn models_a_short_name_may_mean_are_told() {
    let also = |text| -> Vec<_> {
        let found = find_with_rest(text).unwrap();
        found.also.iter().map(|model| model.id.as_str()).collect()
    };
    assert_eq!(also("llama 3.1"), ["llama-3.1-70b", "llama-3.1-405b"]);
    assert_eq!(also("llama3.1:latest"), ["llama-3.1-70b", "llama-3.1-405b"]);
    assert_eq!(also("qwen3 coder"), ["qwen3-coder-480b-a35b"]);
    for text in ["llama 3.1 8b", "qwen3:8b", "Qwen/Qwen3-8B", "kimi k2", "R1"] {
        assert_eq!(also(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn what_is_no_format_belongs_to_the_name() {
    for (text, near) in [
        ("granite 4", "granite-4.1-8b"),
        ("qwen3 7b", "qwen3-8b"),
        ("qwen3:7b", "qwen3-8b"),
    ] {
        let nearest = id(text).unwrap_err();
        assert!(nearest.iter().any(|id| id == near), "{text}: {nearest:?}");
        assert!(find_with_rest(text).is_err());
    }
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
        let found = find_with_rest(&typed).unwrap();
        assert_eq!(
            (&found.entry.repository, found.rest),
            (&model.repository, "q8_0")
        );
    }
}

#[test]
fn what_is_longer_than_any_name_is_refused_without_trying_every_reading() {
    // Were each of its parts looked up, this would take minutes.
    for text in [
        "9".repeat(60_000),
        "9-q:".repeat(15_000),
        "qq ".repeat(20_000),
    ] {
        let error = find(text.trim()).unwrap_err();
        assert!(error.nearest.is_empty());
    }
}
