//! A model file of the user's own, described.

use std::collections::BTreeMap;

use estimator::architecture::{Architecture, AttentionKind, Part, Span};
use model_file::OwnModel;
use serde::Serialize;

/// What was read from a model file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    /// What it calls itself.
    pub name: String,
    /// What it was read from.
    pub read_from: &'static str,
    /// The architecture's name, as configs have it.
    pub family: String,
    /// Its format; null where it isn't known.
    pub format: Option<String>,
    /// Weights of the text trunk.
    pub parameters: u64,
    /// Those that work on a token.
    pub active_parameters: u64,
    /// Weights by part of the model.
    pub parameters_by_part: BTreeMap<&'static str, u64>,
    /// How many layers it has.
    pub layers: u32,
    /// The kinds of layers, each with how many it has.
    pub layer_kinds: Vec<LayerKind>,
    /// Width of the residual stream.
    pub hidden: u32,
    /// Rows of the embedding.
    pub vocabulary: u32,
    /// Whether the head is the embedding.
    pub tied_embeddings: bool,
    /// Routed experts a layer; 0 for none.
    pub experts: u32,
    /// Those a token visits.
    pub experts_per_token: u32,
    /// The longest context it was made for; null where it isn't known.
    pub max_context: Option<u32>,
    /// Bytes of the file, or of all its parts; null for a config alone.
    pub file_bytes: Option<u64>,
    /// Bytes of the text trunk's tensors; null for a config alone.
    pub tensor_bytes: Option<u64>,
    /// The same by type of the numbers.
    pub bytes_by_type: BTreeMap<String, u64>,
    /// Bytes of layers for multi-token prediction.
    pub prediction_bytes: u64,
    /// Bytes of vision and audio towers.
    pub vision_bytes: u64,
    /// What had to be assumed.
    pub assumed: Vec<String>,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

/// Layers that mix tokens alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerKind {
    /// How many.
    pub layers: u32,
    /// What they do, in words.
    pub what: String,
}

/// Describes a model file.
#[must_use]
pub fn describe(own: &OwnModel) -> Description {
    let architecture = &own.architecture;
    let parameters = architecture.parameters();
    let inventory = own.inventory.as_ref();
    let mut bytes_by_type: BTreeMap<String, u64> = BTreeMap::new();
    for stored in inventory.map_or(&[][..], |inventory| &inventory.trunk) {
        let sum = bytes_by_type
            .entry(stored.encoding.to_string())
            .or_default();
        *sum = sum.saturating_add(stored.share.bytes);
    }
    Description {
        name: own.name.clone(),
        read_from: own.kind.name(),
        family: architecture.family.clone(),
        format: own.format.map(|format| format.name()),
        parameters: parameters.total,
        active_parameters: parameters.active,
        parameters_by_part: parameters
            .by_part
            .iter()
            .map(|(part, count)| (Part::name(part), count))
            .collect(),
        layers: architecture.layer_count(),
        layer_kinds: layer_kinds(architecture),
        hidden: architecture.hidden,
        vocabulary: architecture.vocabulary,
        tied_embeddings: architecture.tied_embeddings,
        experts: architecture.experts(),
        experts_per_token: architecture.experts_per_token(),
        max_context: architecture.max_context,
        file_bytes: inventory.map(|inventory| inventory.file),
        tensor_bytes: inventory.map(|inventory| inventory.total().bytes),
        bytes_by_type,
        prediction_bytes: inventory.map_or(0, |inventory| inventory.mtp.bytes),
        vision_bytes: inventory.map_or(0, |inventory| inventory.vision.bytes),
        assumed: own.assumed.clone(),
        notes: own.notes.clone(),
    }
}

/// The kinds of layers in the order they first occur.
fn layer_kinds(architecture: &Architecture) -> Vec<LayerKind> {
    let mut kinds: Vec<LayerKind> = Vec::new();
    for layer in &architecture.layers {
        let mut parts = Vec::new();
        if let Some(attention) = layer.attention {
            let heads = match attention.kind {
                AttentionKind::Grouped {
                    kv_heads, head_dim, ..
                } => format!(
                    "{} query and {kv_heads} key heads of {head_dim}",
                    attention.heads
                ),
                AttentionKind::Latent {
                    kv_rank, rope_dim, ..
                } => format!(
                    "{} heads over a latent of {kv_rank} + {rope_dim}",
                    attention.heads
                ),
                AttentionKind::SharedVector { head_dim, .. } => {
                    format!("{} heads over one vector of {head_dim}", attention.heads)
                }
            };
            let span = match attention.span {
                Span::Full => "attention".to_owned(),
                Span::Sliding { window } => format!("attention to the last {window}"),
                Span::Chunked { size } => format!("attention within chunks of {size}"),
                Span::Compressed { window, .. } => {
                    format!("attention to the last {window} and a digest of the rest")
                }
                Span::Cross => "attention to an image".to_owned(),
            };
            parts.push(format!("{span}, {heads}"));
        }
        if layer.linear.is_some() {
            parts.push("a state of constant size".to_owned());
        }
        if let Some(dense) = layer.dense {
            parts.push(format!("feed-forward of {}", dense.width));
        }
        if let Some(experts) = layer.experts {
            parts.push(format!(
                "{} of {} experts of {}",
                experts.per_token, experts.count, experts.width
            ));
        }
        let what = if parts.is_empty() {
            "nothing".to_owned()
        } else {
            parts.join("; ")
        };
        match kinds.iter_mut().find(|kind| kind.what == what) {
            Some(kind) => kind.layers += 1,
            None => kinds.push(LayerKind { layers: 1, what }),
        }
    }
    kinds
}
