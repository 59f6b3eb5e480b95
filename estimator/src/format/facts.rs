//! What a format's rules ask of a model besides its tensors.

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
    /// From a GGUF or Hugging Face architecture name.
    #[must_use]
    pub fn of(architecture: &str) -> Self {
        match architecture {
            "llama" | "mistral" | "qwen2" | "deci" | "nemotron-nas" => Self::SeventyAtEightyLayers,
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

impl ModelFacts {
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
