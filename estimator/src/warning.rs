//! What a user should know beside the numbers.

use crate::architecture::Layer;
use crate::device::Vendor;
use crate::engine::{Backend, Engine, Generation, MemoryStyle, Support};
use crate::format::Spread;
use crate::memory::{Memory, Verdict};
use crate::scenario::{Scenario, Split};

/// A context in which picking tokens costs more than reading them.
const LONG: u64 = 65_536;

/// A remark on an estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A short name of the kind, for machines.
    pub code: &'static str,
    /// The remark.
    pub text: String,
}

/// How far a vendor's own recipe may lie from its approximation.
fn approximation(scenario: &Scenario<'_>, spread: Spread) -> String {
    let name = scenario.format.name();
    match spread.files {
        0 => format!(
            "{name} is a vendor's own recipe, taken from files of other models: its size is rough"
        ),
        1 => format!(
            "{name} is a vendor's own recipe: the one published file of such a model lies within {:.1} % of this size",
            spread.percent()
        ),
        files => format!(
            "{name} is a vendor's own recipe: {files} published files of such models lie within {:.1} % of this size",
            spread.percent()
        ),
    }
}

/// How slots divide a llama.cpp server's context, in its own flags.
fn slots(scenario: &Scenario<'_>) -> String {
    let (slots, context) = (scenario.slots(), scenario.workload.context);
    if scenario.settings.unified {
        format!(
            "{slots} slots share one cache of {context} tokens: `-np {slots} -c {context} --kv-unified`"
        )
    } else {
        format!(
            "{slots} slots of {context} tokens each: `-np {slots} -c {}`, which llama-server divides among them",
            context.saturating_mul(slots)
        )
    }
}

/// Remarks on where things lie.
fn placed(scenario: &Scenario<'_>, memory: &Memory, warn: &mut impl FnMut(&'static str, String)) {
    let load = memory.host.load;
    let layers = scenario.model.architecture.layer_count();
    if load.layers > 0 {
        warn(
            "offload",
            format!("{} of {layers} layers run from the host's RAM", load.layers),
        );
    }
    if load.expert_layers > load.layers {
        warn(
            "expert-offload",
            format!(
                "the experts of {} of {layers} layers lie in the host's RAM and run on its CPU; attention stays on \
                 the device",
                load.expert_layers
            ),
        );
    }
    if load.expert_layers > load.layers && scenario.engine == Engine::Ollama {
        warn(
            "ollama-layers",
            "Ollama before 0.30 moves whole layers instead of experts, at half the speed or less: ask for that with \
             `gpu-layers` and `cpu-moe` = 0"
                .to_owned(),
        );
    }
    if let Some(ram) = memory.host.usable.filter(|_| memory.offloads())
        && ram.saturating_sub(memory.host.holding.total()) < crate::units::Bytes::gib(4.0)
    {
        warn(
            "ram-tight",
            format!(
                "{:.1} of {:.1} GiB of RAM are taken: with an operating system beside it, weights may be read from disk \
                 again and again",
                memory.host.holding.total().to_gib(),
                ram.to_gib()
            ),
        );
    }
    if memory.disk > crate::units::Bytes::ZERO {
        warn(
            "disk",
            format!(
                "{:.1} GiB of weights find no room in RAM and are read from disk again and again: an estimate in \
                 proportion and rather low, since what is used most stays cached",
                memory.disk.to_gib()
            ),
        );
    }
    if memory.running < scenario.workload.concurrency {
        warn(
            "queue",
            format!(
                "the cache holds {} such requests at once; the other {} wait, and speeds are of those running",
                memory.running,
                scenario.workload.concurrency.saturating_sub(memory.running)
            ),
        );
    }
    if scenario.settings.mtp {
        warn(
            "mtp-speed",
            "the memory of multi-token prediction is counted, its gain in speed isn't estimated yet".to_owned(),
        );
    }
    if scenario.count() > 1 {
        let (code, text) = match scenario.wishes.split {
            Split::Layer => (
                "layer-split",
                "devices take turns (layer split): memory adds up, the speed of one request doesn't",
            ),
            Split::Tensor => (
                "tensor-parallel",
                "tensor parallel: every device works on every layer; what their links cost is an assumption, so \
                 speeds are rough",
            ),
        };
        warn(code, text.to_owned());
    }
}

