//! Context length and the pool of the cache.

use super::{
    answered, assert_near, assert_verdict, assert_ways_have_figures, card, gib, tok_s, way,
};

/// <https://github.com/MattJColes/lgtmaybe/pull/402>: `-np 4 -c 32768` gives each user 8K in llama.cpp;
/// vLLM gives each request all of `max-model-len`.
#[test]
fn four_slots_share_out_the_context_in_llama_cpp_but_not_in_vllm() {
    let model = "hardware=rtx-3090&model=llama-3.1-8b";
    let cache = |query: String| gib(answered(&query).memory.kv_cache_bytes);
    // The context here is each sequence's: four of 8K hold what one of 32K does.
    let shared = cache(format!("{model}&format=Q4_K_M&context=8192&slots=4"));
    let single = cache(format!("{model}&format=Q4_K_M&context=32768"));
    assert_near("four of 8K", shared, single, 0.001);
    let each = cache(format!("{model}&format=Q4_K_M&context=32768&slots=4"));
    assert_near("four of 32K", each, 4.0 * single, 0.001);
    // "Unless unified": then a single request may use all of it.
    let unified = "context=32768&slots=4&kv-unified=on";
    let unified = cache(format!("{model}&format=Q4_K_M&{unified}"));
    assert_near("shared by all", unified, single, 0.001);
    let paged = answered(&format!(
        "{model}&format=fp8&engine=vllm&context=32768&concurrency=2"
    ));
    let one = gib(paged.memory.kv_cache_per_sequence_bytes);
    assert_near("a request in vLLM", one, 4.0, 0.001);
}

/// <https://github.com/vllm-project/vllm/issues/10517>: without chunked prefill a step is as long as the
/// context. With weights of 14.99 GiB the peak is 17.06 GiB at 20,000 tokens and 17.98 at 29,000. That
/// was vLLM 0.6, which counted no CUDA graphs, so the growth is compared.
#[test]
fn a_longer_prefill_step_takes_the_room_of_the_cache() {
    let question = "hardware=rtx-3090&model=llama-3.1-8b&format=bf16&engine=vllm";
    let short = answered(&format!("{question}&context=20000&ubatch=20000"));
    assert_verdict(&short, &["fits", "tight"]);
    assert_near("weights", gib(short.memory.weights_bytes), 14.99, 0.005);
    let middle = answered(&format!("{question}&context=29000&ubatch=29000"));
    assert_verdict(&middle, &["does_not_fit"]);
    let growth = middle.memory.compute_bytes - short.memory.compute_bytes;
    assert_near("growth of the peak", gib(growth), 17.98 - 17.06, 0.15);
    assert_ways_have_figures(&middle);
    way(&middle, "context");
    // Above 32K that vLLM read prompts in steps of 512 tokens.
    let chunked = answered(&format!("{question}&context=35000&ubatch=512"));
    assert_verdict(&chunked, &["fits", "tight"]);
    assert!(chunked.memory.compute_bytes * 2 < short.memory.compute_bytes);
    let pool = |answer: &answer::Answer| answer.memory.pool.as_ref().unwrap().tokens;
    assert!(pool(&chunked) > pool(&short));
}

/// <https://github.com/ollama/ollama/issues/7198>: "10 GB, 33 %/67 % CPU/GPU" at 40,000 tokens, all on
/// the CPU at 128,000. That Ollama ran without flash attention.
#[test]
fn a_context_that_outgrows_the_card_moves_the_layers_to_the_cpu() {
    let question = "hardware=rtx-4060&model=llama-3.2-3b&format=Q8_0&engine=ollama\
                    &flash-attention=off&host=desktop-ddr4-3200-dual&ram=32";
    let usual = answered(&format!("{question}&context=2048"));
    assert_verdict(&usual, &["fits"]);
    let longer = answered(&format!("{question}&context=40000"));
    assert_verdict(&longer, &["needs_offload"]);
    // What Ollama counts has no buffers on the CPU.
    let host = gib(longer.memory.host.total_bytes - longer.memory.host.compute_bytes);
    let counted = host + gib(card(&longer).total_bytes);
    assert_near("in all", counted, 10.0, 0.05);
    let share = host / counted;
    assert!((0.2..=0.4).contains(&share), "{share} on the CPU");
    let full = answered(&format!("{question}&context=128000"));
    assert_verdict(&full, &["needs_offload", "does_not_fit"]);
    // The graph alone leaves room for a layer at most.
    assert!(card(&full).layers <= 1, "{}", card(&full).layers);
    assert!(tok_s(&full) < tok_s(&longer) && tok_s(&longer) < tok_s(&usual));
    way(&full, "context");
}

/// <https://github.com/vllm-project/vllm/issues/13061>: 13.95 GiB of weights on each card, 8.69 of cache on
/// one; 81,536 tokens in all, so 131,072 don't fit. They are 7.46 GiB a card (derived: 48 layers × 4
/// heads × 128 × 2 × 2 bytes): the card that samples has less, and decides.
#[test]
fn tensor_parallel_halves_the_weights_and_the_cache_of_each_card() {
    let question = "hardware=2x+rtx-4090&model=deepseek-r1-distill-qwen-14b&format=bf16\
                    &engine=vllm&memory-fraction=0.98";
    let full = answered(&format!("{question}&context=131072"));
    assert_verdict(&full, &["does_not_fit"]);
    assert_ways_have_figures(&full);
    way(&full, "context");
    let asked = answered(&format!("{question}&context=65536"));
    assert_verdict(&asked, &["fits", "tight"]);
    for card in &asked.memory.devices {
        assert_near("weights", gib(card.weights_bytes), 13.95, 0.02);
    }
    let pool = asked.memory.pool.unwrap();
    assert_near("cache of a card", gib(pool.bytes) / 2.0, 7.46, 0.05);
    assert!((78_000..95_000).contains(&pool.tokens), "{}", pool.tokens);
}

/// <https://github.com/unslothai/unsloth/issues/9343>: a tool offers 13,056 tokens, the user wants 40K.
/// The model isn't named; the user runs a 27B on an RX 6800 XT elsewhere.
#[test]
fn a_context_beyond_what_fits_is_answered_with_ways_to_get_it() {
    let question = "hardware=rx-6800-xt&model=qwen3.8-27b&format=IQ4_XS";
    let asked = answered(&format!("{question}&context=40960&reserve=0.8"));
    assert_verdict(&asked, &["does_not_fit"]);
    let longest = asked.fit.largest_context.unwrap();
    assert!((10_000..20_000).contains(&longest), "{longest}");
    assert_ways_have_figures(&asked);
    way(&asked, "kv-type");
    assert!(asked.decode.is_none(), "no speed for what doesn't fit");
}
