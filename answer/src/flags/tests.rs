//! The numbers in the flags are the estimate's.

use estimator::engine::Engine;
use estimator::error::Field;
use estimator::memory::in_proportion;

use super::{Flags, NoFlags, flags};
use crate::answer::{Answer, ask};
use crate::question::Question;

const HOST: [(Field, &str); 2] = [(Field::Host, "desktop-ddr5-5600-dual"), (Field::Ram, "128")];

fn question(typed: &[(Field, &str)]) -> Question {
    typed
        .iter()
        .fold(Question::default(), |question, (field, text)| {
            question.with(*field, *text)
        })
}

fn answered(typed: &[(Field, &str)]) -> (Flags, Answer) {
    let question = question(typed);
    (flags(&question).unwrap(), ask(&question).unwrap())
}

/// The word behind a flag in the command that serves.
fn value<'a>(flags: &'a Flags, name: &str) -> Option<&'a str> {
    let serve = flags.commands.iter().find(|line| line.purpose == "serve")?;
    let at = serve.argv.iter().position(|word| word == name)?;
    serve.argv.get(at + 1).map(String::as_str)
}

fn number(flags: &Flags, name: &str) -> u64 {
    value(flags, name).unwrap().parse().unwrap()
}

fn has(flags: &Flags, name: &str) -> bool {
    let mut serving = flags.commands.iter().filter(|line| line.purpose == "serve");
    serving.any(|line| line.argv.iter().any(|word| word == name))
}

fn variable<'a>(flags: &'a Flags, name: &str) -> &'a str {
    let mut variables = flags.commands.iter().flat_map(|line| &line.environment);
    &variables
        .find(|variable| variable.name == name)
        .unwrap()
        .value
}

/// The text behind a name in the only file.
fn setting<'a>(flags: &'a Flags, name: &str) -> &'a str {
    let [file] = &*flags.files else {
        panic!("one file")
    };
    let line = |line: &'a str| line.trim().strip_prefix(name).map(str::trim);
    file.text.lines().find_map(line).unwrap()
}

#[test]
fn llama_cpps_context_is_of_all_slots_or_of_all_requests_that_share_it() {
    use Field::{Concurrency, Context, Hardware, KvUnified, Model, Slots, Ubatch};
    for (requests, slots) in [("1", "1"), ("1", "4"), ("3", "3"), ("2", "5")] {
        for (unified, flag) in [("on", "--kv-unified"), ("off", "--no-kv-unified")] {
            let (flags, answer) = answered(&[
                (Hardware, "rtx-4090"),
                (Model, "llama-3.1-8b"),
                (Context, "4096"),
                (Concurrency, requests),
                (Slots, slots),
                (KvUnified, unified),
                (Ubatch, "4096"),
            ]);
            let all: u64 = slots.parse().unwrap();
            let contexts = if unified == "on" {
                answer.inputs.concurrency
            } else {
                all
            };
            assert_eq!(number(&flags, "-c"), answer.inputs.context * contexts);
            assert_eq!(number(&flags, "-np"), all);
            assert_eq!(has(&flags, flag), all > 1);
            assert_eq!(number(&flags, "-ub"), answer.inputs.ubatch);
            // A step is no larger than a batch.
            assert_eq!(number(&flags, "-b"), answer.inputs.ubatch);
            assert_eq!(value(&flags, "--fit"), Some("off"));
        }
    }
}

#[test]
fn llama_cpps_own_rule_puts_layers_where_the_estimate_has_them() {
    use Field::{Format, Hardware, Model, TensorSplit};
    let mut split = 0;
    for (machine, shares) in [
        ("rtx-4090 + rtx-3060", ""),
        ("rtx-3060 + rtx-4090", ""),
        ("rtx-4090 + rtx-4060-ti-16gb + rtx-3060", ""),
        ("2x rtx-3090", ""),
        ("3x rtx-3090", "1,0,1"),
        ("2x rtx-3090", "3,1"),
    ] {
        for model in [
            "qwen3-32b",
            "gpt-oss-20b",
            "mistral-small-3.1-24b",
            "glm-4.7-flash",
        ] {
            let mut typed = vec![(Hardware, machine), (Model, model), (Format, "Q4_K_M")];
            typed.extend(Some((TensorSplit, shares)).filter(|_| !shares.is_empty()));
            let question = question(&typed);
            let (Ok(flags), Ok(answer)) = (flags(&question), ask(&question)) else {
                continue;
            };
            let counts: Vec<u32> = value(&flags, "--tensor-split")
                .unwrap()
                .split(',')
                .map(|count| count.parse().unwrap())
                .collect();
            let layers: Vec<u32> = answer.memory.devices.iter().map(|at| at.layers).collect();
            let all: u32 = layers.iter().sum();
            // The engine counts the output, and what lies behind the layers, as layers of the last.
            let behind = counts.iter().sum::<u32>() - all - 1;
            let shares: Vec<f64> = counts.iter().map(|count| f64::from(*count)).collect();
            let mut from = 0;
            let ends = in_proportion(0, all + behind, &shares);
            for (end, layers) in ends.iter().zip(&layers) {
                let end = (*end).min(all);
                assert_eq!(end - from, *layers, "{machine} {model}: {counts:?}");
                from = end;
            }
            split += 1;
        }
    }
    assert!(split > 12, "{split}");
}

