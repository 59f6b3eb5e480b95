//! Feed-forward networks, from a config.

use model_db::entry::FeedForwardEntry;

use super::attention::bias;
use super::families::Family;
use super::fields::Fields;
use super::layers::EXPERTS;
use crate::error::ReadError;

/// The names a width goes by.
const WIDTH: [&str; 4] = ["intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"];

/// A number, or a list of one number for all layers.
pub(super) fn uniform(fields: &Fields<'_>, keys: &[&str]) -> Result<Option<u32>, ReadError> {
    for key in keys {
        if fields.is_list(key) {
            let list = fields.numbers(key)?.unwrap_or_default();
            let mut each = list.iter();
            let first = each.next().copied();
            if each.any(|number| Some(*number) != first) {
                return Err(ReadError::OutOfRange {
                    key: fields.name(key),
                    value: "a list of different numbers".to_owned(),
                    allowed: "the same for all layers is read".to_owned(),
                });
            }
            return Ok(first);
        }
        if let Some(number) = fields.number(&[key])? {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

fn entry(family: &Family, width: u32) -> FeedForwardEntry {
    let [_, norms, _] = family.norms;
    FeedForwardEntry {
        width,
        gated: family.gated,
        bias: false,
        fused: false,
        experts: 0,
        active: 0,
        shared: 0,
        shared_gate: false,
        latent: None,
        zero: 0,
        router_small: 0,
        norms,
    }
}

/// The dense feed-forward.
pub(super) fn dense(
    fields: &Fields<'_>,
    name: &str,
    family: &Family,
    hidden: u32,
) -> Result<FeedForwardEntry, ReadError> {
    let special = match name {
        "llama4" => fields.number(&["intermediate_size_mlp"])?,
        // without experts, what else is shared is all there is
        "granitemoehybrid" => fields.number(&["shared_intermediate_size"])?,
        "lfm2" | "lfm2_moe" => adjusted(fields)?,
        _ => None,
    };
    let width = match special.filter(|width| *width > 0) {
        Some(width) => width,
        None => match fields.number(&WIDTH)? {
            Some(width) if width > 0 => width,
            // the families of old that leave it out
            None if matches!(name, "gpt2" | "gpt_bigcode" | "gptj" | "falcon") => {
                hidden.saturating_mul(4)
            }
            _ => fields.need(&WIDTH)?,
        },
    };
    Ok(FeedForwardEntry {
        bias: bias(fields, family.feed_forward_bias)?,
        fused: family.fused[1],
        ..entry(family, width)
    })
}

/// LFM2 writes a width and how it is changed (`modeling_lfm2.py`, `Lfm2MLP`).
fn adjusted(fields: &Fields<'_>) -> Result<Option<u32>, ReadError> {
    let Some(width) = fields.number(&["block_ff_dim", "intermediate_size"])? else {
        return Ok(None);
    };
    if !fields.flag(&["block_auto_adjust_ff_dim"])?.unwrap_or(false) {
        return Ok(Some(width));
    }
    let multiple = fields.number(&["block_multiple_of"])?.unwrap_or(1).max(1);
    let multiplier = match fields.get("block_ffn_dim_multiplier") {
        None | Some(crate::json::Json::Whole(1)) => true,
        Some(crate::json::Json::Float(factor)) => (*factor - 1.0).abs() < 1e-9,
        Some(_) => false,
    };
    if !multiplier {
        return Err(ReadError::OutOfRange {
            key: fields.name("block_ffn_dim_multiplier"),
            value: "another number".to_owned(),
            allowed: "only 1 is read".to_owned(),
        });
    }
    let gated = u64::from(width).saturating_mul(2) / 3;
    let rounded = gated.next_multiple_of(u64::from(multiple));
    Ok(u32::try_from(rounded).ok())
}

/// Routed experts and what is shared among them.
pub(super) fn experts(
    fields: &Fields<'_>,
    name: &str,
    family: &Family,
    hidden: u32,
) -> Result<FeedForwardEntry, ReadError> {
    let count = uniform(fields, &EXPERTS)?.unwrap_or(0);
    let active = match uniform(
        fields,
        &[
            "num_experts_per_tok",
            "num_experts_per_token",
            "experts_per_token",
            "top_k_experts",
            "moe_topk",
            "moe_k",
            "moe_top_k",
        ],
    )? {
        Some(active) if active > 0 => active,
        _ => fields.need(&["num_experts_per_tok"])?,
    };
    if active > count {
        return Err(ReadError::OutOfRange {
            key: fields.name("num_experts_per_tok"),
            value: active.to_string(),
            allowed: format!("there are {count} experts"),
        });
    }
    let width = match uniform(fields, &["moe_intermediate_size", "expert_hidden_size"])? {
        Some(width) if width > 0 => width,
        _ => fields.need(&WIDTH)?,
    };
    let router_small = match name {
        // a scale of its input, and one of each expert's output
        "gemma4" => hidden.saturating_add(count),
        _ if family.router_bias => count,
        _ => 0,
    };
    let moe = FeedForwardEntry {
        experts: count,
        active,
        shared: shared(fields, name, width)?,
        latent: fields
            .number(&["moe_latent_size"])?
            .filter(|width| *width > 0),
        router_small,
        bias: family.expert_bias,
        ..entry(family, width)
    };
    Ok(FeedForwardEntry {
        shared_gate: family.shared_gate && moe.shared > 0,
        norms: if name == "gemma4" { 3 } else { moe.norms },
        ..moe
    })
}

/// The combined width of the experts every token visits.
fn shared(fields: &Fields<'_>, name: &str, width: u32) -> Result<u32, ReadError> {
    if name == "llama4" {
        return Ok(width);
    }
    let whole = uniform(
        fields,
        &[
            "shared_expert_intermediate_size",
            "share_expert_dim",
            "shared_intermediate_size",
        ],
    )?;
    if let Some(whole) = whole {
        return Ok(whole);
    }
    let count = uniform(
        fields,
        &[
            "n_shared_experts",
            "num_shared_experts",
            "num_shared_expert",
            "moe_num_shared_experts",
        ],
    )?
    // whose code always has one
    .unwrap_or(u32::from(name == "hunyuan_v1_moe"));
    let each = uniform(fields, &["moe_shared_expert_intermediate_size"])?.unwrap_or(width);
    count
        .checked_mul(each)
        .ok_or_else(|| ReadError::OutOfRange {
            key: fields.name("n_shared_experts"),
            value: count.to_string(),
            allowed: format!("with a width of {each} that is more than can be read"),
        })
}
