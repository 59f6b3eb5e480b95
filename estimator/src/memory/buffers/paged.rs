//! What engines with a paged cache hold beside weights and pages: vLLM, SGLang, TensorRT-LLM.
//!
//! vLLM runs one batch at its largest before it sizes its cache, and keeps what that took
//! (`vllm/v1/worker/gpu_worker.py`, `determine_available_memory`): a forward pass of
//! `max_num_batched_tokens`, then a sampling of `max_num_seqs` rows of logits. The formulas are
//! compared with its own figures in `tests/tests/engine_memory/`.

use crate::device::{Device, DeviceKind};
use crate::engine::Engine;
use crate::num;
use crate::units::Bytes;
use crate::widths::Widths;

/// Bytes of an intermediate result's element.
const RESULT: f64 = 2.0;

/// Bytes a logit takes while rows are sampled: the logit in 16 and in 32 bit, its probability and a
/// random number, 14 in all, and what choosing the most probable needs on top; 14.8 fits 20 models
/// of vLLM 0.19. Before 0.17 it sorted, which took 39.
const SAMPLED: f64 = 14.8;

/// Streams of the hidden width that stand beside the feed-forward.
const STREAMS: f64 = 4.25;

/// Each batch size for which a CUDA graph is captured: 0.91 GiB for 51 sizes of Llama 3.1 8B on an
/// H100 (vLLM 0.19), 0.36 for 16 and 0.09 for 3 on two RTX 3090.
const GRAPH: Bytes = Bytes::mib(18.0);

/// The largest batch an engine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// Tokens of a step: vLLM's `max_num_batched_tokens`, SGLang's `chunked_prefill_size`.
    pub tokens: u64,
    /// Sequences of a step: vLLM's `max_num_seqs`.
    pub sequences: u64,
    /// Tensor-parallel ranks.
    pub ranks: u32,
}

impl Batch {
    /// What vLLM's server runs when nothing is set: 8,192 tokens and 1,024 sequences on devices of
    /// 70 GiB and more other than A100s, else 2,048 and 256 (`vllm/engine/arg_utils.py`,
    /// `get_batch_defaults`).
    #[must_use]
    pub fn vllm(memory: Option<Bytes>, name: &str, ranks: u32) -> Self {
        let large = memory.is_some_and(|memory| memory >= Bytes::gib(70.0));
        let (tokens, sequences) = if large && !name.contains("A100") {
            (8192, 1024)
        } else {
            (2048, 256)
        };
        Self {
            tokens,
            sequences,
            ranks,
        }
    }

    /// Batch sizes for which CUDA graphs are captured: 1, 2, 4, then every 8th up to 256 and every
    /// 16th up to twice the sequences, at most 512 (`vllm/config/vllm.py`,
    /// `_set_cudagraph_sizes`).
    #[must_use]
    pub fn captured(&self) -> u64 {
        let largest = self.sequences.saturating_mul(2).min(512);
        let fine = largest.min(256) / 8;
        let coarse = largest.saturating_sub(256) / 16;
        3 + fine + coarse
    }
}

/// What each rank holds beside weights and pages.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Overheads {
    /// The largest batch's intermediate results.
    pub activation: Bytes,
    /// CUDA graphs; counted in the fraction since vLLM 0.21, beside it before.
    pub cuda_graphs: Bytes,
    /// What the driver and the ranks' communication take within the fraction.
    pub non_torch: Bytes,
}

impl Overheads {
    /// vLLM's for a model of these widths; `fused` as of [`fuses`].
    #[must_use]
    pub fn of(widths: &Widths, batch: Batch, fused: bool) -> Self {
        Self {
            activation: activation(widths, batch),
            cuda_graphs: GRAPH * num::f(batch.captured()),
            non_torch: non_torch(batch.ranks, fused),
        }
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.activation + self.cuda_graphs + self.non_torch
    }
}

