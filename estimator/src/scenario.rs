//! What is asked: a machine, a model, a format, an engine and a workload, checked.

use std::sync::Arc;

use crate::architecture::Architecture;
use crate::device::{Device, DeviceKind, Peaks};
use crate::engine::{Backend, Engine, MemoryStyle, Support};
use crate::error::{Field, FieldError};
use crate::format::WeightFormat;
use crate::kv_cache::KvType;
use crate::num;
use crate::units::{Bytes, BytesPerSecond};
use crate::weights::{Inventory, Weights};

mod placing;

/// The most tokens of context that can be asked for.
pub const MAX_CONTEXT: u64 = 16 * 1024 * 1024;
/// The most sequences at once.
pub const MAX_CONCURRENCY: u64 = 4096;
/// The most devices in a machine.
pub const MAX_COUNT: u32 = 64;
/// The most tokens a prefill step can be set to.
pub const MAX_UBATCH: u64 = 65_536;

/// A model: its name and its architecture.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// The name people know it by.
    pub name: &'a str,
    /// What it is made of.
    pub architecture: &'a Architecture,
    /// The tensors of its file, where it is one of the user's own.
    pub file: Option<ModelFile<'a>>,
}

/// A file of the user's own: its tensors win over the rules of its format.
#[derive(Debug, Clone, Copy)]
pub struct ModelFile<'a> {
    /// The format it is in.
    pub format: WeightFormat,
    /// What it holds.
    pub inventory: &'a Inventory,
}

/// The machine around the devices: where weights go that don't fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Host {
    /// RAM that a model may use.
    pub ram: Bytes,
    /// The peak bandwidth of one CPU's RAM; `None` is unknown, and then nothing in RAM has a speed.
    pub bandwidth: Option<BytesPerSecond>,
    /// CPUs, each with RAM of its own.
    pub sockets: u32,
    /// Compute of its CPU.
    pub peaks: Peaks,
}

/// How several devices share a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// Each holds some of the layers, and they take turns (llama.cpp's default; pipeline parallel).
    #[default]
    Layer,
    /// Each holds a part of every matrix, and all work at once (tensor parallel).
    Tensor,
}

impl Split {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Layer, Self::Tensor];

    /// Its name, as typed and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Tensor => "tensor",
        }
    }

    /// What an engine does with several devices when nothing is set: the engines of servers are
    /// started tensor parallel where the heads divide, the others split by layers.
    #[must_use]
    pub fn usual(engine: Engine, architecture: &Architecture, devices: u32) -> Self {
        let divides = placing::uneven_heads(architecture, devices).is_none();
        match engine.memory_style() {
            MemoryStyle::Fraction if divides => Self::Tensor,
            _ => Self::Layer,
        }
    }
}

/// Where the user wants layers to go; what isn't said is placed for speed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wishes<'a> {
    /// How several devices share the model.
    pub split: Split,
    /// Shares of the layers, one for each device; empty for the engine's own.
    pub shares: &'a [f64],
    /// Layers to keep on the devices (`--n-gpu-layers`).
    pub device_layers: Option<u32>,
    /// Layers, from the first, whose experts stay in the host's RAM (`--n-cpu-moe`).
    pub host_experts: Option<u32>,
}

/// How much is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Tokens of context held for each sequence.
    pub context: u64,
    /// Tokens of each prompt.
    pub prompt: u64,
    /// Tokens of each answer.
    pub output: u64,
    /// Sequences at once.
    pub concurrency: u64,
}

/// Settings of an engine, with the engine's own defaults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Tokens a prefill step works on: llama.cpp's `--ubatch-size`, vLLM's `max_num_batched_tokens`, mlx-lm's prefill step.
    pub ubatch: u64,
    /// The share of a device's memory the engine takes: vLLM's `gpu_memory_utilization`; 1 for engines without such a setting.
    pub memory_fraction: f64,
    /// Memory that something else holds on the device: a desktop, a browser, another model.
    pub reserve: Bytes,
    /// Slots of the server, each with a cache of its own or a share of one; as many as sequences
    /// when `None`.
    pub slots: Option<u64>,
    /// Whether all slots share one cache (llama.cpp's `--kv-unified`).
    pub unified: bool,
    /// Whether attention runs without writing its scores to memory.
    pub flash_attention: bool,
    /// Whether the vision tower is loaded.
    pub vision: bool,
    /// Whether the layers for multi-token prediction are loaded.
    pub mtp: bool,
    /// How fast the machine's disk is read; `None` when nothing may be left on disk.
    pub ssd: Option<BytesPerSecond>,
}

