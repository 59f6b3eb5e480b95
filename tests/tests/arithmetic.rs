//! The arithmetic an answer shows can be redone by hand: each formula, with the values of the steps
//! it names, gives the value shown.

#![expect(clippy::panic, reason = "helpers of tests: a panic is the failure")]

use std::collections::BTreeMap;

use answer::{Answer, Field, Question, ask};

/// Formats mix kernel classes, of which a formula names the one most weights are in.
const SHARE_OFF: f64 = 0.02;

type Values = BTreeMap<String, f64>;

fn answered(text: &str) -> Answer {
    let (question, unknown) = Question::from_query(text);
    assert!(unknown.is_empty(), "{unknown:?}");
    let question = [(Field::Prompt, "700"), (Field::Output, "300")]
        .into_iter()
        .fold(question, |question, (field, text)| {
            question.with(field, text)
        });
    ask(&question).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

/// A formula of numbers, symbols, brackets and `+ − × ÷`; nothing for one in words.
fn evaluate(formula: &str, values: &Values) -> Option<f64> {
    let spaced = formula.replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let value = sum(&tokens, &mut at, values)?;
    (at == tokens.len()).then_some(value)
}

fn sum(tokens: &[&str], at: &mut usize, values: &Values) -> Option<f64> {
    let mut total = product(tokens, at, values)?;
    while let Some(sign @ ("+" | "−")) = tokens.get(*at).copied() {
        *at += 1;
        let next = product(tokens, at, values)?;
        total += if sign == "+" { next } else { -next };
    }
    Some(total)
}

fn product(tokens: &[&str], at: &mut usize, values: &Values) -> Option<f64> {
    let mut total = term(tokens, at, values)?;
    while let Some(sign @ ("×" | "÷")) = tokens.get(*at).copied() {
        *at += 1;
        let next = term(tokens, at, values)?;
        total = if sign == "×" {
            total * next
        } else {
            total / next
        };
    }
    Some(total)
}

fn term(tokens: &[&str], at: &mut usize, values: &Values) -> Option<f64> {
    let token = *tokens.get(*at)?;
    *at += 1;
    if token == "(" {
        let value = sum(tokens, at, values)?;
        let closed = tokens.get(*at) == Some(&")");
        *at += 1;
        return closed.then_some(value);
    }
    values.get(token).copied().or_else(|| token.parse().ok())
}

/// Checks every formula that isn't in words; returns the symbols it checked.
fn redo(query: &str) -> Vec<String> {
    let answer = answered(query);
    let mut values = Values::new();
    let mut checked = Vec::new();
    for step in &answer.steps {
        if let Some(by_hand) = evaluate(&step.formula, &values) {
            let off = (by_hand / step.value - 1.0).abs();
            assert!(
                off < SHARE_OFF,
                "{query}: {} = {} is {by_hand}, but {} is shown",
                step.symbol,
                step.formula,
                step.value
            );
            checked.push(step.symbol.to_string());
        }
        let before = values.insert(step.symbol.to_string(), step.value);
        assert_eq!(before, None, "{query}: `{}` is used twice", step.symbol);
    }
    checked
}

const WHOLE: [&str; 10] = [
    "M",
    "t_w",
    "t_k",
    "t_o",
    "t",
    "v",
    "t_pc",
    "t_po",
    "t_prefill",
    "TTFT",
];

#[test]
fn on_one_device_every_sum_and_product_can_be_redone() {
    for query in [
        "hardware=rtx-4090&model=llama-3.1-8b&format=Q4_K_M",
        "hardware=rtx-4090&model=llama-3.1-8b&format=Q4_K_M&concurrency=8",
        "hardware=rtx-4090&model=qwen3-30b-a3b&format=Q4_K_M",
        "hardware=rtx-4090&model=qwen3-30b-a3b&format=Q4_K_M&concurrency=4",
        "hardware=rtx-4090&model=gemma-3-27b&format=Q4_K_M",
        "hardware=h100&model=llama-3.1-8b&format=Q4_K_M",
        "hardware=h100&model=qwen3-30b-a3b&format=Q4_K_M",
        "hardware=h100&model=llama-3.1-8b&format=bf16&concurrency=16",
        "hardware=h100&model=llama-3.1-8b&format=fp8&ubatch=256",
        "hardware=m3-ultra-80&model=qwen3-30b-a3b&format=mlx-4bit",
    ] {
        let checked = redo(query);
        for symbol in WHOLE {
            assert!(
                checked.iter().any(|done| done == symbol),
                "{query}: `{symbol}` has no formula to redo, only {checked:?}"
            );
        }
    }
}

#[test]
fn on_two_devices_that_take_turns_decode_and_all_sums_can_be_redone() {
    let checked = redo("hardware=3090&count=2&model=llama-3.3-70b&format=Q4_K_M");
    for symbol in ["M", "t_w", "t_k", "t_o", "t", "v", "t_prefill", "TTFT"] {
        assert!(checked.iter().any(|done| done == symbol), "{checked:?}");
    }
}

#[test]
fn with_layers_in_ram_the_weights_of_a_dense_model_can_be_redone() {
    let query =
        "hardware=rtx-4090&model=llama-3.3-70b&format=Q4_K_M&host=desktop-ddr5-5600-dual&ram=64";
    let checked = redo(query);
    for symbol in ["M", "t_w", "t", "v", "t_pc", "t_prefill", "TTFT"] {
        assert!(checked.iter().any(|done| done == symbol), "{checked:?}");
    }
}
