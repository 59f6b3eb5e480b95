//! Headers of real files, their lists of tokens cut short (`tests/data/gguf/README.md`).

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

use bandwise_model_file::gguf::{self, Header};
use bandwise_model_file::{OwnModel, Progress};
use estimator::architecture::{Architecture, Span};
use estimator::weights::Weights;

fn header(name: &str) -> Header {
    let path = format!("{}/tests/data/gguf/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a file");
    match gguf::read(&bytes, None).expect("a header") {
        Progress::Done(header) => header,
        Progress::NeedMore { at_least } => panic!("{name} has not {at_least} bytes"),
    }
}

fn model(name: &str) -> OwnModel {
    gguf::model(&header(name), None).expect("a model")
}

/// The catalogue's description of a model.
fn catalogue(id: &str) -> Architecture {
    model_db::get(id).expect("an id").architecture()
}

#[test]
fn a_file_is_what_the_catalogue_says_of_its_model() {
    for (file, id) in [
        ("smollm2-135m-q4_1.gguf", "smollm2-135m"),
        ("gemma-3-270m-q4_k_m.gguf", "gemma-3-270m"),
        (
            "r1-distill-qwen-7b-q4_k_m.gguf",
            "deepseek-r1-distill-qwen-7b",
        ),
    ] {
        let read = model(file).architecture;
        let known = catalogue(id);
        assert_eq!(read.layers, known.layers, "{file}");
        assert_eq!(
            Architecture {
                family: known.family.clone(),
                max_context: known.max_context,
                ..read
            },
            known,
            "{file}"
        );
    }
}

#[test]
fn its_tensors_are_the_bytes_the_file_has() {
    // lengths of the whole files, less where their tensors begin
    for (file, tensors) in [
        ("smollm2-135m-q4_1.gguf", 98_362_432 - 1_785_664),
        ("gemma-3-270m-q4_k_m.gguf", 253_113_024 - 6_525_120),
        ("r1-distill-qwen-7b-q4_k_m.gguf", 4_683_073_248 - 5_953_248),
    ] {
        let header = header(file);
        assert_eq!(header.end() - header.data_offset, tensors, "{file}");
    }
}

#[test]
fn the_rules_of_its_format_give_the_same_bytes_as_its_tensors() {
    for file in [
        "smollm2-135m-q4_1.gguf",
        "gemma-3-270m-q4_k_m.gguf",
        "r1-distill-qwen-7b-q4_k_m.gguf",
    ] {
        let model = model(file);
        let format = model.format.expect("a format");
        let own = model.weights(&format);
        let ruled = Weights::of(&model.architecture, &format);
        assert_eq!(own.total(), ruled.total(), "{file}");
        assert_eq!(own.layers(), ruled.layers(), "{file}");
        let sorted = |weights: &Weights| {
            let mut list: Vec<_> = weights.encodings().collect();
            list.sort_by_key(|(encoding, _)| *encoding);
            list
        };
        assert_eq!(sorted(&own), sorted(&ruled), "{file}");
        assert!(model.assumed.is_empty());
    }
}

#[test]
fn every_sixth_layer_of_gemma_3_sees_everything() {
    let model = model("gemma-3-270m-q4_k_m.gguf");
    let spans: Vec<_> = model
        .architecture
        .layers
        .iter()
        .filter_map(|layer| layer.attention.map(|attention| attention.span))
        .collect();
    for (number, span) in spans.iter().enumerate() {
        let expected = if number % 6 == 5 {
            Span::Full
        } else {
            Span::Sliding { window: 512 }
        };
        assert_eq!(*span, expected, "layer {number}");
    }
}

#[test]
fn any_start_of_a_header_asks_for_more_than_there_is() {
    let path = format!(
        "{}/tests/data/gguf/smollm2-135m-q4_1.gguf",
        env!("CARGO_MANIFEST_DIR")
    );
    let bytes = std::fs::read(path).expect("a file");
    let mut length = 0;
    let mut rounds = 0;
    while let Progress::NeedMore { at_least } =
        gguf::read(&bytes[..length], Some(98_362_432)).expect("no error")
    {
        let wanted = usize::try_from(at_least).expect("a length");
        assert!(wanted > length, "{wanted} after {length}");
        assert!(wanted <= bytes.len(), "{wanted} of {}", bytes.len());
        length = wanted;
        rounds += 1;
    }
    assert!(rounds > 10);
    for length in (0..bytes.len()).step_by(97) {
        let read = gguf::read(&bytes[..length], None).expect("no error");
        assert!(
            matches!(read, Progress::NeedMore { at_least } if at_least > u64::try_from(length).expect("a length"))
        );
    }
}
