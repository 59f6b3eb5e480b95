//! Whether what the user wants of the placement can be had.

use super::{MAX_CONCURRENCY, Scenario, Split};
use crate::architecture::{Architecture, Attention, AttentionKind};
use crate::engine::MemoryStyle;
use crate::error::{Field, FieldError};

pub(super) fn check(scenario: &Scenario<'_>, problems: &mut Vec<FieldError>) {
    let wishes = scenario.wishes;
    let layers = scenario.model.architecture.layer_count();
    if !wishes.shares.is_empty() {
        shares(scenario, problems);
    }
    for (field, wish) in [
        (Field::GpuLayers, wishes.device_layers),
        (Field::CpuMoe, wishes.host_experts),
    ] {
        let Some(number) = wish else { continue };
        let value = number.to_string();
        if scenario.engine.memory_style() != MemoryStyle::LlamaCpp {
            problems.push(
                FieldError::new(
                    field,
                    value,
                    format!("{} keeps all layers on the device", scenario.engine.name()),
                )
                .hint("llama.cpp can keep layers or experts in the host's RAM"),
            );
        } else if scenario.device.is_unified() {
            problems.push(
                FieldError::new(
                    field,
                    value,
                    format!(
                        "{} has one memory for CPU and GPU: nothing can be moved out of it",
                        scenario.device.name
                    ),
                )
                .hint(format!("leave out `{field}`")),
            );
        } else if scenario.host.is_none() {
            problems.push(
                FieldError::new(field, value, "the rest has to lie in a host's RAM")
                    .hint("name the host, as in `host` = `desktop-ddr5-5600-dual`, and its `ram`"),
            );
        } else if field == Field::CpuMoe && !scenario.model.architecture.is_moe() {
            problems.push(
                FieldError::new(
                    field,
                    value,
                    format!("{} has no routed experts", scenario.model.name),
                )
                .hint("set `gpu-layers` to keep whole layers in the host's RAM"),
            );
        } else if field == Field::CpuMoe && number > layers {
            problems.push(FieldError::new(
                field,
                value,
                format!("{} has {layers} layers", scenario.model.name),
            ));
        }
    }
    if let Some(slots) = scenario.settings.slots
        && !(1..=MAX_CONCURRENCY).contains(&slots)
    {
        problems.push(FieldError::new(
            Field::Slots,
            slots.to_string(),
            format!("must be between 1 and {MAX_CONCURRENCY} slots"),
        ));
    }
    if wishes.split == Split::Tensor && scenario.count() > 1 {
        tensor_parallel(scenario, problems);
    }
}

fn shares(scenario: &Scenario<'_>, problems: &mut Vec<FieldError>) {
    let shares = scenario.wishes.shares;
    let text = shares
        .iter()
        .map(f64::to_string)
        .collect::<Vec<_>>()
        .join(",");
    if shares.len() != scenario.devices().count() {
        let devices = scenario.count();
        problems.push(FieldError::new(
            Field::TensorSplit,
            text,
            format!("needs as many shares as devices: {devices}"),
        ));
    } else if shares
        .iter()
        .any(|share| !(share.is_finite() && *share >= 0.0))
        || shares.iter().sum::<f64>() <= 0.0
    {
        problems.push(FieldError::new(
            Field::TensorSplit,
            text,
            "shares must be 0 or more, and one above 0",
        ));
    } else if scenario.wishes.split == Split::Tensor {
        problems.push(
            FieldError::new(
                Field::TensorSplit,
                text,
                "shares are of layers, and tensor parallel splits each layer evenly",
            )
            .hint("set `split` to `layer`"),
        );
    }
}

/// Tensor parallel divides attention's heads evenly: vLLM, `vllm/config/model.py`, "Total number of
/// attention heads must be divisible by tensor parallel size"; SGLang and TensorRT-LLM alike.
fn tensor_parallel(scenario: &Scenario<'_>, problems: &mut Vec<FieldError>) {
    let count = scenario.count();
    let uneven = uneven_heads(scenario.model.architecture, count);
    if let Some(attention) = uneven {
        let fits: Vec<_> = (1..=attention.heads.min(16))
            .filter(|devices| attention.heads.checked_rem(*devices) == Some(0))
            .map(|devices| devices.to_string())
            .collect();
        let latent = matches!(attention.kind, AttentionKind::Latent { .. });
        let kind = if latent {
            "latent attention"
        } else {
            "attention"
        };
        problems.push(
            FieldError::new(
                Field::Count,
                count.to_string(),
                format!(
                    "{} has {} heads of {kind}, which {count} devices can't share evenly",
                    scenario.model.name, attention.heads
                ),
            )
            .hint(format!(
                "set `count` to {}, or `split` to `layer`",
                fits.join(", ")
            )),
        );
    }
}

/// The first attention whose heads so many devices can't share evenly.
pub(super) fn uneven_heads(architecture: &Architecture, devices: u32) -> Option<Attention> {
    architecture
        .layers
        .iter()
        .filter_map(|layer| layer.attention)
        .find(|attention| attention.heads.checked_rem(devices) != Some(0))
}
