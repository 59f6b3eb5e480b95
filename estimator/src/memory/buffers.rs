//! What an engine allocates beside weights.

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
            unified: false,
            full_window: false,
        },
        MemoryStyle::Fraction => CacheRule::PAGED,
        MemoryStyle::Mlx | MemoryStyle::Resident => CacheRule::Exact,
    }
}

/// Buffers for intermediate results on one device.
///
/// llama.cpp (`docs/methodology/memory.md` has the derivation; checked against its own
/// projections): the larger of the logits of the rows asked for and the widest feed-forward stage
/// of one micro-batch, plus the attention mask. With flash attention the attention stage is never
/// the largest. Other engines hold the same intermediates for their own batch, in 16 bit.
#[must_use]
pub fn compute_buffer(
    scenario: &Scenario<'_>,
    widths: &Widths,
    context: u64,
    sequences: u64,
) -> Bytes {
    let architecture = scenario.model.architecture;
    let hidden = num::f32u(architecture.hidden);
    let vocabulary = num::f32u(architecture.output_vocabulary);
    let tokens = num::f(scenario.settings.ubatch);
    let logit_rows = num::f(sequences);
    match scenario.engine.memory_style() {
        MemoryStyle::LlamaCpp => {
            let width = 4.0 * tokens;
            let quantized = scenario.kv_type.is_quantized();
            let dense = (3.0 * widths.dense + if quantized { 3.0 } else { 4.0 } * hidden) * width;
            let experts = if widths.experts_used > 0.0 {
                let gated = 3.0 * widths.experts_used * widths.expert + 4.0 * hidden;
                let summed = 2.0 * widths.experts_used * hidden
                    + widths.experts_used * widths.expert
                    + 3.0 * hidden;
                gated.max(summed) * width + 2.0 * widths.shared * width
            } else {
                0.0
            };
            // The mask is of one sequence's cells: a micro-batch's tokens are shared out among the
            // sequences (`[n_kv, n_tokens / n_stream, 1, n_stream]`). Without attention there is none.
            let one = num::f(num::round_up(context, 256));
            let mask = if widths.cache > 0.0 {
                one * tokens * 2.0
            } else {
                0.0
            };
            let cells = one * logit_rows;
            // Prefill kernels work on an f16 copy of one layer's quantized cache.
            let copy = if quantized && scenario.backend != Backend::Cpu {
                cells * widths.cache * 2.0
            } else {
                0.0
            };
            let logits = (vocabulary + 2.0 * hidden) * logit_rows * 4.0;
            Bytes::new((dense.max(experts) + mask + copy).max(logits))
        }
        MemoryStyle::Fraction | MemoryStyle::Mlx | MemoryStyle::Resident => {
            let widest = widths
                .dense
                .max(widths.experts_used * widths.expert + widths.shared);
            let activations = (3.0 * widest + 4.0 * hidden) * tokens * 2.0;
            let logits = vocabulary * logit_rows * 4.0 * 2.0;
            Bytes::new(activations + logits)
        }
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
