//! vLLM's server.
//!
//! vLLM 0.32: `vllm/engine/arg_utils.py`, with the choices of `vllm/config/cache.py` and
//! `vllm/config/speculative.py`; the benchmark: `vllm/benchmarks/serve.py` and `datasets`.
//! Quantization is read from the checkpoint; FP8 and bitsandbytes are made of plain weights as they
//! load (`docs/features/quantization`).

use estimator::engine::Backend;
use estimator::format::{FormatFamily, WeightFormat};
use estimator::kv_cache::KvType;

use super::line::{Line, Sheet};
use super::set_up::SetUp;
use crate::text;

/// What stands for a quantized checkpoint.
pub(super) const MODEL: &str = "MODEL";

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let quantization = on_loading(set_up, true);
    let checkpoint = set_up.checkpoint(quantization.is_some(), MODEL);
    let settings = set_up.settings();
    let workload = set_up.workload();
    let mut line = Line::new(&["vllm", "serve", &checkpoint.name]);
    line.flag(
        "--max-model-len",
        workload.context.to_string(),
        "tokens of context of a request",
    );
    line.flag(
        "--gpu-memory-utilization",
        set_up.fraction().to_string(),
        "the share of the memory it takes; the cache fills what weights leave",
    );
    line.flag(
        "--max-num-seqs",
        set_up.slots().to_string(),
        "requests that run at once; others wait",
    );
    line.flag(
        "--max-num-batched-tokens",
        settings.ubatch.max(set_up.slots()).to_string(),
        "tokens of a step",
    );
    parallel(
        set_up,
        "--tensor-parallel-size",
        "--pipeline-parallel-size",
        &mut line,
    );
    if let Some(method) = quantization {
        line.flag(
            "--quantization",
            method.to_owned(),
            "quantizes the published weights as they load",
        );
    }
    if matches!(set_up.resolved.format, WeightFormat::Fp16) {
        line.flag(
            "--dtype",
            "float16".to_owned(),
            "computes in 16-bit IEEE floats",
        );
    }
    if set_up.kv_type() == KvType::Fp8 {
        line.flag(
            "--kv-cache-dtype",
            "fp8".to_owned(),
            "number type of the cache",
        );
    }
    if set_up.has_vision() && !settings.vision {
        line.flag(
            "--language-model-only",
            None,
            "leaves the vision tower unused, as the estimate does",
        );
    }
    if settings.mtp {
        line.flag(
            "--speculative-config",
            r#"{"method":"mtp","num_speculative_tokens":1}"#.to_owned(),
            "the layers for multi-token prediction draft ahead",
        );
    }
    sheet.command("serve", "Start the server", line);
    let mut line = Line::new(&["vllm", "bench", "serve"]);
    line.plain(&["--model", &checkpoint.name]);
    random(set_up, &mut line);
    sheet.command("measure", "Measure, with the server running", line);
    stand_in(set_up, checkpoint.placeholder, &mut sheet);
    waiting(set_up, &mut sheet);
    if set_up.backend() == Backend::Cpu {
        sheet.warn(
            "on a CPU vLLM takes the size of its cache from `VLLM_CPU_KVCACHE_SPACE`, in GiB",
        );
    }
    sheet
}

/// The method that makes the format of the published weights as they load; none where they are in
/// the format or where it can't be made.
pub(super) fn on_loading(set_up: &SetUp<'_>, bitsandbytes: bool) -> Option<&'static str> {
    let plain = set_up.repository().is_some() && set_up.is_published_plain();
    if set_up.is_published_so() || !plain {
        return None;
    }
    match set_up.resolved.format.family() {
        FormatFamily::Fp8 => Some("fp8"),
        FormatFamily::Bnb if bitsandbytes => Some("bitsandbytes"),
        _ => None,
    }
}

/// How several devices share the model.
pub(super) fn parallel(set_up: &SetUp<'_>, tensor: &str, pipeline: &str, line: &mut Line) {
    if set_up.count() < 2 {
        return;
    }
    let (flag, why) = if set_up.is_tensor_parallel() {
        (tensor, "each GPU holds a part of every layer")
    } else {
        (pipeline, "each GPU holds some of the layers, in turn")
    };
    line.flag(flag, set_up.count().to_string(), why);
}

/// The requests of a benchmark that asks as the estimate assumes: four rounds of them.
pub(super) fn random(set_up: &SetUp<'_>, line: &mut Line) {
    let workload = set_up.workload();
    line.plain(&["--dataset-name", "random"]);
    line.plain(&["--random-input-len", &workload.prompt.to_string()]);
    line.plain(&["--random-output-len", &workload.output.to_string()]);
    line.plain(&["--max-concurrency", &workload.concurrency.to_string()]);
    line.plain(&[
        "--num-prompts",
        &workload.concurrency.saturating_mul(4).to_string(),
    ]);
}

/// Says what a stand-in is.
pub(super) fn stand_in(set_up: &SetUp<'_>, placeholder: bool, sheet: &mut Sheet) {
    if placeholder {
        set_up.explain_stand_in(sheet, MODEL, "a checkpoint");
    }
}

/// Says how the cache limits what runs, and how devices that differ are filled.
pub(super) fn waiting(set_up: &SetUp<'_>, sheet: &mut Sheet) {
    let workload = set_up.workload();
    if set_up.memory.running < workload.concurrency {
        sheet.warn(format!(
            "the cache has room for {} of {} requests at once; the others wait",
            text::count(set_up.memory.running),
            text::count(workload.concurrency)
        ));
    }
    if set_up.is_mixed() {
        sheet.warn("the GPUs differ: the smallest limits how much each holds");
    }
}
