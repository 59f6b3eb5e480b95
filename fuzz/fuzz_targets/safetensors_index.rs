//! Any text is a safetensors index or refused, and goes with a config.

#![no_main]

use libfuzzer_sys::fuzz_target;
use model_file::{config, safetensors};

const CONFIG: &[u8] = br#"{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100, "torch_dtype": "bfloat16"}"#;

fuzz_target!(|bytes: &[u8]| {
    match safetensors::read_index(bytes) {
        Ok(index) => {
            assert!(!index.tensors.is_empty());
            let model = config::read(CONFIG, None).expect("a config");
            let model = safetensors::with_index(model, &index);
            assert_eq!(model.inventory.expect("tensors").file, index.total_size);
        }
        Err(error) => assert!(!error.to_string().ends_with('.'), "{error}"),
    }
});
