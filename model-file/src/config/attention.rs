//! Softmax attention, from a config.

use model_db::entry::{AttentionEntry, IndexerEntry, LatentEntry};

use super::families::{Bias, Family, Heads, QkNorm};
use super::fields::Fields;
use super::layers::{Kind, Mixer, window};
use crate::error::ReadError;

/// The names a number of heads goes by.
const HEADS: [&str; 3] = ["num_attention_heads", "n_head", "num_heads"];

/// Whether a bias is there.
pub(super) fn bias(fields: &Fields<'_>, bias: Bias) -> Result<bool, ReadError> {
    Ok(match bias {
        Bias::No => false,
        Bias::Yes => true,
        Bias::Key(key) => fields.flag(&[key])?.unwrap_or(false),
    })
}

/// Attention as layers of this kind have it.
pub(super) fn read(
    fields: &Fields<'_>,
    name: &str,
    family: &Family,
    hidden: u32,
    kind: Kind,
) -> Result<AttentionEntry, ReadError> {
    let [norms, ..] = family.norms;
    let qkv_bias = bias(fields, family.qkv_bias)?;
    let output_bias = bias(fields, family.output_bias)?;
    let mut entry = AttentionEntry {
        heads: 0,
        kv_heads: 0,
        head_dim: 0,
        v_head_dim: None,
        k_equals_v: false,
        latent: None,
        shared_vector: None,
        window: None,
        chunk: None,
        compress: None,
        cross: false,
        shares_cache: kind.shares_cache,
        gate: family.gate,
        qkv_bias,
        output_bias,
        fused_qkv: family.fused[0],
        q_norm: 0,
        k_norm: 0,
        small: 0,
        indexer: None,
        norms: if name == "falcon" {
            falcon_norms(fields)?
        } else {
            norms
        },
    };
    heads(fields, name, hidden, kind.mixer, &mut entry)?;
    match kind.mixer {
        Mixer::Sliding => {
            entry.window = Some(match window(fields)? {
                Some(window) => window,
                None => fields.need(&["sliding_window", "sliding_window_size"])?,
            });
        }
        Mixer::Chunked => entry.chunk = Some(fields.need(&["attention_chunk_size"])?),
        _ => {}
    }
    let has_latent = fields.number(&["kv_lora_rank"])?.unwrap_or(0) > 0;
    if has_latent || family.heads == Heads::Latent {
        latent(fields, &mut entry)?;
        indexer(fields, kind, &mut entry)?;
    } else {
        norm(fields, family, &mut entry)?;
    }
    let swa_sinks = kind.mixer == Mixer::Sliding
        && fields
            .flag(&["add_swa_attention_sink_bias"])?
            .unwrap_or(false);
    let full_sinks = kind.mixer == Mixer::Full
        && fields
            .flag(&["add_full_attention_sink_bias"])?
            .unwrap_or(false);
    if family.sinks || swa_sinks || full_sinks {
        entry.small = entry.heads;
    }
    Ok(entry)
}

