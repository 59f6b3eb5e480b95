//! What the estimator gets of a record has the published cache sizes.

use bandwise_model_db::get;
use estimator::kv_cache::{CacheRule, KvType, cache_bytes};

/// Bytes of attention's cache for one sequence of `context` tokens, nothing padded, in f16.
fn cache(id: &str, context: u64) -> Option<f64> {
    let architecture = get(id)?.architecture();
    let bytes = cache_bytes(&architecture, &CacheRule::Exact, context, 1, KvType::F16);
    Some(bytes.attention.get())
}

/// f16 bytes of a cell of `kv_heads` heads of `width`, keys and values.
fn cell(kv_heads: f64, width: f64) -> f64 {
    2.0 * 2.0 * kv_heads * width
}

#[test]
fn caches_have_the_size_their_layers_give() {
    let context = 32768.0;
    for (id, bytes) in [
        ("llama-3.1-8b", 32.0 * cell(8.0, 128.0) * context),
        ("llama-3.3-70b", 80.0 * cell(8.0, 128.0) * context),
        ("deepseek-v3", 61.0 * 576.0 * 2.0 * context),
        (
            "gpt-oss-120b",
            cell(8.0, 64.0) * (18.0 * context + 18.0 * 128.0),
        ),
        (
            "gemma-3-27b",
            cell(16.0, 128.0) * (10.0 * context + 52.0 * 1024.0),
        ),
        ("qwen3.8-27b", 16.0 * cell(4.0, 256.0) * context),
        // full layers have heads of their own width; 18 of 42 layers share
        (
            "gemma-4-e4b",
            20.0 * cell(2.0, 256.0) * 512.0 + 4.0 * cell(2.0, 512.0) * context,
        ),
        // chunks of 8192
        (
            "llama-4-scout-17b-16e",
            cell(8.0, 128.0) * (12.0 * context + 36.0 * 8192.0),
        ),
        // layers that attend to the image keep nothing of the text
        ("llama-3.2-11b-vision", 32.0 * cell(8.0, 128.0) * context),
        // twice the KV heads in window layers, values narrower than keys
        (
            "mimo-v2-flash",
            9.0 * 2.0 * 4.0 * (192.0 + 128.0) * context
                + 39.0 * 2.0 * 8.0 * (192.0 + 128.0) * 128.0,
        ),
        ("nemotron-3-nano-30b-a3b", 6.0 * cell(2.0, 128.0) * context),
        ("falcon-mamba-7b", 0.0),
    ] {
        assert_eq!(cache(id, 32768), Some(bytes), "{id}");
    }
}

#[test]
fn looped_layers_keep_a_cache_for_each_pass() {
    let looped = get("inkling-2-mini").map(|model| {
        let layers = model.architecture().layers;
        layers.iter().map(|layer| layer.passes.0).sum::<u32>()
    });
    assert_eq!(looped, Some(48));
}

#[test]
fn every_model_has_layers_and_something_in_each_but_a_pruned_few() {
    for model in bandwise_model_db::models() {
        let architecture = model.architecture();
        assert!(architecture.layer_count() > 0, "{}", model.id);
        let empty = architecture
            .layers
            .iter()
            .filter(|layer| {
                layer.attention.is_none()
                    && layer.linear.is_none()
                    && layer.dense.is_none()
                    && layer.experts.is_none()
            })
            .count();
        assert!(
            empty == 0 || model.id.contains("nemotron-super"),
            "{}",
            model.id
        );
    }
}

#[test]
fn a_record_passes_on_its_towers_and_context() {
    let model = get("qwen3.8-27b").map(|model| (model.architecture(), model));
    let Some((architecture, model)) = model else {
        unreachable!("the record exists");
    };
    assert_eq!(architecture.max_context, model.max_context());
    assert_eq!(architecture.vision_parameters, model.vision_parameters);
    assert_eq!(architecture.mtp_layers, 1);
}

/// `model,context,micro_batch,kv_type,mib` as llama.cpp logs them.
const REPORTED: &str = include_str!("data/llama-cpp-cache.csv");

#[test]
fn caches_have_the_size_llama_cpp_reports() {
    let mut compared = 0;
    for line in REPORTED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
    {
        let cells: Vec<&str> = line.split(',').collect();
        let [model, context, micro_batch, kv_type, mib] = cells[..] else {
            unreachable!("`{line}` has five cells");
        };
        let (Some(model), Ok(context), Ok(micro_batch), Ok(kv_type), Ok(mib)) = (
            get(model),
            context.parse(),
            micro_batch.parse(),
            KvType::parse(kv_type),
            mib.parse::<f64>(),
        ) else {
            unreachable!("`{line}` reads");
        };
        let rule = CacheRule::LlamaCpp {
            micro_batch,
            unified: false,
            full_window: false,
            rollback: 0,
        };
        let bytes = cache_bytes(&model.architecture(), &rule, context, 1, kv_type);
        let difference = bytes.total().to_mib() - mib;
        assert!(
            difference.abs() <= 0.0101,
            "{line}: {}",
            bytes.total().to_mib()
        );
        compared += 1;
    }
    assert!(compared >= 90, "{compared}");
}
