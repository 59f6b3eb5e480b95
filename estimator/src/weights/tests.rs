use super::*;
use crate::architecture::examples::{
    deepseek_v3, gemma_3_27b, gpt_oss, llama_8b, llama_70b, qwen3_8_27b, qwen3_30b_a3b,
};
use crate::architecture::{Experts, Layer, Linear, Passes};
use crate::format::{Assigner, BlockType, ExlRate, GgufType, Imatrix, MlxBits};

const Q4_K_M: WeightFormat = WeightFormat::gguf(GgufType::Q4_K_M);

fn models() -> [Architecture; 7] {
    [
        llama_8b(),
        llama_70b(),
        qwen3_30b_a3b(),
        deepseek_v3(),
        gpt_oss(36, 128),
        gemma_3_27b(),
        qwen3_8_27b(),
    ]
}

/// What the quantizer reports for a model of the catalogue.
fn reported(model: &str, format: &str) -> u64 {
    include_str!("../../../tests/data/filesizes.csv")
        .lines()
        .find_map(|line| {
            let rest = line.strip_prefix(model)?.strip_prefix(',')?;
            rest.strip_prefix(format)?.strip_prefix(',')?.parse().ok()
        })
        .unwrap_or(0)
}

#[test]
fn every_file_type_has_the_bytes_the_quantizer_reports() {
    for (id, architecture) in [
        ("llama-3.1-8b", llama_8b()),
        ("llama-3.1-70b", llama_70b()),
        ("qwen3-30b-a3b", qwen3_30b_a3b()),
    ] {
        for kind in GgufType::ALL {
            let weights = Weights::of(&architecture, &WeightFormat::gguf(*kind));
            let expected = match kind {
                // What a file is converted to, not quantized.
                GgufType::F32 => weights.total().elements * 4,
                _ => reported(id, kind.name()),
            };
            assert_eq!(weights.total().bytes, expected, "{id} {}", kind.name());
        }
    }
}

#[test]
fn the_file_of_llama_8b_is_4_58_gib() {
    let file = Weights::of(&llama_8b(), &Q4_K_M).file();
    assert!((file.to_gib() / 4.58 - 1.0).abs() < 0.005, "{file:?}");
}

#[test]
fn parts_classes_and_encodings_each_add_up_to_the_whole() {
    for architecture in models() {
        for format in WeightFormat::all() {
            let weights = Weights::of(&architecture, format);
            let total = weights.total();
            let mut by_class = Share::NONE;
            for part in Part::ALL {
                for share in weights.part(part).classes {
                    by_class.add(share);
                }
            }
            let mut by_encoding = Share::NONE;
            for (_, share) in weights.encodings() {
                by_encoding.add(share);
            }
            assert_eq!(by_class, total, "{} {format}", architecture.family);
            assert_eq!(by_encoding, total, "{} {format}", architecture.family);
            if !(architecture.tied_embeddings && format.unties_embeddings()) {
                assert_eq!(total.elements, architecture.parameters().total);
            }
        }
    }
}

#[test]
fn the_file_holds_the_tensors() {
    for architecture in models() {
        for format in WeightFormat::all() {
            let weights = Weights::of(&architecture, format);
            assert!(weights.file() >= weights.resident(), "{format}");
            assert!(
                weights.file().get() < weights.resident().get() * 1.02,
                "{format}"
            );
        }
    }
}

#[test]
fn a_type_of_more_bits_takes_more_bytes() {
    for architecture in models() {
        let bytes = |format| Weights::of(&architecture, &format).total().bytes;
        let files = [
            GgufType::BF16,
            GgufType::Q8_0,
            GgufType::Q6_K,
            GgufType::Q5_K_M,
            GgufType::Q4_K_M,
            GgufType::Q3_K_M,
            GgufType::Q2_K,
            GgufType::IQ2_XXS,
        ];
        for pair in files.windows(2) {
            let [more, less] = pair else { continue };
            assert!(
                bytes(WeightFormat::gguf(*more)) > bytes(WeightFormat::gguf(*less)),
                "{} {}",
                architecture.family,
                more.name()
            );
        }
        for pair in [MlxBits::Eight, MlxBits::Six, MlxBits::Four, MlxBits::Two].windows(2) {
            let [more, less] = pair else { continue };
            assert!(bytes(WeightFormat::mlx(*more)) > bytes(WeightFormat::mlx(*less)));
        }
    }
}

#[test]
fn value_tensors_are_counted_as_the_inventory_has_them() {
    for architecture in models() {
        let mut counted = 0;
        architecture.visit_tensors(&mut |tensor| {
            counted += u32::from(matches!(tensor.role, Role::AttentionV | Role::AttentionQkv));
        });
        let facts = ModelFacts::of(&architecture);
        assert_eq!(facts.value_tensors, counted, "{}", architecture.family);
    }
}

