//! The inputs: their labels, what each takes, and when it matters.

use answer::{Answer, Field};
use estimator::engine::{Engine, MemoryStyle};

use super::state::State;
use crate::glossary::{self, Entry};

/// Where a model goes, in the fold-out of that name.
pub(super) const PLACEMENT: &[Field] = &[
    Field::Host,
    Field::Ram,
    Field::Split,
    Field::TensorSplit,
    Field::GpuLayers,
    Field::CpuMoe,
    Field::Ssd,
];

/// Fields few people need, by what they are about.
pub(super) const MORE: [(&str, &[Field]); 3] = [
    (
        "Server",
        &[
            Field::Slots,
            Field::KvUnified,
            Field::FlashAttention,
            Field::Ubatch,
            Field::MemoryFraction,
        ],
    ),
    ("What is loaded", &[Field::Vision, Field::Mtp]),
    (
        "Device",
        &[
            Field::Memory,
            Field::MemoryOption,
            Field::Power,
            Field::Macos,
            Field::System,
            Field::Backend,
            Field::Reserve,
            Field::PeakTflops,
        ],
    ),
];

/// Label of a field.
pub(super) const fn label(field: Field) -> &'static str {
    match field {
        Field::Hardware => "Hardware",
        Field::Count => "How many",
        Field::Memory => "Memory size",
        Field::MemoryOption => "Kind of memory",
        Field::Power => "Power limit",
        Field::Macos => "macOS",
        Field::System => "Operating system",
        Field::MemoryFraction => "Memory fraction",
        Field::Reserve => "Held by others",
        Field::Ram => "RAM of the host",
        Field::Host => "CPU of the host",
        Field::Model => "Model",
        Field::Format => "Weight format",
        Field::KvType => "KV cache type",
        Field::Engine => "Engine",
        Field::Backend => "Backend",
        Field::Context => "Context",
        Field::Prompt => "Prompt",
        Field::Output => "Output",
        Field::Concurrency => "Requests at once",
        Field::Ubatch => "Micro-batch",
        Field::Ssd => "Disk read rate",
        Field::Split => "Devices share by",
        Field::TensorSplit => "Shares of layers",
        Field::GpuLayers => "Layers on devices",
        Field::CpuMoe => "Experts in RAM",
        Field::Slots => "Slots",
        Field::KvUnified => "One cache for all",
        Field::FlashAttention => "Flash attention",
        Field::Vision => "Vision tower",
        Field::Mtp => "MTP layers",
        Field::PeakTflops => "Peak compute",
    }
}

/// What goes into a field whose default isn't shown in it.
pub(super) const fn example(field: Field) -> &'static str {
    match field {
        Field::Hardware => "such as RTX 4090 + 2x RTX 3090",
        Field::Model => "such as Llama 3.1 8B",
        Field::Memory => "GB, as sold",
        Field::Power => "W",
        Field::MemoryFraction => "0 to 1",
        Field::Reserve | Field::Ram => "GB",
        Field::Host => "such as DDR5-6000",
        Field::Ssd => "GB/s",
        Field::TensorSplit => "such as 3,1",
        Field::GpuLayers => "as many as fit",
        Field::CpuMoe => "as few as fit",
        Field::Slots => "one a request",
        Field::PeakTflops => "TFLOP/s, FP16",
        _ => "",
    }
}

/// The word behind a field.
pub(super) const fn meaning(field: Field) -> Option<Entry> {
    Some(match field {
        Field::Format => glossary::FORMAT,
        Field::KvType => glossary::KV_CACHE,
        Field::Engine => glossary::ENGINE,
        Field::Backend => glossary::BACKEND,
        Field::Context => glossary::CONTEXT,
        Field::Prompt => glossary::PROMPT,
        Field::Output => glossary::OUTPUT,
        Field::Concurrency => glossary::CONCURRENCY,
        Field::Ubatch => glossary::UBATCH,
        Field::Host => glossary::HOST,
        Field::Ram => glossary::OFFLOAD,
        Field::Split => glossary::SPLIT,
        Field::TensorSplit => glossary::SHARES,
        Field::GpuLayers => glossary::DEVICE_LAYERS,
        Field::CpuMoe => glossary::HOST_EXPERTS,
        Field::Ssd => glossary::DISK,
        Field::Slots => glossary::SLOTS,
        Field::KvUnified => glossary::UNIFIED,
        Field::FlashAttention => glossary::FLASH_ATTENTION,
        Field::MemoryFraction => glossary::MEMORY_FRACTION,
        Field::Vision => glossary::VISION,
        Field::Mtp => glossary::MTP,
        Field::Reserve => glossary::RESERVE,
        _ => return None,
    })
}

/// Whether a field takes a number.
pub(super) const fn is_number(field: Field) -> bool {
    !matches!(
        field,
        Field::Hardware
            | Field::Host
            | Field::Model
            | Field::MemoryOption
            | Field::TensorSplit
            | Field::GpuLayers
            | Field::CpuMoe
    )
}

/// The list of proposals a field has.
pub(super) const fn list(field: Field) -> Option<&'static str> {
    match field {
        Field::Hardware => Some("all-hardware"),
        Field::Host => Some("all-hosts"),
        Field::Model => Some("all-models"),
        _ => None,
    }
}

/// Whether a field has a say in this question, tracked. What was typed into it stays in sight.
pub(super) fn is_shown(state: State, field: Field) -> bool {
    if !state.typed(field).is_empty() || state.is_wrong(field) {
        return true;
    }
    let matters = state.answer(|answer| matters(field, answer));
    let has_host = || {
        let names_one = |field| !state.typed(field).is_empty();
        names_one(Field::Host) || names_one(Field::Ram)
    };
    matters.unwrap_or(true)
        && match field {
            Field::Ssd => has_host(),
            Field::CpuMoe => has_host() && state.has_experts(),
            _ => true,
        }
}

fn matters(field: Field, answer: &Answer) -> bool {
    let inputs = &answer.inputs;
    let several = inputs.devices.len() > 1;
    let style = Engine::parse(&inputs.engine).map(Engine::memory_style);
    let by_layer = style == Some(MemoryStyle::LlamaCpp);
    let apple = inputs.backend == "metal" || style == Some(MemoryStyle::Mlx);
    match field {
        Field::Split => several,
        Field::TensorSplit => several && by_layer && inputs.split == "layer",
        Field::GpuLayers | Field::CpuMoe => by_layer && inputs.backend != "cpu",
        Field::Slots | Field::KvUnified | Field::FlashAttention => by_layer,
        Field::MemoryFraction => style == Some(MemoryStyle::Fraction),
        Field::Macos => apple,
        Field::System => !apple,
        _ => true,
    }
}
