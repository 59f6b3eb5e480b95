//! Answers: the promises of the documentation, and that the numbers are the library's.

use answer::{Field, Question};
use serde_json::Value;

use crate::{json, stdout};

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

const COMMON: [&str; 9] = [
    "estimate",
    "--hardware",
    "rtx-4090",
    "--model",
    "llama-3.1-8b",
    "--format",
    "Q4_K_M",
    "--context",
    "4096",
];

#[test]
fn a_4090_runs_llama_3_1_8b_as_measured() {
    let answer = json(&COMMON);
    let number = |pointer: &str| {
        answer
            .pointer(pointer)
            .and_then(Value::as_f64)
            .unwrap_or_else(|| panic!("{pointer}"))
    };
    let file = number("/memory/file_bytes") / GIB;
    assert!((file / 4.58 - 1.0).abs() < 0.005, "file {file} GiB");
    assert_eq!(answer["memory"]["kv_cache_bytes"], 512 * 1024 * 1024);
    let total = number("/memory/total_bytes") / GIB;
    assert!((5.3..=6.2).contains(&total), "total {total} GiB");
    let speed = number("/decode/tok_s/typical");
    assert!((100.0..=150.0).contains(&speed), "decode {speed} tok/s");
    assert_eq!(answer["fit"]["verdict"], "fits");
}

#[test]
fn the_json_of_an_estimate_is_the_library_s_to_the_byte() {
    let question = Question::default()
        .with(Field::Hardware, "rtx-4090")
        .with(Field::Model, "llama-3.1-8b")
        .with(Field::Format, "Q4_K_M")
        .with(Field::Context, "4096");
    let expected = answer::ask(&question).expect("an answer");
    let expected = serde_json::to_string_pretty(&expected).expect("JSON") + "\n";
    assert_eq!(stdout(&[&COMMON[..], &["--json"]].concat()), expected);
}

#[test]
fn the_keys_that_others_rely_on_are_there() {
    let answer = json(&COMMON);
    let interval = |at: &str| ["low", "typical", "high"].map(|key| format!("{at}/{key}"));
    let mut keys: Vec<String> = [
        "memory/weights_bytes",
        "memory/kv_cache_bytes",
        "memory/compute_bytes",
        "memory/runtime_bytes",
        "memory/total_bytes",
        "memory/capacity_bytes",
        "memory/devices/0",
        "fit/verdict",
        "fit/headroom_bytes",
        "decode/bound",
        "decode/basis",
        "prefill/bound",
        "prefill/basis",
        "curve/0/context",
        "curve/0/tok_s",
        "steps/0",
        "warnings",
        "methodology",
        "permalink",
    ]
    .map(str::to_owned)
    .to_vec();
    for at in ["decode/tok_s", "decode/tpot_ms", "prefill/tok_s", "ttft_s"] {
        keys.extend(interval(at));
    }
    for key in keys {
        let value = answer.pointer(&format!("/{key}"));
        assert!(value.is_some_and(|value| !value.is_null()), "{key}");
    }
}

#[test]
fn names_resolve_as_people_type_them() {
    let inputs = |hardware: &str, model: &str| {
        let inputs =
            json(&["estimate", "--hardware", hardware, "--model", model])["inputs"].clone();
        ["hardware", "model", "format"]
            .map(|key| inputs[key].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(
        inputs("4090", "llama-3.1-8b"),
        ["rtx-4090", "llama-3.1-8b", "Q4_K_M"]
    );
    assert_eq!(
        inputs("RTX 4090", "llama-3.1-8b"),
        ["rtx-4090", "llama-3.1-8b", "Q4_K_M"]
    );
    assert_eq!(
        inputs("m3 ultra 80", "llama 3.3 70b q4"),
        ["m3-ultra-80c", "llama-3.3-70b", "Q4_K_M"]
    );
    // Published in 4 bits, so that is what people run.
    assert_eq!(
        inputs("strix halo", "gpt-oss 20b")[1..],
        ["gpt-oss-20b", "MXFP4_MOE"]
    );
    let machine = json(&[
        "estimate",
        "--hardware",
        "2x 3090",
        "--model",
        "llama-3.1-8b",
    ]);
    assert_eq!(machine["inputs"]["hardware"], "rtx-3090");
    assert_eq!(machine["inputs"]["count"], 2);
}

#[test]
fn the_first_line_is_the_answer_and_the_last_its_page() {
    let text = stdout(&COMMON);
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.starts_with(
            "Llama 3.1 8B in Q4_K_M fits on GeForce RTX 4090 with 4K tokens of context: "
        ),
        "{first}"
    );
    assert!(first.contains(" tok/s, first"), "{first}");
    let last = text.lines().last();
    assert_eq!(
        last,
        Some("page: /?hardware=rtx-4090&model=llama-3.1-8b&format=Q4_K_M&context=4096")
    );
}

#[test]
fn explain_prints_the_steps_of_the_same_estimate() {
    let steps = json(&[
        "explain",
        "--hardware",
        "rtx-4090",
        "--model",
        "llama-3.1-8b",
        "--format",
        "Q4_K_M",
        "--context",
        "4096",
    ]);
    assert_eq!(steps, json(&COMMON)["steps"]);
}

#[test]
fn a_fit_table_says_for_each_cell_what_an_estimate_says() {
    let table = json(&["fit", "--hardware", "rtx-4060", "--model", "llama-3.1-8b"]);
    let rows = table["rows"].as_array().expect("rows");
    assert!(rows.len() >= 5, "{} formats", rows.len());
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    for row in rows {
        for cell in row["cells"].as_array().expect("cells") {
            let (format, context) = (text(&row["format"]), cell["context"].to_string());
            if !["Q8_0", "Q4_K_M"].contains(&format.as_str())
                || !["4096", "131072"].contains(&context.as_str())
            {
                continue;
            }
            let alone = json(&[
                "estimate",
                "--hardware",
                "rtx-4060",
                "--model",
                "llama-3.1-8b",
                "--format",
                &format,
                "--context",
                &context,
            ]);
            assert_eq!(
                cell["verdict"], alone["fit"]["verdict"],
                "{format} at {context}"
            );
            assert_eq!(
                cell["total_bytes"], alone["memory"]["total_bytes"],
                "{format} at {context}"
            );
        }
    }
}

#[test]
fn what_runs_is_narrowed_and_ordered_as_asked() {
    let speeds = |arguments: &[&str]| -> Vec<f64> {
        let list = json(&[&["what-runs", "--hardware", "rtx-4090"], arguments].concat());
        let rows = list["rows"].as_array().expect("rows").clone();
        rows.iter()
            .map(|row| row["tok_s"]["typical"].as_f64().unwrap_or(0.0))
            .collect()
    };
    let fastest_first = speeds(&["--sort", "speed"]);
    assert!(fastest_first.windows(2).all(|pair| pair[0] >= pair[1]));
    assert!(
        speeds(&["--min-tok-s", "100"])
            .iter()
            .all(|speed| *speed >= 100.0)
    );
    assert_eq!(speeds(&["--limit", "1"]).len(), 1);
    assert_eq!(speeds(&["--limit", "0"]).len(), speeds(&[]).len());
    assert!(speeds(&["--min-tok-s", "1000000"]).is_empty());
}
