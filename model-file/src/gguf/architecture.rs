//! From the header of a GGUF file to a model.
//!
//! The tensors' shapes say most: widths, heads' widths, experts, ranks. Keys say what shapes can't:
//! how many heads share a projection, which layers slide, how many experts a token visits. Where
//! both say something, they must agree.

use estimator::architecture::{Architecture, Counted, Part};
use estimator::format::WeightFormat;
use estimator::weights::Inventory;

use super::families::{Family, find};
use super::keys::{Keys, number, text};
use super::shapes::{LayerShapes, Shapes};
use super::sliding::Spans;
use super::{Header, inventory, layer, outside};
use crate::error::ReadError;
use crate::limits;
use crate::own::{FileKind, OwnModel};

/// The model a header describes. `assume` is a family to take an unknown architecture for.
///
/// # Errors
/// What [`ReadError`] names: an unknown architecture, keys and shapes that contradict each other,
/// one part of several (see [`join`](super::join)).
pub fn model(header: &Header, assume: Option<&str>) -> Result<OwnModel, ReadError> {
    let metadata = &header.metadata;
    if let Some(count) = metadata.get("split.count") {
        let count = number("split.count", count)?;
        let part = match metadata.get("split.no") {
            Some(value) => number("split.no", value)?,
            None => 0,
        };
        if count > 1 {
            return Err(if part > 0 {
                ReadError::NotTheFirstPart {
                    number: u64::from(part).saturating_add(1),
                    count: u64::from(count),
                }
            } else {
                ReadError::Parts {
                    what: format!(
                        "part 1 of {count} of a split file: the headers of all {count} are needed"
                    ),
                }
            });
        }
    }
    described(header, assume)
}

/// The same, for a header that has all tensors.
pub(super) fn described(header: &Header, assume: Option<&str>) -> Result<OwnModel, ReadError> {
    let metadata = &header.metadata;
    let name = text(metadata, "general.architecture")?.ok_or_else(|| ReadError::Missing {
        key: "general.architecture".to_owned(),
    })?;
    let family = find(name, assume)?;
    let mut assumed = Vec::new();
    if assume.is_some() && family.name != name {
        assumed.push(format!(
            "`general.architecture` is `{name}`, read as if it were `{}`",
            family.name
        ));
    }
    let keys = Keys::new(metadata, name);
    let shapes = Shapes::of(&header.tensors);
    let mut architecture = outside::read(&shapes, keys, family.model_type)?;
    let blocks = blocks(&shapes, keys)?;
    let mtp = keys.number("nextn_predict_layers")?.unwrap_or(0);
    let layers = blocks.checked_sub(mtp).filter(|layers| *layers > 0);
    let layers = layers.ok_or_else(|| ReadError::Disagree {
        key: keys.name("nextn_predict_layers"),
        value: mtp.to_string(),
        other: format!("`{}` is `{blocks}`", keys.name("block_count")),
    })?;
    read_layers(
        &mut architecture,
        &shapes,
        keys,
        family,
        layers,
        &mut assumed,
    )?;

    let inventory = inventory::count(header, &shapes, architecture.hidden, layers)?;
    account(&mut architecture, &inventory)?;
    architecture.vision_parameters = inventory.vision.elements;
    if inventory.mtp.elements > 0 {
        architecture.mtp_layers = mtp;
        architecture.mtp_parameters = inventory.mtp.elements;
    }
    let format = format(header, &inventory, &mut assumed)?;
    Ok(OwnModel {
        name: own_name(header)?,
        kind: FileKind::Gguf,
        architecture,
        format,
        inventory: Some(inventory),
        assumed,
        notes: Vec::new(),
    })
}

/// How many layers there are, as the key says and the tensors confirm.
fn blocks(shapes: &Shapes<'_>, keys: Keys<'_>) -> Result<u32, ReadError> {
    let blocks = keys.required("block_count")?;
    if u64::from(blocks) > limits::LAYERS {
        return Err(ReadError::Limit {
            what: format!("`{}`", keys.name("block_count")),
            value: u64::from(blocks),
            limit: limits::LAYERS,
        });
    }
    let last = shapes.layers.last_key_value();
    match last {
        Some((last, shapes)) if *last >= blocks => {
            let name = shapes.tensors.values().next();
            Err(ReadError::Disagree {
                key: keys.name("block_count"),
                value: blocks.to_string(),
                other: format!(
                    "there is a tensor `{}`",
                    name.map_or("", |tensor| tensor.name.as_str())
                ),
            })
        }
        _ if shapes.layers.is_empty() => Err(ReadError::Disagree {
            key: keys.name("block_count"),
            value: blocks.to_string(),
            other: "there is no tensor `blk.0.…`".to_owned(),
        }),
        _ => Ok(blocks),
    }
}