/// Heads and their widths.
fn heads(
    fields: &Fields<'_>,
    name: &str,
    hidden: u32,
    mixer: Mixer,
    entry: &mut AttentionEntry,
) -> Result<(), ReadError> {
    let other = match fields.child("attention_other_setting")? {
        Some(other) if mixer == Mixer::Sliding => Some(other),
        // its sliding layers have more heads than the others
        None if mixer == Mixer::Sliding && name.starts_with("step3p") => {
            return Err(ReadError::Missing {
                key: fields.name("attention_other_setting"),
            });
        }
        _ => None,
    };
    let swa = |keys: &[&str], own: &[&str]| -> Result<Option<u32>, ReadError> {
        let special = if mixer == Mixer::Sliding {
            match &other {
                Some(other) => other.number(keys)?,
                None => fields.number(own)?,
            }
        } else {
            None
        };
        Ok(special)
    };
    entry.heads = match swa(&HEADS, &["swa_num_attention_heads"])? {
        Some(heads) => heads,
        None => fields.need(&HEADS)?,
    };
    if entry.heads == 0 {
        return Err(ReadError::OutOfRange {
            key: fields.name("num_attention_heads"),
            value: "0".to_owned(),
            allowed: "1 or more is needed".to_owned(),
        });
    }
    let groups = [
        "num_key_value_heads",
        "num_kv_heads",
        "num_attention_groups",
    ];
    let global = if mixer == Mixer::Full && entry_is_global(fields)? {
        match fields.number(&["num_global_key_value_heads"])? {
            Some(heads) => Some(heads),
            None => by_layer(fields, "num_key_value_heads")?,
        }
    } else {
        None
    };
    entry.kv_heads = match (global, swa(&groups, &["swa_num_key_value_heads"])?) {
        (Some(heads), _) | (None, Some(heads)) => heads,
        (None, None) if name == "falcon" => falcon_heads(fields, entry.heads)?,
        (None, None) => fields.number(&groups)?.unwrap_or(entry.heads),
    };
    let divides = entry.kv_heads > 0 && entry.heads.is_multiple_of(entry.kv_heads);
    if !divides {
        return Err(ReadError::OutOfRange {
            key: fields.name("num_key_value_heads"),
            value: entry.kv_heads.to_string(),
            allowed: format!("a divisor of the {} query heads is needed", entry.heads),
        });
    }
    let global = if mixer == Mixer::Full {
        match fields.number(&["global_head_dim"])? {
            Some(width) => Some(width),
            None => by_layer(fields, "head_dim")?,
        }
    } else {
        None
    };
    let written = match (global, swa(&["head_dim"], &["swa_head_dim"])?) {
        (Some(width), _) | (None, Some(width)) => Some(width),
        (None, None) => fields.number(&["head_dim", "attention_head_dim"])?,
    };
    entry.head_dim = match written.filter(|width| *width > 0) {
        Some(width) => width,
        None if fields.get("kv_lora_rank").is_some() => 0,
        None => hidden
            .checked_div(entry.heads)
            .filter(|width| width.checked_mul(entry.heads) == Some(hidden))
            .ok_or_else(|| ReadError::Disagree {
                key: fields.name("num_attention_heads"),
                value: entry.heads.to_string(),
                other: format!(
                    "it doesn't divide `{}`, which is `{hidden}`, and there is no `{}`",
                    fields.name("hidden_size"),
                    fields.name("head_dim")
                ),
            })?,
    };
    entry.v_head_dim = match swa(&["v_head_dim"], &["swa_v_head_dim"])? {
        Some(width) => Some(width),
        None => fields.number(&["v_head_dim"])?,
    }
    .filter(|width| *width != entry.head_dim);
    entry.k_equals_v = entry_is_global(fields)? && mixer == Mixer::Full;
    Ok(())
}

/// What newer versions of transformers write for layers that differ: the same for each of them,
/// which are those with full attention.
fn by_layer(fields: &Fields<'_>, key: &str) -> Result<Option<u32>, ReadError> {
    const LAYERS: &str = "per_layer_config";
    const KNOWN: [&str; 2] = ["head_dim", "num_key_value_heads"];
    let Some(layers) = fields.child(LAYERS)? else {
        return Ok(None);
    };
    let mut first = None;
    for number in layers.keys() {
        let Some(layer) = layers.child(number)? else {
            continue;
        };
        let unknown = layer.keys().find(|key| !KNOWN.contains(key));
        let own = layer.number(&[key])?;
        if unknown.is_some() || first.is_some_and(|first| first != own) {
            return Err(ReadError::OutOfRange {
                key: layers.name(number),
                value: crate::json::shorten(unknown.unwrap_or(key)),
                allowed: "only the same head_dim and num_key_value_heads for all are read"
                    .to_owned(),
            });
        }
        first = Some(own);
    }
    Ok(first.flatten())
}

