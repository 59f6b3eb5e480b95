//! SGLang's server.
//!
//! SGLang 0.5.23: `sglang serve` (`sglang/cli`), with the arguments of
//! `sglang/srt/arg_groups/fields`; the benchmark: `sglang/benchmark/serving.py`.
//! `--mem-fraction-static` is of weights and cache alone, so it is lower than the estimate's share of
//! memory by buffers and runtime.

use estimator::kv_cache::KvType;

use super::line::{Line, Sheet};
use super::set_up::SetUp;
use super::vllm::{MODEL, on_loading, parallel, random, stand_in, waiting};

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let quantization = on_loading(set_up, true);
    let checkpoint = set_up.checkpoint(quantization.is_some(), MODEL);
    let settings = set_up.settings();
    let workload = set_up.workload();
    let mut line = Line::new(&["sglang", "serve"]);
    line.plain(&["--model-path", &checkpoint.name]);
    line.flag(
        "--context-length",
        workload.context.to_string(),
        "tokens of context of a request",
    );
    if let Some(fraction) = set_up.memory.static_share(set_up.backend()) {
        line.flag(
            "--mem-fraction-static",
            fraction.to_string(),
            "the share of the memory for weights and cache, buffers aside",
        );
    }
    line.flag(
        "--max-running-requests",
        set_up.slots().to_string(),
        "requests that run at once; others wait",
    );
    line.flag(
        "--chunked-prefill-size",
        settings.ubatch.to_string(),
        "tokens of a prefill step",
    );
    parallel(set_up, "--tp-size", "--pp-size", &mut line);
    if let Some(method) = quantization {
        line.flag(
            "--quantization",
            method.to_owned(),
            "quantizes the published weights as they load",
        );
    }
    if set_up.kv_type() == KvType::Fp8 {
        line.flag(
            "--kv-cache-dtype",
            "fp8_e4m3".to_owned(),
            "number type of the cache",
        );
    }
    if settings.mtp {
        line.flag(
            "--speculative-algorithm",
            "NEXTN".to_owned(),
            "the layers for multi-token prediction draft ahead",
        );
    }
    sheet.command("serve", "Start the server", line);
    let mut line = Line::new(&["python", "-m", "sglang.benchmark.serving"]);
    line.plain(&["--backend", "sglang"]);
    random(set_up, &mut line);
    sheet.command("measure", "Measure, with the server running", line);
    stand_in(set_up, checkpoint.placeholder, &mut sheet);
    waiting(set_up, &mut sheet);
    if set_up.has_vision() && !settings.vision {
        sheet
            .warn("SGLang loads the model's vision tower, which isn't counted: set `vision` to on");
    }
    sheet
}
