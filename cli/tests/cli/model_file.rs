//! Model files of the user's own: asked about like a model of the catalogue.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::{json, refused, stdout};

/// A folder for one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// What `model-file`'s tests have.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../model-file/tests/data")
        .join(name)
}

/// The header of a real GGUF file, and room for its tensors on a disk that keeps no zeros.
fn gguf(test: &str) -> String {
    let path = folder(test).join("smollm2.gguf");
    fs::copy(fixture("gguf/smollm2-135m-q4_1.gguf"), &path).expect("a copy");
    let file = File::options().write(true).open(&path).expect("a file");
    file.set_len(98_362_432).expect("room");
    path.to_str().expect("a path").to_owned()
}

/// A checkpoint's folder with only its config.
fn checkpoint(test: &str) -> String {
    let path = folder(test);
    fs::copy(
        fixture("configs/Qwen--Qwen3-30B-A3B.json"),
        path.join("config.json"),
    )
    .expect("a copy");
    path.to_str().expect("a path").to_owned()
}

#[test]
fn a_gguf_file_is_estimated_as_the_catalogues_model_in_its_format() {
    let path = gguf("estimate");
    let machine = ["estimate", "--hardware", "rtx-4090", "--context", "4096"];
    let own = json(&[&machine[..], &["--model-file", &path]].concat());
    let named = [
        &machine[..],
        &["--model", "smollm2-135m", "--format", "Q4_1"],
    ];
    let known = json(&named.concat());
    for key in ["decode", "prefill", "ttft_s", "curve", "fit"] {
        assert_eq!(own[key], known[key], "{key}");
    }
    for key in ["weights_bytes", "kv_cache_bytes", "total_bytes", "devices"] {
        assert_eq!(own["memory"][key], known["memory"][key], "{key}");
    }
    assert_eq!(own["inputs"]["format"], "Q4_1");
    assert_eq!(own["inputs"]["model"], "");
    let name = own["inputs"]["model_name"].as_str().expect("a name");
    assert!(name.starts_with("Smollm2 135M"), "{name}");
}

#[test]
fn no_page_is_named_that_does_not_know_the_model() {
    let path = gguf("page");
    for command in ["estimate", "explain", "fit"] {
        let text = stdout(&[command, "--hardware", "rtx-4090", "--model-file", &path]);
        assert!(!text.contains("page:"), "{text}");
    }
    let answer = json(&["estimate", "--hardware", "rtx-4090", "--model-file", &path]);
    assert_eq!(answer["permalink"], "");
}

#[test]
fn a_checkpoint_folder_is_called_by_its_name_and_offered_in_every_format() {
    let path = checkpoint("Qwen3-30B-A3B");
    let table = json(&["fit", "--hardware", "rtx-4090", "--model-file", &path]);
    assert_eq!(table["model"], "Qwen3-30B-A3B");
    assert!(table["rows"].as_array().expect("rows").len() > 3);
    let answer = json(&[
        "estimate",
        "--hardware",
        "h100",
        "--engine",
        "vllm",
        "--format",
        "bf16",
        "--model-file",
        &path,
    ]);
    assert_eq!(answer["inputs"]["format"], "bf16");
}

#[test]
fn a_model_file_describes_itself() {
    let path = gguf("describe");
    let model = json(&["model", &path]);
    assert_eq!(model["parameters"], 134_515_008);
    assert_eq!(model["file_bytes"], 98_362_432 - 1_785_664 + 17_984);
    assert_eq!(model["tensor_bytes"], 96_576_768);
    assert_eq!(model["bytes_by_type"]["Q4_1"], 66_355_200);
    assert_eq!(model["format"], "Q4_1");
    let text = stdout(&["model", &checkpoint("described")]);
    assert!(text.contains("8 of 128 experts of 768"), "{text}");
}

#[test]
fn the_formats_of_a_file_are_those_of_the_catalogues_model() {
    let path = gguf("formats");
    let own = json(&["formats", "--model-file", &path]);
    let known = json(&["formats", "--model", "smollm2-135m"]);
    assert_eq!(own["formats"], known["formats"]);
    let both = ["formats", "--model", "qwen3 8b", "--model-file", &path];
    assert!(refused(&both).contains("is given beside a model file"));
}

#[test]
fn files_that_can_not_be_read_are_refused_by_name() {
    let folder = folder("refused");
    let broken = folder.join("broken.gguf");
    fs::write(&broken, b"GGUF\x03\0\0\0").expect("a file");
    let broken = broken.to_str().expect("a path");
    let said = refused(&["model", broken]);
    assert!(
        said.contains("the file ends within its version and counts"),
        "{said}"
    );
    let said = refused(&["model", "no-such-file.gguf"]);
    assert!(
        said.contains("model-file `no-such-file.gguf`: can't be read"),
        "{said}"
    );
    let path = gguf("named");
    let both = [
        "estimate",
        "--hardware",
        "4090",
        "--model",
        "qwen3 8b",
        "--model-file",
        &path,
    ];
    assert!(refused(&both).contains("is given beside a model file"));
}

#[test]
fn an_unknown_family_names_the_nearest_and_can_be_assumed() {
    let folder = folder("unknown");
    let config = fs::read_to_string(fixture("configs/Qwen--Qwen3-0.6B.json")).expect("a config");
    let path = folder.join("config.json");
    fs::write(&path, config.replace("\"qwen3\"", "\"qwen7\"")).expect("a file");
    let path = path.to_str().expect("a path");
    let said = refused(&["model", path]);
    assert!(said.contains("`model_type` is `qwen7`"), "{said}");
    assert!(said.contains("`assume-family`"), "{said}");
    assert!(said.contains("`qwen3`"), "{said}");
    let model = json(&["model", path, "--assume-family", "qwen3"]);
    let assumed = model["assumed"][0].as_str().expect("a sentence");
    assert_eq!(
        assumed,
        "`model_type` is `qwen7`, read as if it were `qwen3`"
    );
}
