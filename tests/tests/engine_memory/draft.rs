//! Drafting by multi-token prediction: what its context takes beside the model's.

use crate::models::architecture;
use estimator::engine::Backend;
use estimator::kv_cache::{CacheRule, KvType, cache_bytes, draft_cache_bytes};
use estimator::memory::buffers::llama::{Graph, Place};
use estimator::units::Bytes;
use estimator::widths::Widths;

/// The engine's own projections for the context that drafts, made as those of
/// `tests/data/engine-memory-devices.csv`: model, context, and MiB of its cache, of its buffer on one
/// device, and on the last of three.
const DRAFTS: [(&str, u64, f64, f64, f64); 6] = [
    ("qwen3.6-27b", 8192, 32.0, 130.0157, 234.0626),
    ("qwen3.6-27b", 131_072, 512.0, 196.0157, 714.0626),
    ("qwen3.6-35b-a3b", 8192, 16.0, 72.0157, 129.0626),
    ("qwen3.6-35b-a3b", 131_072, 256.0, 168.0157, 609.0626),
    ("qwen3.5-9b", 8192, 32.0, 96.0157, 184.0626),
    ("qwen3.5-9b", 131_072, 512.0, 172.0157, 664.0626),
];

fn graph(context: u64, kv_type: KvType, sequences: u64) -> Graph {
    Graph {
        micro_batch: 512,
        logit_rows: sequences,
        flash_attention: true,
        kv_type,
        context,
        sequences,
        unified: true,
        full_window: false,
        rollback: 2,
        backend: Backend::Cuda,
    }
}

fn mebibytes(bytes: Bytes) -> f64 {
    bytes.get() / 1_048_576.0
}

#[test]
fn a_context_that_drafts_has_a_cache_and_a_buffer_of_its_own() {
    for (model, context, cache, one, last) in DRAFTS {
        let model = architecture(model);
        let widths = Widths::of(&model);
        // whatever the model's own cache is in
        let graph = graph(context, KvType::Q8_0, 1);
        let ours = draft_cache_bytes(&model, &CacheRule::LLAMA_CPP, context, 1, KvType::F16);
        assert!((mebibytes(ours) - cache).abs() < 1e-9, "{ours:?}");
        for (pipelined, theirs) in [(false, one), (true, last)] {
            let ours = mebibytes(graph.draft(&widths, pipelined));
            let error = ours / theirs - 1.0;
            assert!(error.abs() < 0.08, "{context}: {ours} for {theirs}");
        }
    }
}

#[test]
fn a_27b_on_three_cards_takes_what_was_measured() {
    // llama-toolchest pull request 180: a hybrid 27B on three cards of 16 GiB, cache 4.75 GiB,
    // states 1.75, buffers 4.99. It doesn't tell the settings; those figures are of q8_0 at 131,072
    // tokens, four slots and drafts of two.
    let model = architecture("qwen3.6-27b");
    let widths = Widths::of(&model);
    let rule = CacheRule::LlamaCpp {
        micro_batch: 512,
        unified: true,
        full_window: false,
        rollback: 2,
    };
    let context = 131_072 / 4;
    let cache = cache_bytes(&model, &rule, context, 4, KvType::Q8_0);
    let draft = draft_cache_bytes(&model, &rule, context, 4, KvType::F16);
    let gibibytes = |bytes: Bytes| bytes.get() / 1_073_741_824.0;
    assert_eq!(gibibytes(cache.attention + draft), 4.75);
    assert_eq!(format!("{:.2}", gibibytes(cache.state)), "1.75");
    let graph = graph(context, KvType::Q8_0, 4);
    let on = |place| graph.stages(&widths, place).peak();
    let drafting = Graph {
        kv_type: KvType::F16,
        ..graph
    };
    let all = on(Place::PipelineFirst)
        + on(Place::PipelineLater) * 2.0
        + graph.draft(&widths, true)
        + graph.inputs_on_host(&widths, true)
        + drafting.inputs_on_host(&widths, true);
    assert!((gibibytes(all) / 4.99 - 1.0).abs() < 0.06, "{all:?}");
}
