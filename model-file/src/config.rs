//! `config.json` of Hugging Face, and what it says of a model.
//!
//! A config becomes what a data file of the catalogue says
//! ([`ArchitectureEntry`]), and that becomes an architecture by
//! the catalogue's own conversion. What a config leaves to its family's code (norms, biases, gates)
//! stands in a table; a `model_type` that isn't in it is refused, with the nearest that are.

mod attention;
mod families;
mod feed_forward;
mod fields;
mod layers;
mod linear;
mod quantization;

pub use families::known;

use std::collections::BTreeMap;

use estimator::architecture::Architecture;
use model_db::entry::{ArchitectureEntry, PartName};

use crate::error::ReadError;
use crate::json::{self, Json};
use crate::own::{FileKind, OwnModel};
use families::Family;
use fields::Fields;
use layers::{Forward, Kind, Mixer};

/// Where models that also see or hear keep what they are as language models.
const NESTED: [&str; 4] = [
    "text_config",
    "llm_config",
    "language_config",
    "thinker_config",
];

/// The model a `config.json` describes.
///
/// `assume` is a family, by `model_type`, to take a model of an unknown one for; the result says so.
///
/// # Errors
/// What [`ReadError`] names: JSON that isn't or that is too deep or large, an unknown `model_type`,
/// keys that are missing, of the wrong type, or contradict each other.
pub fn read(bytes: &[u8], assume: Option<&str>) -> Result<OwnModel, ReadError> {
    let json = json::read(bytes, "the config")?;
    from_json(&json, assume)
}

/// The same, with what stands in a `hf_quant_config.json` beside it: NVIDIA's tools write there, not
/// into the config, how weights are stored.
///
/// # Errors
/// As [`read`].
pub fn read_quantized(
    bytes: &[u8],
    quantization: &[u8],
    assume: Option<&str>,
) -> Result<OwnModel, ReadError> {
    let model = read(bytes, assume)?;
    let json = json::read(quantization, "the quantization config")?;
    let stored = quantization::modelopt(&Fields::root(&json)?)?;
    let mut assumed = model.assumed;
    assumed.extend(stored.assumed);
    Ok(OwnModel {
        format: stored.format,
        assumed,
        ..model
    })
}

/// From JSON read already.
fn from_json(json: &Json, assume: Option<&str>) -> Result<OwnModel, ReadError> {
    let whole = Fields::root(json)?;
    let text = text_part(&whole)?;
    let own = text.text("model_type")?;
    let outer = whole.text("model_type")?;
    let types: Vec<&str> = own.into_iter().chain(outer).collect();
    if types.is_empty() && assume.is_none() {
        return Err(ReadError::Missing {
            key: "model_type".to_owned(),
        });
    }
    let (name, family) = families::find(&types, assume)?;
    let model_type = types.first().copied().unwrap_or(name);
    let mut assumed = Vec::new();
    if assume.is_some()
        && !types
            .iter()
            .any(|known| known.trim_end_matches("_text") == name)
    {
        assumed.push(format!(
            "`model_type` is `{}`, read as if it were `{name}`",
            json::shorten(model_type)
        ));
    }
    let entry = entry(&text, &whole, name, &family)?;
    let stored = quantization::read(&text, &whole)?;
    assumed.extend(stored.assumed);

    let mut notes = Vec::new();
    let mtp_layers = mtp_layers(&text)?;
    if mtp_layers > 0 {
        notes.push(
            "its layers for multi-token prediction aren't counted: their sizes aren't in a config"
                .to_owned(),
        );
    }
    if ["vision_config", "audio_config"]
        .iter()
        .any(|tower| whole.get(tower).is_some())
    {
        notes.push("its towers for images or sound aren't counted".to_owned());
    }
    let architecture = Architecture {
        max_context: text
            .number(&["max_position_embeddings", "n_positions", "max_seq_len"])?
            .filter(|tokens| *tokens > 0),
        mtp_layers,
        ..model_db::convert::architecture(&entry)
    };
    let called = whole.text("_name_or_path")?.filter(|name| !name.is_empty());
    Ok(OwnModel {
        name: json::shorten(called.unwrap_or(model_type)),
        kind: FileKind::Config,
        architecture,
        format: stored.format,
        inventory: None,
        assumed,
        notes,
    })
}

/// The part that describes the language model.
fn text_part<'a>(whole: &Fields<'a>) -> Result<Fields<'a>, ReadError> {
    let mut part = whole.clone();
    // a thinker has a text part of its own
    for _ in 0..2 {
        let mut found = None;
        for key in NESTED {
            if let Some(nested) = part.child(key)? {
                found = Some(nested);
                break;
            }
        }
        match found {
            Some(nested) => part = nested,
            None => break,
        }
    }
    Ok(part)
}

fn mtp_layers(text: &Fields<'_>) -> Result<u32, ReadError> {
    if text.flag(&["use_mtp"])? == Some(false) {
        return Ok(0);
    }
    Ok(text
        .number(&[
            "num_nextn_predict_layers",
            "mtp_num_hidden_layers",
            "num_mtp_modules",
            "mtp_num_layers",
        ])?
        .unwrap_or(0))
}

