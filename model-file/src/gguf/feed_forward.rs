//! Feed-forward networks of a layer, from its tensors.

use estimator::architecture::{Dense, Experts};

use super::keys::Keys;
use super::shapes::{LayerShapes, divide, size};
use crate::error::ReadError;

/// The dense feed-forward of a layer, if it has one.
pub(super) fn dense(shapes: &LayerShapes<'_>, keys: Keys<'_>) -> Result<Option<Dense>, ReadError> {
    let Some(up) = shapes.get("ffn_up.weight") else {
        return Ok(None);
    };
    let down = shapes.need("ffn_down.weight")?;
    let width = size(down, 0)?;
    let rows = size(up, 1)?;
    let gated = shapes.has("ffn_gate.weight");
    let fused = !gated && width.checked_mul(2) == Some(rows);
    if rows != width && !fused {
        return Err(ReadError::Disagree {
            key: up.name.clone(),
            value: up.shape(),
            other: format!("tensor `{}` is {}", down.name, down.shape()),
        });
    }
    // an architecture with experts may name their width so, and a fused one both halves
    let declared = keys.at("feed_forward_length", shapes.number)?;
    if let Some(declared) = declared
        && declared != width
        && keys.number("expert_count")?.unwrap_or(0) == 0
    {
        return Err(ReadError::Disagree {
            key: keys.name("feed_forward_length"),
            value: declared.to_string(),
            other: format!("tensor `{}` is {}", down.name, down.shape()),
        });
    }
    Ok(Some(Dense {
        width,
        gated: gated || fused,
        bias: shapes.has("ffn_up.bias") && shapes.has("ffn_down.bias"),
        fused,
    }))
}

/// The routed experts of a layer, if it has any.
pub(super) fn experts(
    shapes: &LayerShapes<'_>,
    keys: Keys<'_>,
) -> Result<Option<Experts>, ReadError> {
    let Some(down) = shapes.get("ffn_down_exps.weight") else {
        if shapes.has("ffn_down.0.weight") || shapes.has("ffn_gate.0.weight") {
            return Err(ReadError::NotEstimated {
                name: format!("blk.{}.ffn_down.0.weight", shapes.number),
                reason: "files of before April 2024 keep each expert apart, which engines no longer load",
            });
        }
        return Ok(None);
    };
    let width = size(down, 0)?;
    let count = size(down, 2)?;
    let declared = keys.required("expert_count")?;
    if declared != count {
        return Err(ReadError::Disagree {
            key: keys.name("expert_count"),
            value: declared.to_string(),
            other: format!("tensor `{}` is {}", down.name, down.shape()),
        });
    }
    let per_token = keys.required("expert_used_count")?;
    if per_token > count {
        return Err(ReadError::OutOfRange {
            key: keys.name("expert_used_count"),
            value: per_token.to_string(),
            allowed: format!("there are {count} experts"),
        });
    }
    let together = shapes.get("ffn_gate_up_exps.weight");
    let up = match together {
        Some(tensor) => tensor,
        None => shapes.need("ffn_up_exps.weight")?,
    };
    let rows = size(up, 1)?;
    let inner = if together.is_some() {
        divide(rows, 2, up)?
    } else {
        rows
    };
    if inner != width || size(up, 2)? != count {
        return Err(ReadError::Disagree {
            key: up.name.clone(),
            value: up.shape(),
            other: format!("tensor `{}` is {}", down.name, down.shape()),
        });
    }
    let latent = match shapes.get("ffn_latent_down.weight") {
        Some(tensor) => Some(size(tensor, 1)?),
        None => None,
    };
    let shared_width = match shapes.get("ffn_down_shexp.weight") {
        Some(tensor) => size(tensor, 0)?,
        None => 0,
    };
    let router_small = [
        "exp_probs_b.bias",
        "exp_probs_b",
        "ffn_gate_inp.bias",
        "ffn_gate_inp.scale",
        "ffn_down_exps.scale",
    ]
    .iter()
    .try_fold(0_u32, |all, stem| {
        Ok::<u32, ReadError>(all.saturating_add(shapes.elements(stem)?))
    })?;
    Ok(Some(Experts {
        count,
        per_token,
        width,
        gated: together.is_some() || shapes.has("ffn_gate_exps.weight"),
        bias: shapes.has("ffn_up_exps.bias") && shapes.has("ffn_down_exps.bias"),
        latent,
        shared_width,
        shared_gate: shapes.has("ffn_gate_inp_shexp.weight"),
        zero_count: 0,
        router_small,
    }))
}
