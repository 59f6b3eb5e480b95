//! The types a GGUF file's tensors get, against what the engine's own quantizer reports.
//!
//! The tensors are listed here by hand, so that a fault of the rules can't hide behind one of the
//! architecture's inventory; the same sizes through the model catalogue are tested in `tests/`.

use bandwise_estimator::format::{Assigner, BlockType, GgufType, Imatrix, ModelFacts, QuantFamily};
use bandwise_estimator::tensor::{Role, Tensor};

const SIZES: &str = include_str!("../../tests/data/filesizes.csv");

struct Model {
    layers: u32,
    hidden: u64,
    ffn: u64,
    heads: u64,
    kv_heads: u64,
    head_dim: u64,
    vocabulary: u64,
    tied: bool,
    biases: bool,
    head_norms: bool,
    norms: usize,
    moe: Option<Moe>,
    /// The latent and rope widths, if attention is MLA.
    mla: Option<(u64, u64)>,
    family: QuantFamily,
}

struct Moe {
    experts: u64,
    width: u64,
    shared: u64,
    dense_layers: u32,
}

const PLAIN: Model = Model {
    layers: 0,
    hidden: 0,
    ffn: 0,
    heads: 0,
    kv_heads: 0,
    head_dim: 128,
    vocabulary: 0,
    tied: false,
    biases: false,
    head_norms: false,
    norms: 2,
    moe: None,
    mla: None,
    family: QuantFamily::Other,
};

fn model(name: &str) -> Option<Model> {
    let llama = Model {
        family: QuantFamily::SeventyAtEightyLayers,
        ..PLAIN
    };
    Some(match name {
        "llama-3.1-8b" => Model {
            layers: 32,
            hidden: 4096,
            ffn: 14_336,
            heads: 32,
            kv_heads: 8,
            vocabulary: 128_256,
            ..llama
        },
        "llama-3.1-70b" => Model {
            layers: 80,
            hidden: 8192,
            ffn: 28_672,
            heads: 64,
            kv_heads: 8,
            vocabulary: 128_256,
            ..llama
        },
        "llama-3.2-1b" => Model {
            layers: 16,
            hidden: 2048,
            ffn: 8192,
            heads: 32,
            kv_heads: 8,
            head_dim: 64,
            vocabulary: 128_256,
            tied: true,
            ..llama
        },
        "mha-1b" => Model {
            layers: 16,
            hidden: 2048,
            ffn: 5632,
            heads: 16,
            kv_heads: 16,
            vocabulary: 32_000,
            ..llama
        },
        "mixtral-8x7b" => Model {
            layers: 32,
            hidden: 4096,
            heads: 32,
            kv_heads: 8,
            vocabulary: 32_000,
            moe: Some(Moe {
                experts: 8,
                width: 14_336,
                shared: 0,
                dense_layers: 0,
            }),
            ..llama
        },
        "qwen2.5-7b" => Model {
            layers: 28,
            hidden: 3584,
            ffn: 18_944,
            heads: 28,
            kv_heads: 4,
            vocabulary: 152_064,
            biases: true,
            ..llama
        },
        "qwen3-8b" => Model {
            layers: 36,
            hidden: 4096,
            ffn: 12_288,
            heads: 32,
            kv_heads: 8,
            vocabulary: 151_936,
            head_norms: true,
            ..PLAIN
        },
        "qwen3-30b-a3b" => Model {
            layers: 48,
            hidden: 2048,
            heads: 32,
            kv_heads: 4,
            vocabulary: 151_936,
            head_norms: true,
            moe: Some(Moe {
                experts: 128,
                width: 768,
                shared: 0,
                dense_layers: 0,
            }),
            ..PLAIN
        },
        "gemma-3-1b" => Model {
            layers: 26,
            hidden: 1152,
            ffn: 6912,
            heads: 4,
            kv_heads: 1,
            head_dim: 256,
            vocabulary: 262_144,
            tied: true,
            head_norms: true,
            norms: 4,
            ..PLAIN
        },
        "deepseek-v2-lite" => Model {
            layers: 27,
            hidden: 2048,
            ffn: 10_944,
            heads: 16,
            kv_heads: 1,
            vocabulary: 102_400,
            moe: Some(Moe {
                experts: 64,
                width: 1408,
                shared: 2,
                dense_layers: 1,
            }),
            mla: Some((512, 64)),
            ..PLAIN
        },
        _ => return None,
    })
}

