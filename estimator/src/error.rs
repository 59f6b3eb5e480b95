//! What can be wrong with an input, said so that the user can mend it.

use std::fmt;

use thiserror::Error;

/// The inputs of an estimate, by the names every surface uses for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The device.
    Hardware,
    /// How many of it.
    Count,
    /// The memory size, where the device is sold with several.
    Memory,
    /// The kind of memory, where the device is sold with several.
    MemoryOption,
    /// The power limit, where makers choose one.
    Power,
    /// The macOS generation, which decides the GPU's share of memory.
    Macos,
    /// The operating system, which decides how much of shared memory a GPU gets.
    System,
    /// The share of memory an engine may use.
    MemoryFraction,
    /// Memory that something else holds.
    Reserve,
    /// The host's RAM.
    Ram,
    /// The host's CPU platform.
    Host,
    /// How fast the host's disk is read, for weights that don't fit its RAM.
    Ssd,
    /// How several devices share the model: by layers or by tensors.
    Split,
    /// Shares of the layers for each device.
    TensorSplit,
    /// Layers to keep on the devices.
    GpuLayers,
    /// Layers whose experts stay in the host's RAM.
    CpuMoe,
    /// The model.
    Model,
    /// The weight format.
    Format,
    /// The number type of the KV cache.
    KvType,
    /// The engine.
    Engine,
    /// The backend an engine runs on.
    Backend,
    /// Tokens of context to hold.
    Context,
    /// Tokens of the prompt.
    Prompt,
    /// Tokens of the answer.
    Output,
    /// Sequences at once.
    Concurrency,
    /// Slots of the server.
    Slots,
    /// Whether all slots share one cache.
    KvUnified,
    /// Whether attention is computed without writing its scores to memory.
    FlashAttention,
    /// Whether the vision tower is loaded.
    Vision,
    /// Whether the layers for multi-token prediction are loaded.
    Mtp,
    /// Tokens a prefill step works on.
    Ubatch,
    /// Compute the user gives for a device without a published one.
    PeakTflops,
}

impl Field {
    /// Every input, in the order a form shows them and a permalink lists them.
    pub const ALL: [Self; 32] = [
        Self::Hardware,
        Self::Count,
        Self::Memory,
        Self::MemoryOption,
        Self::Power,
        Self::Macos,
        Self::System,
        Self::Model,
        Self::Format,
        Self::Context,
        Self::Prompt,
        Self::Output,
        Self::Concurrency,
        Self::KvType,
        Self::Engine,
        Self::Backend,
        Self::Split,
        Self::TensorSplit,
        Self::GpuLayers,
        Self::CpuMoe,
        Self::Slots,
        Self::KvUnified,
        Self::FlashAttention,
        Self::Ubatch,
        Self::Vision,
        Self::Mtp,
        Self::MemoryFraction,
        Self::Reserve,
        Self::Host,
        Self::Ram,
        Self::Ssd,
        Self::PeakTflops,
    ];

    /// The input of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// The name of the input: CLI flag, query parameter and JSON key.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::Count => "count",
            Self::Memory => "memory",
            Self::MemoryOption => "memory-option",
            Self::Power => "power",
            Self::Macos => "macos",
            Self::System => "system",
            Self::MemoryFraction => "memory-fraction",
            Self::Reserve => "reserve",
            Self::Ram => "ram",
            Self::Host => "host",
            Self::Ssd => "ssd",
            Self::Split => "split",
            Self::TensorSplit => "tensor-split",
            Self::GpuLayers => "gpu-layers",
            Self::CpuMoe => "cpu-moe",
            Self::Slots => "slots",
            Self::KvUnified => "kv-unified",
            Self::FlashAttention => "flash-attention",
            Self::Vision => "vision",
            Self::Mtp => "mtp",
            Self::Model => "model",
            Self::Format => "format",
            Self::KvType => "kv-type",
            Self::Engine => "engine",
            Self::Backend => "backend",
            Self::Context => "context",
            Self::Prompt => "prompt",
            Self::Output => "output",
            Self::Concurrency => "concurrency",
            Self::Ubatch => "ubatch",
            Self::PeakTflops => "peak-tflops",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// One input that can't be used: which, what was given, what is allowed, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} `{value}`: {problem}")]
pub struct FieldError {
    /// Which input.
    pub field: Field,
    /// What was given, as given.
    pub value: String,
    /// What is wrong with it and what is allowed.
    pub problem: String,
    /// What to try instead, if there is something; shown on its own line.
    pub hint: Option<String>,
}

impl FieldError {
    /// A problem without a hint.
    pub fn new(field: Field, value: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            field,
            value: value.into(),
            problem: problem.into(),
            hint: None,
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The part of an estimate that can't be given, and what is missing for it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no {part} estimate: {missing}")]
pub struct Refusal {
    /// Which part.
    pub part: Part,
    /// What is missing or impossible.
    pub missing: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

/// A part of an estimate that can be refused alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Speed of writing.
    Decode,
    /// Speed of reading the prompt, and TTFT with it.
    Prefill,
    /// Whether it fits.
    Fit,
}

impl Part {
    /// The word used on every surface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Prefill => "prefill",
            Self::Fit => "fit",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
