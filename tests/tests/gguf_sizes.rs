//! GGUF sizes of catalogued models, against what the engine's quantizer reports: exact to the byte.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

use answer::formats::{Asked, FormatRow};
use estimator::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Dense, Gate, Layer, Span,
};
use estimator::format::{Encoding, GgufType, WeightFormat};
use estimator::weights::Weights;

const SIZES: &str = include_str!("../data/filesizes.csv");

/// A synthetic model of the table: sixteen heads that share no keys.
fn mha_1b() -> Architecture {
    let layer = Layer {
        attention: Some(Attention {
            heads: 16,
            kind: AttentionKind::Grouped {
                kv_heads: 16,
                head_dim: 128,
                v_head_dim: 128,
                k_equals_v: false,
            },
            span: Span::Full,
            cache: CacheOwner::Own,
            gate: Gate::None,
            qkv_bias: false,
            output_bias: false,
            fused_qkv: false,
            q_norm: 0,
            k_norm: 0,
            small: 0,
            indexer: None,
        }),
        dense: Some(Dense {
            width: 5632,
            gated: true,
            bias: false,
            fused: false,
        }),
        norms: 2,
        ..Layer::default()
    };
    Architecture {
        family: "llama".to_owned(),
        hidden: 2048,
        vocabulary: 32_000,
        output_vocabulary: 32_000,
        tied_embeddings: false,
        output_bias: false,
        positions: 0,
        norms: 1,
        layers: vec![layer; 16],
        counted: Vec::new(),
        max_context: Some(32_768),
        vision_parameters: 0,
        mtp_layers: 0,
        mtp_parameters: 0,
    }
}

/// Every file the engine wrote or published: its whole size, and that of its header where the
/// file has no tokenizer, which a synthetic one hasn't.
const FILES: [(&str, &str, u64, u64); 3] = [
    ("smollm2-135m", "Q4_1", 98_362_432, 96_576_768),
    ("gemma-3-270m", "Q4_K_M", 253_113_024, 246_587_904),
    (
        "deepseek-r1-distill-qwen-7b",
        "Q4_K_M",
        4_683_073_248,
        4_677_120_000,
    ),
];

#[test]
fn published_files_are_met_to_half_a_percent_and_their_tensors_to_the_byte() {
    for (model, format, file, tensors) in FILES {
        let row = listed(model, format);
        assert_eq!(row.tensor_bytes, tensors, "{model} {format}");
        let off = row.file_bytes.abs_diff(file);
        assert!(
            off * 200 <= file,
            "{model} {format}: {} {file}",
            row.file_bytes
        );
    }
}

/// A format of a model as the program lists it.
fn listed(model: &str, format: &str) -> FormatRow {
    let asked = Asked {
        model: Some(model),
        ..Asked::default()
    };
    let list = answer::formats::formats(&asked).expect("a model");
    let rows: Vec<_> = list
        .formats
        .into_iter()
        .filter(|row| row.format == format)
        .collect();
    match <[FormatRow; 1]>::try_from(rows) {
        Ok([row]) => row,
        Err(rows) => panic!("{model} {format}: {} rows", rows.len()),
    }
}

#[test]
fn every_model_is_listed_in_every_gguf_file_type() {
    for model in model_db::models() {
        let asked = Asked {
            model: Some(&model.id),
            ..Asked::default()
        };
        let list = answer::formats::formats(&asked).expect("a model");
        assert_eq!(list.model, model.id);
        for kind in GgufType::ALL {
            let row = list.formats.iter().find(|row| row.format == kind.name());
            let row = row.unwrap_or_else(|| panic!("{} {kind:?}", model.id));
            assert!(row.file_bytes > row.tensor_bytes, "{} {kind:?}", model.id);
            let sum: u64 = row.bytes_by_type.values().sum();
            assert_eq!(sum, row.tensor_bytes, "{} {kind:?}", model.id);
            assert!(row.resident_bytes <= row.tensor_bytes);
            assert!((1.5..=32.1).contains(&row.bits_per_weight), "{row:?}");
        }
    }
}

