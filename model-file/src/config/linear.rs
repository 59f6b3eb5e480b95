//! Mixers with a state of constant size, from a config.

use model_db::entry::{LinearEntry, LinearKind};

use super::fields::Fields;
use crate::error::ReadError;
use crate::json::Json;

const NOTHING: LinearEntry = LinearEntry {
    kind: LinearKind::ShortConv,
    heads: 0,
    head_dim: 0,
    k_heads: 0,
    v_heads: 0,
    k_head_dim: 0,
    v_head_dim: 0,
    inner: 0,
    state: 0,
    groups: 0,
    dt_rank: 0,
    channels: 0,
    kernel: 0,
    inner_norms: false,
    norm: true,
    full_rank_decay: false,
    full_rank_gate: false,
    norms: 1,
};

/// The linear mixer of a family.
pub(super) fn read(fields: &Fields<'_>, name: &str, hidden: u32) -> Result<LinearEntry, ReadError> {
    match name {
        "lfm2" | "lfm2_moe" => Ok(LinearEntry {
            kind: LinearKind::ShortConv,
            channels: fields.number(&["conv_dim"])?.unwrap_or(hidden),
            kernel: fields.need(&["conv_L_cache"])?,
            ..NOTHING
        }),
        "mamba" | "falcon_mamba" => mamba(fields, hidden, false),
        "jamba" => mamba(fields, hidden, true),
        "minimax" => Ok(LinearEntry {
            kind: LinearKind::Lightning,
            heads: fields.need(&["num_attention_heads"])?,
            head_dim: fields.need(&["head_dim"])?,
            ..NOTHING
        }),
        "kimi_linear" => {
            let linear = fields
                .child("linear_attn_config")?
                .ok_or_else(|| ReadError::Missing {
                    key: fields.name("linear_attn_config"),
                })?;
            Ok(LinearEntry {
                kind: LinearKind::Kda,
                heads: linear.need(&["num_heads"])?,
                head_dim: linear.need(&["head_dim"])?,
                kernel: linear.need(&["short_conv_kernel_size"])?,
                ..NOTHING
            })
        }
        _ if fields.get("linear_num_key_heads").is_some() => Ok(LinearEntry {
            kind: LinearKind::GatedDeltanet,
            k_heads: fields.need(&["linear_num_key_heads"])?,
            v_heads: fields.need(&["linear_num_value_heads"])?,
            k_head_dim: fields.need(&["linear_key_head_dim"])?,
            v_head_dim: fields.need(&["linear_value_head_dim"])?,
            kernel: fields.need(&["linear_conv_kernel_dim"])?,
            ..NOTHING
        }),
        _ => mamba2(fields, name),
    }
}

fn mamba(fields: &Fields<'_>, hidden: u32, inner_norms: bool) -> Result<LinearEntry, ReadError> {
    let expand = fields.number(&["mamba_expand", "expand"])?.unwrap_or(2);
    let inner = match fields.number(&["intermediate_size"])? {
        // Jamba's is the feed-forward's
        Some(width) if !inner_norms && width > 0 => width,
        _ => hidden.saturating_mul(expand),
    };
    let rank = ["mamba_dt_rank", "time_step_rank"];
    let automatic = rank
        .iter()
        .all(|key| matches!(fields.get(key), None | Some(Json::Text(_))));
    Ok(LinearEntry {
        kind: LinearKind::Mamba1,
        inner,
        state: fields.need(&["mamba_d_state", "state_size"])?,
        dt_rank: if automatic {
            hidden.div_ceil(16)
        } else {
            fields.need(&rank)?
        },
        kernel: fields.need(&["mamba_d_conv", "conv_kernel"])?,
        inner_norms,
        ..NOTHING
    })
}

fn mamba2(fields: &Fields<'_>, name: &str) -> Result<LinearEntry, ReadError> {
    let normed = match name {
        "falcon_h1" => fields.flag(&["mamba_rms_norm"])?.unwrap_or(false),
        _ => true,
    };
    Ok(LinearEntry {
        kind: LinearKind::Mamba2,
        heads: fields.need(&["mamba_num_heads", "mamba_n_heads", "num_heads"])?,
        head_dim: fields.need(&["mamba_head_dim", "mamba_d_head", "head_dim"])?,
        state: fields.need(&["ssm_state_size", "mamba_d_state", "state_size"])?,
        groups: fields.need(&["n_groups", "mamba_n_groups"])?,
        kernel: fields.need(&["conv_kernel", "mamba_d_conv"])?,
        norm: normed,
        // beside attention it shares attention's
        norms: u32::from(name != "falcon_h1"),
        ..NOTHING
    })
}