impl Settings {
    /// What the engine does when nothing is set.
    ///
    /// llama.cpp: micro-batch 512 (`common/common.h`, `n_ubatch`). vLLM: 2,048 tokens and 0.92 of
    /// the memory (`vllm/config/scheduler.py`, `vllm/config/cache.py` at 002f10e0); SGLang and
    /// TensorRT-LLM are taken to run as many, with 0.9. mlx-lm: prefill steps of 2,048 (`mlx_lm/generate.py`).
    #[must_use]
    pub const fn of(engine: Engine) -> Self {
        let (ubatch, memory_fraction) = match engine.memory_style() {
            MemoryStyle::LlamaCpp => (512, 1.0),
            MemoryStyle::Fraction if matches!(engine, Engine::Vllm) => (2048, 0.92),
            MemoryStyle::Fraction => (2048, 0.9),
            MemoryStyle::Mlx | MemoryStyle::Resident => (2048, 1.0),
        };
        Self {
            ubatch,
            memory_fraction,
            reserve: Bytes::ZERO,
            slots: None,
            unified: false,
            flash_attention: true,
            vision: false,
            mtp: false,
            ssd: None,
        }
    }
}

/// Everything an estimate needs; made by [`Scenario::check`].
#[derive(Debug, Clone, Copy)]
pub struct Scenario<'a> {
    /// The device; the first where there are several.
    pub device: &'a Device,
    /// The others that share the model with it, in the engine's order.
    pub others: &'a [Arc<Device>],
    /// The model.
    pub model: Model<'a>,
    /// The format of its weights.
    pub format: WeightFormat,
    /// The number type of its KV cache.
    pub kv_type: KvType,
    /// The engine.
    pub engine: Engine,
    /// What the engine drives the device with.
    pub backend: Backend,
    /// How much is read and written.
    pub workload: Workload,
    /// Where weights go that don't fit; `None` when not given.
    pub host: Option<Host>,
    /// Where the user wants layers to go.
    pub wishes: Wishes<'a>,
    /// The engine's settings.
    pub settings: Settings,
}

impl<'a> Scenario<'a> {
    /// The model's weights: those of its file where that is in the scenario's format, else by the
    /// rules of the format.
    #[must_use]
    pub fn weights(&self) -> Weights {
        match self.model.file {
            Some(file) if file.format == self.format => {
                Weights::from_inventory(self.model.architecture, file.inventory)
            }
            _ => Weights::of(self.model.architecture, &self.format),
        }
    }

