//! The families.

use super::{Bias, Family, Heads, QkNorm, Slides};

const BASE: Family = Family {
    names: &[],
    heads: Heads::Grouped,
    qkv_bias: Bias::Key("attention_bias"),
    output_bias: Bias::Key("attention_bias"),
    qk_norm: QkNorm::None,
    norms: [1, 1, 1],
    gated: true,
    feed_forward_bias: Bias::Key("mlp_bias"),
    fused: [false, false],
    tied: false,
    gate: None,
    sinks: false,
    router_bias: false,
    shared_gate: false,
    expert_bias: false,
    head_bias: false,
    slides: Slides::Never,
};

const QWEN3: Family = Family {
    qk_norm: QkNorm::Head,
    slides: Slides::IfAsked,
    ..BASE
};

const GEMMA: Family = Family { tied: true, ..BASE };

const LATENT: Family = Family {
    heads: Heads::Latent,
    ..BASE
};

/// Layer norms with biases, plain feed-forward with biases: the make of GPT-2.
const BIASED: Family = Family {
    qkv_bias: Bias::Yes,
    output_bias: Bias::Yes,
    norms: [2, 2, 2],
    gated: false,
    feed_forward_bias: Bias::Yes,
    ..BASE
};

const HEAD: model_db::entry::GateName = model_db::entry::GateName::Head;
const ELEMENT: model_db::entry::GateName = model_db::entry::GateName::Element;