#[test]
fn latent_attention_counts_as_one_key_head() {
    let facts = ModelFacts::of(&deepseek_v3());
    assert_eq!((facts.heads, facts.kv_heads, facts.gqa()), (128, 1, 128));
}

#[test]
fn one_token_reads_its_chosen_experts() {
    let weights = Weights::of(&qwen3_30b_a3b(), &Q4_K_M);
    let shares = weights.shares(Part::Experts, 1);
    assert!((shares.read - 8.0 / 128.0).abs() < 1e-12);
    assert!((shares.worked - 8.0 / 128.0).abs() < 1e-12);
    assert_eq!(weights.shares(Part::Attention, 1).read, 1.0);
}

#[test]
fn more_tokens_read_more_experts_up_to_all() {
    let weights = Weights::of(&qwen3_30b_a3b(), &Q4_K_M);
    let mut before = 0.0;
    for tokens in [0, 1, 2, 8, 64, 512, 100_000] {
        let read = weights.shares(Part::Experts, tokens).read;
        assert!(read >= before && read <= 1.0, "{tokens}: {read}");
        before = read;
    }
    assert!(before > 0.999_999);
    assert!(weights.read(100_000) <= weights.resident());
}

#[test]
fn a_step_looks_up_rows_but_reads_the_head() {
    let weights = Weights::of(&llama_8b(), &Q4_K_M);
    let row = weights.part_read(Part::Embedding, 1).get();
    assert!((row - 4096.0 * 144.0 / 256.0).abs() < 1e-6, "{row}");
    let unread = weights.resident().get() - weights.read(1).get();
    let embedding = weights.part(Part::Embedding).bytes().get();
    assert!((unread - (embedding - row)).abs() < 1e-3);
}

#[test]
fn a_tied_embedding_is_held_once_and_read_as_the_head() {
    let weights = Weights::of(&gemma_3_27b(), &Q4_K_M);
    assert_eq!(weights.part(Part::Output).share(), Share::NONE);
    assert_eq!(weights.head(), weights.part(Part::Embedding));
    assert!(weights.is_tied());
}

#[test]
fn exl_stores_a_tied_head_apart() {
    let rate = ExlRate::new(400).expect("in range");
    let weights = Weights::of(&gemma_3_27b(), &WeightFormat::Exl3(rate));
    assert!(!weights.is_tied());
    let head = weights.head();
    assert_eq!(head.elements(), 5376.0 * 262_208.0);
    assert!(head.bytes().get() < weights.part(Part::Embedding).bytes().get() / 2.0);
}

#[test]
fn a_looped_layer_is_held_once_and_read_each_time() {
    let mut looped = llama_8b();
    for layer in &mut looped.layers {
        layer.passes = Passes(3);
    }
    let once = Weights::of(&llama_8b(), &Q4_K_M);
    let thrice = Weights::of(&looped, &Q4_K_M);
    assert_eq!(once.resident(), thrice.resident());
    assert_eq!(thrice.shares(Part::Dense, 1).read, 3.0);
    assert_eq!(thrice.shares(Part::Output, 1).read, 1.0);
}

#[test]
fn layers_of_different_routing_each_count_by_their_own() {
    let mut mixed = qwen3_30b_a3b();
    for layer in mixed.layers.iter_mut().take(24) {
        layer.experts = layer.experts.map(|experts| Experts {
            per_token: 16,
            ..experts
        });
    }
    let weights = Weights::of(&mixed, &WeightFormat::Bf16);
    let shares = weights.shares(Part::Experts, 1);
    assert!((shares.read - 12.0 / 128.0).abs() < 1e-12);
}

#[test]
fn worked_weights_are_the_active_ones_less_the_embedding() {
    for architecture in models() {
        let weights = Weights::of(&architecture, &WeightFormat::Bf16);
        let active = num::f(architecture.parameters().active);
        let mut apart = weights.part(Part::Embedding).elements();
        if !weights.is_tied() {
            apart += weights.head().elements();
        }
        let worked = weights.worked();
        assert!(
            (worked / (active - apart) - 1.0).abs() < 1e-9,
            "{}",
            architecture.family
        );
    }
}

