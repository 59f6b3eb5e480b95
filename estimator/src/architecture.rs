//! What a model is made of: the input from which weights, cache and work are derived.
//!
//! An [`Architecture`] lists its layers one by one, each with what it holds: attention, a linear
//! mixer, a dense feed-forward, routed experts; any of them, in any combination. That covers
//! blocks that are one or the other (Nemotron-H), both in parallel (Falcon-H1), and dense next to
//! experts (Gemma 4). Shapes are per layer because real models alternate them.

mod parameters;
mod tensors;

#[cfg(test)]
pub(crate) mod examples;
#[cfg(test)]
mod tests;

pub use parameters::{ByPart, Parameters, Part};

use crate::num;
use crate::tensor::{Role, Tensor};

/// A decoder-only language model: the text trunk.
///
/// Vision towers and multi-token-prediction layers are known by count only.
#[derive(Debug, Clone, PartialEq)]
pub struct Architecture {
    /// The model type as its config names it (`llama`, `qwen3_moe`, …); some formats have rules by family.
    pub family: String,
    /// Width of the residual stream.
    pub hidden: u32,
    /// Rows of the token embedding.
    pub vocabulary: u32,
    /// Rows of the output head.
    pub output_vocabulary: u32,
    /// Whether the head is the token embedding.
    pub tied_embeddings: bool,
    /// Whether the head has a bias of its own.
    pub output_bias: bool,
    /// Rows of a learned position embedding; 0 for none.
    pub positions: u32,
    /// Norm vectors of width `hidden` outside the layers (the final norm; a norm of the embedding; their biases).
    pub norms: u32,
    /// The layers, in order.
    pub layers: Vec<Layer>,
    /// Weights of the trunk known by count only.
    pub counted: Vec<Counted>,
    /// The longest context it was made for; `None` is unknown.
    pub max_context: Option<u32>,
    /// Weights of vision and audio towers.
    pub vision_parameters: u64,
    /// Layers for multi-token prediction, not part of `layers`.
    pub mtp_layers: u32,
    /// Weights of those layers.
    pub mtp_parameters: u64,
}

/// Weights known by count, not by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The part of the model they belong to.
    pub part: Part,
    /// How many over all layers.
    pub elements: u64,
}

/// One layer: whatever of these it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layer {
    /// Softmax attention.
    pub attention: Option<Attention>,
    /// A linear-attention, state-space or convolution mixer.
    pub linear: Option<Linear>,
    /// A dense feed-forward.
    pub dense: Option<Dense>,
    /// Routed experts, with what is shared among them.
    pub experts: Option<Experts>,
    /// Norm vectors of width `hidden` (biases count too); those inside attention stand there.
    pub norms: u32,
    /// How often a token passes through it (looped models); 1 normally.
    ///
    /// Each pass has a cache of its own; the weights are stored once.
    pub passes: Passes,
}

/// How often a token passes through a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes(pub u32);

impl Default for Passes {
    fn default() -> Self {
        Self(1)
    }
}

/// Softmax attention of one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attention {
    /// Query heads.
    pub heads: u32,
    /// How keys and values are made and kept.
    pub kind: AttentionKind,
    /// Which tokens it attends to.
    pub span: Span,
    /// Whether it has a cache of its own.
    pub cache: CacheOwner,
    /// The gate on its output.
    pub gate: Gate,
    /// Whether q, k and v have biases.
    pub qkv_bias: bool,
    /// Whether the output projection has a bias.
    pub output_bias: bool,
    /// Whether a file holds q, k and v as one matrix.
    pub fused_qkv: bool,
    /// Width of the norm of q (or of its low-rank form); 0 for none.
    pub q_norm: u32,
    /// Width of the norm of k (or of the latent); 0 for none.
    pub k_norm: u32,
    /// Other small vectors' elements (sinks, scales).
    pub small: u32,
    /// The sparse-attention indexer.
    pub indexer: Option<Indexer>,
}

/// How keys and values are made and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttentionKind {
    /// Multi-head, grouped-query and multi-query attention: `kv_heads` heads of keys and values are kept.
    Grouped {
        /// Heads of keys and values.
        kv_heads: u32,
        /// Width of a head's query and key.
        head_dim: u32,
        /// Width of a head's value.
        v_head_dim: u32,
        /// Values are the keys: one projection serves both. The cache keeps both all the same.
        k_equals_v: bool,
    },
    /// Multi-head latent attention (DeepSeek V2): one latent vector and one rope key a token are kept.
    Latent {
        /// Rank of the query's down-projection; `None` when the query is projected at once.
        q_rank: Option<u32>,
        /// Width of the latent.
        kv_rank: u32,
        /// Width of the shared rope key.
        rope_dim: u32,
        /// Width of a head's query and key without the rope part.
        nope_dim: u32,
        /// Width of a head's value.
        v_head_dim: u32,
    },
    /// One shared vector a token that is key and value at once, with low-rank query and output (DeepSeek V4).
    SharedVector {
        /// Width of the vector and of each query head.
        head_dim: u32,
        /// Rank of the query.
        q_rank: u32,
        /// Rank of each output group.
        o_rank: u32,
        /// Groups of the output.
        o_groups: u32,
    },
}

