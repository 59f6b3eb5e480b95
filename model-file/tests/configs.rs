//! Configs as published (`tests/data/configs/README.md`): each comes to what the catalogue has of its model.

#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

use bandwise_model_file::{OwnModel, ReadError, config};
use estimator::architecture::Part;

fn bytes(name: &str) -> Vec<u8> {
    let path = format!(
        "{}/tests/data/configs/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read(path).expect("a file")
}

fn read(name: &str) -> Result<OwnModel, ReadError> {
    config::read(&bytes(name), None)
}

/// Config, model of the catalogue, format the config names.
const MODELS: &[(&str, &str, &str)] = &[
    ("MiniMaxAI--MiniMax-M2.5", "minimax-m2.5", "fp8-block"),
    ("Qwen--Qwen3-0.6B", "qwen3-0.6b", "bf16"),
    ("Qwen--Qwen3-30B-A3B", "qwen3-30b-a3b", "bf16"),
    ("Qwen--Qwen3-32B-FP8", "qwen3-32b", "fp8-block"),
    ("Qwen--Qwen3-VL-4B-Instruct", "qwen3-vl-4b", "bf16"),
    (
        "Qwen--Qwen3-VL-30B-A3B-Instruct",
        "qwen3-vl-30b-a3b",
        "bf16",
    ),
    ("Qwen--Qwen3.5-27B", "qwen3.5-27b", "bf16"),
    ("Qwen--Qwen3.5-35B-A3B", "qwen3.5-35b-a3b", "bf16"),
    ("XiaomiMiMo--MiMo-7B-Base", "mimo-7b", "bf16"),
    ("XiaomiMiMo--MiMo-V2-Flash", "mimo-v2-flash", "fp8-block"),
    ("deepseek-ai--DeepSeek-V3", "deepseek-v3", "fp8-block"),
    ("deepseek-ai--DeepSeek-V3.2", "deepseek-v3.2", "fp8-block"),
    ("google--gemma-4-26B-A4B", "gemma-4-26b-a4b", "bf16"),
    (
        "meta-llama--Llama-4-Maverick-17B-128E-Instruct",
        "llama-4-maverick-17b-128e",
        "bf16",
    ),
    (
        "meta-llama--Llama-4-Scout-17B-16E-Instruct",
        "llama-4-scout-17b-16e",
        "bf16",
    ),
    ("meta-llama--Meta-Llama-3.1-8B", "llama-3.1-8b", "bf16"),
    ("mistralai--Mixtral-8x7B-v0.1", "mixtral-8x7b", "bf16"),
    ("moonshotai--Kimi-K2-Instruct", "kimi-k2", "fp8-block"),
    ("moonshotai--Kimi-K2.5", "kimi-k2.5", "int4"),
    (
        "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
        "nemotron-3-nano-30b-a3b",
        "bf16",
    ),
    (
        "nvidia--NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4",
        "nemotron-3-super-120b-a12b",
        "bf16",
    ),
    ("nvidia--Nemotron-H-56B-Base-8K", "nemotron-h-56b", "bf16"),
    ("openai--gpt-oss-20b", "gpt-oss-20b", "mxfp4"),
    ("zai-org--GLM-5", "glm-5", "bf16"),
    ("zai-org--GLM-5.2", "glm-5.2", "bf16"),
];

#[test]
fn a_config_has_the_layers_and_weights_of_the_catalogues_record() {
    for (name, id, _) in MODELS {
        let read = read(name).expect(name).architecture;
        let known = model_db::get(id).expect(id).architecture();
        assert_eq!(read.layers.len(), known.layers.len(), "{name}");
        for (number, (read, known)) in read.layers.iter().zip(&known.layers).enumerate() {
            assert_eq!(read, known, "{name}, layer {number}");
        }
        let (ours, theirs) = (read.parameters(), known.parameters());
        for part in Part::ALL {
            let (ours, theirs) = (ours.by_part.get(part), theirs.by_part.get(part));
            assert_eq!(ours, theirs, "{name}, {}", part.name());
        }
        assert_eq!(read.tied_embeddings, known.tied_embeddings, "{name}");
        assert_eq!(read.max_context, known.max_context, "{name}");
    }
}

#[test]
fn what_the_class_of_each_family_writes_has_the_layers_and_weights_of_the_catalogue() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/configs/transformers"
    );
    let mut families = 0;
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("a file").path();
        let id = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        let model = config::read(&std::fs::read(&path).expect("a file"), None).expect(id);
        let known = model_db::get(id).expect(id).architecture();
        assert_eq!(model.architecture.layers, known.layers, "{id}");
        assert_eq!(model.architecture.parameters(), known.parameters(), "{id}");
        families += 1;
    }
    assert!(families > 40, "{families}");
}

#[test]
fn a_config_names_the_format_its_weights_are_in() {
    for (name, _, format) in MODELS {
        let model = read(name).expect(name);
        assert_eq!(model.format.expect(name).name(), *format, "{name}");
        assert_eq!(model.assumed, [""; 0], "{name}");
    }
}

#[test]
fn what_stands_beside_a_config_says_how_weights_are_stored() {
    let name = "nvidia--NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4";
    let beside = bytes(&format!("{name}_hf_quant_config"));
    let model = config::read_quantized(&bytes(name), &beside, None).expect("a model");
    assert_eq!(model.format.expect("a format").name(), "nvfp4");
}

#[test]
fn what_a_config_leaves_out_is_refused_not_guessed() {
    for name in ["deepseek-ai--DeepSeek-V4-Flash", "moonshotai--Kimi-K3"] {
        let error = read(name).expect_err(name);
        assert!(matches!(error, ReadError::NotEstimated { .. }), "{error}");
    }
}

#[test]
fn an_unknown_family_is_refused_and_the_nearest_offered() {
    let text = String::from_utf8(bytes("Qwen--Qwen3-0.6B")).expect("UTF-8");
    let text = text.replace("\"qwen3\"", "\"qwen9\"");
    let error = config::read(text.as_bytes(), None).expect_err("an unknown family");
    assert_eq!(
        error.to_string(),
        "`model_type` is `qwen9`, an architecture that is not known here"
    );
    let hint = error.hint().expect("a hint");
    assert!(hint.contains("`qwen3`"), "{hint}");

    let assumed = config::read(text.as_bytes(), Some("qwen3")).expect("a model");
    assert_eq!(
        assumed.assumed,
        ["`model_type` is `qwen9`, read as if it were `qwen3`"]
    );
    let known = read("Qwen--Qwen3-0.6B").expect("a model");
    assert_eq!(assumed.architecture.layers, known.architecture.layers);

    let error = config::read(text.as_bytes(), Some("qwen33")).expect_err("no such family");
    assert_eq!(
        error.to_string(),
        "`qwen33` is no family that can be assumed"
    );
}
