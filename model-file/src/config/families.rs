//! What the code of a family says and its configs don't: biases, norms, gates.
//!
//! Source: `modeling_*.py` of each family in transformers, as the catalogue's records cite them;
//! the catalogue's parameter counts check it (`tests/configs.rs`).

mod table;

use crate::error::ReadError;
use crate::nearest::nearest;
use table::{FAMILIES, REFUSED};

/// Whether matrices have biases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bias {
    /// Never.
    No,
    /// Always.
    Yes,
    /// As a key says; without it no.
    Key(&'static str),
}

/// What queries and keys are normed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QkNorm {
    /// Not at all.
    None,
    /// Each head.
    Head,
    /// All heads together.
    All,
    /// Each head, if a key says so.
    HeadIf(&'static str),
    /// All heads together, if a key says so.
    AllIf(&'static str),
}

/// How keys and values are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heads {
    /// Heads of keys and values.
    Grouped,
    /// A latent vector, where the config has `kv_lora_rank`.
    Latent,
}

/// Which layers slide where a config doesn't list them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slides {
    /// None, even if the config has a window.
    Never,
    /// All, if the config has a window.
    All,
    /// All but each so-manieth.
    AllBut(u32),
    /// As `use_sliding_window` says.
    IfAsked,
}

/// A family.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    /// Its `model_type`, then others built alike.
    pub(super) names: &'static [&'static str],
    pub(super) heads: Heads,
    pub(super) qkv_bias: Bias,
    pub(super) output_bias: Bias,
    pub(super) qk_norm: QkNorm,
    /// Norm vectors around attention, around the feed-forward, and outside the layers.
    pub(super) norms: [u32; 3],
    /// Whether the feed-forward has a gate.
    pub(super) gated: bool,
    pub(super) feed_forward_bias: Bias,
    /// Whether files keep q, k, v, and gate and up, as one matrix each.
    pub(super) fused: [bool; 2],
    /// Whether the head is the embedding where the config doesn't say.
    pub(super) tied: bool,
    /// The gate on attention's output.
    pub(super) gate: Option<model_db::entry::GateName>,
    /// Whether each head has a sink.
    pub(super) sinks: bool,
    /// Whether the router has a bias an expert.
    pub(super) router_bias: bool,
    /// Whether shared experts have a gate.
    pub(super) shared_gate: bool,
    /// Whether experts have biases.
    pub(super) expert_bias: bool,
    /// Whether the head has a bias.
    pub(super) head_bias: bool,
    pub(super) slides: Slides,
}

/// The names of all families that are read, as `model_type` has them.
pub fn known() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.names).copied()
}

fn by_name(name: &str) -> Option<(&'static str, Family)> {
    FAMILIES.iter().find_map(|family| {
        family
            .names
            .iter()
            .find(|known| **known == name)
            .map(|known| (*known, *family))
    })
}

/// A `model_type` without what marks the text part of a model that sees.
fn plain(name: &str) -> &str {
    name.strip_suffix("_text").unwrap_or(name)
}

/// The family of a config: by the text part's type, by the whole's, or the one to assume.
pub(super) fn find(
    types: &[&str],
    assume: Option<&str>,
) -> Result<(&'static str, Family), ReadError> {
    if let Some(assumed) = assume {
        return by_name(plain(assumed)).ok_or_else(|| ReadError::UnknownFamily {
            name: assumed.to_owned(),
            nearest: nearest(assumed, known()),
        });
    }
    for name in types {
        if let Some((_, reason)) = REFUSED.iter().find(|(refused, _)| *refused == plain(name)) {
            return Err(ReadError::NotEstimated {
                name: (*name).to_owned(),
                reason,
            });
        }
    }
    types
        .iter()
        .find_map(|name| by_name(plain(name)))
        .ok_or_else(|| {
            let name = types.first().copied().unwrap_or_default();
            ReadError::UnknownArchitecture {
                key: "model_type".to_owned(),
                name: crate::json::shorten(name),
                nearest: nearest(name, known()),
            }
        })
}
