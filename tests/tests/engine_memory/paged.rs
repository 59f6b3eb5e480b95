//! What vLLM says it holds, against the estimator: `tests/data/vllm-memory.csv`.

use crate::assert_documented;
use crate::errors::Errors;
use crate::models::architecture;
use crate::table::rows;
use estimator::engine::Engine;
use estimator::kv_cache::{CacheRule, KvType, cache_bytes};
use estimator::memory::buffers::paged::{self, Batch, Overheads};
use estimator::units::Bytes;
use estimator::widths::Widths;

const VLLM: &str = include_str!("../../data/vllm-memory.csv");
const GIB: f64 = 1_073_741_824.0;
const H100: Bytes = Bytes::gib(79.19);

fn batch(ranks: u64) -> Batch {
    Batch::vllm(Some(Bytes::gib(80.0)), "H100 SXM", ranks as u32)
}

#[test]
fn defaults_of_vllm_follow_the_card() {
    assert_eq!((batch(1).tokens, batch(1).sequences), (8192, 1024));
    assert_eq!(batch(1).captured(), 51);
    let small = Batch::vllm(Some(Bytes::gib(24.0)), "GeForce RTX 4090", 1);
    assert_eq!((small.tokens, small.sequences), (2048, 256));
}

#[test]
fn activations_of_vllm_are_near_its_own() {
    let (mut activations, mut others) = (Errors::new(), Errors::new());
    for row in rows(VLLM) {
        let batch = batch(row.count("ranks"));
        let ours = Overheads::of(&Widths::of(&architecture(row.get("model"))), batch, true);
        let what = format!("{:?} {:.2}", row.0, ours.activation.get() / GIB);
        activations.add(
            ours.activation.get() / GIB,
            row.number("activation_gib"),
            what.clone(),
        );
        if row.get("non_torch_gib") != "-" {
            others.add(
                ours.non_torch.get() / GIB,
                row.number("non_torch_gib"),
                what,
            );
        }
    }
    assert_eq!(activations.0.len(), 20);
    assert!(activations.median() <= 0.03, "{}", activations.worst());
    assert!(activations.lowest() >= -0.10, "{}", activations.worst());
    assert!(activations.highest() <= 0.10, "{}", activations.worst());
    assert!(others.median() <= 0.05, "{}", others.worst());
    assert_documented(&activations.line("activations of vLLM"), &activations);
    assert_documented(&others.line("non-torch memory of vLLM"), &others);
}

#[test]
fn pages_of_vllm_are_what_is_left() {
    let mut seen = 0;
    for row in rows(VLLM) {
        if row.get("pool_gib") == "-" {
            continue;
        }
        let model = architecture(row.get("model"));
        let mut overheads = Overheads::of(&Widths::of(&model), batch(1), true);
        // this version takes graphs beside the fraction
        overheads.cuda_graphs = Bytes::ZERO;
        let weights = Bytes::gib(row.number("weights_gib"));
        let pool = paged::pool(Engine::Vllm, H100, 0.95, weights, Bytes::ZERO, &overheads)
            .expect("a pool");
        assert!(
            (pool.get() / GIB - row.number("pool_gib")).abs() < 0.1,
            "{pool:?}"
        );
        let token = cache_bytes(&model, &CacheRule::PAGED, 16, 1, KvType::F16).total() / 16.0;
        let tokens = Bytes::gib(row.number("pool_gib"))
            .ratio(token)
            .expect("a size");
        assert!((tokens / row.number("pool_tokens") - 1.0).abs() < 0.001);
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[test]
fn a_72b_in_bf16_leaves_no_room_for_pages_on_four_cards_of_40_gb() {
    // vLLM issue 16570: 34.43 GiB of weights a rank, 0.95 of 39.38 GiB, 0.13 GiB left.
    let widths = Widths::of(&architecture("qwen2.5-vl-72b"));
    let batch = Batch::vllm(Some(Bytes::gib(40.0)), "A100 SXM 40GB", 4);
    let mut overheads = Overheads::of(&widths, batch, false);
    assert!((overheads.activation.get() / GIB / 2.51 - 1.0).abs() < 0.01);
    assert!((overheads.non_torch.get() / GIB / 0.34 - 1.0).abs() < 0.01);
    // That version took graphs beside the fraction.
    overheads.cuda_graphs = Bytes::ZERO;
    let (memory, weights) = (Bytes::gib(39.38), Bytes::gib(34.43));
    let pool = paged::pool(Engine::Vllm, memory, 0.95, weights, Bytes::ZERO, &overheads);
    assert!(
        (pool.expect("a pool").get() / GIB - 0.13).abs() < 0.02,
        "{pool:?}"
    );
}

#[test]
fn sglang_reserves_by_chunk_and_captured_batch() {
    let large = paged::sglang_reserve(Bytes::gib(80.0), 1);
    // 512 + 1.5 × 8192 + 128 + 2 × 256 MiB
    assert_eq!(large, Bytes::mib(13_440.0));
    let small = paged::sglang_reserve(Bytes::gib(24.0), 1);
    assert_eq!(small, Bytes::mib(512.0 + 6144.0 + 128.0 + 96.0));
}