/// What a data file of the catalogue would say.
fn entry(
    text: &Fields<'_>,
    whole: &Fields<'_>,
    name: &str,
    family: &Family,
) -> Result<ArchitectureEntry, ReadError> {
    let hidden = text.need(&["hidden_size", "n_embd", "d_model"])?;
    let vocabulary = text.need(&["vocab_size"])?;
    if let Some(width) = text.number(&["word_embed_proj_dim"])?
        && width != hidden
    {
        return Err(ReadError::Disagree {
            key: text.name("word_embed_proj_dim"),
            value: width.to_string(),
            other: format!("`{}` is `{hidden}`", text.name("hidden_size")),
        });
    }
    let tie = ["tie_word_embeddings"];
    let tied = match (text.flag(&tie)?, whole.flag(&tie)?) {
        (Some(tied), _) | (None, Some(tied)) => tied,
        (None, None) => family.tied,
    };
    let kinds = layers::read(text, name, family)?;
    let mut parts = Parts::default();
    let layout: Vec<String> = kinds
        .iter()
        .map(|kind| parts.add(text, name, family, hidden, *kind))
        .collect::<Result<_, _>>()?;
    let positions = match name {
        "gpt2" | "gpt_bigcode" => text.need(&["n_positions", "max_position_embeddings"])?,
        // two rows are for padding (`modeling_opt.py`, `OPTLearnedPositionalEmbedding`)
        "opt" => text.need(&["max_position_embeddings"])?.saturating_add(2),
        _ => 0,
    };
    let [.., norms] = family.norms;
    Ok(ArchitectureEntry {
        family: name.to_owned(),
        hidden,
        vocabulary,
        output_vocabulary: None,
        tied_embeddings: tied,
        output_bias: family.head_bias,
        positions,
        norms,
        attention: parts.attention,
        linear: parts.linear,
        feed_forward: parts.feed_forward,
        layout: layout.join(", "),
        repeated: None,
        counted: counted(text, name, hidden, kinds.len())?,
    })
}

/// What stands beside the layers of Gemma 4's small models: a table for each layer
/// (`modeling_gemma4.py`, `embed_tokens_per_layer` and what uses it).
fn counted(
    text: &Fields<'_>,
    name: &str,
    hidden: u32,
    layers: usize,
) -> Result<BTreeMap<PartName, u64>, ReadError> {
    let mut counted = BTreeMap::new();
    let width = text.number(&["hidden_size_per_layer_input"])?.unwrap_or(0);
    if name == "gemma4" && width > 0 {
        let rows = text.need(&["vocab_size_per_layer_input", "vocab_size"])?;
        let [hidden, width, rows] = [hidden, width, rows].map(u64::from);
        let layers = u64::try_from(layers).unwrap_or(u64::MAX);
        let times = |a: u64, b: u64| a.saturating_mul(b);
        counted.insert(PartName::Lookup, times(times(rows, width), layers));
        let projection = times(times(hidden, width), layers);
        // gate, projection and norm of each layer
        let each = times(times(hidden, width), 2).saturating_add(hidden);
        let other = projection.saturating_add(times(each, layers));
        counted.insert(PartName::Other, other);
        counted.insert(PartName::Attention, width);
    }
    Ok(counted)
}

/// The kinds of parts met so far, by the names the layout uses.
#[derive(Default)]
struct Parts {
    attention: BTreeMap<String, model_db::entry::AttentionEntry>,
    linear: BTreeMap<String, model_db::entry::LinearEntry>,
    feed_forward: BTreeMap<String, model_db::entry::FeedForwardEntry>,
}

impl Parts {
    /// Adds a layer's parts; the layer as a layout writes it.
    fn add(
        &mut self,
        text: &Fields<'_>,
        name: &str,
        family: &Family,
        hidden: u32,
        kind: Kind,
    ) -> Result<String, ReadError> {
        let mut names: Vec<String> = Vec::new();
        let attention = match kind.mixer {
            Mixer::None | Mixer::Linear => None,
            Mixer::Full | Mixer::Both => Some("full"),
            Mixer::Sliding => Some("sliding"),
            Mixer::Chunked => Some("chunked"),
        };
        if let Some(span) = attention {
            let shared = if kind.shares_cache { "-shared" } else { "" };
            let reuses = if kind.reuses_choice { "-reusing" } else { "" };
            let called = format!("{span}{shared}{reuses}");
            if !self.attention.contains_key(&called) {
                let entry = attention::read(text, name, family, hidden, kind)?;
                self.attention.insert(called.clone(), entry);
            }
            names.push(called);
        }
        if matches!(kind.mixer, Mixer::Linear | Mixer::Both) {
            let called = "linear".to_owned();
            if !self.linear.contains_key(&called) {
                let entry = linear::read(text, name, hidden)?;
                self.linear.insert(called.clone(), entry);
            }
            names.push(called);
        }
        // a Mamba layer is all mixer
        let only_mixer = matches!(name, "mamba" | "falcon_mamba" | "mamba2");
        if matches!(kind.forward, Forward::Dense | Forward::Both) && !only_mixer {
            let wide = kind.shares_cache && text.flag(&["use_double_wide_mlp"])?.unwrap_or(false);
            let called = if wide { "dense-wide" } else { "dense" }.to_owned();
            if !self.feed_forward.contains_key(&called) {
                let mut entry = feed_forward::dense(text, name, family, hidden)?;
                if wide {
                    entry.width = entry.width.saturating_mul(2);
                }
                self.feed_forward.insert(called.clone(), entry);
            }
            names.push(called);
        }
        if matches!(kind.forward, Forward::Routed | Forward::Both) {
            let called = "moe".to_owned();
            if !self.feed_forward.contains_key(&called) {
                let entry = feed_forward::experts(text, name, family, hidden)?;
                self.feed_forward.insert(called.clone(), entry);
            }
            names.push(called);
        }
        Ok(if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(" + ")
        })
    }
}
