//! Which layer has what, in the many ways configs say it.

use super::families::{Family, Slides};
use super::fields::Fields;
use crate::error::ReadError;
use crate::json::Json;
use crate::limits;

/// What mixes tokens in a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mixer {
    None,
    Full,
    Sliding,
    Chunked,
    Linear,
    /// Attention and a linear mixer side by side.
    Both,
}

/// The feed-forward of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Forward {
    None,
    Dense,
    Routed,
    /// Dense and routed side by side.
    Both,
}

/// One layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) mixer: Mixer,
    pub(super) forward: Forward,
    /// It reads an earlier layer's cache.
    pub(super) shares_cache: bool,
    /// It reuses an earlier layer's choice of tokens.
    pub(super) reuses_choice: bool,
}

/// The names a number of layers goes by.
const COUNT: [&str; 4] = ["num_hidden_layers", "n_layer", "n_layers", "num_layers"];
/// The names a number of experts goes by.
pub(super) const EXPERTS: [&str; 5] = [
    "num_experts",
    "num_local_experts",
    "n_routed_experts",
    "moe_num_experts",
    "num_routed_experts",
];

/// Every layer of a model.
pub(super) fn read(
    fields: &Fields<'_>,
    name: &str,
    family: &Family,
) -> Result<Vec<Kind>, ReadError> {
    if let Some(kinds) = blocks(fields)? {
        return Ok(kinds);
    }
    let count = fields.need(&COUNT)?;
    bounded(fields, u64::from(count))?;
    let shared = fields.number(&["num_kv_shared_layers"])?.unwrap_or(0);
    let indexers = fields.texts("indexer_types")?;
    let mixers = Mixers::of(fields, name, family, count)?;
    let forwards = Forwards::of(fields, count)?;
    let mut kinds = Vec::new();
    for layer in 0..count {
        let indexer = indexers.as_ref().and_then(|list| item(list, layer));
        kinds.push(Kind {
            mixer: mixers.at(layer)?,
            forward: forwards.at(layer),
            shares_cache: layer >= count.saturating_sub(shared),
            reuses_choice: indexer == Some(&"shared"),
        });
    }
    Ok(kinds)
}

fn bounded(fields: &Fields<'_>, layers: u64) -> Result<(), ReadError> {
    if layers > limits::LAYERS {
        return Err(ReadError::Limit {
            what: format!("`{}`", fields.name("num_hidden_layers")),
            value: layers,
            limit: limits::LAYERS,
        });
    }
    Ok(())
}

fn item<T>(list: &[T], layer: u32) -> Option<&T> {
    usize::try_from(layer).ok().and_then(|at| list.get(at))
}

fn unknown(fields: &Fields<'_>, key: &str, value: &str, allowed: &str) -> ReadError {
    ReadError::OutOfRange {
        key: fields.name(key),
        value: crate::json::shorten(value),
        allowed: allowed.to_owned(),
    }
}