#[test]
fn gpt_oss_as_published_is_experts_in_4_25_bits() {
    let weights = Weights::of(&gpt_oss(36, 128), &WeightFormat::Mxfp4);
    let experts = weights.part(Part::Experts);
    let packed: u64 = 36 * 128 * 3 * 2880 * 2880;
    let (_, share) = weights
        .encodings()
        .find(|(encoding, _)| *encoding == Encoding::MXFP4)
        .expect("experts are packed");
    assert_eq!(share.elements, packed);
    assert_eq!(share.bytes, packed / 32 * 17);
    assert!(
        experts.share().bytes > share.bytes,
        "biases are beside them"
    );
    assert_eq!(weights.main_class(), KernelClass::Mxfp4);
}

#[test]
fn hybrid_models_spread_more_bits_over_the_values_they_have() {
    let architecture = qwen3_8_27b();
    let facts = ModelFacts::of(&architecture);
    let mut assigner = Assigner::new(GgufType::Q4_K_M, Imatrix::Without, facts);
    let mut raised = 0;
    architecture.visit_tensors(&mut |tensor| {
        let block = assigner.assign(&tensor);
        if matches!(tensor.role, Role::AttentionV | Role::AttentionQkv) {
            raised += u32::from(block == BlockType::Q6_K);
        }
    });
    assert_eq!(facts.value_tensors, 64);
    assert_eq!(raised, 32);
}

#[test]
fn counting_layers_alike_at_once_gives_what_counting_each_gives() {
    for architecture in models() {
        let facts = ModelFacts::of(&architecture);
        for format in WeightFormat::all() {
            let mut encoder = format.encoder(&facts);
            let mut bytes = 0;
            architecture.visit_tensors(&mut |tensor| {
                bytes += encoder.encode(&tensor).bytes(&tensor);
            });
            if !(architecture.tied_embeddings && format.unties_embeddings()) {
                let weights = Weights::of(&architecture, format);
                assert_eq!(
                    weights.total().bytes,
                    bytes,
                    "{} {format}",
                    architecture.family
                );
            }
        }
    }
}

#[test]
fn gpt_oss_files_have_biases_sinks_and_experts_as_the_engine_wrote_them() {
    // A file of random weights in gpt-oss's shapes, six layers and 32 experts, quantized by
    // llama.cpp 0.5.0-dev commit 0c1e57098.
    let weights = Weights::of(&gpt_oss(6, 32), &WeightFormat::gguf(GgufType::MXFP4_MOE));
    let bytes = |block| {
        weights
            .encodings()
            .find(|(encoding, _)| *encoding == Encoding::Block(block))
            .map_or(0, |(_, share)| share.bytes)
    };
    assert_eq!(bytes(BlockType::F32), 9_191_424);
    assert_eq!(bytes(BlockType::MXFP4), 2_538_086_400);
    assert_eq!(bytes(BlockType::Q8_0), 1_399_864_320);
    assert_eq!(weights.total().bytes, 3_947_142_144);
}

#[test]
fn gpt_oss_20b_as_published_has_the_size_of_its_three_files() {
    // openai/gpt-oss-20b on Hugging Face: files of 4.79, 4.80 and 4.17 GB
    let weights = Weights::of(&gpt_oss(24, 32), &WeightFormat::Mxfp4);
    assert_eq!(format!("{:.2}", weights.resident().to_gb()), "13.76");
}

#[test]
fn heads_shared_are_read_off_the_first_layer_as_files_declare_them() {
    assert_eq!(ModelFacts::of(&qwen3_8_27b()).gqa(), 6);
    let mut mamba_first = llama_8b();
    mamba_first.layers.insert(
        0,
        Layer {
            linear: Some(Linear::Mamba2 {
                heads: 64,
                head_dim: 64,
                state: 128,
                groups: 8,
                kernel: 4,
                norm: true,
            }),
            norms: 1,
            ..Layer::default()
        },
    );
    assert_eq!(ModelFacts::of(&mamba_first).gqa(), 0);
}

#[test]
fn layers_and_what_is_outside_them_add_up_to_all_bytes() {
    for model in models() {
        for format in [
            Q4_K_M,
            WeightFormat::gguf(GgufType::Q3_K_L),
            WeightFormat::Bf16,
        ] {
            let weights = Weights::of(&model, &format);
            assert_eq!(weights.layers().len(), model.layers.len());
            let experts: u64 = weights.layers().iter().map(|layer| layer.experts).sum();
            assert_eq!(experts, weights.part(Part::Experts).share().bytes);
            let trunk: u64 = weights.layers().iter().map(|layer| layer.trunk).sum();
            let embeddings: u64 = [Part::Embedding, Part::Output, Part::Lookup]
                .into_iter()
                .map(|part| weights.part(part).share().bytes)
                .sum();
            let outside = weights.total().bytes - trunk - experts - embeddings;
            // The final norm, in 16 or 32 bit.
            assert!(outside <= u64::from(model.hidden) * 4, "{outside}");
        }
    }
}
