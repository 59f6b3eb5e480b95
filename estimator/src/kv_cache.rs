//! What a model keeps of the tokens it has seen: how many bytes are set aside for it, how many a
//! step reads, and how much work attention over it is.
//!
//! Sizes follow each layer's own geometry (heads, latent, window, state), so models that mix them
//! come out exact. Allocation rules are the engine's.

mod kind;
mod kinds;
mod work;

#[cfg(test)]
mod tests;

pub use kind::{KvType, UnknownKvType};
pub use kinds::Kinds;
pub use work::{attention_flop, layer_attention_flop, layer_read_bytes, read_bytes_per_token_step};

use crate::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Layer, Linear, Span,
};
use crate::num;
use crate::units::Bytes;

/// Bytes of a state element: engines keep recurrent states in 32 bit.
const STATE_BYTES: f64 = 4.0;

/// How an engine sets memory aside for the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheRule {
    /// llama.cpp: everything up front, in cells padded to 256 (`src/llama-kv-cache*.cpp`).
    LlamaCpp {
        /// Tokens computed at once (`--ubatch-size`); window layers keep that many more.
        micro_batch: u32,
        /// All sequences share one pool of cells (`--kv-unified`).
        unified: bool,
        /// Window layers keep the whole context (`--swa-full`).
        full_window: bool,
        /// Drafted tokens that can be taken back: recurrent layers keep a state before each
        /// (`n_rs_seq`, `src/llama-memory-recurrent.cpp`); 0 without speculative decoding.
        rollback: u32,
    },
    /// vLLM and its like: pages of `block` tokens, as many as are filled; window layers keep their window.
    Paged {
        /// Tokens of a page.
        block: u32,
    },
    /// mlx-lm: as many cells as tokens, grown by a step at a time; windows keep theirs and the chunk a
    /// prefill adds (`mlx_lm/models/cache.py`, `KVCache` and `RotatingKVCache`).
    Stepped {
        /// Cells added at once.
        step: u32,
        /// Tokens of a prefill step.
        chunk: u32,
    },
    /// As many cells as tokens, nothing padded.
    Exact,
}

impl CacheRule {
    /// llama.cpp's defaults for one sequence.
    pub const LLAMA_CPP: Self = Self::LlamaCpp {
        micro_batch: 512,
        unified: false,
        full_window: false,
        rollback: 0,
    };

    /// vLLM's default page.
    pub const PAGED: Self = Self::Paged { block: 16 };
}

/// Bytes of the cache by what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CacheBytes {
    /// Keys and values, or latents.
    pub attention: Bytes,
    /// States of linear mixers.
    pub state: Bytes,
    /// Keys of sparse attention's indexer.
    pub indexer: Bytes,
}

impl CacheBytes {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.attention + self.state + self.indexer
    }
}

/// Elements a layer keeps of each token its cache holds: keys and values together, or the latent.
///
/// 0 where the layer keeps nothing of its own.
#[must_use]
pub fn elements_per_token(attention: &Attention) -> u64 {
    if attention.cache == CacheOwner::Earlier || attention.span == Span::Cross {
        return 0;
    }
    elements_read_per_token(attention)
}

/// Elements attention reads of each token it looks at, whoever's cache they are in.
fn elements_read_per_token(attention: &Attention) -> u64 {
    match attention.kind {
        AttentionKind::Grouped {
            kv_heads,
            head_dim,
            v_head_dim,
            ..
        } => u64::from(kv_heads) * (u64::from(head_dim) + u64::from(v_head_dim)),
        AttentionKind::Latent {
            kv_rank, rope_dim, ..
        } => u64::from(kv_rank) + u64::from(rope_dim),
        AttentionKind::SharedVector { head_dim, .. } => u64::from(head_dim),
    }
}

/// Elements of a linear mixer's recurrent state, for one sequence.
#[must_use]
pub fn state_elements(linear: &Linear) -> u64 {
    match *linear {
        Linear::GatedDeltaNet {
            v_heads,
            k_head_dim,
            v_head_dim,
            ..
        } => u64::from(v_heads) * u64::from(k_head_dim) * u64::from(v_head_dim),
        Linear::Kda {
            heads, head_dim, ..
        }
        | Linear::Lightning { heads, head_dim } => {
            u64::from(heads) * u64::from(head_dim) * u64::from(head_dim)
        }
        Linear::Mamba1 { inner, state, .. } => u64::from(inner) * u64::from(state),
        Linear::Mamba2 {
            heads,
            head_dim,
            state,
            ..
        } => u64::from(heads) * u64::from(head_dim) * u64::from(state),
        Linear::ShortConv { .. } => 0,
    }
}

/// Elements of the inputs a mixer's convolution still needs, for one sequence.
#[must_use]
pub fn convolution_elements(linear: &Linear) -> u64 {
    let (channels, kernel) = match *linear {
        Linear::GatedDeltaNet {
            k_heads,
            v_heads,
            k_head_dim,
            v_head_dim,
            kernel,
        } => (
            2 * u64::from(k_heads) * u64::from(k_head_dim)
                + u64::from(v_heads) * u64::from(v_head_dim),
            kernel,
        ),
        Linear::Kda {
            heads,
            head_dim,
            kernel,
            ..
        } => (3 * u64::from(heads) * u64::from(head_dim), kernel),
        Linear::Lightning { .. } => (0, 0),
        Linear::Mamba1 { inner, kernel, .. } => (u64::from(inner), kernel),
        Linear::Mamba2 {
            heads,
            head_dim,
            state,
            groups,
            kernel,
            ..
        } => (
            u64::from(heads) * u64::from(head_dim) + 2 * u64::from(groups) * u64::from(state),
            kernel,
        ),
        Linear::ShortConv { channels, kernel } => (u64::from(channels), kernel),
    };
    channels * u64::from(kernel.saturating_sub(1))
}

