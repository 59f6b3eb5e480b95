//! What a step does with the cache: bytes it reads, operations it takes.

use super::{KvType, STATE_BYTES, convolution_elements, elements_read_per_token, state_elements};
use crate::architecture::{Architecture, Attention, AttentionKind, Layer, Span};
use crate::num;
use crate::units::{Bytes, Flop};

/// Operations on each element of a recurrent state a token: decay, write and read, a multiply-add each.
const STATE_FLOP: f64 = 6.0;

/// Bytes of cache and state one sequence moves in one decode step at `depth` tokens.
///
/// Windows cap it; sparse attention reads its chosen tokens and all of the indexer's keys; latent
/// attention reads its latent once for all heads; states are read and written back. Assumes the
/// engine makes use of all that: one that computes sparse attention densely reads the whole cache.
#[must_use]
pub fn read_bytes_per_token_step(
    architecture: &Architecture,
    depth: u64,
    kv_type: KvType,
) -> Bytes {
    architecture
        .layers
        .iter()
        .map(|layer| layer_read_bytes(layer, depth, kv_type))
        .sum()
}

/// The same for one layer.
#[must_use]
pub fn layer_read_bytes(layer: &Layer, depth: u64, kv_type: KvType) -> Bytes {
    let depth = num::f(depth);
    let mut bytes = Bytes::ZERO;
    if let Some(attention) = &layer.attention {
        bytes += kv_type.bytes(elements_read_per_token(attention)) * visible(attention, depth);
        if let Some(indexer) = attention.indexer.filter(|indexer| indexer.own) {
            let key = u64::from(indexer.kv_heads) * u64::from(indexer.head_dim);
            bytes += kv_type.bytes(key) * (depth / num::f32u(indexer.rate.max(1)));
        }
    }
    if let Some(linear) = &layer.linear {
        let elements = state_elements(linear) + convolution_elements(linear);
        bytes += Bytes::new(num::f(elements) * STATE_BYTES * 2.0);
    }
    bytes * num::f32u(layer.passes.0)
}

/// Cache entries one token looks at when `depth` tokens precede it.
fn visible(attention: &Attention, depth: f64) -> f64 {
    let chosen = attention
        .indexer
        .map_or(f64::INFINITY, |indexer| num::f32u(indexer.topk));
    match attention.span {
        Span::Full => depth.min(chosen),
        Span::Sliding { window } | Span::Chunked { size: window } => depth.min(num::f32u(window)),
        Span::Compressed { window, rate } => {
            let earlier = if rate > 0 {
                (depth / num::f32u(rate)).min(chosen)
            } else {
                0.0
            };
            depth.min(num::f32u(window)) + earlier
        }
        Span::Cross => 0.0,
    }
}

/// Operations of attention for `new_tokens` tokens that follow `depth` others: queries with keys,
/// weights with values, the indexer's scores and the updates of recurrent states.
///
/// `causal` counts only pairs a token may look at, as kernels do that skip the masked half;
/// without it each new token is paired with every token. Latent attention is counted in its
/// absorbed form, in which heads work on the latent.
#[must_use]
pub fn attention_flop(
    architecture: &Architecture,
    depth: u64,
    new_tokens: u64,
    causal: bool,
) -> Flop {
    architecture
        .layers
        .iter()
        .map(|layer| layer_attention_flop(layer, depth, new_tokens, causal))
        .sum()
}

/// The same for one layer.
#[must_use]
pub fn layer_attention_flop(layer: &Layer, depth: u64, new_tokens: u64, causal: bool) -> Flop {
    let (depth, new) = (num::f(depth), num::f(new_tokens));
    let mut flop = 0.0;
    if let Some(attention) = &layer.attention {
        let pairs = |limit: f64| {
            if causal {
                causal_pairs(depth, new, limit)
            } else {
                new * (depth + new).min(limit)
            }
        };
        let all = pairs(f64::INFINITY);
        let chosen = attention
            .indexer
            .map_or(f64::INFINITY, |indexer| num::f32u(indexer.topk));
        let looked_at = match attention.span {
            Span::Full => pairs(chosen),
            Span::Sliding { window } | Span::Chunked { size: window } => pairs(num::f32u(window)),
            Span::Compressed { window, rate } => {
                let earlier = if rate > 0 {
                    let rate = num::f32u(rate);
                    pairs(chosen * rate) / rate
                } else {
                    0.0
                };
                pairs(num::f32u(window)) + earlier
            }
            Span::Cross => 0.0,
        };
        flop += 2.0 * looked_at * pair_width(attention);
        if let Some(indexer) = attention.indexer.filter(|indexer| indexer.own) {
            let width = num::f32u(indexer.heads) * num::f32u(indexer.head_dim);
            flop += 2.0 * all * width / num::f32u(indexer.rate.max(1));
        }
    }
    if let Some(linear) = &layer.linear {
        flop += num::f(state_elements(linear)) * STATE_FLOP * new;
    }
    Flop::new(flop * num::f32u(layer.passes.0))
}

/// Multiply-adds of a query with one cache entry, over all heads.
fn pair_width(attention: &Attention) -> f64 {
    let heads = num::f32u(attention.heads);
    match attention.kind {
        AttentionKind::Grouped {
            head_dim,
            v_head_dim,
            ..
        } => heads * (num::f32u(head_dim) + num::f32u(v_head_dim)),
        AttentionKind::Latent {
            kv_rank, rope_dim, ..
        } => heads * (2.0 * num::f32u(kv_rank) + num::f32u(rope_dim)),
        AttentionKind::SharedVector { head_dim, .. } => heads * 2.0 * num::f32u(head_dim),
    }
}

/// Sum over the new tokens of how many tokens each looks at: itself and all before it, `limit` at most.
fn causal_pairs(depth: f64, new: f64, limit: f64) -> f64 {
    // tokens that see fewer than `limit`: the i-th (from 1) sees depth + i
    let growing = (limit - depth).max(0.0).min(new);
    let full = new - growing;
    let capped = if full > 0.0 { full * limit } else { 0.0 };
    growing * depth + growing * (growing + 1.0) / 2.0 + capped
}
