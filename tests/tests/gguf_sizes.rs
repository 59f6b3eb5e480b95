//! GGUF sizes of catalogued models, against what the engine's quantizer reports: exact to the byte.

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
