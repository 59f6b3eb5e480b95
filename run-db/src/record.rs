//! What a run file may say.

use catalog::{Date, SourceEntry};
use serde::{Deserialize, Serialize};

/// A report: one source, one device, one engine, and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// Where the figures were published.
    pub source: SourceEntry,
    /// When they were measured or published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// What they were measured on.
    pub machine: Machine,
    /// What ran.
    pub engine: Engine,
    /// How far the rows can be trusted; a row may say otherwise.
    pub quality: Quality,
    /// What is missing or unclear about all rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The figures.
    pub runs: Vec<Run>,
}

/// What runs were measured on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Ids of the devices, each as often as it is there.
    pub devices: Vec<String>,
    /// CPU and RAM, where layers or experts lie there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The power limit in watts, where one was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_limit_w: Option<u32>,
}

/// What ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// Its version or build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it drove the device with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Whether flash attention was on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flash_attention: Option<bool>,
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

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Tokens a second written for one request.
    Decode,
    /// Tokens a second written for all requests together.
    DecodeTotal,
    /// Tokens a second of prompt read.
    Prefill,
    /// Time to the first token, in seconds.
    Ttft,
    /// Time of an output token, in milliseconds.
    Tpot,
    /// Memory in use, in GiB.
    Memory,
    /// Times as fast as without speculation.
    Speedup,
}

impl Metric {
    /// The unit its value is in.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Decode | Self::DecodeTotal | Self::Prefill => "tok/s",
            Self::Ttft => "s",
            Self::Tpot => "ms",
            Self::Memory => "GiB",
            Self::Speedup => "x",
        }
    }
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Id of the model.
    pub model: String,
    /// Weight format.
    pub format: String,
    /// What was measured.
    pub metric: Metric,
    /// The figure, in the metric's unit.
    pub value: f64,
    /// Smallest and largest of repeated measurements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<[f64; 2]>,
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<u32>,
    /// Tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u32>,
    /// Tokens in the context when measuring began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Sequences at once; 1 when left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub concurrency: u32,
    /// Number type of the KV cache; the engine's default when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv_type: Option<String>,
    /// Where weights lie and how devices share them; everything on one device when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Speculative decoding, as the report describes it; off when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speculative: Option<String>,
    /// How far this row can be trusted, where it differs from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// What is missing or unclear about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// What else the report says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Where weights lie and how devices share them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// How devices share the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<Parallel>,
    /// Layers on the devices, where the rest lies in RAM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu_layers: Option<u32>,
    /// Layers whose experts lie in RAM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_expert_layers: Option<u32>,
}

/// How devices share the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Parallel {
    /// Each holds some layers; they take turns.
    Layers,
    /// Each holds a share of each matrix.
    Tensor,
    /// Each holds some experts.
    Expert,
}

const fn one() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_one(value: &u32) -> bool {
    *value == 1
}
