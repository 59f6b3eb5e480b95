//! Mixers with a state of constant size, from a layer's tensors.

use estimator::architecture::Linear;

use super::keys::Keys;
use super::shapes::{LayerShapes, divide, size, strange};
use crate::error::ReadError;

/// The mixer of a layer, if it has one.
pub(super) fn read(shapes: &LayerShapes<'_>, keys: Keys<'_>) -> Result<Option<Linear>, ReadError> {
    let kind = if shapes.has("shortconv.conv.weight") {
        short_convolution(shapes)?
    } else if shapes.has("ssm_f_a.weight") || shapes.has("ssm_conv1d_q.weight") {
        kimi_delta(shapes, keys)?
    } else if shapes.has("ssm_ba.weight") || shapes.has("ssm_alpha.weight") {
        gated_delta(shapes, keys)?
    } else if shapes.has("ssm_x.weight") {
        mamba(shapes)?
    } else if shapes.has("ssm_in.weight") {
        mamba2(shapes, keys)?
    } else {
        match shapes
            .tensors
            .iter()
            .find(|(stem, _)| stem.starts_with("time_mix_") || stem.starts_with("ssm_"))
        {
            Some((_, tensor)) => return Err(strange(tensor)),
            None => return Ok(None),
        }
    };
    Ok(Some(kind))
}

/// Whether a layer's `attn_…` tensors belong to its linear mixer.
pub(super) fn owns_attention(shapes: &LayerShapes<'_>) -> bool {
    [
        "ssm_f_a.weight",
        "ssm_conv1d_q.weight",
        "ssm_ba.weight",
        "ssm_alpha.weight",
    ]
    .iter()
    .any(|stem| shapes.has(stem))
}

fn short_convolution(shapes: &LayerShapes<'_>) -> Result<Linear, ReadError> {
    Ok(Linear::ShortConv {
        channels: shapes.size("shortconv.out_proj.weight", 0)?,
        kernel: shapes.size("shortconv.conv.weight", 0)?,
    })
}

fn kimi_delta(shapes: &LayerShapes<'_>, keys: Keys<'_>) -> Result<Linear, ReadError> {
    let query = shapes.need("attn_q.weight")?;
    let head_dim = keys.required("kda.head_dim")?;
    Ok(Linear::Kda {
        heads: divide(size(query, 1)?, head_dim, query)?,
        head_dim,
        kernel: shapes.size("ssm_conv1d_q.weight", 0)?,
        full_rank_decay: !shapes.has("ssm_f_b.weight"),
        full_rank_gate: !shapes.has("ssm_g_b.weight"),
    })
}

fn gated_delta(shapes: &LayerShapes<'_>, keys: Keys<'_>) -> Result<Linear, ReadError> {
    let convolution = shapes.need("ssm_conv1d.weight")?;
    let out = shapes.need("ssm_out.weight")?;
    let inner = size(out, 0)?;
    let v_heads = keys.required("ssm.time_step_rank")?;
    let k_heads = keys.required("ssm.group_count")?;
    let k_head_dim = keys.required("ssm.state_size")?;
    let both = size(convolution, 1)?
        .checked_sub(inner)
        .ok_or_else(|| strange(convolution))?;
    if k_heads
        .checked_mul(k_head_dim)
        .and_then(|keys| keys.checked_mul(2))
        != Some(both)
    {
        return Err(ReadError::Disagree {
            key: keys.name("ssm.group_count"),
            value: k_heads.to_string(),
            other: format!(
                "with a state of {k_head_dim} tensor `{}` can't be {}",
                convolution.name,
                convolution.shape()
            ),
        });
    }
    Ok(Linear::GatedDeltaNet {
        k_heads,
        v_heads,
        k_head_dim,
        v_head_dim: divide(inner, v_heads, out)?,
        kernel: size(convolution, 0)?,
    })
}

fn mamba(shapes: &LayerShapes<'_>) -> Result<Linear, ReadError> {
    Ok(Linear::Mamba1 {
        inner: shapes.size("ssm_conv1d.weight", 1)?,
        state: shapes
            .size("ssm_a", 0)
            .or_else(|_| shapes.size("ssm_a.weight", 0))?,
        dt_rank: shapes.size("ssm_dt.weight", 0)?,
        kernel: shapes.size("ssm_conv1d.weight", 0)?,
        inner_norms: shapes.has("ssm_dt_norm.weight"),
    })
}

fn mamba2(shapes: &LayerShapes<'_>, keys: Keys<'_>) -> Result<Linear, ReadError> {
    let out = shapes.need("ssm_out.weight")?;
    let inner = size(out, 0)?;
    let steps = shapes
        .get("ssm_a")
        .map_or_else(|| shapes.need("ssm_a.weight"), Ok)?;
    let heads = u32::try_from(steps.elements()).map_err(|_| strange(steps))?;
    let convolution = shapes.need("ssm_conv1d.weight")?;
    let state = keys.required("ssm.state_size")?;
    let both = size(convolution, 1)?
        .checked_sub(inner)
        .ok_or_else(|| strange(convolution))?;
    let groups = state
        .checked_mul(2)
        .and_then(|state| {
            both.checked_div(state)
                .filter(|groups| groups.checked_mul(state) == Some(both))
        })
        .ok_or_else(|| ReadError::Disagree {
            key: keys.name("ssm.state_size"),
            value: state.to_string(),
            other: format!("tensor `{}` is {}", convolution.name, convolution.shape()),
        })?;
    Ok(Linear::Mamba2 {
        heads,
        head_dim: divide(inner, heads, out)?,
        state,
        groups,
        kernel: size(convolution, 0)?,
        norm: shapes.has("ssm_norm.weight"),
    })
}
