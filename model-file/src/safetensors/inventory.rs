//! A checkpoint's tensors, counted.

use estimator::architecture::{Architecture, Part};
use estimator::format::{BlockType, Encoding, ModelFacts, WeightFormat};
use estimator::tensor::{Role, Tensor};
use estimator::weights::{Inventory, Share, Stored};

use super::names::{Place, place};
use super::{Header, TensorInfo};
use crate::error::ReadError;
use crate::own::{FileKind, OwnModel};

/// The model of a config, with the tensors of the headers of all its files.
///
/// Names are those of transformers. Packed weights are counted by the format the config names;
/// scales and zero points count as bytes without weights of their own.
///
/// # Errors
/// No headers, a tensor that two of them have, and a packed tensor where the config names no format.
pub fn with_headers(model: OwnModel, headers: &[Header]) -> Result<OwnModel, ReadError> {
    if headers.is_empty() {
        return Err(ReadError::Empty);
    }
    let packing = model
        .format
        .and_then(|format| packing(&model.architecture, format));
    let mut inventory = Inventory::default();
    let mut names = std::collections::BTreeSet::new();
    for header in headers {
        inventory.file = inventory.file.saturating_add(header.file);
        for tensor in &header.tensors {
            if !names.insert(tensor.name.as_str()) {
                return Err(ReadError::Duplicate {
                    what: "the tensor",
                    name: tensor.name.clone(),
                });
            }
            count(&mut inventory, &model.architecture, tensor, packing)?;
        }
    }
    let mut architecture = model.architecture;
    architecture.vision_parameters = inventory.vision.elements;
    architecture.mtp_parameters = inventory.mtp.elements;
    if inventory.mtp.elements == 0 {
        architecture.mtp_layers = 0;
    }
    // the config may name a tied head that the files keep apart
    if inventory.part(Part::Output).elements > 0 {
        architecture.tied_embeddings = false;
    }
    let mut assumed = model.assumed;
    let described = architecture.parameters().total;
    let stored = inventory.total().elements;
    if described.abs_diff(stored).saturating_mul(100) > described {
        assumed.push(format!(
            "the files have {stored} weights, the config describes {described}: bytes are those of the files"
        ));
    }
    Ok(OwnModel {
        kind: FileKind::ConfigAndHeaders,
        architecture,
        inventory: Some(inventory),
        assumed,
        // what isn't in a config is in the files
        notes: Vec::new(),
        ..model
    })
}

/// The encoding that packed tensors have in a format, and bits of a number.
fn packing(architecture: &Architecture, format: WeightFormat) -> Option<(Encoding, u64)> {
    let moe = architecture.is_moe();
    let tensor = Tensor {
        role: if moe { Role::ExpertUp } else { Role::FfnUp },
        layer: Some(0),
        row: 4_096,
        rows: 4_096,
        stack: 1,
    };
    let encoding = format
        .encoder(&ModelFacts::of(architecture))
        .encode(&tensor);
    let bits = match encoding {
        Encoding::MlxAffine { bits, .. } => u64::from(bits),
        Encoding::Block(BlockType::MXFP4)
        | Encoding::MlxNvfp4
        | Encoding::Nvfp4
        | Encoding::AwqInt4
        | Encoding::GptqInt4
        | Encoding::Int4 { .. }
        | Encoding::Nf4 => 4,
        Encoding::GptqInt8
        | Encoding::Int8
        | Encoding::BnbInt8
        | Encoding::Fp8
        | Encoding::Fp8Block => 8,
        _ => return None,
    };
    Some((encoding, bits))
}

/// What comes with packed weights: scales, zero points, indices.
fn is_overhead(name: &str) -> bool {
    const ENDS: [&str; 16] = [
        "scale",
        "scales",
        "_scale_2",
        "scale_inv",
        "qzeros",
        "g_idx",
        "zero_point",
        "weight_shape",
        "biases",
        "absmax",
        "nested_absmax",
        "quant_map",
        "nested_quant_map",
        "bitsandbytes__nf4",
        "SCB",
        "weight_format",
    ];
    ENDS.iter().any(|end| name.ends_with(end))
}

fn count(
    inventory: &mut Inventory,
    architecture: &Architecture,
    tensor: &TensorInfo,
    packing: Option<(Encoding, u64)>,
) -> Result<(), ReadError> {
    let plain = match tensor.kind.name {
        "F32" | "F64" => Some(Encoding::F32),
        "F16" => Some(Encoding::F16),
        "BF16" => Some(Encoding::BF16),
        _ => None,
    };
    let (encoding, elements) = match (plain, packing) {
        _ if is_overhead(&tensor.name) => {
            let encoding = packing.map(|(encoding, _)| encoding).or(plain);
            (encoding.unwrap_or(Encoding::F32), 0)
        }
        (Some(encoding), _) => (encoding, tensor.elements),
        // positions and masks that some files carry
        (None, _) if matches!(tensor.kind.name, "BOOL" | "I64" | "U64") => (Encoding::F32, 0),
        (None, Some((encoding, _))) if tensor.kind.name.starts_with("F8") => {
            (encoding, tensor.elements)
        }
        (None, Some((encoding, bits))) => (encoding, tensor.bytes.saturating_mul(8) / bits.max(1)),
        (None, None) => {
            return Err(ReadError::Quantization {
                key: tensor.name.clone(),
                value: tensor.kind.name.to_owned(),
            });
        }
    };
    let share = Share {
        elements,
        bytes: tensor.bytes,
    };
    match place(&tensor.name, architecture) {
        Place::Mtp => inventory.mtp.count(share),
        Place::Tower => inventory.vision.count(share),
        Place::Trunk(part, layer) => inventory.add(Stored {
            part,
            layer,
            routed: part == Part::Experts,
            encoding,
            share,
            tensors: 1,
        }),
    }
    Ok(())
}
