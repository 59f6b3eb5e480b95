//! KV cache bytes of catalogued models, worked by hand from their published layer patterns.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests: a panic is the failure"
)]

use answer::{Field, Question, ask};
use estimator::kv_cache::{CacheBytes, CacheRule, KvType, cache_bytes};

const CONTEXT: u64 = 32_768;

fn cache(model: &str, rule: CacheRule, kv_type: KvType) -> CacheBytes {
    let record = model_db::get(model).expect(model);
    cache_bytes(&record.architecture(), &rule, CONTEXT, 1, kv_type)
}

/// Bytes when as many cells are kept as tokens.
fn exact(model: &str) -> u64 {
    cache(model, CacheRule::Exact, KvType::F16)
        .attention
        .round()
}

#[test]
fn grouped_query_models_keep_two_vectors_a_kv_head() {
    // layers × 2 × kv heads × head dim × 2 bytes × tokens
    assert_eq!(exact("llama-3.1-8b"), 32 * 2 * 8 * 128 * 2 * CONTEXT);
    assert_eq!(exact("llama-3.1-8b"), 4 << 30);
    assert_eq!(exact("llama-3.3-70b"), 80 * 2 * 8 * 128 * 2 * CONTEXT);
    assert_eq!(exact("llama-3.3-70b"), 10 << 30);
}

#[test]
fn latent_attention_keeps_one_latent_and_one_rope_key() {
    assert_eq!(exact("deepseek-v3"), 61 * 576 * 2 * CONTEXT);
}

#[test]
fn sliding_layers_keep_their_window() {
    assert_eq!(
        exact("gpt-oss-120b"),
        2 * 8 * 64 * 2 * (18 * CONTEXT + 18 * 128)
    );
    assert_eq!(
        exact("gemma-3-27b"),
        2 * 16 * 128 * 2 * (10 * CONTEXT + 52 * 1024)
    );
    // llama.cpp keeps a micro-batch more, padded to 256 cells.
    let llama = |model| {
        cache(model, CacheRule::LLAMA_CPP, KvType::F16)
            .attention
            .round()
    };
    assert_eq!(
        llama("gpt-oss-120b"),
        2 * 8 * 64 * 2 * (18 * CONTEXT + 18 * 768)
    );
    assert_eq!(
        llama("gemma-3-27b"),
        2 * 16 * 128 * 2 * (10 * CONTEXT + 52 * 1536)
    );
}

#[test]
fn hybrid_models_grow_only_in_their_attention_layers() {
    let qwen = cache("qwen3.8-27b", CacheRule::Exact, KvType::F16);
    assert_eq!(qwen.attention.round(), 16 * 2 * 4 * 256 * 2 * CONTEXT);
    // 48 layers: 48 value heads of 128 × 128, and 3 steps of the convolution's inputs, 4 bytes each.
    let state = 48 * 128 * 128 + 3 * (2 * 16 * 128 + 48 * 128);
    assert_eq!(qwen.state.round(), 48 * state * 4);
}

#[test]
fn quantized_caches_are_34_and_18_sixty_fourths_of_f16() {
    for model in [
        "llama-3.1-8b",
        "deepseek-v3",
        "gemma-3-27b",
        "gpt-oss-120b",
        "qwen3.8-27b",
    ] {
        let bytes = |kv_type| {
            cache(model, CacheRule::LLAMA_CPP, kv_type)
                .attention
                .round()
        };
        assert_eq!(bytes(KvType::Q8_0) * 64, bytes(KvType::F16) * 34, "{model}");
        assert_eq!(bytes(KvType::Q4_0) * 64, bytes(KvType::F16) * 18, "{model}");
    }
}

#[test]
fn the_answer_says_the_same() {
    for (model, gib) in [("llama-3.1-8b", 4), ("llama-3.3-70b", 10)] {
        let question = Question::default()
            .with(Field::Hardware, "h200-sxm-141gb")
            .with(Field::Model, model)
            .with(Field::Format, "Q4_K_M")
            .with(Field::Context, "32K");
        let answer = ask(&question).expect(model);
        assert_eq!(answer.memory.kv_cache_bytes, gib << 30, "{model}");
        assert_eq!(
            answer.memory.kv_cache_per_sequence_bytes,
            gib << 30,
            "{model}"
        );
    }
}
