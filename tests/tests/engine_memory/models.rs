//! The models of the tables.

use estimator::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Dense, Gate, Layer, Span,
};

fn catalogued(id: &str) -> Architecture {
    model_db::get(id)
        .unwrap_or_else(|| panic!("`{id}` is not in the catalogue"))
        .architecture()
}

/// The shapes of a model of the tables, synthetic ones included.
pub(super) fn architecture(name: &str) -> Architecture {
    let name = name.strip_suffix(" (random weights)").unwrap_or(name);
    match name {
        "mha-1b" => mha_1b(),
        "SmolLM2-135M-Instruct" => catalogued("smollm2-135m"),
        "dsv2lite-27l" => {
            let mut model = catalogued("deepseek-v2-lite");
            for layer in &mut model.layers {
                if let Some(dense) = &mut layer.dense {
                    dense.width = 4096;
                }
                if let Some(experts) = &mut layer.experts {
                    (experts.width, experts.shared_width) = (256, 512);
                }
            }
            model
        }
        "gptoss-6l" => {
            let mut model = catalogued("gpt-oss-20b");
            model.layers.truncate(6);
            model
        }
        other => catalogued(other),
    }
}

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
