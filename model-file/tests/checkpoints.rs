//! Safetensors headers as transformers names things, beside the config of the same model.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod support;

use std::fmt::Write as _;

use bandwise_model_file::safetensors::{self, Header, Index, read_index, with_headers, with_index};
use bandwise_model_file::{OwnModel, Progress, config};
use estimator::architecture::{AttentionKind, Part};
use estimator::weights::Weights;

fn model(name: &str) -> OwnModel {
    let path = format!(
        "{}/tests/data/configs/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    config::read(&std::fs::read(path).expect("a file"), None).expect(name)
}

/// A header in the making.
#[derive(Default)]
struct Checkpoint {
    json: String,
    end: u64,
    /// Whether matrices are in 8 bits with a scale for each square of 128.
    fp8: bool,
}

impl Checkpoint {
    fn tensor(&mut self, name: &str, kind: &str, bytes_each: u64, shape: &[u32]) {
        let elements: u64 = shape.iter().map(|size| u64::from(*size)).product();
        let (begin, end) = (self.end, self.end + elements * bytes_each);
        let comma = if self.json.is_empty() { "" } else { "," };
        write!(
            self.json,
            "{comma}\"{name}\":{{\"dtype\":\"{kind}\",\"shape\":{shape:?},\"data_offsets\":[{begin},{end}]}}"
        )
        .expect("a text");
        self.end = end;
    }

    fn plain(&mut self, name: &str, shape: &[u32]) {
        self.tensor(name, "BF16", 2, shape);
    }

    /// A matrix of a layer.
    fn matrix(&mut self, name: &str, rows: u32, row: u32) {
        if self.fp8 {
            self.tensor(&format!("{name}.weight"), "F8_E4M3", 1, &[rows, row]);
            let squares = [rows.div_ceil(128), row.div_ceil(128)];
            self.tensor(&format!("{name}.weight_scale_inv"), "F32", 4, &squares);
        } else {
            self.plain(&format!("{name}.weight"), &[rows, row]);
        }
    }

    fn feed_forward(&mut self, name: &str, hidden: u32, width: u32) {
        self.matrix(&format!("{name}.gate_proj"), width, hidden);
        self.matrix(&format!("{name}.up_proj"), width, hidden);
        self.matrix(&format!("{name}.down_proj"), hidden, width);
    }

    fn header(&self) -> Header {
        let bytes = support::safetensors(&format!("{{{}}}", self.json));
        match safetensors::read(&bytes, None).expect("a header") {
            Progress::Done(header) => header,
            Progress::NeedMore { at_least } => panic!("needs {at_least}"),
        }
    }
}

/// The text trunk of a model, as its modeling code in transformers names it.
fn checkpoint(model: &OwnModel, fp8: bool) -> Checkpoint {
    let mut file = Checkpoint {
        fp8,
        ..Checkpoint::default()
    };
    let architecture = &model.architecture;
    let hidden = architecture.hidden;
    file.plain(
        "model.embed_tokens.weight",
        &[architecture.vocabulary, hidden],
    );
    for (number, layer) in architecture.layers.iter().enumerate() {
        let at = |stem: &str| format!("model.layers.{number}.{stem}");
        file.plain(&at("input_layernorm.weight"), &[hidden]);
        file.plain(&at("post_attention_layernorm.weight"), &[hidden]);
        let attention = layer.attention.expect("attention");
        let heads = attention.heads;
        let out = match attention.kind {
            AttentionKind::Grouped {
                kv_heads, head_dim, ..
            } => {
                file.matrix(&at("self_attn.q_proj"), heads * head_dim, hidden);
                file.matrix(&at("self_attn.k_proj"), kv_heads * head_dim, hidden);
                file.matrix(&at("self_attn.v_proj"), kv_heads * head_dim, hidden);
                file.plain(&at("self_attn.q_norm.weight"), &[attention.q_norm]);
                file.plain(&at("self_attn.k_norm.weight"), &[attention.k_norm]);
                heads * head_dim
            }
            AttentionKind::Latent {
                q_rank,
                kv_rank,
                rope_dim,
                nope_dim,
                v_head_dim,
            } => {
                let rank = q_rank.expect("a rank");
                file.matrix(&at("self_attn.q_a_proj"), rank, hidden);
                file.plain(&at("self_attn.q_a_layernorm.weight"), &[rank]);
                file.matrix(
                    &at("self_attn.q_b_proj"),
                    heads * (rope_dim + nope_dim),
                    rank,
                );
                file.matrix(
                    &at("self_attn.kv_a_proj_with_mqa"),
                    kv_rank + rope_dim,
                    hidden,
                );
                file.plain(&at("self_attn.kv_a_layernorm.weight"), &[kv_rank]);
                file.matrix(
                    &at("self_attn.kv_b_proj"),
                    heads * (nope_dim + v_head_dim),
                    kv_rank,
                );
                heads * v_head_dim
            }
            AttentionKind::SharedVector { .. } => panic!("not here"),
        };
        file.matrix(&at("self_attn.o_proj"), hidden, out);
        if let Some(dense) = layer.dense {
            file.feed_forward(&at("mlp"), hidden, dense.width);
        }
        if let Some(experts) = layer.experts {
            file.plain(&at("mlp.gate.weight"), &[experts.count, hidden]);
            for expert in 0..experts.count {
                let name = at(&format!("mlp.experts.{expert}"));
                file.feed_forward(&name, hidden, experts.width);
            }
            if experts.shared_width > 0 {
                file.feed_forward(&at("mlp.shared_experts"), hidden, experts.shared_width);
            }
        }
    }
    file.plain("model.norm.weight", &[hidden]);
    if !architecture.tied_embeddings {
        file.plain("lm_head.weight", &[architecture.vocabulary, hidden]);
    }
    file
}

#[test]
fn names_of_transformers_lead_to_the_part_they_belong_to() {
    for name in [
        "Qwen--Qwen3-0.6B",
        "Qwen--Qwen3-30B-A3B",
        "deepseek-ai--DeepSeek-V3",
    ] {
        let model = model(name);
        let header = checkpoint(&model, false).header();
        let taken: u64 = header.tensors.iter().map(|tensor| tensor.bytes).sum();
        let described = model.architecture.parameters().by_part;
        let read = with_headers(model, &[header]).expect(name);
        let inventory = read.inventory.as_ref().expect("tensors");
        for part in Part::ALL {
            let stored = inventory.part(part).elements;
            assert_eq!(stored, described.get(part), "{name}, {}", part.name());
        }
        assert_eq!(inventory.total().bytes, taken, "{name}");
        assert_eq!(read.assumed, [""; 0], "{name}");
    }
}

#[test]
fn a_quantized_checkpoint_takes_what_the_rules_of_its_format_say() {
    let model = model("Qwen--Qwen3-32B-FP8");
    let format = model.format.expect("a format");
    let ruled = Weights::of(&model.architecture, &format).total();
    let header = checkpoint(&model, true).header();
    assert_eq!(header.by_type().keys().count(), 3);
    let read = with_headers(model, &[header]).expect("a model");
    let own = read.weights(&format).total();
    assert_eq!(own.elements, ruled.elements);
    assert_eq!(own.bytes, ruled.bytes);
}

#[test]
fn prediction_layers_and_towers_are_kept_apart() {
    let model = model("Qwen--Qwen3-0.6B");
    let layers = model.architecture.layer_count();
    let mut file = checkpoint(&model, false);
    let trunk = file.end;
    file.plain(
        &format!("model.layers.{layers}.eh_proj.weight"),
        &[1024, 2048],
    );
    file.plain("mtp.layers.0.mlp.up_proj.weight", &[64, 64]);
    file.plain("visual.blocks.0.attn.qkv.weight", &[192, 64]);
    let read = with_headers(model, &[file.header()]).expect("a model");
    let inventory = read.inventory.expect("tensors");
    assert_eq!(inventory.total().bytes, trunk);
    assert_eq!(inventory.mtp.bytes, 2 * (1024 * 2048 + 64 * 64));
    assert_eq!(inventory.vision.bytes, 2 * 192 * 64);
    assert_eq!(read.architecture.vision_parameters, 192 * 64);
}

/// Size and names as in `model.safetensors.index.json` of `github:root-hypercube/qwen3-mlx` at commit
/// 3bdd51a9f8234140fe178ddeb3e61d986cc9e0e4: Qwen3 1.7B in BF16.
#[test]
fn the_size_of_a_published_index_is_what_its_config_comes_to() {
    let mut model = model("Qwen--Qwen3-0.6B");
    let known = model_db::get("qwen3-1.7b").expect("an id").architecture();
    model.architecture = known;
    let header = checkpoint(&model, false).header();
    let map: Vec<String> = header
        .tensors
        .iter()
        .map(|tensor| format!("\"{}\": \"model.safetensors\"", tensor.name))
        .collect();
    let text = format!(
        "{{\"metadata\": {{\"total_size\": 3441149952}}, \"weight_map\": {{{}}}}}",
        map.join(", ")
    );
    let index: Index = read_index(text.as_bytes()).expect("an index");
    assert_eq!(index.tensors.len(), 310);
    let read = with_index(model, &index);
    let inventory = read.inventory.expect("tensors");
    assert_eq!(inventory.total().bytes, 3_441_149_952);
    assert_eq!(read.assumed, [""; 0]);
}

#[test]
fn an_index_of_another_size_than_its_config_says_so() {
    let index = read_index(
        br#"{"metadata": {"total_size": 900000000}, "weight_map": {"lm_head.weight": "a"}}"#,
    )
    .expect("an index");
    let read = with_index(model("Qwen--Qwen3-0.6B"), &index);
    let said = read.assumed.first().expect("a sentence");
    assert!(said.contains("900000000 bytes"), "{said}");
}

/// Names and shapes as transformers' `modeling_gpt_oss.py` has them, packed as `quantizers/quantizer_mxfp4.py`
/// loads them.
#[test]
fn packed_experts_count_as_so_many_weights_and_their_scales_as_bytes() {
    let model = model("openai--gpt-oss-20b");
    let format = model.format.expect("a format");
    let mut file = Checkpoint::default();
    let (hidden, experts) = (2880, 32);
    file.plain("model.embed_tokens.weight", &[201_088, hidden]);
    for number in 0..24 {
        let at = |stem: &str| format!("model.layers.{number}.{stem}");
        for (name, rows, row) in [
            ("q", 4096, hidden),
            ("k", 512, hidden),
            ("v", 512, hidden),
            ("o", hidden, 4096),
        ] {
            file.plain(&at(&format!("self_attn.{name}_proj.weight")), &[rows, row]);
            file.plain(&at(&format!("self_attn.{name}_proj.bias")), &[rows]);
        }
        file.plain(&at("self_attn.sinks"), &[64]);
        file.plain(&at("input_layernorm.weight"), &[hidden]);
        file.plain(&at("post_attention_layernorm.weight"), &[hidden]);
        file.plain(&at("mlp.router.weight"), &[experts, hidden]);
        file.plain(&at("mlp.router.bias"), &[experts]);
        for (name, rows) in [("gate_up", 2 * hidden), ("down", hidden)] {
            let stem = at(&format!("mlp.experts.{name}_proj"));
            let blocks = hidden / 32;
            file.tensor(
                &format!("{stem}_blocks"),
                "U8",
                1,
                &[experts, rows, blocks, 16],
            );
            file.tensor(&format!("{stem}_scales"), "U8", 1, &[experts, rows, blocks]);
            file.plain(&format!("{stem}_bias"), &[experts, rows]);
        }
    }
    file.plain("model.norm.weight", &[hidden]);
    file.plain("lm_head.weight", &[201_088, hidden]);
    let ruled = Weights::of(&model.architecture, &format).total();
    let described = model.architecture.parameters();
    let read = with_headers(model, &[file.header()]).expect("a model");
    let own = read.weights(&format);
    assert_eq!(own.total(), ruled);
    for part in Part::ALL {
        let stored = own.part(part).share().elements;
        assert_eq!(stored, described.by_part.get(part), "{}", part.name());
    }
    let experts: u64 = own.layers().iter().map(|layer| layer.experts).sum();
    assert_eq!(experts, own.part(Part::Experts).share().bytes);
}
