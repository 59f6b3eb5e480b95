//! llama.cpp's server and benchmark, and those of its fork ik_llama.cpp.
//!
//! llama.cpp at 0c1e57098 (October 2026): `common/arg.cpp` for the server, `tools/llama-bench` and
//! `tools/batched-bench` for the benchmarks. Layers are placed by `load_tensors` in
//! `src/llama-model.cpp`: the output counts as one layer behind all others and is the first on the
//! devices, so `-ngl` and `--tensor-split` are one higher than the layers alone; in the fork it is the
//! last. Behind the layers lie those for multi-token prediction, where a file holds them. `-c` is
//! shared by all slots (`src/llama-context.cpp`). ik_llama.cpp: `docs/parameters.md` and its `llama-bench --help`.

use estimator::engine::{Backend, Engine};
use estimator::kv_cache::KvType;
use estimator::units::Bytes;

use super::line::{Line, Sheet};
use super::set_up::SetUp;
use crate::text;

/// What stands for the file.
const MODEL: &str = "MODEL.gguf";
/// What stands for the vision tower's file.
const PROJECTOR: &str = "mmproj.gguf";
/// More layers than any model has: all of them, where the word `all` isn't understood.
const ALL: &str = "999";
/// Tokens of a batch when nothing is set; no step can be larger (`common/common.h`, `n_batch`).
const BATCH: u64 = 2048;
/// Tokens that multi-token prediction drafts when nothing is set, for which the estimate keeps states
/// (`common/common.h`, `common_params_speculative_draft`).
const DRAFT: u64 = 3;

pub(super) const WITHOUT_SCORES: &str = "attention without writing its scores to memory";
pub(super) const WITH_SCORES: &str = "attention writes its scores to memory";

/// Which of the two engines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upstream,
    Ik,
}

/// Which program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Server,
    /// `llama-bench`, whose lists are of `/` since commas separate runs.
    Bench,
    /// `llama-batched-bench`, which takes the server's flags.
    BatchedBench,
}

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let kind = match set_up.resolved.engine {
        Engine::IkLlamaCpp => Kind::Ik,
        _ => Kind::Upstream,
    };
    let mut sheet = Sheet::default();
    serve(set_up, kind, &mut sheet);
    measure(set_up, kind, &mut sheet);
    set_up.explain_stand_in(&mut sheet, MODEL, "the GGUF file");
    warn(set_up, kind, &mut sheet);
    sheet
}

fn serve(set_up: &SetUp<'_>, kind: Kind, sheet: &mut Sheet) {
    let mut line = Line::new(&["llama-server"]);
    line.plain(&["-m", MODEL]);
    line.flag(
        "-c",
        set_up.whole_context().to_string(),
        set_up.context_of_slots(),
    );
    line.flag(
        "-np",
        set_up.slots().to_string(),
        "slots; each request takes one",
    );
    if set_up.slots() > 1 && kind == Kind::Upstream {
        if set_up.settings().unified {
            line.flag("--kv-unified", None, "all slots share one cache");
        } else {
            line.flag("--no-kv-unified", None, "each slot has a cache of its own");
        }
    }
    place(set_up, kind, Tool::Server, &mut line);
    compute(set_up, kind, Tool::Server, &mut line);
    if kind == Kind::Upstream {
        line.flag(
            "--fit",
            "off".to_owned(),
            "keeps llama.cpp from placing layers by its own rule",
        );
    }
    load(set_up, kind, &mut line);
    if set_up.settings().vision && set_up.has_vision() {
        line.flag(
            "--mmproj",
            PROJECTOR.to_owned(),
            "the vision tower, from a file of its own",
        );
    }
    if set_up.settings().mtp && kind == Kind::Upstream {
        line.flag(
            "--spec-type",
            "draft-mtp".to_owned(),
            "the layers for multi-token prediction draft ahead",
        );
        line.flag(
            "--spec-draft-n-max",
            DRAFT.to_string(),
            "tokens they draft, as the estimate keeps states for",
        );
    }
    sheet.command("serve", "Start the server", line);
}

