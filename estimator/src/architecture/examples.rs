//! Architectures for tests, written out by hand.

use super::*;

/// Grouped-query attention with nothing else to it.
pub(crate) const fn grouped(heads: u32, kv_heads: u32, head_dim: u32, span: Span) -> Attention {
    Attention {
        heads,
        kind: AttentionKind::Grouped {
            kv_heads,
            head_dim,
            v_head_dim: head_dim,
            k_equals_v: false,
        },
        span,
        cache: CacheOwner::Own,
        gate: Gate::None,
        qkv_bias: false,
        output_bias: false,
        fused_qkv: false,
        q_norm: 0,
        k_norm: 0,
        small: 0,
        indexer: None,
    }
}

/// A gated feed-forward.
pub(crate) const fn dense(width: u32) -> Dense {
    Dense {
        width,
        gated: true,
        bias: false,
        fused: false,
    }
}

/// Gated experts without anything shared.
pub(crate) const fn experts(count: u32, per_token: u32, width: u32) -> Experts {
    Experts {
        count,
        per_token,
        width,
        gated: true,
        bias: false,
        latent: None,
        shared_width: 0,
        shared_gate: false,
        zero_count: 0,
        router_small: 0,
    }
}

/// A trunk around the given layers, untied.
pub(crate) fn trunk(
    family: &str,
    hidden: u32,
    vocabulary: u32,
    layers: Vec<Layer>,
) -> Architecture {
    Architecture {
        family: family.to_owned(),
        hidden,
        vocabulary,
        output_vocabulary: vocabulary,
        tied_embeddings: false,
        output_bias: false,
        positions: 0,
        norms: 1,
        layers,
        counted: Vec::new(),
        max_context: None,
        vision_parameters: 0,
        mtp_layers: 0,
        mtp_parameters: 0,
    }
}

/// `count` dense layers with grouped-query attention.
fn dense_layers(count: usize, attention: Attention, width: u32) -> Vec<Layer> {
    let layer = Layer {
        attention: Some(attention),
        dense: Some(dense(width)),
        norms: 2,
        ..Layer::default()
    };
    vec![layer; count]
}

/// Llama 3.1 8B.
pub(crate) fn llama_8b() -> Architecture {
    let layers = dense_layers(32, grouped(32, 8, 128, Span::Full), 14336);
    trunk("llama", 4096, 128_256, layers)
}

/// Llama 3.3 70B.
pub(crate) fn llama_70b() -> Architecture {
    let layers = dense_layers(80, grouped(64, 8, 128, Span::Full), 28672);
    trunk("llama", 8192, 128_256, layers)
}

/// Qwen3 30B-A3B.
pub(crate) fn qwen3_30b_a3b() -> Architecture {
    let layer = Layer {
        attention: Some(Attention {
            q_norm: 128,
            k_norm: 128,
            ..grouped(32, 4, 128, Span::Full)
        }),
        experts: Some(experts(128, 8, 768)),
        norms: 2,
        ..Layer::default()
    };
    trunk("qwen3_moe", 2048, 151_936, vec![layer; 48])
}

/// DeepSeek V3.
pub(crate) fn deepseek_v3() -> Architecture {
    let attention = Attention {
        kind: AttentionKind::Latent {
            q_rank: Some(1536),
            kv_rank: 512,
            rope_dim: 64,
            nope_dim: 128,
            v_head_dim: 128,
        },
        q_norm: 1536,
        k_norm: 512,
        ..grouped(128, 128, 192, Span::Full)
    };
    let base = Layer {
        attention: Some(attention),
        norms: 2,
        ..Layer::default()
    };
    let first = Layer {
        dense: Some(dense(18432)),
        ..base
    };
    let rest = Layer {
        experts: Some(Experts {
            shared_width: 2048,
            router_small: 256,
            ..experts(256, 8, 2048)
        }),
        ..base
    };
    let layers = [vec![first; 3], vec![rest; 58]].concat();
    trunk("deepseek_v3", 7168, 129_280, layers)
}

/// GPT-OSS: alternating full and sliding layers, biases everywhere.
pub(crate) fn gpt_oss(layers: usize, experts_count: u32) -> Architecture {
    let attention = |span| Attention {
        qkv_bias: true,
        output_bias: true,
        small: 64,
        ..grouped(64, 8, 64, span)
    };
    let layers = (0..layers)
        .map(|number| Layer {
            attention: Some(attention(if number % 2 == 0 {
                Span::Sliding { window: 128 }
            } else {
                Span::Full
            })),
            experts: Some(Experts {
                bias: true,
                router_small: experts_count,
                ..experts(experts_count, 4, 2880)
            }),
            norms: 2,
            ..Layer::default()
        })
        .collect();
    trunk("gpt_oss", 2880, 201_088, layers)
}

/// Gemma 3 27B: every sixth layer is full.
pub(crate) fn gemma_3_27b() -> Architecture {
    let layers = (0..62)
        .map(|number| Layer {
            attention: Some(Attention {
                q_norm: 128,
                k_norm: 128,
                ..grouped(
                    32,
                    16,
                    128,
                    if number % 6 == 5 {
                        Span::Full
                    } else {
                        Span::Sliding { window: 1024 }
                    },
                )
            }),
            dense: Some(dense(21504)),
            norms: 4,
            ..Layer::default()
        })
        .collect();
    Architecture {
        tied_embeddings: true,
        ..trunk("gemma3", 5376, 262_208, layers)
    }
}

/// Qwen3.8 27B: three Gated DeltaNet layers to one of attention.
pub(crate) fn qwen3_8_27b() -> Architecture {
    let layers = (0..64)
        .map(|number| {
            let full = number % 4 == 3;
            Layer {
                attention: full.then_some(Attention {
                    q_norm: 256,
                    k_norm: 256,
                    gate: Gate::PerElement,
                    ..grouped(24, 4, 256, Span::Full)
                }),
                linear: (!full).then_some(Linear::GatedDeltaNet {
                    k_heads: 16,
                    v_heads: 48,
                    k_head_dim: 128,
                    v_head_dim: 128,
                    kernel: 4,
                }),
                dense: Some(dense(17408)),
                norms: 2,
                ..Layer::default()
            }
        })
        .collect();
    trunk("qwen3_5", 5120, 248_320, layers)
}
