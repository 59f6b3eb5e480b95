//! What a format's rules ask of a model besides its tensors.

use super::extra;
use crate::architecture::{Architecture, AttentionKind, CacheOwner, Layer, Linear};
use crate::num;

/// Architectures for which the GGUF quantizer has a rule of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QuantFamily {
    /// `llama`, `qwen2` and `deci`: at 80 layers the quantizer takes the model for "the 70B", whose
    /// value projection gets more bits (llama.cpp `src/models`, `LLM_TYPE_70B`).
    SeventyAtEightyLayers,
    /// `falcon`: attention output and feed-forward keep fewer bits.
    Falcon,
    /// Everything else.
    #[default]
    Other,
}

impl QuantFamily {
    /// From a model type as its config or its GGUF file names it.
    #[must_use]
    pub fn of(architecture: &str) -> Self {
        match architecture {
            "llama" | "qwen2" | "deci" | "nemotron-nas" => Self::SeventyAtEightyLayers,
            "falcon" => Self::Falcon,
            _ => Self::Other,
        }
    }
}

/// The facts of a model that decide which tensor gets which type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFacts {
    /// Layers of the file, those for multi-token prediction included if the file has them.
    pub layers: u32,
    /// Tensors the quantizer takes for value projections (`attn_v`, `attn_qkv`): one for each layer
    /// in a plain model, fewer in a hybrid one.
    pub value_tensors: u32,
    /// Query heads.
    pub heads: u32,
    /// Key and value heads of the first layer; MLA files carry 1, a first layer without attention 0.
    pub kv_heads: u32,
    /// Routed experts of a layer; 0 in a dense model.
    pub experts: u32,
    /// Rules of its own.
    pub family: QuantFamily,
    /// Whether the embedding serves as the output head.
    pub tied_embeddings: bool,
}

/// Whether a layer has a tensor the quantizer takes for a value projection.
const fn has_value(layer: &Layer) -> bool {
    let softmax = match &layer.attention {
        Some(attention) => match attention.kind {
            AttentionKind::Grouped { k_equals_v, .. } => {
                attention.fused_qkv || (!k_equals_v && matches!(attention.cache, CacheOwner::Own))
            }
            AttentionKind::Latent { .. } | AttentionKind::SharedVector { .. } => false,
        },
        None => false,
    };
    softmax
        || matches!(
            layer.linear,
            Some(Linear::GatedDeltaNet { .. } | Linear::Kda { .. } | Linear::Lightning { .. })
        )
}

impl ModelFacts {
    /// The facts of an architecture.
    ///
    /// Files declare key heads layer by layer where layers without attention precede others, and the
    /// quantizer looks at the first: `n_head_kv=0` for Nemotron 3 Nano in llama.cpp's
    /// `tests/snapshots/nemotron-nano-3-30b-a3b.schema`. Gated DeltaNet models declare one number
    /// for all (4 in `qwen3.5-27b.schema` there).
    #[must_use]
    pub fn of(architecture: &Architecture) -> Self {
        let (prediction, like) = extra::prediction(architecture);
        let more = if like.is_some_and(has_value) {
            prediction
        } else {
            0
        };
        let values = architecture.layers.iter().filter(|layer| {
            has_value(layer)
                || layer
                    .attention
                    .is_some_and(|attention| extra::idle(architecture, &attention).is_some())
        });
        let declared = match architecture.layers.first() {
            Some(layer) => {
                layer.attention.is_some()
                    || matches!(layer.linear, Some(Linear::GatedDeltaNet { .. }))
            }
            None => false,
        };
        Self {
            layers: architecture.layer_count().saturating_add(prediction),
            value_tensors: num::count(values.count()).saturating_add(more),
            heads: architecture.heads(),
            kv_heads: if declared { architecture.kv_heads() } else { 0 },
            experts: architecture.experts(),
            family: QuantFamily::of(&architecture.family),
            tied_embeddings: architecture.tied_embeddings,
        }
    }

    /// Query heads that share a key: `heads / kv_heads`, whole; 0 without key heads.
    #[must_use]
    pub const fn gqa(&self) -> u32 {
        match self.heads.checked_div(self.kv_heads) {
            Some(ratio) => ratio,
            None => 0,
        }
    }

    /// Whether the quantizer takes the model for Llama 70B.
    #[must_use]
    pub const fn is_seventy(&self) -> bool {
        matches!(self.family, QuantFamily::SeventyAtEightyLayers) && self.layers == 80
    }
}