/// Which layers and experts lie where.
fn place(set_up: &SetUp<'_>, kind: Kind, tool: Tool, line: &mut Line) {
    if set_up.backend() == Backend::Cpu {
        if kind == Kind::Upstream {
            line.flag("--device", "none".to_owned(), "computes on the CPU alone");
        }
        line.flag("-ngl", "0".to_owned(), "no layer on a GPU");
        return;
    }
    let host = set_up.host_layers();
    let of_layers = set_up.layers();
    if host == 0 {
        let all = if kind == Kind::Upstream && tool != Tool::Bench {
            "all"
        } else {
            ALL
        };
        let what = match set_up.count() {
            1 => "all layers on the GPU",
            _ => "all layers on the GPUs",
        };
        line.flag("-ngl", all.to_owned(), what);
    } else if host >= of_layers {
        line.flag("-ngl", "0".to_owned(), "all layers in RAM");
    } else {
        line.flag(
            "-ngl",
            set_up.counted_layers().to_string(),
            set_up.layers_in_words(),
        );
    }
    if let Some(experts) = set_up.host_experts() {
        if experts >= of_layers && tool != Tool::Bench {
            line.flag("--cpu-moe", None, "the routed experts of all layers in RAM");
        } else {
            line.flag(
                "--n-cpu-moe",
                experts.to_string(),
                format!("the routed experts of the first {experts} of {of_layers} layers in RAM"),
            );
        }
    }
    if set_up.count() > 1 {
        split(set_up, kind, tool, line);
    }
}

/// How several devices share the model.
fn split(set_up: &SetUp<'_>, kind: Kind, tool: Tool, line: &mut Line) {
    let separator = if tool == Tool::Bench { "/" } else { "," };
    // The fork's benchmark has no list of devices.
    if set_up.is_mixed() && (kind == Kind::Upstream || tool != Tool::Bench) {
        let prefix = match set_up.backend() {
            Backend::Rocm => "ROCm",
            Backend::Vulkan => "Vulkan",
            Backend::Sycl => "SYCL",
            Backend::Metal => "MTL",
            Backend::Cuda | Backend::Cpu | Backend::Native => "CUDA",
        };
        let devices: Vec<_> = (0..set_up.count())
            .map(|number| format!("{prefix}{number}"))
            .collect();
        let names: Vec<_> = set_up
            .resolved
            .devices()
            .map(|device| device.name.as_str())
            .collect();
        line.flag(
            "--device",
            devices.join(separator),
            format!("in this order: {}", names.join(", ")),
        );
    }
    let tensor = set_up.is_tensor_parallel();
    let mode = match (tensor, kind) {
        (true, Kind::Upstream) => "tensor",
        (true, Kind::Ik) => "graph",
        (false, _) => "layer",
    };
    line.flag(
        "--split-mode",
        mode.to_owned(),
        if tensor {
            "each GPU holds a part of every layer"
        } else {
            "each GPU holds some of the layers"
        },
    );
    if tensor {
        return;
    }
    let mut shares = set_up.device_layers();
    let layers: Vec<_> = shares.iter().map(u32::to_string).collect();
    if let Some(last) = shares.last_mut() {
        // The output and what lies behind it are on the last device.
        *last = last.saturating_add(set_up.counted_beside());
    }
    let shares: Vec<_> = shares.iter().map(u32::to_string).collect();
    line.flag(
        "--tensor-split",
        shares.join(separator),
        match set_up.counted_beside() {
            0 => format!("layers of each GPU: {}", layers.join(", ")),
            _ => format!(
                "layers of each GPU: {}; the last has the output too, which counts as a layer",
                layers.join(", ")
            ),
        },
    );
}

/// Cache type, attention and micro-batch.
fn compute(set_up: &SetUp<'_>, kind: Kind, tool: Tool, line: &mut Line) {
    let kv = set_up.kv_type();
    if kv != KvType::F16 {
        for (flag, of) in [("-ctk", "keys"), ("-ctv", "values")] {
            let why = format!("number type of the cache's {of}");
            line.flag(flag, kv.name().to_owned(), why);
        }
    }
    // The fork's benchmark takes a number.
    let number = kind == Kind::Ik && tool == Tool::Bench;
    let (state, why) = match (set_up.settings().flash_attention, number) {
        (true, true) => ("1", WITHOUT_SCORES),
        (true, false) => ("on", WITHOUT_SCORES),
        (false, true) => ("0", WITH_SCORES),
        (false, false) => ("off", WITH_SCORES),
    };
    line.flag("-fa", state.to_owned(), why);
    let step = set_up.settings().ubatch;
    line.flag("-ub", step.to_string(), "tokens of a prefill step");
    if step > BATCH {
        line.flag(
            "-b",
            step.to_string(),
            "a batch as large as a step, or the step is cut",
        );
    }
}

