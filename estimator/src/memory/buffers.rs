//! What an engine allocates beside weights.

pub mod cpu;
pub mod defaults;
pub mod llama;
pub mod mlx;
pub mod paged;
pub mod runtime;

pub use runtime::{driver_share, runtime};

use llama::Place;
use paged::Batch;

use crate::engine::{Backend, Engine, MemoryStyle};
use crate::kv_cache::{self, CacheRule, KvType};
use crate::num;
use crate::scenario::{Scenario, Split};
use crate::units::Bytes;
use crate::widths::Widths;

/// The rule by which the scenario's engine allocates its cache.
#[must_use]
pub fn cache_rule(scenario: &Scenario<'_>) -> CacheRule {
    match scenario.engine.memory_style() {
        MemoryStyle::LlamaCpp => CacheRule::LlamaCpp {
            micro_batch: u32::try_from(scenario.settings.ubatch).unwrap_or(u32::MAX),
            unified: scenario.settings.unified,
            full_window: false,
            rollback: rollback(scenario),
        },
        MemoryStyle::Fraction => CacheRule::PAGED,
        MemoryStyle::Mlx => CacheRule::Stepped {
            step: 256,
            chunk: u32::try_from(scenario.settings.ubatch).unwrap_or(u32::MAX),
        },
        MemoryStyle::Resident => CacheRule::Exact,
    }
}

/// Drafted tokens for which llama.cpp keeps recurrent states: as many as a draft has by default
/// (`common/common.h`, `common_params_speculative_draft::n_max`), when multi-token prediction is on.
const fn rollback(scenario: &Scenario<'_>) -> u32 {
    if scenario.settings.mtp { DRAFT } else { 0 }
}

/// The cache of the layers for multi-token prediction, where they are loaded: as of a layer with full
/// attention. llama.cpp keeps it in 16 bit unless told otherwise (`--cache-type-k-draft`), whatever
/// the model's own cache is in; others keep it as that.
#[must_use]
pub fn draft_cache(scenario: &Scenario<'_>, context: u64, sequences: u64) -> Bytes {
    if !scenario.settings.mtp {
        return Bytes::ZERO;
    }
    let kv_type = match scenario.engine.memory_style() {
        MemoryStyle::LlamaCpp => KvType::F16,
        _ => scenario.kv_type,
    };
    let sequences = u32::try_from(sequences).unwrap_or(u32::MAX);
    let rule = cache_rule(scenario);
    kv_cache::draft_cache_bytes(
        scenario.model.architecture,
        &rule,
        context,
        sequences,
        kv_type,
    )
}

/// Tokens of a draft in llama.cpp.
const DRAFT: u32 = 3;

/// Buffers for intermediate results, wherever a model's layers go.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Compute {
    /// On a device, or the CPU where it is the device.
    pub device: Bytes,
    /// On the first of several devices that take turns.
    pub first: Bytes,
    /// On each other of them.
    pub later: Bytes,
    /// On the host beside one device, or several that don't take turns.
    pub beside: Bytes,
    /// On the host beside devices that take turns.
    pub beside_turns: Bytes,
    /// On the host when it computes experts.
    pub experts: Bytes,
    /// On the host when it computes layers.
    pub layers: Bytes,
    /// Beside these where the head is, for a draft by multi-token prediction.
    pub draft: Bytes,
    /// The same on devices that take turns.
    pub draft_turns: Bytes,
}

/// Buffers for intermediate results: [`llama::Graph`] for llama.cpp and its kin, [`paged`] and
/// [`mlx`] for engines of servers and of Apple silicon.
///
/// ExLlama is taken to hold the widest layer's results of its batch in 16 bit and two copies of its
/// logits: an assumption.
#[must_use]
pub fn compute(scenario: &Scenario<'_>, widths: &Widths, context: u64, sequences: u64) -> Compute {
    let alike = |bytes| Compute {
        device: bytes,
        first: bytes,
        later: bytes,
        ..Compute::default()
    };
    match scenario.engine.memory_style() {
        MemoryStyle::LlamaCpp => {
            let graph = graph(scenario, context, sequences);
            let at = |place| graph.stages(widths, place).peak();
            let output = Bytes::new(widths.vocabulary * num::f(sequences) * 4.0);
            if scenario.backend == Backend::Cpu {
                return alike(at(Place::Cpu) + output);
            }
            // a context that drafts has inputs of its own
            let contexts = if scenario.settings.mtp { 2.0 } else { 1.0 };
            let beside = graph.inputs_on_host(widths, false) * contexts + output;
            let here = if scenario.device.is_unified() {
                beside
            } else {
                Bytes::ZERO
            };
            Compute {
                device: at(Place::Device) + here,
                first: at(Place::PipelineFirst),
                later: at(Place::PipelineLater),
                beside: beside.saturating_sub(here),
                beside_turns: graph.inputs_on_host(widths, true) * contexts + output,
                experts: graph.experts_on_host(widths) + output,
                layers: at(Place::Cpu) + output,
                draft: graph.draft(widths, false),
                draft_turns: graph.draft(widths, true),
            }
        }
        MemoryStyle::Fraction => alike(fraction_overheads(scenario, widths, sequences)),
        MemoryStyle::Mlx => alike(mlx::activation(widths, scenario.settings.ubatch)),
        MemoryStyle::Resident => {
            let tokens = num::f(scenario.settings.ubatch);
            let widest = widths
                .dense
                .max(widths.experts_used * widths.expert + widths.shared);
            let activations = (3.0 * widest + 4.0 * widths.hidden) * tokens * 2.0;
            let logits = widths.vocabulary * num::f(sequences) * 4.0 * 2.0;
            alike(Bytes::new(activations + logits))
        }
    }
}

/// What a rank of an engine with a fraction holds beside weights, pages and runtime.
fn fraction_overheads(scenario: &Scenario<'_>, widths: &Widths, sequences: u64) -> Bytes {
    let device = scenario.device;
    let ranks = match scenario.wishes.split {
        Split::Tensor => scenario.count(),
        Split::Layer => 1,
    };
    let usual = Batch::vllm(device.memory, &device.name, ranks);
    let batch = Batch {
        tokens: scenario.settings.ubatch,
        sequences: usual.sequences.max(sequences),
        ranks,
    };
    match scenario.engine {
        // Its reserve lies beside the fraction, whatever the batch takes of it.
        Engine::Sglang => device.memory.map_or(Bytes::ZERO, |memory| {
            let most = memory.saturating_sub(paged::sglang_reserve(memory, ranks));
            (memory * scenario.settings.memory_fraction).saturating_sub(most)
        }),
        Engine::TensorRtLlm => paged::activation(widths, batch),
        _ => {
            let overheads = paged::Overheads::of(widths, batch, false);
            overheads.activation + overheads.cuda_graphs
        }
    }
}

/// The graph llama.cpp reserves for a scenario, with the head on the device.
#[must_use]
pub fn graph(scenario: &Scenario<'_>, context: u64, sequences: u64) -> llama::Graph {
    llama::Graph {
        micro_batch: scenario.settings.ubatch,
        logit_rows: sequences,
        flash_attention: scenario.settings.flash_attention,
        kv_type: scenario.kv_type,
        context,
        sequences,
        unified: scenario.settings.unified,
        full_window: false,
        rollback: u64::from(rollback(scenario)),
        backend: scenario.backend,
    }
}