/// Which earlier tokens a layer attends to, which is also what it keeps of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// All.
    Full,
    /// The last `window`.
    Sliding {
        /// Tokens.
        window: u32,
    },
    /// Those of its own chunk of `size`.
    Chunked {
        /// Tokens.
        size: u32,
    },
    /// The last `window`, and one compressed entry for each `rate` earlier ones.
    Compressed {
        /// Tokens kept as they are.
        window: u32,
        /// Tokens to a compressed entry; 0 when this layer has none.
        rate: u32,
    },
    /// Not the text but an image: nothing is kept a token.
    Cross,
}

/// Whether a layer has a cache of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CacheOwner {
    /// It writes and reads its own.
    #[default]
    Own,
    /// It reads an earlier layer's and has no k and v weights.
    Earlier,
}

/// The gate on attention's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gate {
    /// None.
    #[default]
    None,
    /// One number a head.
    PerHead,
    /// One number an element.
    PerElement,
}

/// The indexer of sparse attention: picks which tokens attention looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Indexer {
    /// Heads of its query.
    pub heads: u32,
    /// Width of its keys.
    pub head_dim: u32,
    /// Heads of its keys.
    pub kv_heads: u32,
    /// Input width of its query projection.
    pub q_input: u32,
    /// Tokens attention looks at.
    pub topk: u32,
    /// Tokens a key stands for.
    pub rate: u32,
    /// Whether the layer computes its own choice; others reuse an earlier layer's and have no weights or keys.
    pub own: bool,
    /// Whether its weights have these known shapes; else they are in [`Architecture::counted`].
    pub shaped: bool,
}

/// A mixer with a state of constant size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linear {
    /// Gated DeltaNet (Qwen3-Next).
    GatedDeltaNet {
        /// Heads of q and k.
        k_heads: u32,
        /// Heads of v.
        v_heads: u32,
        /// Width of a q or k head.
        k_head_dim: u32,
        /// Width of a v head.
        v_head_dim: u32,
        /// Length of the convolution.
        kernel: u32,
    },
    /// Kimi Delta Attention.
    Kda {
        /// Heads.
        heads: u32,
        /// Width of a head.
        head_dim: u32,
        /// Length of the convolutions.
        kernel: u32,
        /// The decay has a full-rank projection instead of one through `head_dim`.
        full_rank_decay: bool,
        /// The output gate has a full-rank projection instead of one through `head_dim`.
        full_rank_gate: bool,
    },
    /// Lightning attention (MiniMax).
    Lightning {
        /// Heads.
        heads: u32,
        /// Width of a head.
        head_dim: u32,
    },
    /// Mamba.
    Mamba1 {
        /// Inner width.
        inner: u32,
        /// State a channel.
        state: u32,
        /// Rank of the time step.
        dt_rank: u32,
        /// Length of the convolution.
        kernel: u32,
        /// Norms on the time step and on B and C (Jamba).
        inner_norms: bool,
    },
    /// Mamba-2.
    Mamba2 {
        /// Heads.
        heads: u32,
        /// Width of a head.
        head_dim: u32,
        /// State a channel.
        state: u32,
        /// Groups of B and C.
        groups: u32,
        /// Length of the convolution.
        kernel: u32,
        /// A norm before the output projection.
        norm: bool,
    },
    /// A gated short convolution (LFM2).
    ShortConv {
        /// Channels.
        channels: u32,
        /// Length of the convolution.
        kernel: u32,
    },
}

/// A dense feed-forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dense {
    /// Inner width.
    pub width: u32,
    /// Gated (gate, up and down) or plain (up and down).
    pub gated: bool,
    /// Whether the matrices have biases.
    pub bias: bool,
    /// Whether a file holds gate and up as one matrix.
    pub fused: bool,
}

/// Routed experts and what is shared among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Experts {
    /// How many experts.
    pub count: u32,
    /// How many each token is routed to, zero experts among them.
    pub per_token: u32,
    /// Inner width of an expert.
    pub width: u32,
    /// Gated (gate, up and down) or plain (up and down).
    pub gated: bool,
    /// Whether the experts have biases.
    pub bias: bool,
    /// The width experts work in, reached by projections shared by all; `None` is the hidden width.
    pub latent: Option<u32>,
    /// Combined inner width of the experts every token visits; 0 for none.
    pub shared_width: u32,
    /// Whether the shared experts have a gate of their own.
    pub shared_gate: bool,
    /// Further experts that do nothing and cost nothing.
    pub zero_count: u32,
    /// Small vectors' elements of the router (selection bias, scales).
    pub router_small: u32,
}

