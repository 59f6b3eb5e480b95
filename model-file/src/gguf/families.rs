//! The architectures of GGUF files that are read, and what only their engine's code says of them.
//!
//! Names: `gguf-py/gguf/constants.py`, `MODEL_ARCH_NAMES`. Which layers slide where a file doesn't
//! say: `src/llama-model.cpp`, `load_hparams`, calls of `set_swa_pattern`.

use crate::error::ReadError;
use crate::nearest::nearest;

/// Which layers attend to a window, where a file doesn't list them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// None; a window that a file names isn't used by the engine.
    Never,
    /// All but each so-manieth.
    Every(u32),
    /// The same in chunks instead of a window.
    Chunks(u32),
    /// All but each so-manieth, the full one first.
    FullFirst(u32),
    /// It has to be in the file.
    Listed,
}

/// An architecture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    /// As files name it.
    pub(super) name: &'static str,
    /// As configs name it: what rules of formats go by.
    pub(super) model_type: &'static str,
    /// Which layers slide.
    pub(super) pattern: Pattern,
}

const fn family(name: &'static str, model_type: &'static str, pattern: Pattern) -> Family {
    Family {
        name,
        model_type,
        pattern,
    }
}

const NEVER: Pattern = Pattern::Never;

const FAMILIES: &[Family] = &[
    family("afmoe", "afmoe", Pattern::Every(4)),
    family("apertus", "apertus", NEVER),
    family("arcee", "arcee", NEVER),
    family("baichuan", "baichuan", NEVER),
    family("bailingmoe", "bailing_moe", NEVER),
    family("bailingmoe2", "bailing_moe_v2", NEVER),
    family("bitnet", "bitnet", NEVER),
    family("bloom", "bloom", NEVER),
    family("chatglm", "glm", NEVER),
    family("codeshell", "codeshell", NEVER),
    family("cohere2", "cohere2", Pattern::Every(4)),
    family("command-r", "cohere", NEVER),
    family("dbrx", "dbrx", NEVER),
    family("deci", "nemotron-nas", NEVER),
    family("deepseek", "deepseek", NEVER),
    family("deepseek2", "deepseek_v3", NEVER),
    family("dots1", "dots1", NEVER),
    family("ernie4_5", "ernie4_5", NEVER),
    family("ernie4_5-moe", "ernie4_5_moe", NEVER),
    family("exaone", "exaone", NEVER),
    family("exaone4", "exaone4", Pattern::Every(4)),
    family("exaone-moe", "exaone_moe", Pattern::Every(4)),
    family("falcon", "falcon", NEVER),
    family("falcon-h1", "falcon_h1", NEVER),
    family("gemma", "gemma", NEVER),
    family("gemma2", "gemma2", Pattern::Every(2)),
    family("gemma3", "gemma3", Pattern::Every(6)),
    family("gemma3n", "gemma3n_text", Pattern::Every(5)),
    family("gemma4", "gemma4", Pattern::Listed),
    family("glm4", "glm4", NEVER),
    family("glm4moe", "glm4_moe", NEVER),
    family("glm-dsa", "glm_moe_dsa", NEVER),
    family("gpt2", "gpt2", NEVER),
    family("gptj", "gptj", NEVER),
    family("gptneox", "gpt_neox", NEVER),
    family("gpt-oss", "gpt_oss", Pattern::Every(2)),
    family("granite", "granite", NEVER),
    family("granitehybrid", "granitemoehybrid", NEVER),
    family("granitemoe", "granitemoe", NEVER),
    family("grok", "grok-1", NEVER),
    family("hunyuan-dense", "hunyuan_v1_dense", NEVER),
    family("hunyuan-moe", "hunyuan_v1_moe", NEVER),
    family("internlm2", "internlm2", NEVER),
    family("jais2", "jais2", NEVER),
    family("jamba", "jamba", NEVER),
    family("kimi-linear", "kimi_linear", NEVER),
    family("lfm2", "lfm2", NEVER),
    family("lfm2moe", "lfm2_moe", NEVER),
    family("llama", "llama", NEVER),
    family("llama4", "llama4", Pattern::Chunks(4)),
    family("mamba", "mamba", NEVER),
    family("mamba2", "mamba2", NEVER),
    family("mimo2", "mimo_v2_flash", Pattern::Listed),
    family("minicpm", "minicpm", NEVER),
    family("minicpm3", "minicpm3", NEVER),
    family("minimax-m2", "minimax_m2", NEVER),
    family("mistral3", "mistral3", NEVER),
    family("mistral4", "mistral3", NEVER),
    family("nemotron", "nemotron", NEVER),
    family("nemotron_h", "nemotron_h", NEVER),
    family("nemotron_h_moe", "nemotron_h", NEVER),
    family("olmo", "olmo", NEVER),
    family("olmo2", "olmo2", Pattern::Every(4)),
    family("olmoe", "olmoe", NEVER),
    family("orion", "orion", NEVER),
    family("phi2", "phi", NEVER),
    family("phi3", "phi3", NEVER),
    family("phimoe", "phimoe", NEVER),
    family("qwen2", "qwen2", NEVER),
    family("qwen2moe", "qwen2_moe", NEVER),
    family("qwen2vl", "qwen2_5_vl", NEVER),
    family("qwen3", "qwen3", NEVER),
    family("qwen35", "qwen3_5", NEVER),
    family("qwen35moe", "qwen3_5_moe", NEVER),
    family("qwen3moe", "qwen3_moe", NEVER),
    family("qwen3next", "qwen3_next", NEVER),
    family("qwen3vl", "qwen3_vl", NEVER),
    family("qwen3vlmoe", "qwen3_vl_moe", NEVER),
    family("refact", "refact", NEVER),
    family("seed_oss", "seed_oss", NEVER),
    family("smallthinker", "smallthinker", Pattern::FullFirst(4)),
    family("smollm3", "smollm3", NEVER),
    family("stablelm", "stablelm", NEVER),
    family("starcoder", "gpt_bigcode", NEVER),
    family("starcoder2", "starcoder2", NEVER),
    family("step35", "step3p5", Pattern::Listed),
    family("xverse", "xverse", NEVER),
];

