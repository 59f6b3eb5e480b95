//! Softmax attention of a layer, from its tensors.

use estimator::architecture::{Attention, AttentionKind, CacheOwner, Gate, Indexer, Span};

use super::TensorInfo;
use super::keys::Keys;
use super::shapes::{LayerShapes, divide, size, strange};
use crate::error::ReadError;

/// Whether a layer has softmax attention.
pub(super) fn has(shapes: &LayerShapes<'_>) -> bool {
    shapes.has("attn_output.weight") || shapes.has("attn_kv_a_mqa.weight")
}

pub(super) fn read(
    shapes: &LayerShapes<'_>,
    keys: Keys<'_>,
    span: Span,
    shares_cache: bool,
) -> Result<Attention, ReadError> {
    let layer = shapes.number;
    let heads = keys
        .at("attention.head_count", layer)?
        .ok_or_else(|| ReadError::Missing {
            key: keys.name("attention.head_count"),
        })?;
    if heads == 0 {
        return Err(ReadError::Disagree {
            key: keys.name("attention.head_count"),
            value: "0".to_owned(),
            other: format!("layer {layer} has the tensors of attention"),
        });
    }
    let (kind, gate) = if shapes.has("attn_kv_a_mqa.weight") {
        (latent(shapes, keys, heads)?, Gate::None)
    } else {
        grouped(shapes, keys, heads, span)?
    };
    let biases = ["attn_q.bias", "attn_k.bias", "attn_v.bias"];
    let v_head_dim = match kind {
        AttentionKind::Grouped { v_head_dim, .. } | AttentionKind::Latent { v_head_dim, .. } => {
            v_head_dim
        }
        AttentionKind::SharedVector { head_dim, .. } => head_dim,
    };
    let output = shapes.need("attn_output.weight")?;
    let width = size(output, 0)?;
    if heads.checked_mul(v_head_dim) != Some(width) {
        return Err(ReadError::Disagree {
            key: keys.name("attention.head_count"),
            value: heads.to_string(),
            other: format!(
                "with heads of {v_head_dim} tensor `{}` can't have rows of {width}",
                output.name
            ),
        });
    }
    let gate = match shapes.get("attn_gate.weight") {
        Some(tensor) => match size(tensor, 1)? {
            rows if rows == heads => Gate::PerHead,
            rows if rows == width => Gate::PerElement,
            _ => return Err(strange(tensor)),
        },
        None => gate,
    };
    Ok(Attention {
        heads,
        kind,
        span,
        cache: if shares_cache {
            CacheOwner::Earlier
        } else {
            CacheOwner::Own
        },
        gate,
        qkv_bias: shapes.has("attn_qkv.bias") || biases.iter().all(|bias| shapes.has(bias)),
        output_bias: shapes.has("attn_output.bias"),
        fused_qkv: shapes.has("attn_qkv.weight"),
        q_norm: either(shapes, "attn_q_norm.weight", "attn_q_a_norm.weight")?,
        k_norm: either(shapes, "attn_k_norm.weight", "attn_kv_a_norm.weight")?,
        small: shapes.elements("attn_sinks.weight")?,
        indexer: indexer(shapes, keys)?,
    })
}

fn either(shapes: &LayerShapes<'_>, one: &str, other: &str) -> Result<u32, ReadError> {
    if shapes.has(one) {
        shapes.elements(one)
    } else {
        shapes.elements(other)
    }
}

/// Multi-head, grouped-query and multi-query attention.
fn grouped(
    shapes: &LayerShapes<'_>,
    keys: Keys<'_>,
    heads: u32,
    span: Span,
) -> Result<(AttentionKind, Gate), ReadError> {
    let layer = shapes.number;
    let declared = keys
        .at("attention.head_count_kv", layer)?
        .unwrap_or(heads)
        .max(1);
    let key_length = match span {
        Span::Sliding { .. } => keys.number("attention.key_length_swa")?,
        _ => None,
    };
    let key_length = match key_length {
        Some(length) => Some(length),
        None => keys.number("attention.key_length")?,
    };
    if let Some(fused) = shapes.get("attn_qkv.weight") {
        let rows = size(fused, 1)?;
        let all = declared
            .checked_mul(2)
            .and_then(|both| both.checked_add(heads));
        let head_dim = divide(rows, all.unwrap_or(0), fused)
            .map_err(|_| not_divided(keys, declared, fused))?;
        agree(
            keys,
            "attention.key_length",
            key_length,
            head_dim,
            &fused.name,
        )?;
        return Ok((
            AttentionKind::Grouped {
                kv_heads: declared,
                head_dim,
                v_head_dim: head_dim,
                k_equals_v: false,
            },
            Gate::None,
        ));
    }
    let query = shapes.need("attn_q.weight")?;
    let rows = size(query, 1)?;
    let key = shapes.get("attn_k.weight");
    let value = shapes.get("attn_v.weight");
    let head_dim = match key {
        Some(key) => {
            let each = divide(size(key, 1)?, declared, key)
                .map_err(|_| not_divided(keys, declared, key))?;
            agree(keys, "attention.key_length", key_length, each, &key.name)?;
            each
        }
        // it reads another layer's cache
        None => match key_length {
            Some(length) => length,
            None => divide(rows, heads, query)?,
        },
    };
    let v_head_dim = match value {
        Some(value) => divide(size(value, 1)?, declared, value)
            .map_err(|_| not_divided(keys, declared, value))?,
        None => head_dim,
    };
    let gate = match heads.checked_mul(head_dim) {
        Some(plain) if plain == rows => Gate::None,
        // the gate's projection lies in the query's
        Some(plain) if plain.checked_mul(2) == Some(rows) => Gate::PerElement,
        _ => {
            return Err(ReadError::Disagree {
                key: keys.name("attention.head_count"),
                value: heads.to_string(),
                other: format!(
                    "with heads of {head_dim} tensor `{}` can't have {rows} rows",
                    query.name
                ),
            });
        }
    };
    Ok((
        AttentionKind::Grouped {
            kv_heads: declared,
            head_dim,
            v_head_dim,
            k_equals_v: key.is_some() && value.is_none(),
        },
        gate,
    ))
}