    /// The scenario, if all of it is possible; else every problem at once.
    ///
    /// # Errors
    /// One [`FieldError`] an input that is out of range or doesn't go with the others.
    pub fn check(self) -> Result<Self, Vec<FieldError>> {
        let mut problems = Vec::new();
        let mut range = |field, value: u64, low: u64, high: u64, unit: &str| {
            if !(low..=high).contains(&value) {
                problems.push(FieldError::new(
                    field,
                    value.to_string(),
                    format!("must be between {low} and {high} {unit}"),
                ));
            }
        };
        let Workload {
            context,
            prompt,
            output,
            concurrency,
        } = self.workload;
        range(
            Field::Count,
            u64::from(self.count()),
            1,
            u64::from(MAX_COUNT),
            "devices",
        );
        range(Field::Context, context, 1, MAX_CONTEXT, "tokens");
        range(Field::Prompt, prompt, 1, MAX_CONTEXT, "tokens");
        range(Field::Output, output, 1, MAX_CONTEXT, "tokens");
        range(
            Field::Concurrency,
            concurrency,
            1,
            MAX_CONCURRENCY,
            "sequences",
        );
        range(Field::Ubatch, self.settings.ubatch, 1, MAX_UBATCH, "tokens");
        if problems.is_empty() && prompt.saturating_add(output) > context {
            problems.push(
                FieldError::new(
                    Field::Context,
                    context.to_string(),
                    format!(
                        "prompt ({prompt}) and output ({output}) need {} tokens",
                        prompt.saturating_add(output)
                    ),
                )
                .hint(format!(
                    "set `context` to {} or shorten the prompt or the output",
                    prompt.saturating_add(output)
                )),
            );
        }
        let together = prompt.saturating_add(output).saturating_mul(concurrency);
        if problems.is_empty() && self.settings.unified && together > context {
            problems.push(
                FieldError::new(
                    Field::Context,
                    context.to_string(),
                    format!("the requests share one cache, and together need {together} tokens"),
                )
                .hint(format!(
                    "set `context` to {together}, or `kv-unified` to off for one cache each"
                )),
            );
        }
        let fraction = self.settings.memory_fraction;
        if !(fraction > 0.0 && fraction <= 1.0) {
            problems.push(FieldError::new(
                Field::MemoryFraction,
                fraction.to_string(),
                "must be above 0 and at most 1",
            ));
        }
        if problems.is_empty() {
            self.check_devices(&mut problems);
            self.check_cache(&mut problems);
            placing::check(&self, &mut problems);
        }
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(problems)
        }
    }

    fn check_devices(&self, problems: &mut Vec<FieldError>) {
        for device in self.devices() {
            let before = problems.len();
            self.check_device(device, problems);
            if problems.len() > before {
                break;
            }
        }
        let single = self
            .devices()
            .find(|device| device.is_unified() || device.is_laptop());
        if let Some(device) = single
            && self.count() > 1
        {
            problems.push(
                FieldError::new(
                    Field::Count,
                    self.count().to_string(),
                    format!(
                        "{} doesn't go into a machine with other devices",
                        device.name
                    ),
                )
                .hint("several machines over a network aren't estimated yet; set `count` to 1"),
            );
        }
    }

    fn check_cache(&self, problems: &mut Vec<FieldError>) {
        let kinds = self.engine.kv_types();
        if !kinds.contains(&self.kv_type) {
            let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            problems.push(FieldError::new(
                Field::KvType,
                self.kv_type.name(),
                format!(
                    "{} keeps its cache in {}",
                    self.engine.name(),
                    names.join(", ")
                ),
            ));
        } else if self.kv_type.is_quantized()
            && !self.settings.flash_attention
            && self.engine.memory_style() == MemoryStyle::LlamaCpp
        {
            problems.push(
                FieldError::new(
                    Field::KvType,
                    self.kv_type.name(),
                    "llama.cpp quantizes values only with flash attention",
                )
                .hint("set `flash-attention` to on"),
            );
        }
    }

    fn check_device(&self, device: &Device, problems: &mut Vec<FieldError>) {
        if let Support::Unsupported(why) = self.engine.support(&self.format, device) {
            let loads = self.engine.loads(self.format.family());
            let (field, value) = if loads && !self.engine.backends(device).is_empty() {
                (Field::Format, self.format.name())
            } else {
                (Field::Engine, self.engine.name().to_owned())
            };
            problems.push(
                FieldError::new(
                    field,
                    value,
                    format!(
                        "can't run {} weights on {}",
                        self.format.name(),
                        device.name
                    ),
                )
                .hint(why),
            );
        } else if !self.engine.backends(device).contains(&self.backend) {
            let names: Vec<_> = self
                .engine
                .backends(device)
                .iter()
                .map(|backend| backend.name())
                .collect();
            problems.push(FieldError::new(
                Field::Backend,
                self.backend.name(),
                format!(
                    "{} on {} runs on {}",
                    self.engine.name(),
                    device.name,
                    names.join(", ")
                ),
            ));
        }
    }

    /// How many devices.
    #[must_use]
    pub fn count(&self) -> u32 {
        num::count(self.others.len()).saturating_add(1)
    }

    /// The devices, in the engine's order.
    pub fn devices(&self) -> impl Iterator<Item = &'a Device> {
        std::iter::once(self.device).chain(self.others.iter().map(Arc::as_ref))
    }

    /// Whether the devices differ.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.others.iter().any(|other| other.id != self.device.id)
    }

    /// Slots of the server: at least one for each sequence.
    #[must_use]
    pub fn slots(&self) -> u64 {
        let sequences = self.workload.concurrency;
        self.settings.slots.unwrap_or(sequences).max(sequences)
    }

    /// Tokens in a sequence's context at the middle of its answer: where its decode speed is taken.
    #[must_use]
    pub fn decode_depth(&self) -> f64 {
        num::f(self.workload.prompt) + num::f(self.workload.output) / 2.0
    }

    /// Whether an operating system shares the device's memory, and its part is neither deducted by a
    /// known limit nor by a reserve.
    #[must_use]
    pub fn shares_memory_unaccounted(&self) -> bool {
        let limited = self.device.usable.is_some() && self.device.kind != DeviceKind::Cpu;
        self.device.is_unified() && !limited && self.settings.reserve <= Bytes::ZERO
    }

    /// Sequences at once, as a number to calculate with.
    #[must_use]
    pub fn sequences(&self) -> f64 {
        num::f(self.workload.concurrency)
    }
}
