//! Broken configs.

use crate::support::LLAMA;
use crate::{Case, whole};

/// A small config with a text replaced by another.
fn replaced(what: &str, from: &str, to: &str) -> Case {
    assert!(LLAMA.contains(from), "{from}");
    whole(what, LLAMA.replace(from, to))
}

/// A small config with more keys.
fn with(what: &str, more: &str) -> Case {
    replaced(
        what,
        "\"vocab_size\": 100",
        &format!("\"vocab_size\": 100, {more}"),
    )
}

pub(crate) fn broken() -> Vec<Case> {
    let deep = |open: &str, close: &str, times: usize| {
        format!(
            "{{\"model_type\": \"llama\", \"a\": {}{}}}",
            open.repeat(times),
            close.repeat(times)
        )
    };
    let wide = format!(
        "{{\"model_type\": \"llama\", \"a\": [{}0]}}",
        "0,".repeat(600_000)
    );
    let half = LLAMA.get(..LLAMA.len() / 2).expect("half of it");
    let mut latin = LLAMA.as_bytes().to_vec();
    latin[20] = 0xe9;
    vec![
        whole("an empty object", "{}"),
        whole("cut in the middle", half),
        whole("two objects", format!("{LLAMA}{LLAMA}")),
        whole("a comma too many", "{\"model_type\": \"llama\",}"),
        whole(
            "a comment",
            "{\"model_type\": \"llama\" /* seven billion */}",
        ),
        whole("bytes that aren't UTF-8", latin),
        whole("lists in lists, 100,000 deep", deep("[", "]", 100_000)),
        whole(
            "objects in objects, 50 deep",
            deep("{\"a\":", "}", 50).replace(":}", ":1}"),
        ),
        whole("600,000 values", wide),
        with("a key twice", "\"hidden_size\": 64"),
        replaced("no `model_type`", "\"model_type\": \"llama\",", ""),
        replaced("an unknown `model_type`", "\"llama\"", "\"llama9\""),
        replaced("a number for the type", "\"llama\"", "7"),
        replaced("a model that embeds", "\"llama\"", "\"bert\""),
        replaced(
            "a type that isn't all in its config",
            "\"llama\"",
            "\"deepseek_v4\"",
        ),
        with("a text for the text part", "\"text_config\": \"see above\""),
    ]
}

pub(crate) fn values() -> Vec<Case> {
    let layers = "\"num_hidden_layers\": 2";
    let heads = "\"num_attention_heads\": 4";
    let hidden = "\"hidden_size\": 64";
    vec![
        replaced("no layers given", "\"num_hidden_layers\": 2,", ""),
        replaced("no layers", layers, "\"num_hidden_layers\": 0"),
        replaced(
            "a billion layers",
            layers,
            "\"num_hidden_layers\": 1000000000",
        ),
        replaced("-2 layers", layers, "\"num_hidden_layers\": -2"),
        replaced("2.5 layers", layers, "\"num_hidden_layers\": 2.5"),
        replaced("NaN layers", layers, "\"num_hidden_layers\": NaN"),
        replaced("`two` layers", layers, "\"num_hidden_layers\": \"two\""),
        replaced("a list for a number", hidden, "\"hidden_size\": [64]"),
        replaced("an object for a number", hidden, "\"hidden_size\": {}"),
        replaced("true for a number", hidden, "\"hidden_size\": true"),
        replaced("a width of 0", hidden, "\"hidden_size\": 0"),
        replaced("a width of 2^40", hidden, "\"hidden_size\": 1099511627776"),
        replaced("a width of 1e400", hidden, "\"hidden_size\": 1e400"),
        replaced(
            "heads that don't divide",
            heads,
            "\"num_attention_heads\": 6",
        ),
        replaced(
            "key heads that don't divide",
            "\"num_key_value_heads\": 2",
            "\"num_key_value_heads\": 3",
        ),
        replaced(
            "no key heads",
            "\"num_key_value_heads\": 2",
            "\"num_key_value_heads\": 0",
        ),
        replaced("null for the width inside", "128", "null"),
        replaced("a number for a flag", "true", "1"),
        with(
            "one kind of layer for two",
            "\"layer_types\": [\"full_attention\"]",
        ),
        with(
            "20,000 kinds of layers for two",
            &format!("\"layer_types\": [{}\"a\"]", "\"a\",".repeat(20_000)),
        ),
        with(
            "a kind of layer nobody knows",
            "\"layer_types\": [\"full_attention\", \"holographic\"]",
        ),
        with(
            "a pattern with an odd letter",
            "\"hybrid_override_pattern\": \"M?\"",
        ),
        with(
            "a pattern of one layer",
            "\"hybrid_override_pattern\": \"M\"",
        ),
        with(
            "experts without how many a token visits",
            "\"num_experts\": 8",
        ),
        with(
            "more experts a token than there are",
            "\"num_experts\": 8, \"num_experts_per_tok\": 9",
        ),
        with("a latent without its rope", "\"kv_lora_rank\": 16"),
    ]
}
