//! The worked examples of `docs/methodology/`, figure by figure: who changes a formula or a factor
//! changes the page with it.

#![expect(clippy::panic, reason = "helpers of tests: a panic is the failure")]

use answer::{Answer, Field, Question, ask};

fn answered(inputs: &[(Field, &str)]) -> Answer {
    let question = inputs
        .iter()
        .fold(Question::default(), |question, (field, text)| {
            question.with(*field, *text)
        });
    ask(&question).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The set-up of most examples: a prompt of 512, an answer of 256.
fn on_4090(model: &str, more: &[(Field, &str)]) -> Answer {
    let mut inputs = vec![
        (Field::Hardware, "rtx-4090"),
        (Field::Model, model),
        (Field::Format, "Q4_K_M"),
        (Field::Context, "4096"),
        (Field::Prompt, "512"),
        (Field::Output, "256"),
    ];
    inputs.extend_from_slice(more);
    answered(&inputs)
}

/// Whether a value prints as the page has it, to as many decimals as given there.
fn assert_reads(value: f64, page: &str) {
    let decimals = page
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    assert_eq!(format!("{value:.decimals$}"), page);
}

fn step(answer: &Answer, symbol: &str) -> f64 {
    let step = answer.steps.iter().find(|step| step.symbol == symbol);
    step.unwrap_or_else(|| panic!("no step {symbol}")).value
}

#[test]
fn weights_of_llama_8b_are_as_worked_out() {
    let answer = on_4090("llama-3.1-8b", &[]);
    assert_eq!(step(&answer, "N"), 8_030_261_248.0);
    assert_eq!(answer.memory.weights_bytes, 4_912_898_048);
    assert_eq!(answer.memory.file_bytes, 4_920_868_544);
    assert_eq!(step(&answer, "A"), 4_617_398_528.0);
}

#[test]
fn memory_of_llama_8b_is_as_worked_out() {
    let memory = on_4090("llama-3.1-8b", &[]).memory;
    let device = &memory.devices[0];
    assert_eq!(device.weights_bytes, 4_617_396_224);
    assert_eq!(device.kv_cache_bytes, 536_870_912);
    assert_eq!(device.compute_bytes, 113_246_208 + 4_194_304);
    assert_eq!(device.runtime_bytes, 477_102_080);
    assert_eq!(device.total_bytes, 5_748_809_728);
    assert_eq!(memory.host.weights_bytes, 295_501_824);
    assert_eq!(memory.total_bytes, 6_065_796_096);
}

#[test]
fn decode_of_llama_8b_is_as_worked_out() {
    let decode = on_4090("llama-3.1-8b", &[]).decode.unwrap();
    let parts = decode.parts_ms;
    assert_reads(parts.weights, "5.586");
    assert_reads(parts.kv_cache, "0.146");
    assert_reads(parts.overhead, "2.120");
    assert_reads(decode.tpot_ms.typical, "7.852");
    assert_reads(decode.tok_s.typical, "127");
    assert_reads(decode.tok_s.low, "83");
    assert_reads(decode.tok_s.high, "157");
    assert_eq!(decode.bound, "bandwidth");
}

#[test]
fn prefill_of_llama_8b_is_as_worked_out() {
    let answer = on_4090("llama-3.1-8b", &[]);
    let parts = answer.prefill.unwrap().parts_ms;
    assert_reads(parts.compute, "45.88");
    assert_reads(parts.weights + parts.kv_cache, "5.64");
    assert_reads(parts.overhead, "24.96");
    assert_reads(answer.ttft_s.unwrap().typical * 1000.0, "84.3");
}

#[test]
fn eight_sequences_of_llama_8b_are_as_worked_out() {
    let decode = on_4090("llama-3.1-8b", &[(Field::Concurrency, "8")])
        .decode
        .unwrap();
    assert_reads(decode.tpot_ms.typical, "9.01");
    assert_reads(decode.tok_s.typical, "111");
    assert_reads(decode.total_tok_s.typical, "887");
}

#[test]
fn a_mixture_of_experts_is_as_worked_out() {
    let one = on_4090("qwen3-30b-a3b", &[]);
    let eight = on_4090("qwen3-30b-a3b", &[(Field::Concurrency, "8")]);
    assert_reads(step(&one, "e"), "0.0625");
    assert_reads(step(&one, "A") / 1e9, "1.92");
    assert_reads(step(&eight, "e"), "0.4033");
    assert_reads(step(&eight, "A") / 1e9, "7.90");
    let (one, eight) = (one.decode.unwrap(), eight.decode.unwrap());
    assert_reads(one.tpot_ms.typical, "7.63");
    assert_reads(one.tok_s.typical, "131");
    assert_reads(eight.tpot_ms.typical, "19.50");
    assert_reads(eight.tok_s.typical, "51");
    assert_reads(eight.total_tok_s.typical, "410");
}

#[test]
fn a_70b_on_two_cards_or_in_ram_is_as_worked_out() {
    let two = on_4090("llama-3.3-70b", &[(Field::Count, "2")]);
    assert_reads(two.decode.unwrap().tok_s.typical, "17.8");
    assert_reads(two.prefill.unwrap().tok_s.typical, "923");
    let host = [(Field::Host, "desktop-ddr5-5600-dual"), (Field::Ram, "64")];
    let offloaded = on_4090("llama-3.3-70b", &host);
    assert_eq!(offloaded.memory.host.layers, 36);
    assert_reads(offloaded.memory.file_bytes as f64 / 1e9, "42.5");
    assert_reads(offloaded.decode.unwrap().tok_s.typical, "2.0");
    assert_reads(offloaded.prefill.unwrap().tok_s.typical, "398");
}

#[test]
fn gpt_oss_120b_on_one_card_keeps_the_experts_of_23_layers_in_ram() {
    let host = [
        (Field::Host, "desktop-ddr5-5600-dual"),
        (Field::Ram, "128"),
        (Field::Format, "MXFP4_MOE"),
    ];
    let memory = on_4090("gpt-oss-120b", &host).memory;
    assert_reads(memory.file_bytes as f64 / f64::from(1 << 30), "59.0");
    assert_eq!((memory.host.layers, memory.host.expert_layers), (0, 23));
    let gibibytes = |bytes| bytes as f64 / f64::from(1 << 30);
    assert_reads(gibibytes(memory.devices[0].weights_bytes), "22.1");
    assert_reads(gibibytes(memory.host.weights_bytes), "36.9");
}

#[test]
fn caches_are_as_worked_out() {
    let table = [
        ("llama-3.1-8b", ["1024.0", "4096.0", "16384.0"]),
        ("gemma-3-27b", ["1264.0", "3184.0", "10864.0"]),
        ("gpt-oss-120b", ["315.0", "1179.0", "4635.0"]),
        ("deepseek-v3", ["549.0", "2196.0", "8784.0"]),
        ("qwen3.8-27b", ["661.6", "2197.6", "8341.6"]),
    ];
    for (model, row) in table {
        for (context, mebibytes) in ["8192", "32768", "131072"].into_iter().zip(row) {
            let answer = on_4090(model, &[(Field::Context, context)]);
            let held = answer.memory.kv_cache_per_sequence_bytes;
            assert_reads(held as f64 / f64::from(1 << 20), mebibytes);
        }
    }
}

#[test]
fn a_tied_embedding_lies_on_the_card_and_on_the_host() {
    let memory = on_4090("gemma-3-27b", &[]).memory;
    assert_reads(memory.file_bytes as f64 / 1e9, "16.55");
    assert_reads(memory.devices[0].weights_bytes as f64 / 1e9, "16.54");
    assert_reads(memory.host.weights_bytes as f64 / 1e9, "1.16");
}

#[test]
fn a_phase_without_runs_does_not_call_itself_a_prior() {
    let sglang = on_4090(
        "llama-3.1-8b",
        &[(Field::Engine, "sglang"), (Field::Format, "fp8")],
    );
    let (decode, prefill) = (sglang.decode.unwrap(), sglang.prefill.unwrap());
    assert_eq!((decode.basis.as_ref(), decode.runs > 0), ("prior", true));
    assert_eq!((prefill.basis.as_ref(), prefill.runs), ("roofline", 0));
}