/// Heads that a tensor's rows don't divide into.
fn not_divided(keys: Keys<'_>, heads: u32, tensor: &TensorInfo) -> ReadError {
    ReadError::Disagree {
        key: keys.name("attention.head_count_kv"),
        value: heads.to_string(),
        other: format!(
            "tensor `{}` is {}, which doesn't divide so",
            tensor.name,
            tensor.shape()
        ),
    }
}

/// A key that is there must say what a shape says.
fn agree(
    keys: Keys<'_>,
    key: &str,
    value: Option<u32>,
    shape: u32,
    tensor: &str,
) -> Result<(), ReadError> {
    match value {
        Some(value) if value != shape => Err(ReadError::Disagree {
            key: keys.name(key),
            value: value.to_string(),
            other: format!("tensor `{tensor}` has heads of {shape}"),
        }),
        _ => Ok(()),
    }
}

/// Multi-head latent attention.
fn latent(
    shapes: &LayerShapes<'_>,
    keys: Keys<'_>,
    heads: u32,
) -> Result<AttentionKind, ReadError> {
    let down = shapes.need("attn_kv_a_mqa.weight")?;
    let rows = size(down, 1)?;
    let kv_rank = shapes.size("attn_kv_a_norm.weight", 0)?;
    agree_width(keys, "attention.kv_lora_rank", kv_rank, "attn_kv_a_norm")?;
    let rope_dim = rows.checked_sub(kv_rank).ok_or_else(|| strange(down))?;
    let q_rank = match shapes.get("attn_q_a.weight") {
        Some(tensor) => Some(size(tensor, 1)?),
        None => None,
    };
    let query = match shapes.get("attn_q_b.weight") {
        Some(tensor) => tensor,
        None => shapes.need("attn_q.weight")?,
    };
    let head = divide(size(query, 1)?, heads, query)?;
    let nope_dim = head.checked_sub(rope_dim).ok_or_else(|| strange(query))?;
    let v_head_dim = if let Some(up) = shapes.get("attn_v_b.weight") {
        size(up, 1)?
    } else {
        // files of before 2025-04 keep both up-projections as one
        let up = shapes.need("attn_kv_b.weight")?;
        divide(size(up, 1)?, heads, up)?
            .checked_sub(nope_dim)
            .ok_or_else(|| strange(up))?
    };
    Ok(AttentionKind::Latent {
        q_rank,
        kv_rank,
        rope_dim,
        nope_dim,
        v_head_dim,
    })
}

fn agree_width(keys: Keys<'_>, key: &str, width: u32, tensor: &str) -> Result<(), ReadError> {
    match keys.number(key)? {
        Some(value) if value != width => Err(ReadError::Disagree {
            key: keys.name(key),
            value: value.to_string(),
            other: format!("tensor `{tensor}` is {width} wide"),
        }),
        _ => Ok(()),
    }
}

/// The indexer of sparse attention.
fn indexer(shapes: &LayerShapes<'_>, keys: Keys<'_>) -> Result<Option<Indexer>, ReadError> {
    let Some(query) = shapes.get("indexer.attn_q_b.weight") else {
        return Ok(None);
    };
    let heads = keys.required("attention.indexer.head_count")?;
    let head_dim = divide(size(query, 1)?, heads, query)?;
    let key = shapes.need("indexer.attn_k.weight")?;
    Ok(Some(Indexer {
        heads,
        head_dim,
        kv_heads: divide(size(key, 1)?, head_dim, key)?,
        q_input: size(query, 0)?,
        topk: keys.required("attention.indexer.top_k")?,
        rate: 1,
        own: true,
        shaped: true,
    }))
}