/// Bytes set aside for `sequences` sequences of up to `context` tokens each.
#[must_use]
pub fn cache_bytes(
    architecture: &Architecture,
    rule: &CacheRule,
    context: u64,
    sequences: u32,
    kv_type: KvType,
) -> CacheBytes {
    architecture
        .layers
        .iter()
        .map(|layer| layer_cache_bytes(layer, rule, context, sequences, kv_type))
        .fold(CacheBytes::default(), |total, layer| CacheBytes {
            attention: total.attention + layer.attention,
            state: total.state + layer.state,
            indexer: total.indexer + layer.indexer,
        })
}

/// The same for one layer, where layers go to different devices.
#[must_use]
pub fn layer_cache_bytes(
    layer: &Layer,
    rule: &CacheRule,
    context: u64,
    sequences: u32,
    kv_type: KvType,
) -> CacheBytes {
    let passes = num::f32u(layer.passes.0);
    let mut bytes = CacheBytes::default();
    if let Some(attention) = &layer.attention {
        let cells = cells(attention.span, rule, context, sequences);
        bytes.attention = kv_type.bytes(elements_per_token(attention)) * (num::f(cells) * passes);
        if let Some(indexer) = attention.indexer.filter(|indexer| indexer.own) {
            let all = self::cells(Span::Full, rule, context, sequences);
            // llama.cpp keeps a key of every token, whatever a key stands for, unless the layer
            // compresses its tokens themselves (`src/llama-memory-hybrid-idx.cpp`).
            let every = matches!(rule, CacheRule::LlamaCpp { .. })
                && !matches!(attention.span, Span::Compressed { .. });
            let rate = if every { 1 } else { indexer.rate.max(1) };
            let keys = all.div_ceil(u64::from(rate));
            let key = u64::from(indexer.kv_heads) * u64::from(indexer.head_dim);
            bytes.indexer = kv_type.bytes(key) * (num::f(keys) * passes);
        }
    }
    if let Some(linear) = &layer.linear {
        let elements = state_elements(linear) + convolution_elements(linear);
        let states = match *rule {
            CacheRule::LlamaCpp { rollback, .. } => num::f32u(rollback) + 1.0,
            CacheRule::Paged { .. } | CacheRule::Stepped { .. } | CacheRule::Exact => 1.0,
        };
        bytes.state =
            Bytes::new(num::f(elements) * STATE_BYTES * states * num::f32u(sequences) * passes);
    }
    bytes
}

/// Bytes set aside for the layers for multi-token prediction, each like the first layer with full
/// attention: their attention is the model's (`src/models/qwen35.cpp`, `graph_mtp`).
#[must_use]
pub fn draft_cache_bytes(
    architecture: &Architecture,
    rule: &CacheRule,
    context: u64,
    sequences: u32,
    kv_type: KvType,
) -> Bytes {
    let full = |layer: &&Layer| {
        layer.linear.is_none()
            && layer
                .attention
                .is_some_and(|attention| attention.span == Span::Full)
    };
    architecture
        .layers
        .iter()
        .find(full)
        .map_or(Bytes::ZERO, |layer| {
            let one = layer_cache_bytes(layer, rule, context, sequences, kv_type);
            one.attention * num::f32u(architecture.mtp_layers)
        })
}

/// Cells a layer of this span holds for all sequences together.
fn cells(span: Span, rule: &CacheRule, context: u64, sequences: u32) -> u64 {
    let sequences = u64::from(sequences);
    let window = match span {
        Span::Full => None,
        Span::Sliding { window } | Span::Chunked { size: window } => Some(u64::from(window)),
        Span::Compressed { window, rate } => {
            let recent = cells(Span::Sliding { window }, rule, context, 1);
            let earlier = context.checked_div(u64::from(rate)).unwrap_or(0);
            return sequences.saturating_mul(recent + earlier);
        }
        Span::Cross => return 0,
    };
    match *rule {
        CacheRule::LlamaCpp {
            micro_batch,
            unified,
            full_window,
            ..
        } => {
            let (pool, pools, sharing) = if unified {
                (context.saturating_mul(sequences), 1, sequences)
            } else {
                (context, sequences, 1)
            };
            let pool = num::round_up(pool, 256);
            let kept = match window {
                Some(window) if !full_window => {
                    let needed = window
                        .saturating_mul(sharing)
                        .saturating_add(u64::from(micro_batch));
                    num::round_up(pool.min(needed), 256)
                }
                _ => pool,
            };
            kept.saturating_mul(pools)
        }
        CacheRule::Paged { block } => {
            let block = u64::from(block);
            let filled = num::round_up(context, block);
            // a window seldom starts at a page's first token, so it touches one more
            let kept = window.map_or(filled, |window| {
                filled.min(num::round_up(window, block).saturating_add(block))
            });
            kept.saturating_mul(sequences)
        }
        CacheRule::Stepped { step, chunk } => {
            let filled = num::round_up(context, u64::from(step.max(1)));
            let most = |window: u64| window.saturating_add(u64::from(chunk.max(1))) - 1;
            window
                .map_or(filled, |window| filled.min(most(window)))
                .saturating_mul(sequences)
        }
        CacheRule::Exact => window
            .map_or(context, |window| context.min(window))
            .saturating_mul(sequences),
    }
}
