//! Where layers go: what devices and host hold adds up, wishes are kept, and the choice is the
//! fastest that fits.

#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "helpers of tests: a panic is the failure"
)]

use answer::{Answer, Field, Question, ask};

fn answered(query: &str) -> Answer {
    let (question, unknown) = Question::from_query(query);
    assert!(unknown.is_empty(), "{unknown:?}");
    ask(&question).unwrap_or_else(|problems| panic!("{query}: {problems:?}"))
}

fn problems(query: &str) -> Vec<(Field, String)> {
    let (question, _) = Question::from_query(query);
    let problems = ask(&question).expect_err(query);
    problems
        .into_iter()
        .map(|problem| (problem.field, problem.problem))
        .collect()
}

fn speed(answer: &Answer) -> f64 {
    answer.decode.as_ref().expect("it runs").tok_s.typical
}

const HOST: &str = "host=desktop-ddr5-5600-dual&ram=192";

#[test]
fn cards_of_three_sizes_hold_layers_by_their_memory() {
    let answer = answered("hardware=rtx-3090%2Brtx-4080%2Brtx-3060&model=qwen3-32b&format=Q8_0");
    let layers: Vec<u32> = answer
        .memory
        .devices
        .iter()
        .map(|place| place.layers)
        .collect();
    assert_eq!(layers.iter().sum::<u32>(), 64);
    assert!(layers[0] > layers[1] && layers[1] > layers[2], "{layers:?}");
    assert_eq!(answer.fit.verdict, "fits");
    assert_eq!(answer.inputs.count, 3);
    assert_eq!(
        answer.inputs.machine,
        "GeForce RTX 3090 + GeForce RTX 4080 + GeForce RTX 3060 12GB"
    );
}

#[test]
fn shares_the_user_gives_are_kept_even_where_they_overfill_a_card() {
    let answer = answered("hardware=2x%20rtx-3090&model=llama-3.1-8b&tensor-split=3,1");
    let layers: Vec<u32> = answer
        .memory
        .devices
        .iter()
        .map(|place| place.layers)
        .collect();
    assert_eq!(layers, [25, 7]);
    let full = answered("hardware=2x%20rtx-3090&model=llama-3.3-70b&tensor-split=1,0");
    assert_eq!(full.fit.verdict, "does_not_fit");
}

#[test]
fn where_the_proportional_split_overfills_a_card_layers_move_to_the_other() {
    // Layers of Gemma 3 hold windows or the whole context, so equal counts aren't equal bytes.
    for context in ["8192", "65536", "131072"] {
        let query = format!("hardware=2x%20rtx-4070-super&model=gemma-3-27b&context={context}");
        let answer = answered(&query);
        let usable = answer.memory.devices[0].usable_bytes.unwrap();
        let held: u64 = answer
            .memory
            .devices
            .iter()
            .map(|place| place.total_bytes)
            .sum();
        if answer.fit.verdict == "does_not_fit" {
            // No assignment could have done it with room for two more layers.
            assert!(held + 2 * (held / 62) > 2 * usable, "{context}");
        }
    }
}

#[test]
fn experts_go_to_ram_before_layers_and_that_is_faster_than_layers() {
    for model in ["gpt-oss-120b", "qwen3-30b-a3b", "glm-4.5-air"] {
        let query = format!("hardware=rtx-4070-super&model={model}&{HOST}");
        let experts = answered(&query);
        assert_eq!(experts.fit.verdict, "needs_offload", "{model}");
        assert_eq!(experts.memory.host.layers, 0, "{model}");
        assert!(experts.memory.host.expert_layers > 0, "{model}");
        let layers = experts.memory.devices[0].layers;
        let most = (0..layers)
            .rev()
            .map(|count| answered(&format!("{query}&gpu-layers={count}")))
            .find(|answer| answer.fit.verdict == "needs_offload")
            .expect("some layers fit");
        assert!(speed(&experts) > speed(&most), "{model}");
    }
}

#[test]
fn one_layers_experts_more_in_ram_are_never_faster_and_hold_as_much_in_all() {
    let base = format!("hardware=rtx-4090&model=gpt-oss-120b&{HOST}");
    let start = answered(&base).memory.host.expert_layers;
    let mut last: Option<Answer> = None;
    for experts in start..=36 {
        let answer = answered(&format!("{base}&cpu-moe={experts}"));
        assert_eq!(answer.memory.host.expert_layers, experts);
        if let Some(last) = last {
            assert!(speed(&answer) <= speed(&last), "{experts}");
            assert_eq!(answer.memory.weights_bytes, last.memory.weights_bytes);
        }
        last = Some(answer);
    }
    let all = answered(&format!("{base}&cpu-moe=all"));
    assert_eq!(Some(all.memory), last.map(|last| last.memory));
}

#[test]
fn one_fewer_than_the_chosen_layers_of_experts_does_not_fit() {
    let base = format!("hardware=rtx-4090&model=gpt-oss-120b&{HOST}");
    let chosen = answered(&base).memory.host.expert_layers;
    let fewer = answered(&format!("{base}&cpu-moe={}&gpu-layers=all", chosen - 1));
    assert_eq!(fewer.fit.verdict, "does_not_fit");
}