fn tensors(model: &Model) -> Vec<Tensor> {
    let mut all = Vec::new();
    let mut add = |role, layer, row, rows, stack| {
        all.push(Tensor {
            role,
            layer,
            row,
            rows,
            stack,
        });
    };
    let hidden = model.hidden;
    add(Role::TokenEmbedding, None, hidden, model.vocabulary, 1);
    if !model.tied {
        add(Role::Output, None, hidden, model.vocabulary, 1);
    }
    add(Role::Norm, None, hidden, 1, 1);
    for index in 0..model.layers {
        let layer = Some(index);
        for _ in 0..model.norms {
            add(Role::Norm, layer, hidden, 1, 1);
        }
        let (q, kv) = (
            model.heads * model.head_dim,
            model.kv_heads * model.head_dim,
        );
        if let Some((latent, rope)) = model.mla {
            let (nope, value) = (128, 128);
            add(
                Role::AttentionQ,
                layer,
                hidden,
                model.heads * (nope + rope),
                1,
            );
            add(Role::MlaKvA, layer, hidden, latent + rope, 1);
            add(Role::Norm, layer, latent, 1, 1);
            add(Role::MlaKB, layer, nope, latent, model.heads);
            add(Role::MlaVB, layer, latent, value, model.heads);
            add(Role::AttentionOutput, layer, model.heads * value, hidden, 1);
        } else {
            add(Role::AttentionQ, layer, hidden, q, 1);
            add(Role::AttentionK, layer, hidden, kv, 1);
            add(Role::AttentionV, layer, hidden, kv, 1);
            add(Role::AttentionOutput, layer, q, hidden, 1);
        }
        if model.biases {
            add(Role::Norm, layer, q + 2 * kv, 1, 1);
        }
        if model.head_norms {
            add(Role::Norm, layer, model.head_dim, 2, 1);
        }
        match &model.moe {
            Some(moe) if index >= moe.dense_layers => {
                add(Role::Router, layer, hidden, moe.experts, 1);
                add(Role::ExpertGate, layer, hidden, moe.width, moe.experts);
                add(Role::ExpertUp, layer, hidden, moe.width, moe.experts);
                add(Role::ExpertDown, layer, moe.width, hidden, moe.experts);
                if moe.shared > 0 {
                    let width = moe.width * moe.shared;
                    add(Role::SharedGate, layer, hidden, width, 1);
                    add(Role::SharedUp, layer, hidden, width, 1);
                    add(Role::SharedDown, layer, width, hidden, 1);
                }
            }
            _ => {
                add(Role::FfnGate, layer, hidden, model.ffn, 1);
                add(Role::FfnUp, layer, hidden, model.ffn, 1);
                add(Role::FfnDown, layer, model.ffn, hidden, 1);
            }
        }
    }
    all
}

fn facts(model: &Model) -> ModelFacts {
    let small = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    ModelFacts {
        layers: model.layers,
        value_tensors: if model.mla.is_some() { 0 } else { model.layers },
        heads: small(model.heads),
        kv_heads: small(model.kv_heads),
        experts: small(model.moe.as_ref().map_or(0, |moe| moe.experts)),
        family: model.family,
        tied_embeddings: model.tied,
    }
}

fn total(model: &Model, kind: GgufType, imatrix: Imatrix) -> u64 {
    let mut assigner = Assigner::new(kind, imatrix, facts(model));
    tensors(model)
        .iter()
        .map(|tensor| assigner.assign(tensor).bytes(tensor))
        .sum()
}

#[test]
fn sizes_are_those_of_the_quantizer_to_the_byte() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    let table = SIZES.lines().filter(|line| !line.starts_with('#'));
    for line in table.skip(1) {
        let mut cells = line.split(',');
        let (Some(name), Some(format), Some(bytes)) = (cells.next(), cells.next(), cells.next())
        else {
            panic!("`{line}` has not three cells");
        };
        let bytes: u64 = bytes.parse().expect("a number of bytes");
        let model = model(name).unwrap_or_else(|| panic!("`{name}` is not listed here"));
        let kind = GgufType::ALL
            .iter()
            .find(|kind| kind.name() == format)
            .unwrap_or_else(|| panic!("`{format}` is not a file type"));
        let ours = total(&model, *kind, Imatrix::Without);
        if ours != bytes {
            wrong.push(format!("{name} {format}: {ours}, quantizer {bytes}"));
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
fn importance_matrices_change_the_types_said_to_depend_on_one() {
    let model = model("llama-3.1-8b").expect("listed");
    for kind in GgufType::ALL {
        let differs = total(&model, *kind, Imatrix::With) != total(&model, *kind, Imatrix::Without);
        assert_eq!(differs, kind.depends_on_imatrix(), "{}", kind.name());
    }
}

#[test]
fn rows_that_no_block_divides_stay_in_16_bits() {
    let model = Model {
        hidden: 4096,
        heads: 32,
        kv_heads: 8,
        layers: 32,
        ..PLAIN
    };
    for kind in GgufType::ALL
        .iter()
        .filter(|kind| kind.default_type().is_quantized())
    {
        let odd = Tensor {
            role: Role::FfnDown,
            layer: Some(20),
            row: 1000,
            rows: 8,
            stack: 1,
        };
        let got = Assigner::new(*kind, Imatrix::Without, facts(&model)).assign(&odd);
        assert_eq!(got, BlockType::F16, "{}", kind.name());
    }
}
