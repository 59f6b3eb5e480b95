//! To which part of a model a tensor of a GGUF file belongs.
//!
//! Names: `gguf-py/gguf/constants.py`, `TENSOR_NAMES`.

use estimator::architecture::Part;
use estimator::weights::{Inventory, Share, Stored};

use super::linear;
use super::shapes::{LayerShapes, Shapes};
use super::{Header, TensorInfo};
use crate::error::ReadError;

/// What a tensor outside the layers belongs to; `None` is a vision or audio tower.
pub(super) fn outside(name: &str) -> Option<Part> {
    let tower = ["v.", "mm.", "a.", "resampler."]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    if tower {
        return None;
    }
    let stem = name
        .strip_suffix(".weight")
        .or_else(|| name.strip_suffix(".bias"))
        .unwrap_or(name);
    Some(match stem {
        "token_embd" | "position_embd" => Part::Embedding,
        "output" => Part::Output,
        "output_norm" | "token_embd_norm" => Part::Norm,
        "per_layer_token_embd" => Part::Lookup,
        _ => Part::Other,
    })
}

/// Whether it is a norm of the residual stream.
pub(super) fn is_norm(stem: &str, tensor: &TensorInfo, hidden: u32) -> bool {
    const OTHERS: [&str; 4] = ["attn_q_", "attn_k_", "attn_kv_", "ssm_"];
    let [row, rows, ..] = tensor.dimensions;
    row == u64::from(hidden)
        && rows == 1
        && (stem.ends_with("norm.weight") || stem.ends_with("norm.bias") || stem.contains("_norm_"))
        && !OTHERS.iter().any(|other| stem.starts_with(other))
        && !stem.starts_with("altup")
        && !stem.starts_with("laurel")
        && !stem.starts_with("indexer")
        && stem != "post_norm.weight"
}

/// What a tensor of a layer belongs to.
pub(super) fn within(
    shapes: &LayerShapes<'_>,
    stem: &str,
    tensor: &TensorInfo,
    hidden: u32,
) -> Part {
    let begins = |prefix: &str| stem.starts_with(prefix);
    if is_norm(stem, tensor, hidden) {
        Part::Norm
    } else if begins("ssm_") || begins("shortconv.") {
        Part::Linear
    } else if begins("indexer.") {
        Part::Indexer
    } else if begins("attn_") {
        if linear::owns_attention(shapes) {
            Part::Linear
        } else {
            Part::Attention
        }
    } else if begins("ffn_gate_inp_shexp") || begins("ffn_latent_") || stem.contains("_shexp.") {
        Part::Shared
    } else if begins("ffn_gate_inp.") || begins("exp_probs_b") || stem == "ffn_down_exps.scale" {
        Part::Router
    } else if stem.contains("_exps.") {
        Part::Experts
    } else if begins("ffn_up.") || begins("ffn_gate.") || begins("ffn_down.") {
        Part::Dense
    } else {
        Part::Other
    }
}

/// Every tensor of a file, counted. Layers from `layers` on are for multi-token prediction.
pub(super) fn count(
    header: &Header,
    shapes: &Shapes<'_>,
    hidden: u32,
    layers: u32,
) -> Result<Inventory, ReadError> {
    let mut inventory = Inventory {
        file: header.end(),
        ..Inventory::default()
    };
    for tensor in shapes.outside.values() {
        match outside(&tensor.name) {
            Some(part) => inventory.add(stored(tensor, part, None)?),
            None => inventory.vision.count(share(tensor)),
        }
    }
    for layer in shapes.layers.values() {
        for (stem, tensor) in &layer.tensors {
            if layer.number >= layers {
                inventory.mtp.count(share(tensor));
            } else {
                let part = within(layer, stem, tensor, hidden);
                inventory.add(stored(tensor, part, Some(layer.number))?);
            }
        }
    }
    Ok(inventory)
}

fn share(tensor: &TensorInfo) -> Share {
    Share {
        elements: tensor.elements(),
        bytes: tensor.bytes(),
    }
}

fn stored(tensor: &TensorInfo, part: Part, layer: Option<u32>) -> Result<Stored, ReadError> {
    let encoding = tensor
        .kind
        .encoding
        .ok_or_else(|| ReadError::NotForWeights {
            tensor: tensor.name.clone(),
            kind: tensor.kind.name,
        })?;
    Ok(Stored {
        part,
        layer,
        routed: part == Part::Experts,
        encoding,
        share: share(tensor),
        tensors: 1,
    })
}