fn read_layers(
    architecture: &mut Architecture,
    shapes: &Shapes<'_>,
    keys: Keys<'_>,
    family: Family,
    layers: u32,
    assumed: &mut Vec<String>,
) -> Result<(), ReadError> {
    let (spans, unlisted) = Spans::of(keys, family)?;
    assumed.extend(unlisted);
    let shared = keys.number("attention.shared_kv_layers")?.unwrap_or(0);
    let nothing = LayerShapes::default();
    for number in 0..layers {
        let shares_cache = number >= layers.saturating_sub(shared);
        let shapes = shapes.layers.get(&number).unwrap_or(&nothing);
        architecture.layers.push(layer::read(
            shapes,
            keys,
            &spans,
            architecture.hidden,
            shares_cache,
        )?);
    }
    Ok(())
}

/// Adds what the file has beyond what the architecture describes; refuses what it lacks.
fn account(architecture: &mut Architecture, inventory: &Inventory) -> Result<(), ReadError> {
    let described = architecture.parameters().by_part;
    for part in Part::ALL {
        let file = inventory.part(part).elements;
        let described = described.get(part);
        match file.checked_sub(described) {
            Some(0) => {}
            Some(elements) => architecture.counted.push(Counted { part, elements }),
            None => {
                return Err(ReadError::Weights {
                    part: part.name(),
                    file,
                    described,
                });
            }
        }
    }
    Ok(())
}

/// What it is called: by its own name, else by its architecture.
fn own_name(header: &Header) -> Result<String, ReadError> {
    let metadata = &header.metadata;
    let name = match text(metadata, "general.name")? {
        Some(name) => Some(name),
        None => text(metadata, "general.architecture")?,
    };
    Ok(name.unwrap_or("a GGUF file").to_owned())
}

/// The format a file says it has, else the one most of its weights are in.
fn format(
    header: &Header,
    inventory: &Inventory,
    assumed: &mut Vec<String>,
) -> Result<Option<WeightFormat>, ReadError> {
    /// Set by tools that guess (`LLAMA_FTYPE_GUESSED`).
    const GUESSED: u32 = 1_024;
    let declared = match header.metadata.get("general.file_type") {
        Some(value) => Some(number("general.file_type", value)? % GUESSED),
        None => None,
    };
    if let Some(format) = declared.and_then(file_type) {
        return Ok(Some(format));
    }
    let mut most = None;
    for stored in &inventory.trunk {
        let bytes: u64 = inventory
            .trunk
            .iter()
            .filter(|other| other.encoding == stored.encoding)
            .map(|other| other.share.bytes)
            .fold(0, u64::saturating_add);
        if most.is_none_or(|(_, most)| bytes > most) {
            most = Some((stored.encoding, bytes));
        }
    }
    let format = most.and_then(|(encoding, _)| {
        let named = WeightFormat::parse(&encoding.to_string()).ok()?;
        named.in_gguf().or(Some(named))
    });
    if let Some(format) = format {
        assumed.push(format!(
            "the file names no format that is known; most of its bytes are those of {format}"
        ));
    }
    Ok(format)
}

/// The format of a number (`enum llama_ftype`, llama.cpp `include/llama.h`).
fn file_type(number: u32) -> Option<WeightFormat> {
    let name = match number {
        0 => "GGUF-F32",
        1 => "F16",
        2 => "Q4_0",
        3 => "Q4_1",
        7 => "Q8_0",
        8 => "Q5_0",
        9 => "Q5_1",
        10 => "Q2_K",
        11 => "Q3_K_S",
        12 => "Q3_K_M",
        13 => "Q3_K_L",
        14 => "Q4_K_S",
        15 => "Q4_K_M",
        16 => "Q5_K_S",
        17 => "Q5_K_M",
        18 => "Q6_K",
        19 => "IQ2_XXS",
        20 => "IQ2_XS",
        21 => "Q2_K_S",
        22 => "IQ3_XS",
        23 => "IQ3_XXS",
        24 => "IQ1_S",
        25 => "IQ4_NL",
        26 => "IQ3_S",
        27 => "IQ3_M",
        28 => "IQ2_S",
        29 => "IQ2_M",
        30 => "IQ4_XS",
        31 => "IQ1_M",
        32 => "GGUF-BF16",
        36 => "TQ1_0",
        37 => "TQ2_0",
        38 => "MXFP4_MOE",
        _ => return None,
    };
    WeightFormat::parse(name).ok()
}