#[test]
fn what_no_ram_holds_is_read_from_disk_if_there_is_one() {
    let base =
        "hardware=rtx-4090&model=deepseek-v3&format=Q4_K_M&host=desktop-ddr5-5600-dual&ram=192";
    assert_eq!(answered(base).fit.verdict, "does_not_fit");
    let slow = answered(&format!("{base}&ssd=3.5"));
    let fast = answered(&format!("{base}&ssd=14"));
    assert_eq!(slow.fit.verdict, "needs_offload");
    assert!(slow.memory.disk_bytes > 150 << 30);
    assert!(speed(&slow) < speed(&fast) && speed(&fast) < 5.0);
    assert!(slow.warnings.iter().any(|warning| warning.code == "disk"));
}

#[test]
fn tensor_parallel_divides_weights_and_heads_and_repeats_a_latent() {
    let one = answered("hardware=h100&model=llama-3.1-8b&engine=vllm&format=bf16");
    let four = answered("hardware=h100&count=4&model=llama-3.1-8b&engine=vllm&format=bf16");
    assert_eq!(four.inputs.split, "tensor");
    let part = four.memory.devices[0].weights_bytes as f64;
    assert!((part * 4.0 / one.memory.weights_bytes as f64 - 1.0).abs() < 1e-6);
    assert!(speed(&four) > speed(&one));
    let latent = answered("hardware=8x%20h200&model=deepseek-v3&engine=vllm&format=fp8");
    let per_rank = latent.memory.devices[0].kv_cache_bytes;
    assert_eq!(per_rank, latent.memory.kv_cache_per_sequence_bytes);
}

#[test]
fn heads_that_do_not_divide_are_refused_by_name_or_split_by_layers() {
    let wished = "hardware=h100&count=3&model=llama-3.1-8b&engine=vllm&format=bf16&split=tensor";
    let found = problems(wished);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, Field::Count);
    assert!(found[0].1.contains("32 heads"), "{found:?}");
    let usual = answered("hardware=h100&count=3&model=llama-3.1-8b&engine=vllm&format=bf16");
    assert_eq!(usual.inputs.split, "layer");
}

#[test]
fn requests_the_cache_cannot_hold_wait_and_the_rest_run() {
    let answer = answered(
        "hardware=rtx-4090&model=qwen3-14b&engine=vllm&format=awq-4bit&concurrency=64&context=16384&prompt=15000&output=1000",
    );
    let pool = answer.memory.pool.as_ref().expect("vllm pages its cache");
    assert!(pool.running < 64 && pool.running >= 1, "{pool:?}");
    assert_eq!(answer.fit.verdict, "fits");
    assert!(
        answer
            .warnings
            .iter()
            .any(|warning| warning.code == "queue")
    );
    let decode = answer.decode.unwrap();
    let ratio = decode.total_tok_s.typical / decode.tok_s.typical;
    assert!((ratio - pool.running as f64).abs() < 1e-6);
}

#[test]
fn what_cannot_be_placed_is_refused_by_the_input_that_asks_for_it() {
    for (query, field, part) in [
        (
            "hardware=rtx-4090&model=gpt-oss-120b&cpu-moe=12",
            Field::CpuMoe,
            "host's RAM",
        ),
        (
            "hardware=m3-ultra-80&model=gpt-oss-120b&cpu-moe=12",
            Field::CpuMoe,
            "one memory",
        ),
        (
            "hardware=rtx-4090&model=qwen3-32b&cpu-moe=12&ram=64",
            Field::CpuMoe,
            "no routed experts",
        ),
        (
            "hardware=rtx-4090&model=gpt-oss-120b&cpu-moe=99&ram=64",
            Field::CpuMoe,
            "36 layers",
        ),
        (
            "hardware=rtx-4090&model=qwen3-32b&gpu-layers=few",
            Field::GpuLayers,
            "`all`",
        ),
        (
            "hardware=rtx-4090&model=qwen3-32b&tensor-split=1,1",
            Field::TensorSplit,
            "as devices: 1",
        ),
        (
            "hardware=2x%20rtx-4090&model=qwen3-32b&tensor-split=1,x",
            Field::TensorSplit,
            "commas",
        ),
        (
            "hardware=2x%20rtx-4090&model=qwen3-32b&tensor-split=-1,2",
            Field::TensorSplit,
            "0 or more",
        ),
        (
            "hardware=rtx-4090%2Bnonsense-9&model=qwen3-32b",
            Field::Hardware,
            "unknown device",
        ),
        (
            "hardware=rtx-4090%2Brtx-3090&count=2&model=qwen3-32b",
            Field::Count,
            "several devices",
        ),
        (
            "hardware=rtx-4090&model=qwen3-32b&kv-type=q8_0&flash-attention=off",
            Field::KvType,
            "flash attention",
        ),
        (
            "hardware=rtx-4090&model=qwen3-32b&host=9x%20epyc-9554",
            Field::Host,
            "between 1 and 8",
        ),
        (
            "hardware=rtx-4090&model=qwen3-32b&slots=0",
            Field::Slots,
            "slots",
        ),
    ] {
        let found = problems(query);
        assert!(
            found
                .iter()
                .any(|(named, text)| *named == field && text.contains(part)),
            "{query}: {found:?}"
        );
    }
}
