//! The engine's command for a set-up.

use crate::{output, refused, stdout};

/// What `flags` prints for a set-up.
fn printed(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    stdout(&[&["flags"], &*words].concat())
}

#[test]
fn each_engine_has_its_own_command() {
    for (name, words) in [
        (
            "llama.cpp",
            "--hardware rtx-4090 --model llama-3.1-8b --format Q4_K_M --context 32K",
        ),
        (
            "experts-in-ram",
            "--hardware rtx-4090 --model gpt-oss-120b --host desktop-ddr5-5600-dual --ram 96 \
             --context 16K --concurrency 2",
        ),
        (
            "layers-in-ram",
            "--hardware rtx-4090 --model llama-3.3-70b --format Q4_K_M --host \
             desktop-ddr5-5600-dual --ram 64 --engine ik_llama.cpp",
        ),
        (
            "mixed-cards",
            "--hardware rtx-4090+rtx-3060 --model qwen3-32b --format Q6_K --kv-type q8_0",
        ),
        ("cpu", "--hardware ryzen-9-7950x --ram 64 --model qwen3-8b"),
        (
            "ollama",
            "--hardware rtx-4090 --model qwen3-14b --format Q4_K_M --engine ollama --slots 2 \
             --kv-type q8_0 --reserve 1",
        ),
        (
            "lm-studio",
            "--hardware rtx-3060 --model qwen3-14b --format Q8_0 --engine lm-studio --host \
             desktop-ddr5-5600-dual --ram 32",
        ),
        (
            "mlx",
            "--hardware m4-max-40 --memory 64 --model qwen3-30b-a3b --engine mlx",
        ),
        (
            "vllm",
            "--hardware h100 --count 2 --model llama-3.3-70b --engine vllm --format fp8 \
             --kv-type fp8 --concurrency 16 --context 16K",
        ),
        (
            "sglang",
            "--hardware h100 --count 2 --model llama-3.3-70b --engine sglang --format awq \
             --concurrency 16",
        ),
        (
            "tensorrt-llm",
            "--hardware h100 --count 4 --model llama-3.3-70b --engine tensorrt-llm --kv-type fp8",
        ),
        (
            "exllamav3",
            "--hardware rtx-3090 --count 2 --model llama-3.3-70b --engine exllamav3 --kv-type q8_0",
        ),
        (
            "ktransformers",
            "--hardware rtx-4090 --model qwen3-30b-a3b --format Q4_K_M --engine ktransformers \
             --host desktop-ddr5-5600-dual --ram 64",
        ),
    ] {
        insta::assert_snapshot!(format!("flags-{name}"), printed(words));
    }
}

#[test]
fn the_json_has_the_words_and_the_text() {
    // As printed: a parsed value's order of keys depends on features of other packages.
    let printed = stdout(&[
        "flags",
        "--hardware",
        "4090",
        "--model",
        "qwen3-8b",
        "--engine",
        "ollama",
        "--json",
    ]);
    insta::assert_snapshot!("flags-json", printed);
}

#[test]
fn what_does_not_fit_ends_with_1_and_the_ways_out() {
    let words = ["flags", "--hardware", "4060", "--model", "llama 3.3 70b q4"];
    let said = output(&words);
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    assert_eq!(said.stdout, b"");
    let text = String::from_utf8(said.stderr).expect("text");
    insta::assert_snapshot!("flags-does-not-fit", text);
    let said = output(&[&words[..], &["--json"]].concat());
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    let said: serde_json::Value = serde_json::from_slice(&said.stdout).expect("JSON");
    assert_eq!(said["problems"][0]["field"], "model");
    // Input that can't be used ends as everywhere.
    refused(&["flags", "--hardware", "4060"]);
}
