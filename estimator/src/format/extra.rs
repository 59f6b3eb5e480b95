//! What a GGUF file holds besides what it takes to run the model.
//!
//! Two things: layers for multi-token prediction, where the converter keeps them, and keys and
//! values of layers that use an earlier layer's (Gemma 3n and 4), which the checkpoint has though
//! nobody reads them. Seen in files: `ggml-org/gemma-4-E4B-it-GGUF` has the latter,
//! `unsloth/Qwen3.8-27B-GGUF` and `bartowski/zai-org_GLM-4.6-GGUF` the former.

use super::block::ALIGNMENT;
use super::encoding::Encoding;
use super::facts::ModelFacts;
use super::{FormatFamily, WeightFormat};
use crate::architecture::{Architecture, Attention, AttentionKind, CacheOwner, Layer};
use crate::num;
use crate::tensor::{Role, Tensor};
use crate::weights::Share;

/// Bytes of the file's list of tensors for each, as in [`super::header_bytes`].
const LISTED: u64 = 64;

/// What a file holds besides the model's trunk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extra {
    /// By encoding, in the order first met.
    pub encodings: Vec<(Encoding, Share)>,
    /// Layers for multi-token prediction.
    pub prediction: Share,
    /// Tensors no engine reads.
    pub idle: Share,
    /// Bytes in the file, padding and list included.
    pub file: u64,
}

/// Whether llama.cpp's converter keeps a family's layers for multi-token prediction in the file.
///
/// As of `conversion/` at 2026-10: `Glm4MoeModel`, `Glm4MoeLiteModel`, `GlmMoeDsaModel`,
/// `Glm5NextModel`, `_Qwen35MtpMixin`, `DeepseekV32Model`, `Dots3NoteModel`, `BailingMoeV3Model`,
/// `ExaoneMoEModel`, `Step35Model`, `HYV3Model`. DeepSeek V3 and V4, Qwen3-Next, Nemotron-H and the
/// others drop them. Files made before a family was on the list, and those made with `--no-mtp`, are
/// smaller by [`Extra::prediction`]: so are GLM-4.7-Flash and Qwen3.5 as published early in 2026.
#[must_use]
pub fn keeps_prediction(family: &str) -> bool {
    matches!(
        family,
        "glm4_moe"
            | "glm4_moe_lite"
            | "glm_moe_dsa"
            | "glm5_next"
            | "qwen3_5"
            | "qwen3_5_moe"
            | "qwen3_5_moe_text"
            | "deepseek_v32"
            | "dots3_note"
            | "bailing_hybrid"
            | "exaone_moe"
            | "step3p5"
            | "step3p7"
            | "hy_v3"
    )
}

/// Layers for multi-token prediction in a GGUF of the model, and the trunk's layer they are like.
pub(super) fn prediction(architecture: &Architecture) -> (u32, Option<&Layer>) {
    if architecture.mtp_parameters == 0 || !keeps_prediction(&architecture.family) {
        return (0, None);
    }
    let like = like(architecture).map(|(layer, _)| layer);
    (architecture.mtp_layers, like)
}

/// The trunk's layer that a prediction layer is like, and how many weights it has besides that layer
/// and its input projection.
///
/// Only the number of weights is known, so the layer is the one that explains it up to a few norms.
fn like(architecture: &Architecture) -> Option<(&Layer, u64)> {
    let hidden = u64::from(architecture.hidden);
    let each = architecture
        .mtp_parameters
        .checked_div(u64::from(architecture.mtp_layers))?;
    let mut best: Option<(&Layer, u64)> = None;
    let mut last: Option<&Layer> = None;
    for layer in architecture.layers.iter().rev() {
        if last == Some(layer) {
            continue;
        }
        last = Some(layer);
        let mut elements = hidden.saturating_mul(hidden).saturating_mul(2);
        architecture.visit_layer(0, layer, &mut |_, tensor| {
            elements = elements.saturating_add(tensor.elements());
        });
        if let Some(rest) = each.checked_sub(elements)
            && best.is_none_or(|(_, least)| rest < least)
        {
            best = Some((layer, rest));
        }
    }
    best.filter(|(_, rest)| *rest <= hidden.saturating_mul(NORMS))
}

/// More norms than a prediction layer has.
const NORMS: u64 = 16;

/// Keys and values that a layer has in the file though it uses an earlier layer's.
pub(super) fn idle(architecture: &Architecture, attention: &Attention) -> Option<[u64; 2]> {
    let gemma =
        architecture.family.starts_with("gemma3n") || architecture.family.starts_with("gemma4");
    match (attention.cache, attention.kind) {
        (
            CacheOwner::Earlier,
            AttentionKind::Grouped {
                kv_heads,
                head_dim,
                v_head_dim,
                ..
            },
        ) if gemma => {
            let heads = u64::from(kv_heads);
            Some([head_dim, v_head_dim].map(|width| heads.saturating_mul(u64::from(width))))
        }
        _ => None,
    }
}