/// The remarks on a scenario.
#[must_use]
pub fn of(scenario: &Scenario<'_>, memory: &Memory, verdict: Option<Verdict>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code, text: String| warnings.push(Warning { code, text });
    let device = scenario.device;
    if let Support::Emulated(why) = scenario.engine.support(&scenario.format, device) {
        warn(
            "emulated",
            format!("{} on {}: {why}", scenario.format.name(), device.name),
        );
    }
    if let Some(limit) = scenario.model.architecture.max_context
        && scenario.workload.context > u64::from(limit)
    {
        warn(
            "context-above-model",
            format!(
                "{} was made for {limit} tokens of context; beyond that its answers degrade",
                scenario.model.name
            ),
        );
    }
    if matches!(verdict, Some(Verdict::Tight(_))) && !device.is_unified() {
        warn(
            "tight",
            "little memory is left: a desktop or a second program can push weights out; on Windows and ROCm that \
             happens silently and costs most of the speed"
                .to_owned(),
        );
    }
    if scenario.shares_memory_unaccounted()
        && matches!(verdict, Some(Verdict::Fits(_) | Verdict::Tight(_)))
    {
        warn(
            "shared-memory",
            "the operating system shares this memory, and its part isn't deducted: set `reserve` to what it holds"
                .to_owned(),
        );
    }
    if scenario.workload.concurrency > 1 {
        warn(
            "ttft-alone",
            "TTFT is of a prompt read alone: while others are read or written it takes longer, and reading slows \
             their writing"
                .to_owned(),
        );
    }
    if let Some(spread) = scenario.format.spread(scenario.model.architecture.is_moe()) {
        warn("approximation", approximation(scenario, spread));
    }
    let sparse = |layer: &Layer| {
        layer
            .attention
            .is_some_and(|attention| attention.indexer.is_some())
    };
    if scenario.workload.context > LONG && scenario.model.architecture.layers.iter().any(sparse) {
        warn(
            "sparse-attention",
            "its sparse attention is taken to read only what it picks; what the picking costs in a long context isn't \
             modelled, and one measured run fell by 60 % up to 245K tokens where this falls by a few (llama.cpp pull \
             request 27742)"
                .to_owned(),
        );
    }
    if let Some(text) = known_miss(scenario) {
        warn("known-miss", text.to_owned());
    }
    placed(scenario, memory, &mut warn);
    if scenario.slots() > 1 && scenario.engine.memory_style() == MemoryStyle::LlamaCpp {
        warn("slots", slots(scenario));
    }
    if scenario.kv_type.is_quantized() && scenario.backend == Backend::Cpu {
        warn(
            "kv-on-cpu",
            "a quantized KV cache saves memory on a CPU but makes attention slower, not faster"
                .to_owned(),
        );
    }
    if device.bandwidth.is_some()
        && device.peaks.fp16.is_none()
        && scenario.workload.concurrency > 1
        && scenario.backend == Backend::Cpu
    {
        warn(
            "compute-unknown",
            "this CPU's compute rate is unknown: with several sequences it may bind before the memory does".to_owned(),
        );
    }
    if scenario.engine == Engine::Ollama {
        warn(
            "ollama-context",
            "Ollama starts with its own default context: set num_ctx to the context asked for here"
                .to_owned(),
        );
    }
    warnings
}

/// Devices whose class factors are known to be off (docs/methodology/limits.md).
fn known_miss(scenario: &Scenario<'_>) -> Option<&'static str> {
    let device = scenario.device;
    match Generation::of(device) {
        Some(Generation::Maxwell | Generation::Pascal) => {
            return Some(
                "cards of this generation share the factors of newer ones: 18 measured runs decoded about 1.7 times \
                 slower than estimated",
            );
        }
        _ if device.vendor != Vendor::Intel => return None,
        _ => {}
    }
    matches!(scenario.backend, Backend::Sycl | Backend::Vulkan).then_some(
        "few measured runs of Intel GPUs are known: prefill was up to 8 times slower than estimated",
    )
}