#[test]
fn llama_cpp_keeps_the_layers_in_ram_that_the_estimate_does() {
    use Field::{Format, GpuLayers, Hardware, Model};
    for wish in [None, Some("40"), Some("0")] {
        let mut typed = vec![
            (Hardware, "rtx-4090"),
            (Model, "llama-3.3-70b"),
            (Format, "Q4_K_M"),
        ];
        typed.extend(HOST);
        typed.extend(wish.map(|wish| (GpuLayers, wish)));
        let (flags, answer) = answered(&typed);
        let here = answer.memory.devices[0].layers;
        assert!(here < 80);
        // The output is the first to go.
        let counted = if here == 0 { 0 } else { here + 1 };
        assert_eq!(value(&flags, "-ngl"), Some(&*counted.to_string()));
        assert!(!has(&flags, "--n-cpu-moe"));
    }
}

#[test]
fn llama_cpp_keeps_the_experts_in_ram_that_the_estimate_does() {
    use Field::{CpuMoe, Hardware, Model};
    let mut typed = vec![(Hardware, "rtx-4090"), (Model, "gpt-oss-120b")];
    typed.extend(HOST);
    let (flags, answer) = answered(&typed);
    let host = &answer.memory.host;
    assert!(host.expert_layers > 0 && host.layers == 0);
    assert_eq!(number(&flags, "--n-cpu-moe"), u64::from(host.expert_layers));
    assert_eq!(value(&flags, "-ngl"), Some("all"));
    typed.push((CpuMoe, "all"));
    let (flags, _) = answered(&typed);
    assert!(has(&flags, "--cpu-moe"));
}

#[test]
fn a_benchmark_places_layers_as_the_server_does() {
    use Field::{Hardware, Model};
    let mut typed = vec![(Hardware, "2x rtx-3090"), (Model, "gpt-oss-120b")];
    typed.extend(HOST);
    let (flags, _) = answered(&typed);
    let split = value(&flags, "--tensor-split").unwrap().replace(',', "/");
    let experts = value(&flags, "--n-cpu-moe").unwrap().to_owned();
    let benches = flags
        .commands
        .iter()
        .filter(|line| line.purpose == "measure");
    for bench in benches {
        for word in [&split, &experts] {
            assert!(bench.argv.contains(word), "{bench:?}");
        }
    }
}

#[test]
fn ollama_gets_context_slots_and_layers_of_the_estimate() {
    use Field::{Context, Engine, Hardware, KvType, Model, Slots};
    let mut typed = vec![
        (Hardware, "rtx-4090"),
        (Model, "qwen3-32b"),
        (Field::Format, "Q8_0"),
        (Engine, "ollama"),
        (Context, "16384"),
        (Slots, "2"),
        (KvType, "q8_0"),
    ];
    typed.extend(HOST);
    let (flags, answer) = answered(&typed);
    assert_eq!(variable(&flags, "OLLAMA_CONTEXT_LENGTH"), "16384");
    assert_eq!(variable(&flags, "OLLAMA_NUM_PARALLEL"), "2");
    assert_eq!(variable(&flags, "OLLAMA_KV_CACHE_TYPE"), "q8_0");
    assert_eq!(setting(&flags, "PARAMETER num_ctx"), "16384");
    let here = answer.memory.devices[0].layers;
    assert!(here < 64);
    // The output stays with the host.
    assert_eq!(setting(&flags, "PARAMETER num_gpu"), here.to_string());
}

