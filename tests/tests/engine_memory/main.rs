//! What llama.cpp says it allocates, against what the estimator says: `tests/data/engine-memory.csv`
//! on a CPU, `tests/data/engine-memory-devices.csv` on devices.

#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "helpers of tests: a panic is the failure"
)]

mod draft;
mod errors;
mod mlx;
mod models;
mod paged;
mod table;

use bandwise_tests::root;
use errors::Errors;
use estimator::engine::Backend;
use estimator::format::WeightFormat;
use estimator::kv_cache::{CacheRule, cache_bytes};
use estimator::memory::buffers::cpu::{self, Instructions};
use estimator::memory::buffers::llama::{self, Graph, Place};
use estimator::units::Bytes;
use estimator::weights::Weights;
use estimator::widths::Widths;
use models::architecture;
use table::{Row, rows};

const CPU: &str = include_str!("../../data/engine-memory.csv");
const DEVICES: &str = include_str!("../../data/engine-memory-devices.csv");
const MIB: f64 = 1_048_576.0;

/// The page says what is reached.
pub(crate) fn assert_documented(line: &str, errors: &Errors) {
    let page = std::fs::read_to_string(root().join("docs/validation/memory.md")).expect("the page");
    assert!(
        page.contains(line),
        "docs/validation/memory.md lacks\n{line}\nworst:\n{}",
        errors.worst()
    );
}

/// The format of a row; what the quantizer calls MXFP4 is the name of another format here.
fn format(row: &Row<'_>) -> WeightFormat {
    let name = row.get("format");
    let name = if name == "MXFP4" { "MXFP4_MOE" } else { name };
    WeightFormat::parse(name).expect("a format")
}

fn graph_of(row: &Row<'_>) -> Graph {
    let notes = row.get("notes");
    let slots = row.count("concurrency");
    let micro_batch = row.count("n_ubatch");
    let logit_rows = notes
        .split("reserved=")
        .nth(1)
        .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect())
        .and_then(|digits: String| digits.parse().ok())
        .unwrap_or(micro_batch);
    Graph {
        micro_batch,
        logit_rows,
        flash_attention: row.flash_attention(),
        kv_type: row.kv_type(),
        // the server's slots share what one sequence has
        context: row.count("n_ctx") / slots,
        sequences: slots,
        unified: true,
        full_window: false,
        rollback: 0,
        backend: Backend::Cpu,
    }
}

#[test]
fn compute_buffers_on_a_cpu_are_near_the_engines_own() {
    let mut errors = Errors::new();
    for row in rows(CPU) {
        if row.get("what") != "compute_buffer" {
            continue;
        }
        let widths = Widths::of(&architecture(row.get("model")));
        let ours = graph_of(&row).stages(&widths, Place::Cpu).peak();
        let what = format!(
            "{} n_ctx {} ub {} fa {} kv {} slots {}: {:.1} MiB",
            row.get("model"),
            row.get("n_ctx"),
            row.get("n_ubatch"),
            row.get("flash_attn"),
            row.get("kv_type"),
            row.get("notes"),
            ours.get() / MIB,
        );
        errors.add(ours.get() / MIB, row.number("mib"), what);
    }
    assert_eq!(errors.0.len(), 470);
    let worst = errors.worst();
    assert!(errors.median() <= 0.03, "{worst}");
    assert!(errors.within(0.08) >= 0.9, "{worst}");
    assert!(errors.lowest() >= -0.15, "{worst}");
    assert_documented(&errors.line("compute buffer, CPU"), &errors);
}

fn cache_rule(micro_batch: u64, unified: bool, rollback: u32) -> CacheRule {
    CacheRule::LlamaCpp {
        micro_batch: u32::try_from(micro_batch).expect("small"),
        unified,
        full_window: false,
        rollback,
    }
}