/// Every family that is read.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        names: &[
            "llama",
            "mistral3",
            "ministral3",
            "granite",
            "granitemoe",
            "internlm3",
            "helium",
            "solar_open",
            "iquestcoder",
            "minicpm",
            "yi",
        ],
        ..BASE
    },
    Family {
        names: &["mistral", "ministral", "mixtral"],
        slides: Slides::All,
        ..BASE
    },
    Family {
        names: &["smollm3", "ernie4_5"],
        tied: true,
        ..BASE
    },
    Family {
        names: &[
            "qwen2",
            "qwen2_moe",
            "qwen2_vl",
            "qwen2_5_vl",
            "seed_oss",
            "mimo",
        ],
        qkv_bias: Bias::Yes,
        output_bias: Bias::Key("attention_out_bias"),
        shared_gate: true,
        slides: Slides::IfAsked,
        ..BASE
    },
    Family {
        names: &["qwen3", "qwen3_moe", "qwen3_vl", "qwen3_vl_moe"],
        ..QWEN3
    },
    Family {
        names: &["qwen3_next", "qwen3_5", "qwen3_5_moe"],
        gate: Some(ELEMENT),
        shared_gate: true,
        ..QWEN3
    },
    Family {
        names: &["gemma"],
        ..GEMMA
    },
    Family {
        names: &["gemma2"],
        norms: [2, 2, 1],
        slides: Slides::AllBut(2),
        ..GEMMA
    },
    Family {
        names: &["gemma3"],
        norms: [2, 2, 1],
        qk_norm: QkNorm::Head,
        slides: Slides::AllBut(6),
        ..GEMMA
    },
    Family {
        names: &["gemma4", "gemma4_unified"],
        norms: [2, 2, 1],
        qk_norm: QkNorm::Head,
        slides: Slides::AllBut(6),
        ..GEMMA
    },
    Family {
        names: &["phi3"],
        fused: [true, true],
        slides: Slides::All,
        ..BASE
    },
    Family {
        names: &["phi"],
        norms: [2, 0, 2],
        head_bias: true,
        ..BIASED
    },
    Family {
        names: &["phimoe"],
        qkv_bias: Bias::Yes,
        output_bias: Bias::Yes,
        norms: [2, 2, 2],
        head_bias: true,
        ..BASE
    },
    Family {
        names: &["cohere"],
        norms: [1, 0, 1],
        tied: true,
        qk_norm: QkNorm::AllIf("use_qk_norm"),
        ..BASE
    },
    Family {
        names: &["cohere2", "cohere2_moe"],
        norms: [1, 0, 1],
        tied: true,
        slides: Slides::AllBut(4),
        ..BASE
    },
    Family {
        names: &["olmo"],
        norms: [0, 0, 0],
        ..BASE
    },
    Family {
        names: &["olmo2", "olmo3", "olmoe"],
        qk_norm: QkNorm::All,
        slides: Slides::AllBut(4),
        ..BASE
    },
    Family {
        names: &["minimax_m2"],
        qk_norm: QkNorm::All,
        ..BASE
    },
    Family {
        names: &["granitemoehybrid"],
        tied: true,
        ..BASE
    },
    Family {
        names: &[
            "deepseek_v3",
            "deepseek_v2",
            "kimi_k2",
            "kimi_k25",
            "deepseek_v32",
            "glm_moe_dsa",
            "glm4_moe_lite",
            "youtu",
            "kimi_linear",
            "minicpm3",
        ],
        ..LATENT
    },
    Family {
        names: &["glm4_moe", "glm4v_moe"],
        qk_norm: QkNorm::HeadIf("use_qk_norm"),
        output_bias: Bias::No,
        ..BASE
    },
    Family {
        names: &["glm", "chatglm"],
        output_bias: Bias::No,
        fused: [false, true],
        ..BASE
    },
    Family {
        names: &["glm4", "glm4v"],
        norms: [2, 2, 1],
        output_bias: Bias::No,
        fused: [false, true],
        ..BASE
    },
    Family {
        names: &["gpt_oss"],
        qkv_bias: Bias::Yes,
        output_bias: Bias::Yes,
        sinks: true,
        router_bias: true,
        expert_bias: true,
        slides: Slides::AllBut(2),
        ..BASE
    },
    Family {
        names: &["llama4"],
        slides: Slides::AllBut(4),
        ..BASE
    },
    Family {
        names: &["mimo_v2_flash"],
        ..BASE
    },
    Family {
        names: &["step3p5", "step3p7"],
        qk_norm: QkNorm::Head,
        gate: Some(HEAD),
        ..BASE
    },
    Family {
        names: &["exaone4", "exaone_moe"],
        qk_norm: QkNorm::Head,
        slides: Slides::AllBut(4),
        ..BASE
    },
    Family {
        names: &["hunyuan_v1_dense", "hunyuan_v1_moe", "hy_v3"],
        qk_norm: QkNorm::Head,
        ..BASE
    },
    Family {
        names: &["ernie4_5_moe"],
        router_bias: true,
        ..BASE
    },
    Family {
        names: &["bailing_moe_v2"],
        qk_norm: QkNorm::Head,
        router_bias: true,
        ..BASE
    },
    Family {
        names: &["dots1", "sarvam_moe"],
        qk_norm: QkNorm::Head,
        ..BASE
    },
    Family {
        names: &["afmoe"],
        qk_norm: QkNorm::Head,
        norms: [2, 2, 1],
        gate: Some(ELEMENT),
        router_bias: true,
        slides: Slides::AllBut(4),
        ..BASE
    },
    Family {
        names: &["arcee"],
        gated: false,
        ..BASE
    },
    Family {
        names: &["nemotron"],
        norms: [2, 2, 2],
        gated: false,
        ..BASE
    },
    Family {
        names: &["nemotron_h"],
        gated: false,
        ..BASE
    },
    Family {
        names: &["falcon"],
        qkv_bias: Bias::Key("bias"),
        output_bias: Bias::Key("bias"),
        feed_forward_bias: Bias::Key("bias"),
        norms: [2, 0, 2],
        gated: false,
        fused: [true, false],
        ..BASE
    },
    Family {
        names: &["falcon_h1"],
        ..BASE
    },
    Family {
        names: &["mamba", "falcon_mamba", "mamba2"],
        tied: true,
        ..BASE
    },
    Family {
        names: &["jamba"],
        ..BASE
    },
    Family {
        names: &["lfm2", "lfm2_moe"],
        qk_norm: QkNorm::Head,
        tied: true,
        ..BASE
    },
    Family {
        names: &["minimax"],
        ..BASE
    },
    Family {
        names: &["starcoder2"],
        tied: true,
        ..BIASED
    },
    Family {
        names: &["gpt2", "gpt_bigcode"],
        fused: [true, false],
        tied: true,
        ..BIASED
    },
    Family {
        names: &["gpt_neox"],
        fused: [true, false],
        ..BIASED
    },
    Family {
        names: &["opt"],
        tied: true,
        ..BIASED
    },
    Family {
        names: &["gptj"],
        qkv_bias: Bias::No,
        output_bias: Bias::No,
        norms: [2, 0, 2],
        head_bias: true,
        ..BIASED
    },
    Family {
        names: &["stablelm"],
        qkv_bias: Bias::Key("use_qkv_bias"),
        output_bias: Bias::No,
        norms: [2, 2, 2],
        ..BASE
    },
    Family {
        names: &["jais2"],
        ..BIASED
    },
];

/// Families whose configs leave out what an architecture needs, or that aren't language models.
pub(super) const REFUSED: &[(&str, &str)] = &[
    ("bert", "it embeds texts and generates none"),
    ("roberta", "it embeds texts and generates none"),
    ("clip", "it is a vision tower, not a language model"),
    ("siglip", "it is a vision tower, not a language model"),
    ("whisper", "it transcribes sound"),
    ("t5", "models with an encoder are not described here"),
    ("bart", "models with an encoder are not described here"),
    ("rwkv", "its mixer is not described here"),
    (
        "kimi_k3",
        "its config leaves out which of its projections have full rank; the catalogue has its model",
    ),
    (
        "gemma3n",
        "its config doesn't say which weights stand beside the layers; the catalogue has its models",
    ),
    (
        "deepseek_v4",
        "its config doesn't say the shapes of its compressors; the catalogue has its models",
    ),
    (
        "mllama",
        "which layers see the image isn't read from its config; the catalogue has its models",
    ),
    (
        "nemotron-nas",
        "its layers are written as search results; the catalogue has its models",
    ),
    (
        "bitnet",
        "its inner norms aren't in its config; the catalogue has its models",
    ),
];
