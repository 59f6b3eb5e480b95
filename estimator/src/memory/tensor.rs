//! What tensor parallel divides and what it repeats.

use crate::architecture::{Architecture, AttentionKind, Layer};
use crate::num::f32u;

/// The share of the whole cache that each of `count` ranks holds.
///
/// KV heads are divided as long as there are enough, then repeated; a latent serves all heads, so
/// every rank keeps it whole (vLLM, `vllm/model_executor/models/deepseek_v2.py`, and
/// `get_total_num_kv_heads` in `vllm/config/model.py`). States of linear mixers divide with their
/// heads. `sums` are of the layers before the n-th.
pub(super) fn cache_share(architecture: &Architecture, sums: &[f64], count: u32) -> f64 {
    let all = sums.last().copied().unwrap_or(0.0);
    if all <= 0.0 {
        return 0.0;
    }
    let held: f64 = architecture
        .layers
        .iter()
        .zip(sums.windows(2))
        .map(|(layer, pair)| match pair {
            [before, after] => (after - before) * layer_share(layer, count),
            _ => 0.0,
        })
        .sum();
    held / all
}

fn layer_share(layer: &Layer, count: u32) -> f64 {
    let even = 1.0 / f32u(count);
    match layer.attention.map(|attention| attention.kind) {
        Some(AttentionKind::Grouped { kv_heads, .. }) if kv_heads > 0 => {
            f32u(kv_heads.div_ceil(count)) / f32u(kv_heads)
        }
        Some(AttentionKind::Latent { .. } | AttentionKind::SharedVector { .. }) => 1.0,
        _ => even,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::examples;

    #[test]
    fn kv_heads_are_divided_and_then_repeated_and_a_latent_is_never_divided() {
        let sums =
            |model: &Architecture| -> Vec<f64> { (0..=model.layer_count()).map(f32u).collect() };
        let llama = examples::llama_8b();
        assert!((cache_share(&llama, &sums(&llama), 4) - 0.25).abs() < 1e-12);
        // 8 KV heads over 16 ranks: one each, twice.
        assert!((cache_share(&llama, &sums(&llama), 16) - 0.125).abs() < 1e-12);
        let deepseek = examples::deepseek_v3();
        assert!((cache_share(&deepseek, &sums(&deepseek), 8) - 1.0).abs() < 1e-12);
    }
}