#[test]
fn kv_buffers_are_exact() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in rows(CPU) {
        if row.get("what") != "kv_buffer" {
            continue;
        }
        let slots = row.count("concurrency");
        let micro_batch = row.get("n_ubatch").parse().unwrap_or(512);
        let rule = cache_rule(micro_batch, true, 0);
        let model = architecture(row.get("model"));
        let context = row.count("n_ctx") / slots;
        let ours = cache_bytes(&model, &rule, context, slots as u32, row.kv_type());
        let ours = ours.total().get() / MIB;
        // printed to two decimals
        if (ours - row.number("mib")).abs() > 0.0051 {
            wrong.push(format!("{} {}: {ours}", row.get("model"), row.get("notes")));
        }
        seen += 1;
    }
    assert_eq!(seen, 170);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn model_and_output_buffers_are_exact() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in rows(CPU) {
        let model = architecture(row.get("model"));
        let ours = match row.get("what") {
            "model_buffer_mmap" => Bytes::whole(Weights::of(&model, &format(&row)).total().bytes),
            "model_buffer_repack" => cpu::repacked(&model, &format(&row), Instructions::Avx512),
            "output_buffer" => {
                llama::output_buffer(model.output_vocabulary, row.count("concurrency"))
            }
            _ => continue,
        };
        let ours = ours.get() / MIB;
        if (ours - row.number("mib")).abs() > 0.0051 {
            wrong.push(format!("{} {}: {ours}", row.get("model"), row.get("notes")));
        }
        seen += 1;
    }
    assert_eq!(seen, 18 + 9 + 20);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_process_holds_file_copies_cache_and_what_it_touched() {
    let mut errors = Errors::new();
    for row in rows(CPU) {
        if row.get("what") != "peak_rss" {
            continue;
        }
        let model = architecture(row.get("model"));
        let format = format(&row);
        let notes = row.get("notes");
        let number = |column| row.get(column).parse::<f64>().unwrap_or(0.0) as u64;
        let bench = notes.contains("llama-bench");
        let (prompt, output) = (number("prompt_tokens"), number("output_tokens"));
        let depth = number("context_depth");
        let context = if bench {
            prompt + output + depth
        } else {
            number("n_ctx")
        };
        // A bench keeps the state it filled, to start each repetition from.
        let depth_kept = if bench { depth } else { 0 };
        // A bench fills the depth first; the real loads had a few words of prompt.
        let tokens = if bench {
            prompt.max(depth).clamp(1, 512)
        } else {
            16
        };
        let slots = row.count("concurrency");
        let graph = Graph {
            micro_batch: tokens,
            logit_rows: 1,
            flash_attention: row.flash_attention(),
            kv_type: row.kv_type(),
            context: context / slots,
            sequences: slots,
            unified: true,
            full_window: false,
            rollback: 0,
            backend: Backend::Cpu,
        };
        let rule = cache_rule(512, true, 0);
        let cache = cache_bytes(&model, &rule, context / slots, slots as u32, row.kv_type());
        let copies = if notes.contains("repack=0") {
            Bytes::ZERO
        } else {
            cpu::repacked(&model, &format, Instructions::Avx512)
        };
        let weights = Weights::of(&model, &format);
        // files with random weights have no tokenizer
        let mapped = if row.get("model").ends_with("(random weights)") {
            Bytes::whole(weights.total().bytes)
        } else {
            weights.file()
        };
        let ours = mapped
            + copies
            + cache.total()
            + graph.stages(&Widths::of(&model), Place::Cpu).peak()
            + cpu::PROCESS
            + cache.total() * (depth_kept as f64 / context.max(1) as f64);
        let what = format!(
            "{} {} {notes} context {context}: {:.1}",
            row.get("model"),
            row.get("format"),
            ours.get() / MIB
        );
        errors.add(ours.get() / MIB, row.number("mib"), what);
    }
    assert_eq!(errors.0.len(), 117);
    assert!(errors.median() <= 0.03, "{}", errors.worst());
    assert!(errors.within(0.08) >= 0.9, "{}", errors.worst());
    assert!(errors.lowest() >= -0.15, "{}", errors.worst());
    assert_documented(&errors.line("peak memory of a CPU process"), &errors);
}

