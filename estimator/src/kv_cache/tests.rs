use super::*;
use crate::architecture::examples;
use crate::units::{Bytes, Flop};

fn exact(architecture: &Architecture, context: u64, kv_type: KvType) -> Bytes {
    cache_bytes(architecture, &CacheRule::Exact, context, 1, kv_type).total()
}

/// Bytes of one f16 cell of all layers of a kind.
fn f16(elements: f64) -> f64 {
    2.0 * elements
}

#[test]
fn llama_8b_keeps_4_gib_for_32k_tokens() {
    let llama = examples::llama_8b();
    assert_eq!(exact(&llama, 32768, KvType::F16), Bytes::gib(4.0));
    assert_eq!(exact(&llama, 4096, KvType::F16), Bytes::gib(0.5));
    let padded = cache_bytes(&llama, &CacheRule::LLAMA_CPP, 32768, 1, KvType::F16);
    assert_eq!(padded.total(), Bytes::gib(4.0));
}

#[test]
fn llama_70b_keeps_10_gib_for_32k_tokens() {
    let llama = examples::llama_70b();
    assert_eq!(exact(&llama, 32768, KvType::F16), Bytes::gib(10.0));
}

#[test]
fn latent_attention_keeps_576_elements_a_layer() {
    let deepseek = examples::deepseek_v3();
    for rule in [CacheRule::Exact, CacheRule::LLAMA_CPP, CacheRule::PAGED] {
        let bytes = cache_bytes(&deepseek, &rule, 32768, 1, KvType::F16).total();
        assert_eq!(bytes.get(), 61.0 * 576.0 * 2.0 * 32768.0);
    }
}

#[test]
fn quantized_types_shrink_by_their_blocks() {
    for architecture in [
        examples::llama_8b(),
        examples::deepseek_v3(),
        examples::gemma_3_27b(),
    ] {
        let full = exact(&architecture, 32768, KvType::F16).get();
        assert_eq!(
            exact(&architecture, 32768, KvType::Q8_0).get(),
            full * 34.0 / 64.0
        );
        assert_eq!(
            exact(&architecture, 32768, KvType::Q4_0).get(),
            full * 18.0 / 64.0
        );
        assert_eq!(exact(&architecture, 32768, KvType::Fp8).get(), full / 2.0);
    }
}

#[test]
fn windows_cap_gpt_oss() {
    let oss = examples::gpt_oss(36, 128);
    // 8 KV heads of 64, keys and values
    let cell = f16(2.0 * 8.0 * 64.0);
    assert_eq!(
        exact(&oss, 131_072, KvType::F16).get(),
        cell * (18.0 * 131_072.0 + 18.0 * 128.0)
    );
    // a context below the window is kept whole everywhere
    assert_eq!(exact(&oss, 100, KvType::F16).get(), cell * 36.0 * 100.0);
}

#[test]
fn llama_cpp_pads_gpt_oss_windows_to_768_cells() {
    let oss = examples::gpt_oss(24, 32);
    let cell = f16(2.0 * 8.0 * 64.0);
    let bytes = cache_bytes(&oss, &CacheRule::LLAMA_CPP, 8192, 1, KvType::F16);
    assert_eq!(bytes.total().get(), cell * (12.0 * 8192.0 + 12.0 * 768.0));
}

#[test]
fn llama_cpp_pads_gemma_windows_to_1536_cells() {
    let gemma = examples::gemma_3_27b();
    let cell = f16(2.0 * 16.0 * 128.0);
    let bytes = cache_bytes(&gemma, &CacheRule::LLAMA_CPP, 8192, 1, KvType::F16);
    assert_eq!(bytes.total().get(), cell * (10.0 * 8192.0 + 52.0 * 1536.0));
    assert_eq!(
        exact(&gemma, 8192, KvType::F16).get(),
        cell * (10.0 * 8192.0 + 52.0 * 1024.0)
    );
    let whole = CacheRule::LlamaCpp {
        micro_batch: 512,
        unified: false,
        full_window: true,
        rollback: 0,
    };
    let bytes = cache_bytes(&gemma, &whole, 8192, 1, KvType::F16);
    assert_eq!(bytes.total().get(), cell * 62.0 * 8192.0);
}

#[test]
fn a_unified_pool_shares_its_window_cells() {
    let oss = examples::gpt_oss(24, 32);
    let cell = f16(2.0 * 8.0 * 64.0);
    let unified = CacheRule::LlamaCpp {
        micro_batch: 512,
        unified: true,
        full_window: false,
        rollback: 0,
    };
    let bytes = cache_bytes(&oss, &unified, 2048, 4, KvType::F16);
    // 4 × 128 + 512 = 1024
    assert_eq!(bytes.total().get(), cell * (12.0 * 8192.0 + 12.0 * 1024.0));
    let apart = cache_bytes(&oss, &CacheRule::LLAMA_CPP, 2048, 4, KvType::F16);
    assert_eq!(
        apart.total().get(),
        cell * 4.0 * (12.0 * 2048.0 + 12.0 * 768.0)
    );
}

