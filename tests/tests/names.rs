//! What people type finds what they mean.

use answer::{Field, Question, ask};

fn hardware(text: &str) -> String {
    match ask(&Question::common().with(Field::Hardware, text)) {
        Ok(answer) => answer.inputs.hardware,
        Err(problems) => problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; "),
    }
}

fn model(text: &str) -> (String, String) {
    let question = Question::default()
        .with(Field::Hardware, "m3 ultra 80 512gb")
        .with(Field::Model, text);
    match ask(&question) {
        Ok(answer) => (answer.inputs.model, answer.inputs.format),
        Err(problems) => (
            problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "),
            String::new(),
        ),
    }
}

#[test]
fn hardware_by_its_everyday_names() {
    for (text, id) in [
        ("4090", "rtx-4090"),
        ("RTX 4090", "rtx-4090"),
        ("rtx4090", "rtx-4090"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("m3 ultra 80", "m3-ultra-80c"),
        ("M3 Ultra 80-core", "m3-ultra-80c"),
        ("7900 xtx", "rx-7900-xtx"),
        ("strix halo", "ryzen-ai-max-plus-395"),
        ("dgx spark", "dgx-spark-gb10"),
        ("h100", "h100-sxm5-80gb"),
        ("a100", "a100-sxm4-80gb"),
        ("5090", "rtx-5090"),
        ("2x rtx 3090", "rtx-3090"),
        ("b580", "arc-b580"),
    ] {
        assert_eq!(hardware(text), id, "{text}");
    }
}

#[test]
fn models_by_their_everyday_names_with_a_format_behind() {
    for (text, id, format) in [
        ("llama 3.1 8b", "llama-3.1-8b", "Q4_K_M"),
        ("llama 3.3 70b q4", "llama-3.3-70b", "Q4_K_M"),
        ("Llama-3.3-70B Q8_0", "llama-3.3-70b", "Q8_0"),
        ("qwen3 30b a3b", "qwen3-30b-a3b", "Q4_K_M"),
        ("gpt oss 120b", "gpt-oss-120b", "MXFP4_MOE"),
        ("gemma 3 27b", "gemma-3-27b", "Q4_K_M"),
        ("deepseek v3", "deepseek-v3", "Q4_K_M"),
    ] {
        assert_eq!(model(text), (id.to_owned(), format.to_owned()), "{text}");
    }
}

fn assumed(hardware: &str, model: &str) -> Vec<String> {
    let question = Question::default()
        .with(Field::Hardware, hardware)
        .with(Field::Model, model);
    ask(&question)
        .map(|answer| answer.inputs.assumed)
        .unwrap_or_default()
}

#[test]
fn a_number_no_device_has_is_no_memory_of_another() {
    for text in [
        "ryzen 3600",
        "ryzen 5600",
        "ryzen 9 7900",
        "epyc 7702",
        "xeon gold 6248",
        "core i9 14900",
        "gtx 970",
        "m7",
        "apple 64",
    ] {
        let answer = hardware(text);
        assert!(answer.contains("unknown device"), "{text}: {answer}");
    }
    for (text, near) in [
        ("gtx 970", "gtx-1070"),
        ("epyc 7702", "epyc-7742"),
        ("m7", "m6"),
    ] {
        let problems = ask(&Question::common().with(Field::Hardware, text)).expect_err(text);
        let hint = problems[0].hint.as_deref().unwrap_or_default();
        assert!(hint.contains(near), "{text}: {hint}");
    }
    let huge = hardware("epyc 9654 99999999 GB");
    assert!(huge.contains("at most 65536 GB"), "{huge}");
}

#[test]
fn memory_that_was_given_is_not_assumed() {
    for text in ["epyc 9654 384gb", "m4 max 128", "m3 ultra 512 GB"] {
        let assumed = assumed(text, "llama-3.1-8b");
        let about_memory = assumed
            .iter()
            .any(|line| line.contains("RAM") || line.contains("memory"));
        assert!(!assumed.is_empty() && !about_memory, "{text}: {assumed:?}");
    }
    assert!(assumed("epyc 9654", "llama-3.1-8b").contains(&"64 GB of RAM".to_owned()));
}

#[test]
fn a_name_of_several_is_said_to_be_taken_for_one() {
    for (device, model, line) in [
        (
            "rtx-4090",
            "llama 3.1",
            "`llama 3.1` taken for llama-3.1-8b; also llama-3.1-70b, llama-3.1-405b",
        ),
        (
            "rtx-4090",
            "llama 3.1 q8",
            "`llama 3.1` taken for llama-3.1-8b; also llama-3.1-70b, llama-3.1-405b",
        ),
        (
            "2x rtx 6000 48gb",
            "llama-3.1-8b",
            "`rtx 6000` taken for rtx-6000-ada; \
             also quadro-rtx-6000, rtx-pro-6000-blackwell-workstation",
        ),
    ] {
        let assumed = assumed(device, model);
        assert!(assumed.iter().any(|said| said == line), "{assumed:?}");
    }
    let tpu = assumed("tpu", "llama-3.1-8b");
    assert!(tpu.iter().any(|said| said.ends_with(" more")), "{tpu:?}");
    let exact = assumed("rtx 4090", "Llama-3.1-8B-Instruct");
    assert!(
        !exact.iter().any(|said| said.contains("taken")),
        "{exact:?}"
    );
}

#[test]
fn what_is_no_format_belongs_to_the_model() {
    for text in ["granite 4", "qwen3 7b", "llama 5 q4"] {
        let answer = model(text).0;
        assert!(answer.contains("unknown model"), "{text}: {answer}");
    }
    for (text, id, format) in [
        ("hf.co/Qwen/Qwen3-8B-GGUF:Q8_0", "qwen3-8b", "Q8_0"),
        ("unsloth/Qwen3.8-27B-GGUF", "qwen3.8-27b", "Q4_K_M"),
        ("https://huggingface.co/Qwen/Qwen3-8B", "qwen3-8b", "Q4_K_M"),
        ("gpt-oss:20b", "gpt-oss-20b", "MXFP4_MOE"),
    ] {
        assert_eq!(model(text), (id.to_owned(), format.to_owned()), "{text}");
    }
}

#[test]
fn a_slip_is_answered_with_the_nearest_name() {
    let problems = ask(&Question::common()
        .with(Field::Hardware, "rtx4900")
        .with(Field::Model, "lama-3.1-8b"))
    .expect_err("both are misspelt");
    let hint = |field| {
        let problem = problems.iter().find(|problem| problem.field == field);
        problem
            .and_then(|problem| problem.hint.clone())
            .unwrap_or_default()
    };
    assert!(hint(Field::Hardware).contains("rtx-4090"), "{problems:?}");
    assert!(hint(Field::Model).contains("llama-3.1-8b"), "{problems:?}");
}

#[test]
fn combinations_that_cannot_be_name_the_field_and_the_way_out() {
    for (hardware, format, engine, field, hint) in [
        ("rtx-4090", "mlx-4bit", "", Field::Format, "Apple silicon"),
        ("rtx-4090", "Q4_K_M", "mlx", Field::Engine, "GGUF"),
        ("rtx-2080-ti", "fp8", "", Field::Format, "FP8"),
        ("gtx-1080-ti", "bf16", "", Field::Format, "GGUF"),
        ("gtx-1080-ti", "int8", "sglang", Field::Engine, "Volta"),
        ("m4-max-40c", "fp8", "vllm", Field::Engine, "vllm"),
        ("epyc-9654", "nvfp4", "vllm", Field::Format, "GGUF"),
    ] {
        let mut question = Question::common()
            .with(Field::Hardware, hardware)
            .with(Field::Format, format);
        if !engine.is_empty() {
            question.set(Field::Engine, engine);
        }
        let problems = ask(&question).expect_err(hardware);
        assert_eq!(problems[0].field, field, "{problems:?}");
        assert!(
            problems[0]
                .hint
                .as_deref()
                .is_some_and(|text| text.contains(hint)),
            "{problems:?}"
        );
    }
}

#[test]
fn an_emulated_format_is_answered_with_a_warning() {
    let question = Question::common()
        .with(Field::Hardware, "rtx-3090")
        .with(Field::Format, "fp8");
    let answer = ask(&question).expect("Ampere emulates FP8");
    assert!(
        answer
            .warnings
            .iter()
            .any(|warning| warning.code == "emulated"),
        "{:?}",
        answer.warnings
    );
}