impl Extra {
    /// What the file of this model and format holds besides the trunk; nothing in what is no GGUF.
    #[must_use]
    pub fn of(architecture: &Architecture, format: WeightFormat) -> Self {
        let mut extra = Self::default();
        let (layers, like) = prediction(architecture);
        let shared = architecture.layers.iter().any(|layer| {
            layer
                .attention
                .is_some_and(|attention| idle(architecture, &attention).is_some())
        });
        if format.family() != FormatFamily::Gguf || (layers == 0 && !shared) {
            return extra;
        }
        // The trunk's tensors are passed through since the mixes count them.
        let mut encoder = format.encoder(&ModelFacts::of(architecture));
        for (number, layer) in (0_u32..).zip(&architecture.layers) {
            architecture.visit_layer(number, layer, &mut |_, tensor| {
                encoder.encode(&tensor);
            });
            let widths = layer
                .attention
                .and_then(|attention| idle(architecture, &attention));
            for (role, rows) in [Role::AttentionK, Role::AttentionV]
                .into_iter()
                .zip(widths.into_iter().flatten())
            {
                let tensor = Tensor {
                    role,
                    layer: Some(number),
                    row: u64::from(architecture.hidden),
                    rows,
                    stack: 1,
                };
                let share = extra.add(encoder.encode(&tensor), &tensor);
                extra.idle.count(share);
            }
        }
        for number in 0..layers {
            let number = architecture.layer_count().saturating_add(number);
            visit_prediction(architecture, like, number, &mut |tensor| {
                let share = extra.add(encoder.encode(&tensor), &tensor);
                extra.prediction.count(share);
            });
        }
        extra
    }

    fn add(&mut self, encoding: Encoding, tensor: &Tensor) -> Share {
        let share = Share {
            elements: tensor.elements(),
            bytes: encoding.bytes(tensor),
        };
        self.file = self
            .file
            .saturating_add(num::round_up(share.bytes, ALIGNMENT))
            .saturating_add(LISTED);
        match self
            .encodings
            .iter_mut()
            .find(|(each, _)| *each == encoding)
        {
            Some((_, sum)) => sum.count(share),
            None => self.encodings.push((encoding, share)),
        }
        share
    }
}

/// The tensors of a prediction layer: those of a layer of the trunk, the projection of the hidden
/// state and the embedding, and norms; by count where no layer explains it.
fn visit_prediction(
    architecture: &Architecture,
    layer: Option<&Layer>,
    number: u32,
    visit: &mut impl FnMut(Tensor),
) {
    let hidden = u64::from(architecture.hidden);
    let matrix = |role, row, rows| Tensor {
        role,
        layer: Some(number),
        row,
        rows,
        stack: 1,
    };
    match (layer, like(architecture)) {
        (Some(layer), Some((_, norms))) => {
            architecture.visit_layer(number, layer, &mut |_, tensor| visit(tensor));
            visit(matrix(Role::Other, hidden.saturating_mul(2), hidden));
            if norms > 0 {
                visit(matrix(Role::Norm, norms, 1));
            }
        }
        _ => {
            let each = architecture
                .mtp_parameters
                .checked_div(u64::from(architecture.mtp_layers))
                .unwrap_or(0);
            let rows = each.checked_div(hidden).unwrap_or(0);
            if rows > 0 {
                visit(matrix(Role::Other, hidden, rows));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::examples::qwen3_30b_a3b;
    use crate::format::GgufType;

    #[test]
    fn prediction_layers_are_in_the_file_of_a_family_whose_converter_keeps_them() {
        let mut architecture = qwen3_30b_a3b();
        let mut layer = 0;
        let last = architecture.layers.last().copied().expect("layers");
        architecture.visit_layer(47, &last, &mut |_, tensor| layer += tensor.elements());
        let norms = 3 * u64::from(architecture.hidden);
        let projection = 2 * u64::from(architecture.hidden).pow(2);
        architecture.mtp_layers = 1;
        architecture.mtp_parameters = layer + projection + norms;

        let format = WeightFormat::gguf(GgufType::Q8_0);
        assert_eq!(Extra::of(&architecture, format), Extra::default());
        architecture.family = "qwen3_5_moe".to_owned();
        let extra = Extra::of(&architecture, format);
        assert_eq!(extra.prediction.elements, architecture.mtp_parameters);
        assert_eq!(extra.idle, Share::default());
        assert_eq!(
            Extra::of(&architecture, WeightFormat::Fp8),
            Extra::default()
        );
    }
}