/// Nemotron-H: each layer is a mixer or a feed-forward, never both.
fn blocks(fields: &Fields<'_>) -> Result<Option<Vec<Kind>>, ReadError> {
    const PATTERN: &str = "hybrid_override_pattern";
    const TYPES: &str = "layers_block_type";
    let kind = |mixer, forward| Kind {
        mixer,
        forward,
        shares_cache: false,
        reuses_choice: false,
    };
    let mut kinds = Vec::new();
    if let Some(pattern) = fields.text(PATTERN)? {
        for letter in pattern.chars().take(limits::LAYERS.try_into().unwrap_or(0)) {
            kinds.push(match letter {
                'M' => kind(Mixer::Linear, Forward::None),
                '*' => kind(Mixer::Full, Forward::None),
                '-' => kind(Mixer::None, Forward::Dense),
                'E' => kind(Mixer::None, Forward::Routed),
                other => {
                    return Err(unknown(
                        fields,
                        PATTERN,
                        &other.to_string(),
                        "it is made of `M`, `*`, `-` and `E`",
                    ));
                }
            });
        }
    } else if let Some(types) = fields.texts(TYPES)?
        && types.iter().any(|each| matches!(*each, "mlp" | "moe"))
    {
        bounded(fields, u64::try_from(types.len()).unwrap_or(u64::MAX))?;
        for each in types {
            kinds.push(match each {
                "mamba" => kind(Mixer::Linear, Forward::None),
                "attention" => kind(Mixer::Full, Forward::None),
                "mlp" => kind(Mixer::None, Forward::Dense),
                "moe" => kind(Mixer::None, Forward::Routed),
                other => {
                    return Err(unknown(
                        fields,
                        TYPES,
                        other,
                        "known are `mamba`, `attention`, `mlp` and `moe`",
                    ));
                }
            });
        }
    } else {
        return Ok(None);
    }
    let declared = fields.number(&COUNT)?;
    let written = u32::try_from(kinds.len()).unwrap_or(u32::MAX);
    match declared {
        Some(declared) if declared != written => Err(ReadError::Disagree {
            key: fields.name("num_hidden_layers"),
            value: declared.to_string(),
            other: format!("the pattern of layers has {written}"),
        }),
        _ if kinds.is_empty() => Err(ReadError::Missing {
            key: fields.name("num_hidden_layers"),
        }),
        _ => Ok(Some(kinds)),
    }
}

