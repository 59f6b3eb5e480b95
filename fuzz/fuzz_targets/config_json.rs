//! Any text is a config that can be estimated, or is refused.

#![no_main]

use estimator::weights::Weights;
use libfuzzer_sys::fuzz_target;
use model_file::config;

fuzz_target!(|bytes: &[u8]| {
    for assume in [None, Some("llama"), Some("qwen3_next"), Some("nemotron_h")] {
        match config::read(bytes, assume) {
            Ok(model) => {
                let architecture = &model.architecture;
                assert!(!architecture.layers.is_empty());
                let total = architecture.parameters().total;
                if let Some(format) = model.format {
                    let weights = Weights::of(architecture, &format);
                    assert!(total == u64::MAX || weights.total().elements >= total);
                }
            }
            Err(error) => {
                let text = error.to_string();
                assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
            }
        }
    }
    // the file beside it
    let _ = config::read_quantized(br#"{"model_type": "llama"}"#, bytes, None);
});