#[test]
fn lm_studio_gets_context_and_share_of_layers() {
    use Field::{Context, Engine, Hardware, Model, Slots};
    let mut typed = vec![
        (Hardware, "rtx-3060"),
        (Model, "qwen3-14b"),
        (Field::Format, "Q8_0"),
        (Engine, "lm-studio"),
        (Context, "4096"),
        (Slots, "2"),
    ];
    typed.extend(HOST);
    // Slots share one cache unless told otherwise.
    let (flags, _) = answered(&typed);
    assert_eq!(number(&flags, "--context-length"), 4096);
    typed.push((Field::KvUnified, "off"));
    let (flags, answer) = answered(&typed);
    assert_eq!(number(&flags, "--context-length"), 8192);
    assert_eq!(number(&flags, "--parallel"), 2);
    let share: f64 = value(&flags, "--gpu").unwrap().parse().unwrap();
    let here = f64::from(answer.memory.devices[0].layers);
    assert!((share * 40.0 - here).abs() < 0.01);
}

#[test]
fn mlx_gets_what_it_has_flags_for() {
    use Field::{Concurrency, Hardware, KvType, Memory, Model, Ubatch};
    let (flags, _) = answered(&[
        (Hardware, "m4-max-40"),
        (Memory, "64"),
        (Model, "qwen3-30b-a3b"),
        (Field::Engine, "mlx"),
        (Concurrency, "2"),
        (KvType, "q4_0"),
        (Ubatch, "1024"),
    ]);
    assert_eq!(number(&flags, "--decode-concurrency"), 2);
    assert_eq!(number(&flags, "--prompt-cache-size"), 2);
    assert_eq!(number(&flags, "--prefill-step-size"), 1024);
    assert_eq!(number(&flags, "--kv-bits"), 4);
    let warned = |part: &str| flags.warnings.iter().any(|text| text.contains(part));
    assert!(warned("one request after another") && warned("no limit of context"));
}

const SERVED: [(Field, &str); 7] = [
    (Field::Hardware, "2x h100"),
    (Field::Model, "llama-3.3-70b"),
    (Field::Format, "fp8"),
    (Field::KvType, "fp8"),
    (Field::Context, "16384"),
    (Field::Concurrency, "8"),
    (Field::Ubatch, "4096"),
];

fn served(engine: &'static str) -> (Flags, Answer) {
    let mut typed = SERVED.to_vec();
    typed.push((Field::Engine, engine));
    answered(&typed)
}

#[test]
fn vllm_gets_context_requests_and_share_of_memory() {
    let (flags, answer) = served("vllm");
    assert_eq!(number(&flags, "--max-model-len"), 16384);
    assert_eq!(number(&flags, "--max-num-seqs"), 8);
    assert_eq!(number(&flags, "--max-num-batched-tokens"), 4096);
    assert_eq!(number(&flags, "--tensor-parallel-size"), 2);
    assert_eq!(answer.inputs.split, "tensor");
    assert_eq!(value(&flags, "--kv-cache-dtype"), Some("fp8"));
    let default: f64 = value(&flags, "--gpu-memory-utilization")
        .unwrap()
        .parse()
        .unwrap();
    let mut typed = SERVED.to_vec();
    typed.extend([(Field::Engine, "vllm"), (Field::MemoryFraction, "0.8")]);
    let (flags, _) = answered(&typed);
    assert_eq!(value(&flags, "--gpu-memory-utilization"), Some("0.8"));
    // What something else holds can only be left out of the share.
    typed.truncate(SERVED.len() + 1);
    typed.push((Field::Reserve, "30"));
    let (flags, _) = answered(&typed);
    let share: f64 = value(&flags, "--gpu-memory-utilization")
        .unwrap()
        .parse()
        .unwrap();
    assert!(share < default && share > 0.5);
}

#[test]
fn sglangs_and_tensorrts_shares_leave_the_cache_of_the_estimate() {
    let (flags, answer) = served("sglang");
    assert_eq!(number(&flags, "--context-length"), 16384);
    assert_eq!(number(&flags, "--max-running-requests"), 8);
    assert_eq!(number(&flags, "--chunked-prefill-size"), 4096);
    assert_eq!(number(&flags, "--tp-size"), 2);
    assert_eq!(value(&flags, "--kv-cache-dtype"), Some("fp8_e4m3"));
    let share: f64 = value(&flags, "--mem-fraction-static")
        .unwrap()
        .parse()
        .unwrap();
    let place = &answer.memory.devices[0];
    let (all, pool) = (place.capacity_bytes.unwrap(), answer.memory.pool.unwrap());
    let own = pool.bytes / 2;
    let kept = place.weights_bytes + own;
    let held = kept as f64 / all as f64;
    assert!((share - held).abs() < 0.01, "{share} {held}");

    let (flags, answer) = served("tensorrt-llm");
    assert_eq!(number(&flags, "--max_seq_len"), 16384);
    assert_eq!(number(&flags, "--max_batch_size"), 8);
    assert_eq!(number(&flags, "--max_num_tokens"), 4096);
    assert_eq!(number(&flags, "--tp_size"), 2);
    assert_eq!(setting(&flags, "dtype:"), "fp8");
    let share: f64 = setting(&flags, "free_gpu_memory_fraction:")
        .parse()
        .unwrap();
    let place = &answer.memory.devices[0];
    let (all, pool) = (place.capacity_bytes.unwrap(), answer.memory.pool.unwrap());
    let free = all - (place.total_bytes - place.kv_cache_bytes);
    let taken = pool.bytes as f64 / 2.0 / free as f64;
    assert!((share - taken).abs() < 0.02, "{share} {taken}");
}

