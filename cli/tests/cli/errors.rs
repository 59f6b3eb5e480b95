//! Input that can't be used: every problem at once, each with what is allowed or near.

use crate::{json, output, refused, stdout};

#[test]
fn all_problems_are_named_at_once_with_hints_in_their_own_lines() {
    insta::assert_snapshot!("missing-inputs", refused(&["estimate"]));
    insta::assert_snapshot!(
        "unknown-names",
        refused(&[
            "estimate",
            "--hardware",
            "rtx4900",
            "--model",
            "llama 3.1 8c"
        ])
    );
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for value in [
        "0",
        "-1",
        "NaN",
        "inf",
        "1e9",
        "99999999999999999999",
        "4.5",
        "many",
    ] {
        for flag in [
            "--context",
            "--count",
            "--concurrency",
            "--prompt",
            "--output",
            "--ubatch",
        ] {
            let text = refused(&[
                "estimate",
                "--hardware",
                "4090",
                "--model",
                "llama-3.1-8b",
                &format!("{flag}={value}"),
            ]);
            let field = flag.trim_start_matches("--");
            assert!(
                text.starts_with(&format!("error: {field} `{value}`: ")),
                "{text}"
            );
        }
    }
}

#[test]
fn a_negative_number_is_a_value_and_not_a_flag() {
    let text = refused(&[
        "estimate",
        "--hardware",
        "4090",
        "--model",
        "llama-3.1-8b",
        "--context",
        "-1",
    ]);
    insta::assert_snapshot!("negative", text);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let ask = |more: &[&str]| refused(&[&["estimate", "--model", "llama-3.1-8b"], more].concat());
    insta::assert_snapshot!(
        "mlx-on-nvidia",
        ask(&["--hardware", "4090", "--format", "mlx-4bit"])
    );
    insta::assert_snapshot!(
        "fp8-on-apple",
        ask(&["--hardware", "m3 ultra 80", "--format", "fp8"])
    );
    insta::assert_snapshot!(
        "gguf-on-vllm",
        ask(&[
            "--hardware",
            "4090",
            "--format",
            "Q4_K_M",
            "--engine",
            "vllm"
        ])
    );
}

#[test]
fn with_json_the_problems_are_an_object_on_stdout() {
    let output = output(&[
        "estimate",
        "--hardware",
        "rtx4900",
        "--model",
        "llama-3.1-8b",
        "--context",
        "0",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stderr, b"");
    insta::assert_snapshot!("json-problems", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn with_json_even_a_wrong_flag_is_answered_in_json() {
    let output = output(&["estimate", "--modle", "x", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("json-wrong-flag", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn a_wrong_flag_names_the_near_one() {
    let text = refused(&["estimate", "--modle", "x"]);
    assert!(
        text.contains("--modle") && text.contains("--model"),
        "{text}"
    );
}

#[test]
fn filters_and_limits_say_what_is_allowed() {
    insta::assert_snapshot!(
        "unknown-vendor",
        refused(&["hardware", "list", "--vendor", "nvida"])
    );
    insta::assert_snapshot!(
        "unknown-kind",
        refused(&["hardware", "list", "--kind", "gpu"])
    );
    insta::assert_snapshot!(
        "unknown-device",
        refused(&["hardware", "show", "rtx", "4900"])
    );
    insta::assert_snapshot!(
        "negative-limit",
        refused(&["what-runs", "--hardware", "4090", "--limit", "-1"])
    );
    insta::assert_snapshot!(
        "not-a-speed",
        refused(&["what-runs", "--hardware", "4090", "--min-tok-s", "fast"])
    );
}

#[test]
fn the_words_are_those_of_the_library() {
    let question = answer::Question::default()
        .with(answer::Field::Hardware, "rtx4900")
        .with(answer::Field::Model, "llama-3.1-8b")
        .with(answer::Field::Engine, "vlm");
    let problems: Vec<String> = answer::ask(&question)
        .expect_err("two names are wrong")
        .iter()
        .map(|problem| {
            let hint = problem
                .hint
                .as_ref()
                .map(|hint| format!("  hint: {hint}\n"))
                .unwrap_or_default();
            format!("error: {problem}\n{hint}")
        })
        .collect();
    let text = refused(&[
        "estimate",
        "--hardware",
        "rtx4900",
        "--model",
        "llama-3.1-8b",
        "--engine",
        "vlm",
    ]);
    assert_eq!(text, problems.concat());
}

#[test]
fn odd_text_never_panics() {
    for text in [
        "",
        " ",
        "\u{0}",
        "💥",
        "--",
        "'; drop",
        "\u{202e}abc",
        "x".repeat(10_000).as_str(),
    ] {
        for flag in [
            "--hardware",
            "--model",
            "--format",
            "--engine",
            "--kv-type",
            "--ram",
            "--host",
            "--power",
        ] {
            if text.contains('\u{0}') {
                continue; // no operating system passes it on
            }
            let given = format!("{flag}={text}");
            let output = output(&[
                "estimate",
                "--hardware=4090",
                "--model=llama-3.1-8b",
                &given,
                "--json",
            ]);
            assert!(
                matches!(output.status.code(), Some(0 | 2)),
                "{given}: {output:?}"
            );
            serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON either way");
        }
    }
}

#[test]
fn a_blank_flag_counts_as_left_out() {
    let blank = json(&[
        "estimate",
        "--hardware=4090",
        "--model=llama-3.1-8b",
        "--format=",
    ]);
    assert_eq!(
        blank,
        json(&["estimate", "--hardware=4090", "--model=llama-3.1-8b"])
    );
    assert!(
        stdout(&[
            "estimate",
            "--hardware=4090",
            "--model=llama-3.1-8b",
            "--ram= "
        ])
        .contains("fits")
    );
}

#[test]
fn what_no_model_can_do_on_a_machine_is_refused_and_not_an_empty_list() {
    let ask = |more: &[&str]| refused(&[&["what-runs", "--hardware", "4090"], more].concat());
    assert!(ask(&["--format", "mlx-4bit"]).contains("can't run mlx-4bit weights"));
    assert!(ask(&["--context", "0"]).starts_with("error: context `0`: must be between 1 and "));
    assert!(ask(&["--concurrency", "0"]).starts_with("error: concurrency `0`: "));
    assert!(ask(&["--context", "99999999999"]).starts_with("error: context `99999999999`: "));
}