fn device_graph(row: &Row<'_>) -> Graph {
    let sequences = row.count("sequences");
    Graph {
        micro_batch: row.count("n_ubatch"),
        logit_rows: sequences,
        flash_attention: row.flash_attention(),
        kv_type: row.kv_type(),
        context: row.count("n_ctx") / sequences,
        sequences,
        unified: row.get("unified") == "yes",
        full_window: false,
        rollback: row.count("rollback"),
        backend: Backend::Cuda,
    }
}

#[test]
fn compute_buffers_on_devices_are_near_the_engines_own() {
    let (mut one, mut several, mut host, mut cpu) =
        (Errors::new(), Errors::new(), Errors::new(), Errors::new());
    let mut unexplained = 0;
    for row in rows(DEVICES) {
        // An indexer without flash attention takes half its scores more on a device than on the CPU.
        let sparse = row.get("model") == "qwen3.8-flash-next";
        if sparse && !row.flash_attention() && row.get("place") == "GPU0" {
            unexplained += 1;
            continue;
        }
        let widths = Widths::of(&architecture(row.get("model")));
        let graph = device_graph(&row);
        let (devices, place) = (row.get("devices"), row.get("place"));
        let (errors, ours) = match (devices, place) {
            ("0", _) => (&mut cpu, graph.stages(&widths, Place::Cpu).peak()),
            ("1", "Host") => (&mut host, graph.inputs_on_host(&widths, false)),
            ("1", _) => (&mut one, graph.stages(&widths, Place::Device).peak()),
            (_, "Host") => (&mut host, graph.inputs_on_host(&widths, true)),
            (_, "GPU0") => (
                &mut several,
                graph.stages(&widths, Place::PipelineFirst).peak(),
            ),
            _ => (
                &mut several,
                graph.stages(&widths, Place::PipelineLater).peak(),
            ),
        };
        let what = format!("{:?} {:.1}", row.0, ours.get() / MIB);
        errors.add(ours.get() / MIB, row.number("compute_mib"), what);
    }
    assert_eq!(unexplained, 1);
    let lines = [
        ("compute buffer, one device", one),
        ("compute buffer, three devices", several),
        ("compute buffer, host beside devices", host),
        ("compute buffer, CPU, more models", cpu),
    ];
    for (what, errors) in lines {
        let worst = errors.worst();
        assert!(errors.median() <= 0.03, "{what}\n{worst}");
        assert!(errors.within(0.08) >= 0.9, "{what}\n{worst}");
        assert!(errors.lowest() >= -0.15, "{what}\n{worst}");
        assert_documented(&errors.line(what), &errors);
    }
}

#[test]
fn caches_and_states_on_devices_are_exact() {
    let mut sums: Vec<(String, f64, f64)> = Vec::new();
    for row in rows(DEVICES) {
        let key = format!(
            "{:?}",
            row.0
                .iter()
                .filter(|(name, _)| { !matches!(*name, "place" | "context_mib" | "compute_mib") })
                .collect::<Vec<_>>()
        );
        let sequences = row.count("sequences");
        let unified = row.get("unified") == "yes";
        let rule = cache_rule(row.count("n_ubatch"), unified, row.count("rollback") as u32);
        let model = architecture(row.get("model"));
        let context = row.count("n_ctx") / sequences;
        let ours = cache_bytes(&model, &rule, context, sequences as u32, row.kv_type());
        let measured = row.number("context_mib");
        match sums.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, _, sum)) => *sum += measured,
            None => sums.push((key, ours.total().get() / MIB, measured)),
        }
    }
    let wrong: Vec<_> = sums
        .iter()
        .filter(|(_, ours, theirs)| (ours - theirs).abs() > 0.01)
        .map(|(key, ours, theirs)| format!("{ours} for {theirs}: {key}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        sums.len(),
        wrong.join("\n")
    );
}
