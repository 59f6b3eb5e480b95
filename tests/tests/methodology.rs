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
    assert_eq!(answer.memory.file_bytes, 4_917_662_144);
    assert_eq!(step(&answer, "A"), 4_617_398_528.0);
}

#[test]
fn memory_of_llama_8b_is_as_worked_out() {
    let memory = on_4090("llama-3.1-8b", &[]).memory;
    let device = &memory.devices[0];
    assert_eq!(device.weights_bytes, 4_617_396_224);
    assert_eq!(device.kv_cache_bytes, 536_870_912);
    assert_eq!(device.compute_bytes, 121_634_816 + 4_194_304 + 513_024);
    assert_eq!(device.runtime_bytes, 477_102_080);
    assert_eq!(device.total_bytes, 5_757_711_360);
    assert_eq!(memory.host.weights_bytes, 295_501_824);
    assert_eq!(memory.total_bytes, 6_053_213_184);
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
