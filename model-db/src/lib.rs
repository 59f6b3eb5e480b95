//! The models Bandwise knows. Holds one model until the catalogue is converted.

use std::sync::LazyLock;

use estimator::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Dense, Gate, Layer, Span,
};

/// A model.
#[derive(Debug)]
pub struct ModelRecord {
    /// The id: file name, page address, value of `--model`.
    pub id: String,
    /// The name people know it by.
    pub name: String,
}

/// No model is called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown model `{text}`")]
pub struct ModelNotFound {
    /// What was asked for.
    pub text: String,
    /// Ids that look alike, nearest first.
    pub nearest: Vec<String>,
}

static MODELS: LazyLock<Vec<ModelRecord>> = LazyLock::new(|| {
    vec![ModelRecord {
        id: "llama-3.1-8b".to_owned(),
        name: "Llama 3.1 8B".to_owned(),
    }]
});

/// All models, ordered by id.
#[must_use]
pub fn models() -> &'static [ModelRecord] {
    &MODELS
}

/// The model people mean by a text, and the trailing words that belong to no name.
///
/// # Errors
/// [`ModelNotFound`] with the nearest ids.
pub fn find_with_rest(text: &str) -> Result<(&'static ModelRecord, &str), ModelNotFound> {
    let found = models()
        .iter()
        .find_map(|model| text.strip_prefix(&model.id).map(|rest| (model, rest)));
    found.ok_or_else(|| ModelNotFound {
        text: text.to_owned(),
        nearest: models().iter().map(|model| model.id.clone()).collect(),
    })
}

impl ModelRecord {
    /// What it is made of.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        let attention = Attention {
            heads: 32,
            kind: AttentionKind::Grouped {
                kv_heads: 8,
                head_dim: 128,
                v_head_dim: 128,
                k_equals_v: false,
            },
            span: Span::Full,
            cache: CacheOwner::Own,
            gate: Gate::None,
            qkv_bias: false,
            output_bias: false,
            fused_qkv: false,
            q_norm: 0,
            k_norm: 0,
            small: 0,
            indexer: None,
        };
        let layer = Layer {
            attention: Some(attention),
            dense: Some(Dense {
                width: 14336,
                gated: true,
                bias: false,
                fused: false,
            }),
            norms: 2,
            ..Layer::default()
        };
        Architecture {
            family: "llama".to_owned(),
            hidden: 4096,
            vocabulary: 128_256,
            output_vocabulary: 128_256,
            tied_embeddings: false,
            output_bias: false,
            positions: 0,
            norms: 1,
            layers: vec![layer; 32],
            counted: Vec::new(),
            max_context: self.max_context(),
            vision_parameters: 0,
            mtp_layers: 0,
            mtp_parameters: 0,
        }
    }

    /// The longest context it was made for.
    #[must_use]
    pub const fn max_context(&self) -> Option<u32> {
        Some(131_072)
    }
}
