//! TensorRT-LLM's server.
//!
//! TensorRT-LLM 1.2: `tensorrt_llm/commands/serve.py`, and for the file `KvCacheConfig` and
//! `MTPDecodingConfig` of `tensorrt_llm/llmapi/llm_args.py`. Its share of memory is of what weights and
//! buffers leave free, unlike vLLM's of all.

use estimator::kv_cache::KvType;

use super::line::{Line, Sheet};
use super::set_up::SetUp;
use super::vllm::{MODEL, parallel, stand_in, waiting};

/// The file with what has no flag.
const CONFIG: &str = "config.yaml";

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let checkpoint = set_up.checkpoint(false, MODEL);
    let settings = set_up.settings();
    let workload = set_up.workload();
    let mut line = Line::new(&["trtllm-serve", &checkpoint.name]);
    line.flag(
        "--max_seq_len",
        workload.context.to_string(),
        "tokens of context of a request",
    );
    line.flag(
        "--max_batch_size",
        set_up.slots().to_string(),
        "requests that run at once; others wait",
    );
    line.flag(
        "--max_num_tokens",
        settings.ubatch.max(set_up.slots()).to_string(),
        "tokens of a step",
    );
    line.flag(
        "--enable_chunked_prefill",
        None,
        "a prompt longer than a step is read in several",
    );
    parallel(set_up, "--tp_size", "--pp_size", &mut line);
    line.flag("--config", CONFIG.to_owned(), "the cache's settings, below");
    sheet.command("serve", "Start the server", line);
    let config = config(set_up, &mut sheet);
    sheet.file(CONFIG, config);
    stand_in(set_up, checkpoint.placeholder, &mut sheet);
    waiting(set_up, &mut sheet);
    if set_up.has_vision() && !settings.vision {
        sheet.warn("the model's vision tower is loaded, which isn't counted: set `vision` to on");
    }
    sheet
}

fn config(set_up: &SetUp<'_>, sheet: &mut Sheet) -> String {
    let mut text = "kv_cache_config:\n".to_owned();
    if let Some(fraction) = set_up.memory.cache_share(set_up.backend()) {
        text.push_str(&format!("  free_gpu_memory_fraction: {fraction}\n"));
        sheet.note(
            format!("free_gpu_memory_fraction: {fraction}"),
            "the share of what weights and buffers leave free that the cache takes",
        );
    }
    let dtype = match set_up.kv_type() {
        KvType::Fp8 => "fp8",
        KvType::Int8 => "int8",
        _ => "auto",
    };
    text.push_str(&format!("  dtype: {dtype}\n"));
    sheet.note(format!("dtype: {dtype}"), "number type of the cache");
    if set_up.settings().mtp {
        text.push_str("speculative_config:\n  decoding_type: MTP\n  num_nextn_predict_layers: 1\n");
        sheet.note(
            "decoding_type: MTP",
            "the layers for multi-token prediction draft ahead",
        );
    }
    text
}
