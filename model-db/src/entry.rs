//! A model's architecture as a data file writes it; embedded as it is.
//!
//! Parts are described once under a name; `layout` says which layer has which. What stands here
//! becomes `estimator::architecture::Architecture`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::layout::{LayoutError, expand};

const fn one() -> u32 {
    1
}

const fn yes() -> bool {
    true
}

/// What a model is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArchitectureEntry {
    /// The model type as its config names it.
    pub family: String,
    /// Width of the residual stream.
    pub hidden: u32,
    /// Rows of the token embedding.
    pub vocabulary: u32,
    /// Rows of the output head, where it differs.
    #[serde(default)]
    pub output_vocabulary: Option<u32>,
    /// The head is the token embedding.
    #[serde(default)]
    pub tied_embeddings: bool,
    /// The head has a bias.
    #[serde(default)]
    pub output_bias: bool,
    /// Rows of a learned position embedding.
    #[serde(default)]
    pub positions: u32,
    /// Vectors of width `hidden` in norms outside the layers.
    #[serde(default = "one")]
    pub norms: u32,
    /// Kinds of attention by name.
    #[serde(default)]
    pub attention: BTreeMap<String, AttentionEntry>,
    /// Kinds of linear mixers by name.
    #[serde(default)]
    pub linear: BTreeMap<String, LinearEntry>,
    /// Kinds of feed-forward by name.
    #[serde(default)]
    pub feed_forward: BTreeMap<String, FeedForwardEntry>,
    /// The layers in order: `10 x (5 x sliding + dense, full + dense)`.
    pub layout: String,
    /// Layers a token passes through several times.
    #[serde(default)]
    pub repeated: Option<RepeatedEntry>,
    /// Weights whose shapes aren't published or fit no kind here, by part.
    #[serde(default)]
    pub counted: BTreeMap<PartName, u64>,
}

/// Layers a token passes through several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RepeatedEntry {
    /// The first such layer, from 0.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// How often.
    pub passes: u32,
}

/// A part of a model, as weights are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartName {
    /// Token and position embeddings.
    Embedding,
    /// The output head.
    Output,
    /// Softmax attention.
    Attention,
    /// Linear mixers.
    Linear,
    /// The indexer of sparse attention.
    Indexer,
    /// Dense feed-forward.
    Dense,
    /// Routed experts.
    Experts,
    /// The router.
    Router,
    /// Shared experts.
    Shared,
    /// Norms.
    Norm,
    /// Tables read by row.
    Lookup,
    /// Anything else.
    Other,
}

/// A kind of softmax attention: grouped unless `latent` or `shared_vector` is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AttentionEntry {
    /// Query heads.
    pub heads: u32,
    /// Heads of keys and values.
    #[serde(default)]
    pub kv_heads: u32,
    /// Width of a query and key head.
    #[serde(default)]
    pub head_dim: u32,
    /// Width of a value head, where it differs.
    #[serde(default)]
    pub v_head_dim: Option<u32>,
    /// Values are the keys.
    #[serde(default)]
    pub k_equals_v: bool,
    /// Latent attention.
    #[serde(default)]
    pub latent: Option<LatentEntry>,
    /// One shared vector a token.
    #[serde(default)]
    pub shared_vector: Option<SharedVectorEntry>,
    /// A sliding window, in tokens.
    #[serde(default)]
    pub window: Option<u32>,
    /// Chunks, in tokens.
    #[serde(default)]
    pub chunk: Option<u32>,
    /// A window, and compressed entries of what lies before it.
    #[serde(default)]
    pub compress: Option<CompressEntry>,
    /// Attends to an image, not to the text.
    #[serde(default)]
    pub cross: bool,
    /// Reads the cache of an earlier layer.
    #[serde(default)]
    pub shares_cache: bool,
    /// The gate on its output.
    #[serde(default)]
    pub gate: Option<GateName>,
    /// q, k and v have biases.
    #[serde(default)]
    pub qkv_bias: bool,
    /// The output projection has a bias.
    #[serde(default)]
    pub output_bias: bool,
    /// Files hold q, k and v as one matrix.
    #[serde(default)]
    pub fused_qkv: bool,
    /// Width of the norm of q or of its low-rank form.
    #[serde(default)]
    pub q_norm: u32,
    /// Width of the norm of k or of the latent.
    #[serde(default)]
    pub k_norm: u32,
    /// Elements of other small vectors (sinks, scales).
    #[serde(default)]
    pub small: u32,
    /// The sparse-attention indexer.
    #[serde(default)]
    pub indexer: Option<IndexerEntry>,
    /// Vectors of width `hidden` in the norms around it.
    #[serde(default = "one")]
    pub norms: u32,
}

/// The gate on attention's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateName {
    /// One number a head.
    Head,
    /// One number an element.
    Element,
}

/// Latent attention (MLA).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LatentEntry {
    /// Rank of the query; left out when it is projected at once.
    #[serde(default)]
    pub q_rank: Option<u32>,
    /// Width of the latent.
    pub kv_rank: u32,
    /// Width of the shared rope key.
    pub rope: u32,
    /// Width of a head without the rope part.
    pub nope: u32,
    /// Width of a value head.
    pub value: u32,
}

