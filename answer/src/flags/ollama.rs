//! Ollama: variables of its server and a Modelfile.
//!
//! The server's variables: Ollama's `docs/faq.mdx` (context, parallel requests, flash attention, cache
//! type) and `envconfig/config.go` (`OLLAMA_SCHED_SPREAD`, `OLLAMA_GPU_OVERHEAD`). The Modelfile:
//! `docs/modelfile.mdx`; `num_gpu` and `num_batch` are among the parameters of `api/types.go`
//! (`Runner`). The output counts as a layer of `num_gpu` and is the first to be left out
//! (`llm/server.go`, `assignLayers`). All as of 2026.

use estimator::engine::Backend;
use estimator::kv_cache::KvType;
use estimator::units::Bytes;

use super::line::{Line, Sheet};
use super::llama_cpp::{WITH_SCORES, WITHOUT_SCORES};
use super::set_up::SetUp;

/// What stands for the file.
const MODEL: &str = "./MODEL.gguf";
/// More layers than any model has: all of them.
const ALL: u32 = 999;
/// Tokens that multi-token prediction drafts, for which the estimate keeps states.
const DRAFT: u64 = 3;

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let name = format!(
        "{}-{}",
        set_up.id(),
        set_up.resolved.format.name().to_ascii_lowercase()
    );
    serve(set_up, &mut sheet);
    let modelfile = modelfile(set_up, &mut sheet);
    sheet.file("Modelfile", modelfile);
    let mut line = Line::new(&["ollama", "create", &name]);
    line.plain(&["-f", "Modelfile"]);
    sheet.command("prepare", "Make the model, with the server running", line);
    let mut line = Line::new(&["ollama", "run", &name]);
    line.plain(&["--verbose"]);
    sheet.command("measure", "Ask it, with its speed after each answer", line);
    set_up.explain_stand_in(&mut sheet, MODEL, "the GGUF file");
    warn(set_up, &mut sheet);
    sheet
}

fn serve(set_up: &SetUp<'_>, sheet: &mut Sheet) {
    let settings = set_up.settings();
    let mut line = Line::new(&["ollama", "serve"]);
    line.variable(
        "OLLAMA_CONTEXT_LENGTH",
        set_up.workload().context,
        set_up.context_of_slots(),
    );
    line.variable(
        "OLLAMA_NUM_PARALLEL",
        set_up.slots(),
        "requests at once, each with a context of its own",
    );
    let (state, why) = if settings.flash_attention {
        ("1", WITHOUT_SCORES)
    } else {
        ("0", WITH_SCORES)
    };
    line.variable("OLLAMA_FLASH_ATTENTION", state, why);
    if matches!(set_up.kv_type(), KvType::Q8_0 | KvType::Q4_0) {
        line.variable(
            "OLLAMA_KV_CACHE_TYPE",
            set_up.kv_type().name(),
            "number type of the cache's keys and values",
        );
    }
    if set_up.count() > 1 {
        line.variable(
            "OLLAMA_SCHED_SPREAD",
            1,
            "uses every GPU, though fewer may have room",
        );
    }
    if settings.reserve > Bytes::ZERO {
        line.variable(
            "OLLAMA_GPU_OVERHEAD",
            settings.reserve.round(),
            "bytes of each GPU kept for something else",
        );
    }
    sheet.command("serve", "Start the server", line);
}

fn modelfile(set_up: &SetUp<'_>, sheet: &mut Sheet) -> String {
    let host = set_up.host_layers();
    let layers = set_up.layers();
    let (count, why) = if set_up.backend() == Backend::Cpu {
        (0, "no layer on a GPU".to_owned())
    } else if host == 0 {
        (ALL, "all layers on the GPUs".to_owned())
    } else if host >= layers {
        (0, "all layers in RAM".to_owned())
    } else {
        (set_up.counted_layers(), set_up.layers_in_words())
    };
    let mut parameters = vec![
        (
            "num_ctx",
            set_up.workload().context,
            set_up.context_of_slots(),
        ),
        (
            "num_batch",
            set_up.settings().ubatch,
            "tokens of a prefill step".to_owned(),
        ),
    ];
    // With a number of layers to keep, it would leave no room by moving experts.
    if set_up.host_experts().is_none() {
        parameters.push(("num_gpu", u64::from(count), why));
    }
    if set_up.settings().mtp {
        parameters.push((
            "draft_num_predict",
            DRAFT,
            "tokens that the layers for multi-token prediction draft ahead".to_owned(),
        ));
    }
    let mut text = format!("FROM {MODEL}\n");
    for (name, value, why) in parameters {
        text.push_str(&format!("PARAMETER {name} {value}\n"));
        sheet.note(format!("{name} {value}"), why);
    }
    text
}

fn warn(set_up: &SetUp<'_>, sheet: &mut Sheet) {
    let kv = set_up.kv_type();
    if !matches!(kv, KvType::F16 | KvType::Q8_0 | KvType::Q4_0) {
        sheet.warn(format!(
            "Ollama keeps its cache in f16, q8_0 or q4_0: {} can't be set",
            kv.name()
        ));
    }
    if let Some(experts) = set_up.host_experts() {
        sheet.warn(format!(
            "Ollama has no flag to keep only experts in RAM, where the estimate has those of the first {experts} layers: from 0.30 on it does so by itself, before it moves whole layers; llama.cpp has `--n-cpu-moe`"
        ));
    }
    if set_up.count() > 1 {
        let layers: Vec<_> = set_up.device_layers().iter().map(u32::to_string).collect();
        sheet.warn(if set_up.is_tensor_parallel() {
            "Ollama has no tensor parallel: it splits by layers".to_owned()
        } else {
            format!(
                "Ollama shares layers out by its own rule; the estimate has {} on the GPUs in turn",
                layers.join(", ")
            )
        });
    }
    if set_up.settings().unified {
        sheet.warn("Ollama has no flag for one cache that all requests share");
    }
    if set_up.has_vision() {
        let add = "where the model's file comes with a vision tower, Ollama loads it";
        sheet.warn(if set_up.settings().vision {
            format!("{add}: add a second `FROM` with its path")
        } else {
            format!("{add}, which isn't counted here")
        });
    }
    if set_up.slots() > 1 {
        sheet.warn(format!(
            "Ollama serves fewer than {} requests at once where its own estimate finds no room",
            set_up.slots()
        ));
    }
}
