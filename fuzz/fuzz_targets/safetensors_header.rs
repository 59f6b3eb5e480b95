//! A safetensors header is read, waited for or refused; its bytes are those its tensors take.

#![no_main]

use libfuzzer_sys::fuzz_target;
use model_file::{Progress, config, safetensors};

const CONFIG: &[u8] = br#"{"model_type": "qwen3_moe", "hidden_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100, "num_experts": 8,
    "num_experts_per_tok": 2, "moe_intermediate_size": 32,
    "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}}"#;

fuzz_target!(|bytes: &[u8]| {
    // the length in front is too much to guess: half the inputs are the JSON alone
    let mut framed = u64::try_from(bytes.len()).expect("a length").to_le_bytes().to_vec();
    framed.extend_from_slice(bytes);
    for bytes in [bytes, &framed] {
        match safetensors::read(bytes, None) {
            Ok(Progress::NeedMore { at_least }) => {
                assert!(at_least > u64::try_from(bytes.len()).expect("a length"));
            }
            Ok(Progress::Done(header)) => {
                let taken: u64 = header.tensors.iter().map(|tensor| tensor.bytes).sum();
                assert!(header.file >= taken);
                assert_eq!(header.by_type().values().sum::<u64>(), taken);
                let model = config::read(CONFIG, None).expect("a config");
                if let Ok(model) = safetensors::with_headers(model, &[header]) {
                    let inventory = model.inventory.expect("tensors");
                    let parts = inventory.total().bytes + inventory.mtp.bytes;
                    assert_eq!(parts + inventory.vision.bytes, taken);
                }
            }
            Err(error) => assert!(!error.to_string().ends_with('.'), "{error}"),
        }
    }
});