/// Attention over one shared vector a token that is key and value at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SharedVectorEntry {
    /// Width of the vector.
    pub width: u32,
    /// Rank of the query.
    pub q_rank: u32,
    /// Rank of an output group.
    pub o_rank: u32,
    /// Output groups.
    pub o_groups: u32,
}

/// A window, and compressed entries of what lies before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompressEntry {
    /// Tokens kept as they are.
    pub window: u32,
    /// Tokens to an entry.
    pub rate: u32,
}

/// The indexer of sparse attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IndexerEntry {
    /// Heads of its query.
    pub heads: u32,
    /// Width of its keys.
    pub head_dim: u32,
    /// Tokens attention looks at.
    pub topk: u32,
    /// Tokens a key stands for.
    #[serde(default = "one")]
    pub rate: u32,
    /// Input width of its query projection; 0 where its weights are under `counted`.
    #[serde(default)]
    pub q_input: u32,
    /// The layer chooses for itself; else it reuses an earlier layer's choice.
    #[serde(default = "yes")]
    pub own: bool,
    /// Its weights are under `counted`.
    #[serde(default)]
    pub counted: bool,
}

/// A kind of linear mixer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LinearEntry {
    /// Which.
    pub kind: LinearKind,
    /// Heads (KDA, lightning, Mamba-2).
    #[serde(default)]
    pub heads: u32,
    /// Width of a head (KDA, lightning, Mamba-2).
    #[serde(default)]
    pub head_dim: u32,
    /// Heads of q and k (Gated DeltaNet).
    #[serde(default)]
    pub k_heads: u32,
    /// Heads of v (Gated DeltaNet).
    #[serde(default)]
    pub v_heads: u32,
    /// Width of a q or k head (Gated DeltaNet).
    #[serde(default)]
    pub k_head_dim: u32,
    /// Width of a v head (Gated DeltaNet).
    #[serde(default)]
    pub v_head_dim: u32,
    /// Inner width (Mamba).
    #[serde(default)]
    pub inner: u32,
    /// State a channel (Mamba, Mamba-2).
    #[serde(default)]
    pub state: u32,
    /// Groups of B and C (Mamba-2).
    #[serde(default)]
    pub groups: u32,
    /// Rank of the time step (Mamba).
    #[serde(default)]
    pub dt_rank: u32,
    /// Channels (short convolution).
    #[serde(default)]
    pub channels: u32,
    /// Length of the convolution.
    #[serde(default)]
    pub kernel: u32,
    /// Norms on the time step, B and C (Jamba's Mamba).
    #[serde(default)]
    pub inner_norms: bool,
    /// A norm before the output projection (Mamba-2).
    #[serde(default = "yes")]
    pub norm: bool,
    /// The decay's projection has full rank (KDA).
    #[serde(default)]
    pub full_rank_decay: bool,
    /// The output gate's projection has full rank (KDA).
    #[serde(default)]
    pub full_rank_gate: bool,
    /// Vectors of width `hidden` in the norms around it.
    #[serde(default = "one")]
    pub norms: u32,
}

/// Kinds of linear mixers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LinearKind {
    /// Gated DeltaNet.
    GatedDeltanet,
    /// Kimi Delta Attention.
    Kda,
    /// Lightning attention.
    Lightning,
    /// Mamba.
    Mamba1,
    /// Mamba-2.
    Mamba2,
    /// Gated short convolution.
    ShortConv,
}

/// A kind of feed-forward: routed when `experts` is given, else dense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FeedForwardEntry {
    /// Inner width, of an expert if routed.
    pub width: u32,
    /// Gated (three matrices) or plain (two).
    #[serde(default = "yes")]
    pub gated: bool,
    /// The matrices have biases.
    #[serde(default)]
    pub bias: bool,
    /// Files hold gate and up as one matrix.
    #[serde(default)]
    pub fused: bool,
    /// Routed experts.
    #[serde(default)]
    pub experts: u32,
    /// Experts a token is routed to.
    #[serde(default)]
    pub active: u32,
    /// Combined inner width of the experts every token visits.
    #[serde(default)]
    pub shared: u32,
    /// The shared experts have a gate.
    #[serde(default)]
    pub shared_gate: bool,
    /// The width experts work in, where it isn't `hidden`.
    #[serde(default)]
    pub latent: Option<u32>,
    /// Further experts that do nothing.
    #[serde(default)]
    pub zero: u32,
    /// Elements of the router's small vectors.
    #[serde(default)]
    pub router_small: u32,
    /// Vectors of width `hidden` in the norms around it.
    #[serde(default = "one")]
    pub norms: u32,
}

/// Weights of the text trunk as counted elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckEntry {
    /// All.
    pub total: u64,
    /// Those that work on a token.
    pub active: u64,
    /// All by part.
    pub parts: BTreeMap<PartName, u64>,
}

impl ArchitectureEntry {
    /// How many layers there are, once every component is known to be described.
    ///
    /// # Errors
    /// A layout that can't be read or names a component that isn't described.
    pub fn checked_layers(&self) -> Result<usize, LayoutError> {
        let known = |name: &str| {
            self.attention.contains_key(name)
                || self.linear.contains_key(name)
                || self.feed_forward.contains_key(name)
        };
        expand(&self.layout, &mut |names| {
            for name in names {
                if !known(name) {
                    return Err(LayoutError::Unknown {
                        name: name.to_owned(),
                    });
                }
            }
            Ok(())
        })
        .map(|layers| layers.len())
    }
}
