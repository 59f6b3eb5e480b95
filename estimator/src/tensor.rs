//! One weight tensor of a model, as far as its size, its format and its reads depend on it.

/// What a weight tensor is for; decides its format in a mixed file, and when it is read.
///
/// The names follow GGUF's (llama.cpp `src/llama-arch.cpp`), the one published naming that covers
/// every architecture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// `token_embd`: one row is looked up a token; resident in full. Serves as the output head too when tied.
    TokenEmbedding,
    /// `output`: the language-model head, read in full every step.
    Output,
    /// Learned position embeddings: one row is looked up a token.
    PositionEmbedding,
    /// `attn_q` (also MLA's single query projection).
    AttentionQ,
    /// `attn_k`.
    AttentionK,
    /// `attn_v`.
    AttentionV,
    /// `attn_qkv`: fused; the quantizer treats it as `attn_v`.
    AttentionQkv,
    /// `attn_output`.
    AttentionOutput,
    /// `attn_gate` and the like: an output gate of attention.
    AttentionGate,
    /// MLA `attn_q_a`: query down-projection.
    MlaQA,
    /// MLA `attn_q_b`: query up-projection.
    MlaQB,
    /// MLA `attn_kv_a_mqa`: latent and rope key down-projection.
    MlaKvA,
    /// MLA `attn_k_b`: key up-projection, one matrix a head.
    MlaKB,
    /// MLA `attn_v_b`: value up-projection, one matrix a head.
    MlaVB,
    /// The indexer of sparse attention.
    Indexer,
    /// Projections of linear attention, SSM and short-convolution mixers (`ssm_in`, `ssm_out`, …).
    LinearProjection,
    /// Small non-matrix parts of such mixers (convolution, decay, …), kept in F32.
    LinearSmall,
    /// `ffn_gate` of a dense feed-forward.
    FfnGate,
    /// `ffn_up` of a dense feed-forward.
    FfnUp,
    /// `ffn_down` of a dense feed-forward.
    FfnDown,
    /// `ffn_gate_inp`: the router; kept in F32 by GGUF.
    Router,
    /// `ffn_gate_exps`: the gate matrices of all routed experts.
    ExpertGate,
    /// `ffn_up_exps`.
    ExpertUp,
    /// `ffn_down_exps`.
    ExpertDown,
    /// Biases of the routed experts (`ffn_up_exps.bias`, …); kept in F32 by GGUF.
    ExpertBias,
    /// `ffn_gate_shexp`: the shared experts, read for every token.
    SharedGate,
    /// `ffn_up_shexp`.
    SharedUp,
    /// `ffn_down_shexp`.
    SharedDown,
    /// Norms, biases, sinks and other one-dimensional tensors; kept in F32 by GGUF.
    Norm,
    /// Tables from which a few rows are looked up a token (per-layer embeddings, n-gram tables).
    Lookup,
    /// Projections that GGUF leaves in the source's 16 bits (Gemma's `per_layer_model_proj`, `altup_*`,
    /// `laurel_*`).
    Kept,
    /// Weights known by count only (residual mixers and the like); read every step.
    Other,
}

impl Role {
    /// Whether a step reads only looked-up rows of it, not the whole.
    ///
    /// A tied embedding is the exception: it is read in full as the head
    /// ([`Architecture::tied_embeddings`](crate::architecture::Architecture)).
    #[must_use]
    pub const fn is_lookup(self) -> bool {
        matches!(
            self,
            Self::TokenEmbedding | Self::PositionEmbedding | Self::Lookup
        )
    }

    /// Whether a token visits only its chosen experts' share of it.
    #[must_use]
    pub const fn is_routed(self) -> bool {
        matches!(
            self,
            Self::ExpertGate | Self::ExpertUp | Self::ExpertDown | Self::ExpertBias
        )
    }

    /// Whether GGUF keeps it in F32 whatever the file's format.
    #[must_use]
    pub const fn is_kept_in_f32(self) -> bool {
        matches!(
            self,
            Self::Norm | Self::Router | Self::LinearSmall | Self::ExpertBias
        )
    }
}

/// A weight tensor: `stack` matrices of `rows` rows of `row` elements.
///
/// `row` is GGUF's `ne0`, the length along which blocks of a quantized format lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tensor {
    /// What it is for.
    pub role: Role,
    /// The layer it belongs to, from 0; none for embeddings and the head.
    pub layer: Option<u32>,
    /// Elements of a row (`ne0`), the input width of the matrix.
    pub row: u64,
    /// Rows of a matrix (`ne1`), its output width.
    pub rows: u64,
    /// Matrices in the stack (`ne2`): experts, or MLA heads; else 1.
    pub stack: u64,
}

impl Tensor {
    /// How many weights it holds.
    #[must_use]
    pub const fn elements(&self) -> u64 {
        self.row
            .saturating_mul(self.rows)
            .saturating_mul(self.stack)
    }
}