/// How the file is read.
fn load(set_up: &SetUp<'_>, kind: Kind, line: &mut Line) {
    if set_up.memory.disk > Bytes::ZERO {
        let why = "weights that find no room in memory stay in the file";
        match kind {
            Kind::Upstream => line.flag("--load-mode", "mmap".to_owned(), why),
            Kind::Ik => {}
        }
        if set_up.backend() == Backend::Cpu && kind == Kind::Upstream {
            line.flag(
                "--no-repack",
                None,
                "weights rearranged for the CPU would be copies in RAM",
            );
        }
    } else if set_up.backend() == Backend::Cpu {
        let why = "the weights once in RAM: mapped, those rearranged for the CPU stand there twice";
        match kind {
            Kind::Upstream => line.flag("--load-mode", "none".to_owned(), why),
            Kind::Ik => line.flag("--no-mmap", None, why),
        }
    }
}

/// The benchmarks that measure what the estimate says.
fn measure(set_up: &SetUp<'_>, kind: Kind, sheet: &mut Sheet) {
    let workload = set_up.workload();
    let (prompt, output) = (workload.prompt.to_string(), workload.output.to_string());
    let mut line = Line::new(&["llama-bench"]);
    line.plain(&["-m", MODEL]);
    line.plain(&["-p", &prompt, "-n", "0"]);
    tune(set_up, kind, Tool::Bench, &mut line);
    sheet.command("measure", "Measure prefill", line);
    if workload.concurrency > 1 {
        let requests = workload.concurrency.to_string();
        let mut line = Line::new(&["llama-batched-bench"]);
        line.plain(&["-m", MODEL]);
        line.plain(&["-c", &set_up.whole_context().to_string()]);
        line.plain(&["-npp", &prompt, "-ntg", &output, "-npl", &requests]);
        if kind == Kind::Upstream && set_up.settings().unified {
            line.plain(&["--kv-unified"]);
        }
        tune(set_up, kind, Tool::BatchedBench, &mut line);
        let about = format!("Measure decode of {requests} requests at once");
        sheet.command("measure", about, line);
    } else {
        let mut line = Line::new(&["llama-bench"]);
        line.plain(&["-m", MODEL]);
        match kind {
            Kind::Upstream => line.plain(&["-p", "0", "-n", &output, "-d", &prompt]),
            // Its llama-bench fills a context with a prompt and generates behind it.
            Kind::Ik => line.plain(&["-p", "0", "-n", "0", "-gp", &format!("{prompt},{output}")]),
        }
        tune(set_up, kind, Tool::Bench, &mut line);
        let about = format!(
            "Measure decode behind a prompt of {} tokens",
            text::count(workload.prompt)
        );
        sheet.command("measure", about, line);
    }
}

/// The server's placement and settings for a benchmark, whose reasons are given there.
fn tune(set_up: &SetUp<'_>, kind: Kind, tool: Tool, line: &mut Line) {
    let mut flags = Line::new(&[]);
    place(set_up, kind, tool, &mut flags);
    compute(set_up, kind, tool, &mut flags);
    line.take_flags(flags);
}

fn warn(set_up: &SetUp<'_>, kind: Kind, sheet: &mut Sheet) {
    let settings = set_up.settings();
    if settings.vision && set_up.has_vision() {
        sheet.warn(format!(
            "`{PROJECTOR}` stands for the vision tower's file: put its path there"
        ));
    }
    if set_up.is_mixed() {
        sheet.warn("`llama-server --list-devices` shows the names of the GPUs: check that they stand in the order given");
    }
    if set_up.is_tensor_parallel() && kind == Kind::Upstream {
        sheet.warn("`--split-mode tensor` is experimental and not there for every architecture");
        if !settings.flash_attention {
            sheet.warn("llama.cpp refuses `--split-mode tensor` without flash attention");
        }
    }
    if set_up.layers_behind() > 0 && (set_up.host_layers() > 0 || set_up.count() > 1) {
        sheet.warn(format!(
            "the file is taken to hold {} more behind the layers, for multi-token prediction: `-ngl` and the last share of `--tensor-split` are less by so much for a file made without",
            set_up.layers_behind()
        ));
    }
    if kind == Kind::Upstream
        && (set_up.host_layers() > 0
            || set_up.host_experts().is_some()
            || set_up.resolved.device.is_unified())
    {
        sheet.warn("the server keeps up to 8 GiB of former prompts in RAM, which aren't counted; `--cache-ram 0` turns it off");
    }
    if kind == Kind::Ik {
        if settings.unified {
            sheet.warn("ik_llama.cpp has no cache that slots share: each takes its part of `-c`");
        }
        if settings.mtp {
            sheet.warn("the flags for multi-token prediction of ik_llama.cpp aren't known here");
        }
    }
}