impl Experts {
    /// Experts with weights that a token visits, on average.
    ///
    /// Zero experts are chosen like any other, so they take their share of `per_token`.
    #[must_use]
    pub fn expected_per_token(&self) -> f64 {
        let chosen_from = num::f32u(self.count) + num::f32u(self.zero_count);
        if chosen_from > 0.0 {
            num::f32u(self.per_token) * num::f32u(self.count) / chosen_from
        } else {
            0.0
        }
    }

    /// Weight matrices of an expert.
    #[must_use]
    pub const fn matrices(&self) -> u32 {
        if self.gated { 3 } else { 2 }
    }
}

impl Architecture {
    /// How many layers it has.
    #[must_use]
    pub fn layer_count(&self) -> u32 {
        num::count(self.layers.len())
    }

    /// How many layers have softmax attention.
    #[must_use]
    pub fn attention_layer_count(&self) -> u32 {
        num::count(
            self.layers
                .iter()
                .filter(|layer| layer.attention.is_some())
                .count(),
        )
    }

    /// Whether it has routed experts.
    #[must_use]
    pub fn is_moe(&self) -> bool {
        self.layers.iter().any(|layer| layer.experts.is_some())
    }

    /// Routed experts a layer; 0 for a dense model.
    #[must_use]
    pub fn experts(&self) -> u32 {
        self.first_experts().map_or(0, |experts| experts.count)
    }

    /// Experts a token visits in a layer; 0 for a dense model.
    #[must_use]
    pub fn experts_per_token(&self) -> u32 {
        self.first_experts().map_or(0, |experts| experts.per_token)
    }

    /// Query heads of the first attention layer; 0 without attention.
    #[must_use]
    pub fn heads(&self) -> u32 {
        self.first_attention()
            .map_or(0, |attention| attention.heads)
    }

    /// Heads of keys and values as a file declares them: 1 for latent attention; 0 without attention.
    #[must_use]
    pub fn kv_heads(&self) -> u32 {
        self.first_attention()
            .map_or(0, |attention| match attention.kind {
                AttentionKind::Grouped { kv_heads, .. } => kv_heads,
                AttentionKind::Latent { .. } | AttentionKind::SharedVector { .. } => 1,
            })
    }

    /// The widest feed-forward a token passes through in one layer: what activations need room for.
    #[must_use]
    pub fn widest_feed_forward(&self) -> u64 {
        self.layers
            .iter()
            .map(|layer| {
                let dense = layer.dense.map_or(0, |dense| u64::from(dense.width));
                let experts = layer.experts.map_or(0, |experts| {
                    u64::from(experts.per_token) * u64::from(experts.width)
                        + u64::from(experts.shared_width)
                });
                dense.max(experts)
            })
            .max()
            .unwrap_or(0)
    }

    /// Every weight tensor of the text trunk, layer by layer, as a GGUF file holds them.
    ///
    /// Shapes follow the converter of llama.cpp: latent attention's up-projections as stacks by
    /// head, experts as stacks, norms and biases one-dimensional. Weights known by count only
    /// come as [`Role::Other`] or [`Role::Lookup`], spread over the layers. Allocates nothing.
    pub fn visit_tensors(&self, visit: &mut impl FnMut(Tensor)) {
        tensors::visit(self, &mut |_, tensor| visit(tensor));
    }

    /// The same, with the part of the model each belongs to.
    pub fn visit_parts(&self, visit: &mut impl FnMut(Part, Tensor)) {
        tensors::visit(self, visit);
    }

    /// The part of [`visit_parts`](Self::visit_parts) that belongs to no layer, or to which is unknown.
    pub fn visit_outside(&self, visit: &mut impl FnMut(Part, Tensor)) {
        tensors::visit_outside(self, visit);
        tensors::visit_all_counted(self, visit);
    }

    /// The part of [`visit_parts`](Self::visit_parts) that a layer of this make has at this number.
    ///
    /// Models repeat a few layers many times; what is the same for each can be had once.
    pub fn visit_layer(&self, number: u32, layer: &Layer, visit: &mut impl FnMut(Part, Tensor)) {
        tensors::visit_layer(self, number, layer, visit);
    }

    /// How many weights the text trunk has, and how many of them work on a token.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        parameters::of(self)
    }

    /// The layer of that number.
    #[must_use]
    pub fn layer(&self, number: u32) -> Option<&Layer> {
        usize::try_from(number)
            .ok()
            .and_then(|number| self.layers.get(number))
    }

    /// The experts of the first layer that has any.
    #[must_use]
    pub fn first_experts(&self) -> Option<Experts> {
        self.layers.iter().find_map(|layer| layer.experts)
    }

    /// The attention of the first layer that has any.
    #[must_use]
    pub fn first_attention(&self) -> Option<Attention> {
        self.layers.iter().find_map(|layer| layer.attention)
    }

    /// Whether a tensor of this role doubles as the output head, so is read in full every step.
    #[must_use]
    pub fn is_tied_head(&self, role: Role) -> bool {
        self.tied_embeddings && role == Role::TokenEmbedding
    }
}
