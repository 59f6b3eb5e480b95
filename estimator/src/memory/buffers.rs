//! What an engine allocates beside weights.

pub mod cpu;
pub mod llama;

use llama::Place;

use crate::engine::{Backend, MemoryStyle};
use crate::kv_cache::CacheRule;
use crate::num;
use crate::scenario::Scenario;
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
        MemoryStyle::Mlx | MemoryStyle::Resident => CacheRule::Exact,
    }
}

/// Drafted tokens for which llama.cpp keeps recurrent states: as many as a draft has by default
/// (`common/common.h`, `common_params_speculative_draft::n_max`), when multi-token prediction is on.
const fn rollback(scenario: &Scenario<'_>) -> u32 {
    if scenario.settings.mtp { DRAFT } else { 0 }
}

/// Tokens of a draft in llama.cpp.
const DRAFT: u32 = 3;

/// Buffers for intermediate results on one device: [`llama::Graph`] for llama.cpp and its kin; others
/// hold the same intermediates for their own batch, in 16 bit.
#[must_use]
pub fn compute_buffer(
    scenario: &Scenario<'_>,
    widths: &Widths,
    context: u64,
    sequences: u64,
) -> Bytes {
    match scenario.engine.memory_style() {
        MemoryStyle::LlamaCpp => {
            let place = match scenario.backend {
                Backend::Cpu => Place::Cpu,
                _ => Place::Device,
            };
            graph(scenario, context, sequences)
                .stages(widths, place)
                .peak()
        }
        MemoryStyle::Fraction | MemoryStyle::Mlx | MemoryStyle::Resident => {
            let tokens = num::f(scenario.settings.ubatch);
            let widest = widths
                .dense
                .max(widths.experts_used * widths.expert + widths.shared);
            let activations = (3.0 * widest + 4.0 * widths.hidden) * tokens * 2.0;
            let logits = widths.vocabulary * num::f(sequences) * 4.0 * 2.0;
            Bytes::new(activations + logits)
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

/// What a driver keeps of a card for itself, beside what a process allocates: CUDA sees 24,080 of the
/// 24,564 MiB that an RTX 4090 reports (llama.cpp pull request 15860), and about as much less on
/// other cards (RTX 3090: 23.57 of 24 GiB; RTX 5090: 32,106 of 32,607 MiB).
#[must_use]
pub const fn driver_share(backend: Backend) -> Bytes {
    match backend {
        Backend::Cuda => Bytes::mib(484.0),
        _ => Bytes::ZERO,
    }
}

/// The driver's context, kernels and pools on one device.
///
/// CUDA: 451–456 MiB unaccounted for on an RTX 4090 (llama.cpp pull request 15860); other GPU
/// runtimes are taken to be like it. A CPU process: about 27 MB beside its buffers (measured,
/// llama.cpp 0c1e57098). Apple's GPU shares the process's.
#[must_use]
pub const fn runtime(backend: Backend) -> Bytes {
    match backend {
        Backend::Cuda | Backend::Rocm | Backend::Vulkan | Backend::Sycl | Backend::Native => {
            Bytes::mib(455.0)
        }
        Backend::Metal | Backend::Cpu => Bytes::new(27e6),
    }
}
