//! The inputs: their labels and what each takes.

use answer::Field;

use crate::glossary::{self, Entry};

/// Label of a field.
pub(super) const fn label(field: Field) -> &'static str {
    match field {
        Field::Hardware => "Hardware",
        Field::Count => "How many",
        Field::Memory => "Memory size",
        Field::MemoryOption => "Kind of memory",
        Field::Power => "Power limit",
        Field::Macos => "macOS, recent or older",
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
        Field::GpuLayers => "Layers on the devices",
        Field::CpuMoe => "Layers with experts in RAM",
        Field::Slots => "Server slots",
        Field::KvUnified => "One cache for all slots",
        Field::FlashAttention => "Flash attention",
        Field::Vision => "Vision tower",
        Field::Mtp => "Multi-token prediction",
        Field::PeakTflops => "Peak compute",
    }
}

/// What goes into a field whose default isn't shown in it.
pub(super) const fn example(field: Field) -> &'static str {
    match field {
        Field::Hardware => "such as RTX 4090 or M3 Ultra 80",
        Field::Model => "such as Llama 3.1 8B",
        Field::Memory => "GB, as sold",
        Field::Power => "W",
        Field::Macos => "recent or older",
        Field::System => "linux or windows",
        Field::MemoryFraction => "0 to 1",
        Field::Reserve | Field::Ram => "GB",
        Field::Host => "such as DDR5-6000 dual channel",
        Field::Ssd => "GB/s",
        Field::Split => "layer or tensor",
        Field::TensorSplit => "such as 3,1",
        Field::GpuLayers | Field::CpuMoe => "a number or all",
        Field::KvUnified | Field::FlashAttention | Field::Vision | Field::Mtp => "on or off",
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
        _ => return None,
    })
}

/// Whether a field takes a number.
pub(super) const fn is_number(field: Field) -> bool {
    !matches!(
        field,
        Field::Hardware
            | Field::Macos
            | Field::System
            | Field::Host
            | Field::Model
            | Field::Format
            | Field::KvType
            | Field::Engine
            | Field::Backend
            | Field::MemoryOption
            | Field::Split
            | Field::TensorSplit
            | Field::GpuLayers
            | Field::CpuMoe
            | Field::KvUnified
            | Field::FlashAttention
            | Field::Vision
            | Field::Mtp
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

/// Fields few people need, in the fold-out.
pub(super) const MORE: [Field; 22] = [
    Field::Memory,
    Field::MemoryOption,
    Field::Power,
    Field::Macos,
    Field::System,
    Field::Backend,
    Field::Split,
    Field::TensorSplit,
    Field::Host,
    Field::Ram,
    Field::Ssd,
    Field::GpuLayers,
    Field::CpuMoe,
    Field::Slots,
    Field::KvUnified,
    Field::FlashAttention,
    Field::Ubatch,
    Field::Vision,
    Field::Mtp,
    Field::MemoryFraction,
    Field::Reserve,
    Field::PeakTflops,
];