/// Architectures that are known and not read, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("clip", "it is the vision tower of a model, not the model"),
    ("mmproj", "it is the vision tower of a model, not the model"),
    ("bert", "it embeds texts and generates none"),
    ("modern-bert", "it embeds texts and generates none"),
    ("nomic-bert", "it embeds texts and generates none"),
    ("nomic-bert-moe", "it embeds texts and generates none"),
    ("neo-bert", "it embeds texts and generates none"),
    ("jina-bert-v2", "it embeds texts and generates none"),
    ("jina-bert-v3", "it embeds texts and generates none"),
    ("eurobert", "it embeds texts and generates none"),
    ("gemma-embedding", "it embeds texts and generates none"),
    ("t5", "models with an encoder are not described here"),
    ("t5encoder", "models with an encoder are not described here"),
    ("rwkv6", "its mixer is not described here"),
    ("rwkv6qwen2", "its mixer is not described here"),
    ("rwkv7", "its mixer is not described here"),
    ("arwkv7", "its mixer is not described here"),
    ("wavtokenizer-dec", "it makes sound, not text"),
    ("adapter", "it is an adapter, not a model"),
];

/// The names of all architectures that are read, as `general.architecture` has them.
pub fn known() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.name)
}

/// The family of a file, or the one to assume in its place.
pub(super) fn find(name: &str, assume: Option<&str>) -> Result<Family, ReadError> {
    let by_name = |name: &str| {
        FAMILIES
            .iter()
            .find(|family| family.name == name || family.model_type == name)
            .copied()
    };
    if let Some(assumed) = assume {
        return by_name(assumed).ok_or_else(|| ReadError::UnknownFamily {
            name: assumed.to_owned(),
            nearest: nearest(assumed, known()),
        });
    }
    if let Some((name, reason)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        return Err(ReadError::NotEstimated {
            name: (*name).to_owned(),
            reason,
        });
    }
    FAMILIES
        .iter()
        .find(|family| family.name == name)
        .copied()
        .ok_or_else(|| ReadError::UnknownArchitecture {
            key: "general.architecture".to_owned(),
            name: name.to_owned(),
            nearest: nearest(name, known()),
        })
}