/// The largest batch's intermediate results on each rank: the larger of a forward pass and of
/// sampling, with what experts keep and the last hidden states, which are there in both.
///
/// Logits are gathered on every rank, so sampling isn't divided. The largest image a model takes goes
/// through its vision tower first; what that takes is known for Qwen2.5-VL's only.
#[must_use]
pub fn activation(widths: &Widths, batch: Batch) -> Bytes {
    let ranks = num::f32u(batch.ranks.max(1));
    let row = RESULT * num::f(batch.tokens);
    let inner = widths.experts_used * widths.expert / ranks;
    // Experts' two buffers: gate and up or the results, and their product; kept between steps.
    let results = widths.experts_used * widths.hidden;
    let experts = Bytes::new(((2.0 * inner).max(results) + inner) * row);
    let experts = if inner > 0.0 { experts } else { Bytes::ZERO };
    let shared = widths.shared / ranks;
    let dense = widths.dense_results * widths.dense / ranks;
    let inside = dense.max(3.0 * shared) + STREAMS * widths.hidden;
    let forward = Bytes::new(inside * row);
    let last = Bytes::new(widths.hidden * row);
    let sampling = Bytes::new(widths.vocabulary * num::f(batch.sequences) * SAMPLED) + last;
    let image = Bytes::new(widths.image);
    (experts + forward.max(sampling)).max(image)
}

/// What a rank's driver and communication take within the fraction, by vLLM's own account: 0.25 GiB
/// alone, 2.07 to 2.13 on H100s of 0.19, whose all-reduce is `fused` with what follows it and has a
/// workspace for that. Else 0.33 to 0.34: two RTX 5090 (issue 14452), four A100 (issue 16570).
#[must_use]
pub fn non_torch(ranks: u32, fused: bool) -> Bytes {
    match (ranks, fused) {
        (0 | 1, _) => Bytes::gib(0.25),
        (_, true) => Bytes::gib(2.1),
        (_, false) => Bytes::gib(0.34),
    }
}

/// Whether ranks on such a device fuse their all-reduce: Hopper and newer data-center GPUs with links
/// of their own (`fuse_allreduce_rms` in a log of 0.19 on H100s).
#[must_use]
pub fn fuses(device: &Device) -> bool {
    let new = ["Hopper", "Blackwell", "Rubin"]
        .iter()
        .any(|name| device.architecture.starts_with(name));
    new && device.kind == DeviceKind::DataCenterGpu && device.links.peer.is_some()
}

/// What SGLang leaves free of each device for activations and CUDA graphs when
/// `--mem-fraction-static` isn't given (`sglang/srt/arg_groups/memory_hook.py` of 0.5.23): 0.5 GiB,
/// 1.5 MiB a token of a prefill chunk, an eighth of a GiB a rank, 2 MiB a sequence of the largest
/// captured batch; at least 10 GiB on devices above 60 GiB. Graphs of prefill aren't counted.
#[must_use]
pub fn sglang_reserve(memory: Bytes, ranks: u32) -> Bytes {
    let (chunk, captured) = sglang_batch(memory, ranks);
    let mebibytes =
        512.0 + 1.5 * num::f(chunk) + 128.0 * num::f32u(ranks.max(1)) + 2.0 * num::f(captured);
    let reserve = Bytes::mib(mebibytes);
    if memory > Bytes::gib(60.0) {
        reserve.max(Bytes::gib(10.0))
    } else {
        reserve
    }
}

/// SGLang's default prefill chunk and largest captured batch by a device's memory.
fn sglang_batch(memory: Bytes, ranks: u32) -> (u64, u64) {
    let wide = ranks >= 4;
    let below = |gibibytes| memory < Bytes::gib(gibibytes);
    if below(20.0) {
        (2048, 8)
    } else if below(35.0) {
        (4096, if wide { 160 } else { 48 })
    } else if below(60.0) {
        (4096, if wide { 160 } else { 32 })
    } else if below(160.0) {
        (8192, if wide { 512 } else { 256 })
    } else {
        (16384, 512)
    }
}

/// Pages: what an engine gives its cache on one rank; 0 where nothing is left, `None` for engines
/// that don't page.
///
/// `reported` is the memory the driver reports, `fraction` the engine's setting
/// (`gpu_memory_utilization`, `mem_fraction_static`, `free_gpu_memory_fraction`), `context` what the
/// driver's context takes.
#[must_use]
pub fn pool(
    engine: Engine,
    reported: Bytes,
    fraction: f64,
    weights: Bytes,
    context: Bytes,
    overheads: &Overheads,
) -> Option<Bytes> {
    match engine {
        // The context lies beside the fraction.
        Engine::Vllm => Some((reported * fraction).saturating_sub(weights + overheads.total())),
        // Of what is free before weights are loaded.
        Engine::Sglang => {
            let free = reported.saturating_sub(context + overheads.non_torch);
            Some((free * fraction).saturating_sub(weights))
        }
        // Of what is free after weights and a batch.
        Engine::TensorRtLlm => {
            let held = weights + context + overheads.activation + overheads.non_torch;
            Some(reported.saturating_sub(held) * fraction)
        }
        _ => None,
    }
}