#[test]
fn an_estimate_says_the_same_size_of_the_file() {
    for model in ["qwen3.8-27b", "gemma-4-e4b", "glm-4.6", "llama-3.1-8b"] {
        let query = format!("hardware=h200&count=8&model={model}&format=Q4_K_M");
        let question = answer::Question::from_query(&query).0;
        let answer = answer::ask(&question).expect("an answer");
        let list = answer::formats::from_query(&format!("model={model}&format=Q4_K_M"));
        let [row] = list.expect("a list").formats.try_into().expect("one row");
        assert_eq!(answer.memory.file_bytes, row.file_bytes, "{model}");
    }
}

fn architecture(model: &str) -> Option<Architecture> {
    if model == "mha-1b" {
        return Some(mha_1b());
    }
    model_db::get(model).map(model_db::ModelRecord::architecture)
}

#[test]
fn every_size_of_the_quantizer_is_exact() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    let table = SIZES.lines().filter(|line| !line.starts_with('#'));
    for line in table.skip(1) {
        let mut cells = line.split(',');
        let (Some(model), Some(format), Some(bytes)) = (cells.next(), cells.next(), cells.next())
        else {
            panic!("`{line}` has not three cells");
        };
        let bytes: u64 = bytes.parse().expect("a number of bytes");
        let architecture =
            architecture(model).unwrap_or_else(|| panic!("`{model}` is not in the catalogue"));
        let kind = GgufType::ALL
            .iter()
            .find(|kind| kind.name() == format)
            .unwrap_or_else(|| panic!("`{format}` is not a file type"));
        let weights = Weights::of(&architecture, &WeightFormat::gguf(*kind));
        let ours = weights.total().bytes;
        if model_db::get(model).is_some() {
            assert_eq!(listed(model, format).tensor_bytes, ours, "{model} {format}");
        }
        if ours != bytes {
            wrong.push(format!("{model} {format}: {ours}, quantizer {bytes}"));
        }
        rows += 1;
    }
    assert_eq!(rows, 320);
    assert!(
        wrong.is_empty(),
        "{} of {rows} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_model_in_every_format_has_a_sensible_size() {
    for model in model_db::models() {
        let architecture = model.architecture();
        let parameters = architecture.parameters().total;
        let plain = Weights::of(&architecture, &WeightFormat::Bf16).resident();
        for format in WeightFormat::all() {
            let weights = Weights::of(&architecture, format);
            let total = weights.total();
            if !(architecture.tied_embeddings && format.unties_embeddings()) {
                assert_eq!(total.elements, parameters, "{} {format}", model.id);
            }
            let by_encoding: u64 = weights.encodings().map(|(_, share)| share.bytes).sum();
            assert_eq!(by_encoding, total.bytes, "{} {format}", model.id);
            assert!(total.bytes > 0, "{} {format}", model.id);
            assert!(
                weights.resident() <= plain * 2.0,
                "{} {format}: {:?}",
                model.id,
                weights.resident()
            );
            let looped = architecture.layers.iter().any(|layer| layer.passes.0 > 1);
            assert!(
                looped || weights.read(1) <= weights.resident(),
                "{} {format}",
                model.id
            );
        }
    }
}

#[test]
fn quantized_matrices_consist_of_whole_blocks() {
    for model in model_db::models() {
        let architecture = model.architecture();
        let facts = estimator::format::ModelFacts::of(&architecture);
        for kind in GgufType::ALL {
            let mut encoder = WeightFormat::gguf(*kind).encoder(&facts);
            architecture.visit_tensors(&mut |tensor| {
                if let Encoding::Block(block) = encoder.encode(&tensor) {
                    assert!(block.divides(tensor.row), "{} {tensor:?}", model.id);
                }
            });
        }
    }
}