/// Whether full attention has heads of its own, with keys for values (Gemma 4).
fn entry_is_global(fields: &Fields<'_>) -> Result<bool, ReadError> {
    Ok(fields.flag(&["attention_k_eq_v"])?.unwrap_or(false))
}

/// Falcon's heads of keys and values (`configuration_falcon.py`).
fn falcon_heads(fields: &Fields<'_>, heads: u32) -> Result<u32, ReadError> {
    if fields.flag(&["new_decoder_architecture"])?.unwrap_or(false) {
        return Ok(fields.number(&["num_kv_heads"])?.unwrap_or(heads));
    }
    let shared = fields.flag(&["multi_query"])?.unwrap_or(true);
    Ok(if shared { 1 } else { heads })
}

/// Falcon's norms: weight and bias, twice in the larger ones.
fn falcon_norms(fields: &Fields<'_>) -> Result<u32, ReadError> {
    let new = fields.flag(&["new_decoder_architecture"])?.unwrap_or(false);
    let parallel = fields.flag(&["parallel_attn"])?.unwrap_or(true);
    let inputs = fields.number(&["num_ln_in_parallel_attn"])?;
    let vectors = match (new, inputs) {
        (true, None | Some(2)) => 4,
        (true, _) => 2,
        (false, _) if parallel => 2,
        (false, _) => 4,
    };
    Ok(vectors)
}

/// Norms of queries and keys.
fn norm(fields: &Fields<'_>, family: &Family, entry: &mut AttentionEntry) -> Result<(), ReadError> {
    let asked = |key: &str| fields.flag(&[key]).map(|flag| flag.unwrap_or(false));
    let (head, all) = match family.qk_norm {
        QkNorm::None => (false, false),
        QkNorm::Head => (true, false),
        QkNorm::All => (false, true),
        QkNorm::HeadIf(key) => (asked(key)?, false),
        QkNorm::AllIf(key) => (false, asked(key)?),
    };
    if head {
        entry.q_norm = entry.head_dim;
        entry.k_norm = entry.head_dim;
    } else if all {
        entry.q_norm = entry.heads.saturating_mul(entry.head_dim);
        entry.k_norm = entry.kv_heads.saturating_mul(entry.head_dim);
    }
    if entry.shares_cache {
        entry.k_norm = 0;
    }
    Ok(())
}

/// Multi-head latent attention.
fn latent(fields: &Fields<'_>, entry: &mut AttentionEntry) -> Result<(), ReadError> {
    let q_rank = fields.number(&["q_lora_rank"])?.filter(|rank| *rank > 0);
    let kv_rank = fields.need(&["kv_lora_rank"])?;
    entry.latent = Some(LatentEntry {
        q_rank,
        kv_rank,
        rope: fields.need(&["qk_rope_head_dim"])?,
        nope: fields.need(&["qk_nope_head_dim"])?,
        value: match fields.number(&["v_head_dim"])? {
            Some(width) if width > 0 => width,
            _ => fields.need(&["head_dim", "v_head_dim"])?,
        },
    });
    entry.kv_heads = 0;
    entry.head_dim = 0;
    entry.v_head_dim = None;
    entry.q_norm = q_rank.unwrap_or(0);
    entry.k_norm = kv_rank;
    Ok(())
}

/// The indexer of sparse attention (DeepSeek V3.2, GLM 5).
fn indexer(fields: &Fields<'_>, kind: Kind, entry: &mut AttentionEntry) -> Result<(), ReadError> {
    let Some(topk) = fields.number(&["index_topk"])? else {
        return Ok(());
    };
    entry.indexer = Some(IndexerEntry {
        heads: fields.need(&["index_n_heads"])?,
        head_dim: fields.need(&["index_head_dim"])?,
        topk,
        rate: 1,
        q_input: fields.need(&["q_lora_rank"])?,
        own: !kind.reuses_choice,
        counted: false,
    });
    Ok(())
}