/// How a config says which layer mixes how.
enum Mixers<'a> {
    All(Mixer),
    /// One name a layer.
    Named(&'static str, Vec<&'a str>, Fields<'a>),
    /// One number a layer: for 0 and for others.
    Numbered(Vec<u32>, Mixer, Mixer),
    /// These have full attention, counted from the number given; others have another mixer.
    Listed(Vec<u32>, u32, Mixer),
    /// Full where the layer's number divided by the first leaves the second; else the mixer.
    Period(u32, u32, Mixer),
    /// Letters repeated: `L` slides, `G` doesn't.
    Letters(&'a str),
    /// Full before, sliding from this layer on.
    From(u32),
}

impl<'a> Mixers<'a> {
    fn of(fields: &Fields<'a>, name: &str, family: &Family, count: u32) -> Result<Self, ReadError> {
        const TYPES: [&str; 2] = ["layer_types", "layers_block_type"];
        match name {
            "mamba" | "falcon_mamba" | "mamba2" => return Ok(Self::All(Mixer::Linear)),
            "falcon_h1" => return Ok(Self::All(Mixer::Both)),
            _ => {}
        }
        for key in TYPES {
            if let Some(types) = fields.texts(key)? {
                enough(fields, key, types.len(), count)?;
                return Ok(Self::Named(key, types, fields.clone()));
            }
        }
        for (key, zero, other) in [
            ("hybrid_layer_pattern", Mixer::Full, Mixer::Sliding),
            ("attn_type_list", Mixer::Linear, Mixer::Full),
        ] {
            if let Some(list) = fields.numbers(key)? {
                enough(fields, key, list.len(), count)?;
                return Ok(Self::Numbered(list, zero, other));
            }
        }
        if let Some(list) = fields.numbers("full_attn_idxs")? {
            return Ok(Self::Listed(list, 0, Mixer::Linear));
        }
        if let Some(linear) = fields.child("linear_attn_config")?
            && let Some(list) = linear.numbers("full_attn_layers")?
        {
            return Ok(Self::Listed(list, 1, Mixer::Linear));
        }
        if let Some(period) = fields.number(&["attn_layer_period"])? {
            let offset = fields.number(&["attn_layer_offset"])?.unwrap_or(0);
            return Ok(Self::Period(period, offset, Mixer::Linear));
        }
        let interval = fields.number(&["full_attention_interval"])?;
        if let Some(interval) = interval.filter(|interval| *interval > 0) {
            return Ok(Self::Period(
                interval,
                interval.saturating_sub(1),
                Mixer::Linear,
            ));
        }
        Self::sliding(fields, family)
    }

    /// Full or sliding, by the family's habit.
    fn sliding(fields: &Fields<'a>, family: &Family) -> Result<Self, ReadError> {
        let chunks = fields.get("attention_chunk_size").is_some();
        if window(fields)?.is_none() && !chunks {
            return Ok(Self::All(Mixer::Full));
        }
        let slides = if chunks {
            Mixer::Chunked
        } else {
            Mixer::Sliding
        };
        if let Some(Json::Text(letters)) = fields.get("sliding_window_pattern") {
            if letters.is_empty() || letters.chars().any(|letter| !"LG".contains(letter)) {
                return Err(unknown(
                    fields,
                    "sliding_window_pattern",
                    letters,
                    "it is made of `L` and `G`",
                ));
            }
            return Ok(Self::Letters(letters));
        }
        let written = fields.number(&["sliding_window_pattern", "_sliding_window_pattern"])?;
        Ok(match (family.slides, written) {
            (Slides::Never, _) => Self::All(Mixer::Full),
            (Slides::All, _) => Self::All(slides),
            (Slides::AllBut(_), Some(period)) | (Slides::AllBut(period), None) => {
                Self::Period(period, period.saturating_sub(1), slides)
            }
            (Slides::IfAsked, _) => {
                if fields.flag(&["use_sliding_window"])?.unwrap_or(false) {
                    Self::From(fields.number(&["max_window_layers"])?.unwrap_or(0))
                } else {
                    Self::All(Mixer::Full)
                }
            }
        })
    }

    fn at(&self, layer: u32) -> Result<Mixer, ReadError> {
        Ok(match self {
            Self::All(mixer) => *mixer,
            Self::Named(key, types, fields) => match item(types, layer).copied() {
                Some(
                    "full_attention"
                    | "attention"
                    | "global_attention"
                    | "deepseek_sparse_attention",
                ) => Mixer::Full,
                Some("sliding_attention" | "sliding_window_attention" | "local_attention") => {
                    Mixer::Sliding
                }
                Some("chunked_attention") => Mixer::Chunked,
                Some("linear_attention" | "mamba" | "mamba2" | "conv" | "lightning_attention") => {
                    Mixer::Linear
                }
                other => {
                    return Err(unknown(
                        fields,
                        key,
                        other.unwrap_or_default(),
                        "known are `full_attention`, `sliding_attention`, `chunked_attention`, \
                         `linear_attention`, `attention`, `mamba` and `conv`",
                    ));
                }
            },
            Self::Numbered(list, zero, other) => match item(list, layer) {
                Some(0) => *zero,
                _ => *other,
            },
            Self::Listed(full, first, other) => {
                if full.contains(&layer.saturating_add(*first)) {
                    Mixer::Full
                } else {
                    *other
                }
            }
            Self::Period(period, place, other) => {
                if layer.checked_rem(*period) == Some(*place) {
                    Mixer::Full
                } else {
                    *other
                }
            }
            Self::Letters(letters) => {
                let place = usize::try_from(layer)
                    .ok()
                    .and_then(|layer| layer.checked_rem(letters.len()));
                match place.and_then(|place| letters.as_bytes().get(place)) {
                    Some(b'G') => Mixer::Full,
                    _ => Mixer::Sliding,
                }
            }
            Self::From(first) => {
                if layer >= *first {
                    Mixer::Sliding
                } else {
                    Mixer::Full
                }
            }
        })
    }
}

/// The window, unless it is as long as the context.
pub(super) fn window(fields: &Fields<'_>) -> Result<Option<u32>, ReadError> {
    let window = fields.number(&["sliding_window", "sliding_window_size"])?;
    let context = fields.number(&["max_position_embeddings"])?;
    Ok(window.filter(|window| *window > 0 && context.is_none_or(|context| *window < context)))
}

/// Lists may go on for layers that aren't part of the trunk, and may not end before.
fn enough(fields: &Fields<'_>, key: &str, length: usize, count: u32) -> Result<(), ReadError> {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    if length < count {
        return Err(ReadError::Disagree {
            key: fields.name("num_hidden_layers"),
            value: count.to_string(),
            other: format!("`{}` is a list of {length}", fields.name(key)),
        });
    }
    Ok(())
}