#[test]
fn cells_are_padded_to_256() {
    let llama = examples::llama_8b();
    let odd = cache_bytes(&llama, &CacheRule::LLAMA_CPP, 4097, 1, KvType::F16);
    let even = cache_bytes(&llama, &CacheRule::LLAMA_CPP, 4352, 1, KvType::F16);
    assert_eq!(odd, even);
}

#[test]
fn qwen_keeps_a_constant_state_in_three_of_four_layers() {
    let qwen = examples::qwen3_8_27b();
    let bytes = cache_bytes(&qwen, &CacheRule::Exact, 32768, 1, KvType::F16);
    assert_eq!(
        bytes.attention.get(),
        16.0 * f16(2.0 * 4.0 * 256.0) * 32768.0
    );
    // 48 heads of 128 × 128, and three inputs of the convolution over q, k and v
    let state = 48.0 * 128.0 * 128.0 + 3.0 * (2.0 * 16.0 * 128.0 + 48.0 * 128.0);
    assert_eq!(bytes.state.get(), 48.0 * 4.0 * state);
    let longer = cache_bytes(&qwen, &CacheRule::Exact, 65536, 1, KvType::Q8_0);
    assert_eq!(longer.state, bytes.state);
}

#[test]
fn pages_are_filled_before_new_ones_start() {
    let llama = examples::llama_8b();
    let cell = 32.0 * f16(2.0 * 8.0 * 128.0);
    let bytes = cache_bytes(&llama, &CacheRule::PAGED, 17, 3, KvType::F16);
    assert_eq!(bytes.total().get(), 3.0 * 32.0 * cell);
}

#[test]
fn layers_that_share_a_cache_keep_none() {
    let mut llama = examples::llama_8b();
    for layer in llama.layers.iter_mut().skip(16) {
        if let Some(attention) = &mut layer.attention {
            attention.cache = CacheOwner::Earlier;
        }
    }
    assert_eq!(exact(&llama, 32768, KvType::F16), Bytes::gib(2.0));
    assert_eq!(
        read_bytes_per_token_step(&llama, 32768, KvType::F16),
        Bytes::gib(4.0),
        "sharing saves memory, not reads"
    );
}

#[test]
fn compressed_entries_follow_the_window() {
    let cells = cells(
        Span::Compressed {
            window: 128,
            rate: 4,
        },
        &CacheRule::Exact,
        32768,
        1,
    );
    assert_eq!(cells, 128 + 8192);
}

#[test]
fn a_step_reads_what_its_windows_show() {
    let gemma = examples::gemma_3_27b();
    let cell = f16(2.0 * 16.0 * 128.0);
    let read = |depth| read_bytes_per_token_step(&gemma, depth, KvType::F16).get();
    assert_eq!(read(0), 0.0);
    assert_eq!(read(500), cell * 62.0 * 500.0);
    assert_eq!(read(8192), cell * (10.0 * 8192.0 + 52.0 * 1024.0));
}

#[test]
fn attention_work_counts_pairs() {
    let llama = examples::llama_8b();
    let pair = 32.0 * 32.0 * (128.0 + 128.0) * 2.0;
    assert_eq!(
        attention_flop(&llama, 1023, 1, true),
        Flop::new(pair * 1024.0)
    );
    assert_eq!(
        attention_flop(&llama, 0, 512, true),
        Flop::new(pair * 512.0 * 513.0 / 2.0)
    );
    assert_eq!(
        attention_flop(&llama, 0, 512, false),
        Flop::new(pair * 512.0 * 512.0)
    );
    // two halves make the whole
    let halves = attention_flop(&llama, 0, 256, true) + attention_flop(&llama, 256, 256, true);
    assert_eq!(halves, attention_flop(&llama, 0, 512, true));
}

#[test]
fn windowed_work_stops_growing() {
    let oss = examples::gpt_oss(24, 32);
    let pair = 12.0 * 64.0 * 128.0 * 2.0;
    let near = attention_flop(&oss, 1000, 1, true).get();
    let far = attention_flop(&oss, 2000, 1, true).get();
    assert_eq!(far - near, pair * 1000.0, "only the full layers see more");
}

#[test]
fn latent_work_is_absorbed() {
    let deepseek = examples::deepseek_v3();
    assert_eq!(
        attention_flop(&deepseek, 99, 1, true).get(),
        61.0 * 100.0 * 2.0 * 128.0 * (512.0 + 64.0 + 512.0)
    );
}

#[test]
fn kv_types_parse_by_name_and_by_what_people_call_them() {
    for kv_type in KvType::ALL {
        assert_eq!(KvType::parse(kv_type.name()), Ok(kv_type));
    }
    assert_eq!(KvType::parse(" FP16 "), Ok(KvType::F16));
    assert_eq!(KvType::parse("fp8_e4m3"), Ok(KvType::Fp8));
    assert_eq!(
        KvType::parse("q3_k"),
        Err(UnknownKvType {
            name: "q3_k".to_owned()
        })
    );
    assert_eq!(KvType::Q8_0.bytes_per_element(), 34.0 / 32.0);
}