#[test]
fn exllamas_cache_is_of_all_requests_in_whole_pages() {
    for (engine, mode) in [("exllamav2", "Q4"), ("exllamav3", "4,4")] {
        let (flags, _) = answered(&[
            (Field::Hardware, "2x rtx-3090"),
            (Field::Model, "llama-3.1-8b"),
            (Field::Engine, engine),
            (Field::Context, "1000"),
            (Field::Concurrency, "3"),
            (Field::KvType, "q4_0"),
        ]);
        assert_eq!(setting(&flags, "max_seq_len:"), "1000");
        assert_eq!(setting(&flags, "cache_size:"), "3072");
        assert_eq!(setting(&flags, "max_batch_size:"), "3");
        assert_eq!(setting(&flags, "cache_mode:"), mode);
        assert_eq!(setting(&flags, "gpu_split:").split(',').count(), 2);
    }
}

#[test]
fn ktransformers_has_its_experts_on_the_cpu() {
    let mut typed = vec![
        (Field::Hardware, "rtx-4090"),
        (Field::Model, "qwen3-30b-a3b"),
        (Field::Format, "Q4_K_M"),
        (Field::Engine, "ktransformers"),
        (Field::Context, "4096"),
        (Field::Slots, "2"),
    ];
    typed.extend(HOST);
    let (flags, answer) = answered(&typed);
    assert_eq!(answer.memory.host.expert_layers, 48);
    assert_eq!(number(&flags, "--kt-num-gpu-experts"), 0);
    assert_eq!(number(&flags, "--max-total-tokens"), 8192);
}

#[test]
fn every_engine_says_what_its_stand_ins_stand_for_and_why_each_flag_is_there() {
    for engine in Engine::ALL {
        let mut typed = vec![
            (
                Field::Hardware,
                if engine == Engine::Mlx {
                    "m4-max-40"
                } else {
                    "2x rtx-4090"
                },
            ),
            (Field::Model, "qwen3-30b-a3b"),
            (Field::Engine, engine.name()),
        ];
        match engine {
            Engine::Mlx => typed.push((Field::Memory, "128")),
            Engine::KTransformers => typed.extend(HOST),
            Engine::Vllm | Engine::Sglang | Engine::TensorRtLlm => {
                typed.push((Field::Format, "awq"));
            }
            _ => {}
        }
        let (flags, _) = answered(&typed);
        assert!(!flags.commands.is_empty() && flags.engine == engine.name());
        let files = flags.files.iter().map(|file| file.text.as_str());
        let texts: Vec<&str> = flags
            .commands
            .iter()
            .map(|line| line.shell.as_str())
            .chain(files)
            .collect();
        for name in ["MODEL", "EXPERTS", "THREADS"] {
            if texts.iter().any(|text| text.contains(name)) {
                let said = flags.warnings.iter().any(|text| text.contains(name));
                assert!(said, "{engine:?} {name}");
            }
        }
        assert!(flags.notes.iter().all(|note| !note.why.is_empty()));
        for line in &flags.commands {
            let words = line.shell.replace(" \\\n  ", " ");
            assert!(words.ends_with(line.argv.last().unwrap()), "{words}");
        }
    }
}

#[test]
fn what_does_not_fit_gets_no_command_but_the_ways_out() {
    let question = question(&[
        (Field::Hardware, "rtx-4060"),
        (Field::Model, "llama-3.3-70b"),
        (Field::Format, "Q4_K_M"),
    ]);
    let Err(NoFlags::DoesNotFit(error)) = flags(&question) else {
        panic!("it doesn't fit")
    };
    assert_eq!(error.field, Field::Model);
    assert!(error.problem.contains("are missing"), "{error:?}");
    assert!(error.hint.unwrap().contains("set `"));
    assert!(matches!(
        flags(&Question::default()),
        Err(NoFlags::BadInput(_))
    ));
}