/// How a config says which layer has experts.
struct Forwards {
    routed: Vec<bool>,
    beside: bool,
}

impl Forwards {
    fn of(fields: &Fields<'_>, count: u32) -> Result<Self, ReadError> {
        let experts = super::feed_forward::uniform(fields, &EXPERTS)?.unwrap_or(0);
        let beside = fields.flag(&["enable_moe_block"])?;
        if experts == 0 || beside == Some(false) {
            return Ok(Self {
                routed: vec![false; usize::try_from(count).unwrap_or(0)],
                beside: false,
            });
        }
        let types = fields.texts("mlp_layer_types")?;
        let listed = if fields.is_list("moe_layer_freq") {
            fields.numbers("moe_layer_freq")?
        } else {
            None
        };
        if let Some(types) = &types {
            enough(fields, "mlp_layer_types", types.len(), count)?;
        }
        if let Some(listed) = &listed {
            enough(fields, "moe_layer_freq", listed.len(), count)?;
        }
        // Step writes the layers with experts as a text
        let enumerated = match fields.text("moe_layers_enum")? {
            Some(text) => Some(
                text.split(',')
                    .map(|layer| {
                        layer.trim().parse::<u32>().map_err(|_| {
                            unknown(
                                fields,
                                "moe_layers_enum",
                                text,
                                "numbers of layers with commas between them are read",
                            )
                        })
                    })
                    .collect::<Result<Vec<_>, _>>()?,
            ),
            None => None,
        };
        let frequency = match listed {
            None => fields.number(&["moe_layer_freq"])?.unwrap_or(1),
            Some(_) => 1,
        };
        let dense_first = fields.number(&[
            "first_k_dense_replace",
            "num_dense_layers",
            "moe_layer_start_index",
        ])?;
        let interval = fields.number(&["moe_layer_interval"])?.unwrap_or(1);
        let sparse_step = fields.number(&["decoder_sparse_step"])?.unwrap_or(1);
        let dense_only = fields.numbers("mlp_only_layers")?.unwrap_or_default();
        let every = fields.number(&["interleave_moe_layer_step"])?.unwrap_or(1);
        let period = fields.number(&["expert_layer_period"])?.unwrap_or(1);
        let offset = fields.number(&["expert_layer_offset"])?.unwrap_or(0);
        let divides = |layer: u32, by: u32| layer.checked_rem(by) == Some(0);
        let routed = (0..count)
            .map(|layer| {
                if let Some(types) = &types {
                    return item(types, layer) == Some(&"sparse");
                }
                if let Some(listed) = &listed {
                    return item(listed, layer).is_some_and(|routed| *routed != 0);
                }
                if let Some(enumerated) = &enumerated {
                    return enumerated.contains(&layer);
                }
                let next = layer.saturating_add(1);
                layer >= dense_first.unwrap_or(0)
                    && divides(layer, frequency)
                    && divides(next, interval)
                    && divides(next, sparse_step)
                    && divides(next, every)
                    && !dense_only.contains(&layer)
                    && (period <= 1 || layer.checked_rem(period) == Some(offset))
            })
            .collect();
        Ok(Self {
            routed,
            beside: beside == Some(true),
        })
    }

    fn at(&self, layer: u32) -> Forward {
        match (item(&self.routed, layer), self.beside) {
            (Some(true), true) => Forward::Both,
            (Some(true), false) => Forward::Routed,
            _ => Forward::Dense,
        }
    }
}
