//! What a run file may say.

use catalog::{Date, SourceEntry};
use serde::{Deserialize, Serialize};

/// A report: one source, one device or set of devices, and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// Where the figures were published.
    #[serde(default)]
    pub source: Option<SourceEntry>,
    /// How they were measured, where nobody else published them: instead of `source`.
    #[serde(default)]
    pub measured: Option<String>,
    /// Id of the device; different ones joined by `+`; one that isn't in the catalogue as printed.
    pub hardware: String,
    /// What holds for every run that doesn't say otherwise.
    #[serde(default)]
    pub shared: Option<Entry>,
    /// The figures.
    pub runs: Vec<Entry>,
}

/// What is said of a run. A key left out was not stated, unless the file's `shared` states it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Entry {
    /// Its name, for good: figures may be corrected, ids stay.
    pub id: Option<String>,
    /// Where in the source it stands: the key of a row, a comment.
    pub at: Option<String>,
    /// How many devices.
    pub count: Option<u32>,
    /// CPU and RAM as printed, where layers or experts lie there.
    pub host: Option<String>,
    /// The power limit in watts, where one was set.
    pub power_w: Option<f64>,
    /// Id of the model; one that isn't in the catalogue as printed; `unknown` where not identified.
    pub model: Option<String>,
    /// Weight format.
    pub format: Option<String>,
    /// Bits a weight, where told.
    pub bits: Option<f64>,
    /// Size of the weights as a file in GiB, where told.
    pub file_gib: Option<f64>,
    /// The engine; a fork or rarer one as `other:<name>`.
    pub engine: Option<String>,
    /// Its version or build.
    pub version: Option<String>,
    /// What it drove the devices with.
    pub backend: Option<String>,
    /// Whether flash attention was on.
    pub flash: Option<bool>,
    /// Where the weights lay.
    pub placement: Option<Placement>,
    /// Layers on the devices, where the rest lay in RAM; `partial` where not told how many.
    pub gpu_layers: Option<String>,
    /// Layers whose experts lay in RAM, or `all`.
    pub cpu_experts: Option<String>,
    /// How devices shared the work.
    pub parallel: Option<Parallel>,
    /// Devices that share each matrix.
    pub tp: Option<u32>,
    /// Stages of layers.
    pub pp: Option<u32>,
    /// Devices that share the experts.
    pub ep: Option<u32>,
    /// Number type of the KV cache.
    pub kv: Option<String>,
    /// Tokens of the prompt.
    pub prompt: Option<u32>,
    /// Tokens of the answer.
    pub output: Option<u32>,
    /// Tokens in the context when measuring began; of a memory figure, the context allocated.
    pub depth: Option<u32>,
    /// Sequences at once.
    pub concurrency: Option<u32>,
    /// Speculative decoding, as the report describes it.
    pub speculative: Option<String>,
    /// What was measured.
    pub metric: Option<Metric>,
    /// The figure, in the metric's unit.
    pub value: Option<f64>,
    /// When it was measured or published.
    pub date: Option<Date>,
    /// How far it can be trusted.
    pub quality: Option<Quality>,
    /// What is missing or unclear about it.
    pub issue: Option<String>,
    /// Why it must not be fitted on or scored, beyond its quality.
    pub quarantine: Option<String>,
    /// What else the report says.
    pub note: Option<String>,
}

/// How far a run can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// A tool's output with everything known.
    A,
    /// Credible, with something missing.
    B,
    /// Ambiguous: kept, never fitted on.
    C,
}

impl Quality {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// Its letter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Tokens a second written for one request.
    Decode,
    /// Tokens a second written for all requests together.
    DecodeTotal,
    /// Tokens a second of prompt read.
    Prefill,
    /// Time to the first token, in seconds.
    TtftS,
    /// Time of an output token, in milliseconds.
    TpotMs,
    /// Memory, in GiB; the note says of what.
    MemoryGib,
    /// Times as fast as without speculation.
    Speedup,
    /// Tokens a second read and written, all requests together.
    TotalInOut,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Decode,
        Self::DecodeTotal,
        Self::Prefill,
        Self::TtftS,
        Self::TpotMs,
        Self::MemoryGib,
        Self::Speedup,
        Self::TotalInOut,
    ];

    /// Its name in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::DecodeTotal => "decode_total",
            Self::Prefill => "prefill",
            Self::TtftS => "ttft_s",
            Self::TpotMs => "tpot_ms",
            Self::MemoryGib => "memory_gib",
            Self::Speedup => "speedup",
            Self::TotalInOut => "total_in_out",
        }
    }

    /// The unit its value is in.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Decode | Self::DecodeTotal | Self::Prefill | Self::TotalInOut => "tok/s",
            Self::TtftS => "s",
            Self::TpotMs => "ms",
            Self::MemoryGib => "GiB",
            Self::Speedup => "x",
        }
    }
}

/// Where the weights lay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// In the devices' own memory.
    Gpu,
    /// In RAM, and the CPU did the work.
    Cpu,
    /// In the memory that CPU and GPU share.
    Unified,
    /// Whole layers in RAM.
    LayerOffload,
    /// Experts in RAM.
    ExpertOffload,
    /// Partly on disk.
    Ssd,
}

impl Placement {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Gpu,
        Self::Cpu,
        Self::Unified,
        Self::LayerOffload,
        Self::ExpertOffload,
        Self::Ssd,
    ];

    /// Its name in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::Unified => "unified",
            Self::LayerOffload => "layer-offload",
            Self::ExpertOffload => "expert-offload",
            Self::Ssd => "ssd",
        }
    }

    /// Whether weights lay outside the devices' memory.
    #[must_use]
    pub const fn is_offload(self) -> bool {
        matches!(self, Self::LayerOffload | Self::ExpertOffload | Self::Ssd)
    }
}

/// How devices shared the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Parallel {
    /// One device.
    None,
    /// Each held some layers, and they took turns.
    LayerSplit,
    /// Each held rows of each matrix, one put the results together.
    RowSplit,
    /// Each held a share of each matrix, and all put the results together.
    Tensor,
    /// Stages of layers that worked on different requests.
    Pipeline,
    /// Each held some experts.
    Expert,
    /// Machines over a network.
    Rpc,
}

impl Parallel {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::LayerSplit,
        Self::RowSplit,
        Self::Tensor,
        Self::Pipeline,
        Self::Expert,
        Self::Rpc,
    ];

    /// Its name in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::LayerSplit => "layer-split",
            Self::RowSplit => "row-split",
            Self::Tensor => "tensor",
            Self::Pipeline => "pipeline",
            Self::Expert => "expert",
            Self::Rpc => "rpc",
        }
    }
}
