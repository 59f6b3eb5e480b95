//! Whether what the user wants of the placement can be had.

use super::{MAX_CONCURRENCY, Scenario, Split};
use crate::architecture::{Architecture, Attention, AttentionKind};
use crate::engine::{Engine, MemoryStyle};
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
        let value = match number {
            u32::MAX => "all".to_owned(),
            number => number.to_string(),
        };
        // Nothing is left over for a host.
        let whole = match field {
            Field::GpuLayers => number >= layers,
            _ => number == 0,
        };
        if whole {
            continue;
        }
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
    server(scenario, problems);
    loads(scenario, problems);
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

/// Slots, and a cache they share, which llama.cpp's servers alone have.
fn server(scenario: &Scenario<'_>, problems: &mut Vec<FieldError>) {
    let settings = &scenario.settings;
    let sequences = scenario.workload.concurrency;
    if scenario.engine.memory_style() != MemoryStyle::LlamaCpp {
        let name = scenario.engine.name();
        let asked = [
            (Field::Slots, settings.slots.map(|slots| slots.to_string())),
            (Field::KvUnified, settings.unified.then(|| "on".to_owned())),
        ];
        for (field, value) in asked {
            if let Some(value) = value {
                problems.push(
                    FieldError::new(field, value, format!("{name} has no slots"))
                        .hint("set `concurrency` to how many requests come at once"),
                );
            }
        }
    } else if let Some(slots) = settings.slots.filter(|slots| *slots < sequences) {
        problems.push(
            FieldError::new(
                Field::Slots,
                slots.to_string(),
                format!("{sequences} requests at once need as many slots"),
            )
            .hint(format!(
                "set `slots` to {sequences}, or `concurrency` to {slots}: the rest would wait"
            )),
        );
    }
}

/// What is to be loaded beside the text's layers, where the model has it.
fn loads(scenario: &Scenario<'_>, problems: &mut Vec<FieldError>) {
    let architecture = scenario.model.architecture;
    let name = scenario.model.name;
    for (field, asked, has, what) in [
        (
            Field::Mtp,
            scenario.settings.mtp,
            architecture.mtp_layers > 0 || architecture.mtp_parameters > 0,
            "no layers for multi-token prediction",
        ),
        (
            Field::Vision,
            scenario.settings.vision,
            architecture.vision_parameters > 0,
            "no vision tower that is known",
        ),
    ] {
        if asked && !has {
            problems.push(
                FieldError::new(field, "on", format!("{name} has {what}"))
                    .hint(format!("leave out `{field}`")),
            );
        }
    }
    if scenario.engine == Engine::KTransformers {
        if !architecture.is_moe() {
            problems.push(
                FieldError::new(
                    Field::Engine,
                    scenario.engine.name(),
                    format!("keeps routed experts in RAM, and {name} has none"),
                )
                .hint("use llama.cpp"),
            );
        } else if scenario.host.is_none() {
            problems.push(
                FieldError::new(
                    Field::Host,
                    "",
                    "ktransformers keeps all experts in a host's RAM",
                )
                .hint("name the host, as in `host` = `epyc-9654`, and its `ram`"),
            );
        }
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
