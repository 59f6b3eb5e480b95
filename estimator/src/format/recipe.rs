//! What each format does with each kind of tensor.
//!
//! Outside GGUF the rule is short: matrices of the layers are quantized, and what is left in 16
//! bits differs by tool. Sources, with the commit read:
//!
//! - MLX: every linear layer and embedding whose rows divide into groups, the router in 8 bits
//!   (`ml-explore/mlx-lm@003da2e: mlx_lm/utils.py`, `quantize_model`;
//!   `@0161813: mlx_lm/models/qwen3_moe.py`, `quant_predicate`). Models whose router is a bare
//!   array (DeepSeek's) keep it in 16 bits; which do isn't known here, and it is under 0.1 % of them.
//! - AWQ and GPTQ: the linear layers inside the blocks; embeddings, head and router stay
//!   (`casper-hansen/AutoAWQ@030fe2a: awq/modules/linear/gemm.py`; AutoGPTQ's `lm_head` option is off).
//! - FP8, INT8, INT4 by llm-compressor: `targets: Linear, ignore: [lm_head, re:.*mlp.gate$]`, the
//!   recipe published with nearly every such checkpoint (`recipe.yaml` of RedHatAI's on Hugging Face).
//! - INT4 of a MoE: the routed experts in groups of 32, all else in BF16, which is what Kimi K2 was
//!   trained for and is published as (moonshotai/Kimi-K2.5, `quantization_config`).
//! - NVFP4: `NVIDIA/TensorRT-Model-Optimizer@0991404: modelopt/torch/quantization/config.py`,
//!   `_default_disabled_quantizer_cfg` (head, router, `shared_expert_gate`), and only linear layers.
//!   NVIDIA's MoE checkpoints exclude attention too (`hf_quant_config.json` of nvidia/DeepSeek-R1-0528-NVFP4,
//!   nvidia/GLM-4.7-NVFP4, nvidia/MiniMax-M2.5-NVFP4); Kimi's exclude shared experts as well, others'
//!   (RedHatAI) nothing. Taken here: attention stays, every feed-forward is packed.
//! - MXFP4: experts only; attention and the rest are left to 16 bits
//!   (`vllm-project/vllm@007d500: vllm/model_executor/layers/quantization/mxfp4.py`,
//!   `Mxfp4Config.get_quant_method`). A dense model has no experts; there it is taken as all linear
//!   layers, as in AMD Quark's. With FP8 for the rest as DeepSeek V4 (vLLM
//!   `vllm/models/deepseek_v4/quant_config.py`: linear layers always in FP8 blocks).
//! - EXL3: `turboderp-org/exllamav3@0bf1217: exllamav3/conversion/allocation.py`; the head at 6 bits
//!   unless asked otherwise (`doc/convert.md`), the router unquantized
//!   (`exllamav3/modules/block_sparse_mlp.py`, `qmap = None`). EXL2 likewise (`turboderp/exllamav2:
//!   doc/convert.md`), its head at about 6.3 bits with scales (its author, turboderp/exllamav2#3).
//! - bitsandbytes: every linear layer but `lm_head` (`huggingface/transformers:
//!   src/transformers/integrations/bitsandbytes.py`), the router of a MoE included.
//!
//! Weights known by count only are taken as left in 16 bits, except by MLX and GGUF.

use super::assign::Assigner;
use super::encoding::Encoding;
use super::facts::ModelFacts;
use super::plan::Planner;
use super::{MlxBits, MlxGroup, WeightFormat};
use crate::num;
use crate::tensor::{Role, Tensor};

/// Gives each tensor of a model its encoding.
///
/// GGUF mixes go by "the i-th of its kind", so tensors are to come in a file's order: layer by
/// layer, routed experts before the shared.
#[derive(Debug, Clone)]
pub struct Encoder {
    rule: Rule,
}

#[derive(Debug, Clone)]
enum Rule {
    Gguf(Assigner),
    Named(Planner),
    /// MLX: one encoding for all that divides into groups of so many.
    Mlx(Encoding, u64),
    Kinds(Kinds),
}

/// An encoding for each kind of tensor that a tool tells apart.
#[derive(Debug, Clone, Copy)]
struct Kinds {
    /// Routed experts.
    routed: Encoding,
    /// Feed-forward of every token: dense, and shared experts.
    feed_forward: Encoding,
    /// Attention and other mixers.
    mixer: Encoding,
    head: Encoding,
    router: Encoding,
    /// Embeddings, norms, and everything small.
    plain: Encoding,
}

impl Kinds {
    const fn all(encoding: Encoding) -> Self {
        Self {
            routed: encoding,
            feed_forward: encoding,
            mixer: encoding,
            head: encoding,
            router: encoding,
            plain: encoding,
        }
    }

    /// Linear layers in one encoding, everything else in another.
    const fn linear(linear: Encoding, plain: Encoding) -> Self {
        Self {
            routed: linear,
            feed_forward: linear,
            mixer: linear,
            ..Self::all(plain)
        }
    }

    /// Routed experts in one encoding, everything else in another.
    const fn experts(routed: Encoding, plain: Encoding) -> Self {
        Self {
            routed,
            ..Self::all(plain)
        }
    }

    const fn of(&self, role: Role) -> Encoding {
        match role {
            Role::ExpertGate | Role::ExpertUp | Role::ExpertDown => self.routed,
            Role::FfnGate
            | Role::FfnUp
            | Role::FfnDown
            | Role::SharedGate
            | Role::SharedUp
            | Role::SharedDown => self.feed_forward,
            Role::AttentionQ
            | Role::AttentionK
            | Role::AttentionV
            | Role::AttentionQkv
            | Role::AttentionOutput
            | Role::AttentionGate
            | Role::MlaQA
            | Role::MlaQB
            | Role::MlaKvA
            | Role::MlaKB
            | Role::MlaVB
            | Role::Indexer
            | Role::LinearProjection => self.mixer,
            Role::Output => self.head,
            Role::Router => self.router,
            Role::TokenEmbedding
            | Role::PositionEmbedding
            | Role::Lookup
            | Role::LinearSmall
            | Role::ExpertBias
            | Role::Norm
            | Role::Kept
            | Role::Other => self.plain,
        }
    }
}

impl Encoder {
    /// The encoder of a format for a model.
    pub(super) const fn new(format: WeightFormat, facts: &ModelFacts) -> Self {
        const BF16: Encoding = Encoding::BF16;
        const F16: Encoding = Encoding::F16;
        const INT4: Encoding = Encoding::Int4 { group: 128 };
        const KIMI: Encoding = Encoding::Int4 { group: 32 };
        let moe = facts.experts > 0;
        let kinds = match format {
            WeightFormat::Gguf(kind, imatrix) => {
                return Self {
                    rule: Rule::Gguf(Assigner::new(kind, imatrix, *facts)),
                };
            }
            WeightFormat::Named(named) => {
                return Self {
                    rule: Rule::Named(Planner::new(named.plan(moe), *facts)),
                };
            }
            WeightFormat::Mlx(bits, group) => {
                let (bits, group) = (bits.get(), group.get());
                return Self::mlx(Encoding::MlxAffine { bits, group }, num::u8u(group));
            }
            WeightFormat::MlxMxfp4 => return Self::mlx(Encoding::MXFP4, 32),
            WeightFormat::MlxNvfp4 => return Self::mlx(Encoding::MlxNvfp4, 16),
            WeightFormat::Awq => Kinds::linear(Encoding::AwqInt4, F16),
            WeightFormat::Gptq4 => Kinds::linear(Encoding::GptqInt4, F16),
            WeightFormat::Gptq8 => Kinds::linear(Encoding::GptqInt8, F16),
            WeightFormat::Int4 if moe => Kinds::experts(KIMI, BF16),
            WeightFormat::Int4 => Kinds::linear(INT4, BF16),
            WeightFormat::Int8 => Kinds::linear(Encoding::Int8, BF16),
            WeightFormat::Fp8 => Kinds::linear(Encoding::Fp8, BF16),
            WeightFormat::Fp8Block => Kinds::linear(Encoding::Fp8Block, BF16),
            WeightFormat::Nvfp4 if moe => Kinds {
                mixer: BF16,
                ..Kinds::linear(Encoding::Nvfp4, BF16)
            },
            WeightFormat::Nvfp4 => Kinds::linear(Encoding::Nvfp4, BF16),
            WeightFormat::Mxfp4 if moe => Kinds::experts(Encoding::MXFP4, BF16),
            WeightFormat::Mxfp4 => Kinds::linear(Encoding::MXFP4, BF16),
            WeightFormat::Mxfp4Fp8 => Kinds {
                routed: Encoding::MXFP4,
                ..Kinds::linear(Encoding::Fp8Block, BF16)
            },
            WeightFormat::Exl2(rate) => Kinds {
                head: Encoding::Exl2(630),
                ..Kinds::linear(Encoding::Exl2(rate.hundredths()), F16)
            },
            WeightFormat::Exl3(rate) => Kinds {
                head: Encoding::Exl3(600),
                ..Kinds::linear(Encoding::Exl3(rate.hundredths()), F16)
            },
            WeightFormat::Nf4 => Kinds {
                router: Encoding::Nf4,
                ..Kinds::linear(Encoding::Nf4, BF16)
            },
            WeightFormat::BnbInt8 => Kinds {
                router: Encoding::BnbInt8,
                ..Kinds::linear(Encoding::BnbInt8, F16)
            },
            WeightFormat::Bf16 => Kinds::all(BF16),
            WeightFormat::Fp16 => Kinds::all(F16),
            WeightFormat::Fp32 => Kinds::all(Encoding::F32),
        };
        Self {
            rule: Rule::Kinds(kinds),
        }
    }

    const fn mlx(encoding: Encoding, group: u64) -> Self {
        Self {
            rule: Rule::Mlx(encoding, group),
        }
    }

    /// Whether this tensor's encoding depends on which layer it is in.
    #[must_use]
    pub const fn depends_on_layer(&self, tensor: &Tensor) -> bool {
        match &self.rule {
            Rule::Gguf(assigner) => assigner.depends_on_layer(tensor.role),
            Rule::Named(planner) => planner.depends_on_layer(tensor.role),
            _ => false,
        }
    }

    /// The encoding of the next tensor.
    pub const fn encode(&mut self, tensor: &Tensor) -> Encoding {
        match &mut self.rule {
            Rule::Gguf(assigner) => Encoding::Block(assigner.assign(tensor)),
            Rule::Named(planner) => Encoding::Block(planner.assign(tensor)),
            Rule::Mlx(encoding, group) => match tensor.role {
                Role::Norm | Role::LinearSmall | Role::ExpertBias => Encoding::BF16,
                Role::Router if tensor.row.is_multiple_of(64) => Encoding::MlxAffine {
                    bits: MlxBits::Eight.get(),
                    group: MlxGroup::G64.get(),
                },
                Role::Router => Encoding::BF16,
                _ if tensor.row.is_multiple_of(*group) => *encoding,
                _ => Encoding::BF16,
            },
            Rule::Kinds(kinds) => kinds.of(tensor.role),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{BlockType, ExlRate, QuantFamily};

    const DENSE: ModelFacts = ModelFacts {
        layers: 32,
        value_tensors: 32,
        heads: 32,
        kv_heads: 8,
        experts: 0,
        family: QuantFamily::Other,
        tied_embeddings: false,
    };

    const fn tensor(role: Role, row: u64) -> Tensor {
        Tensor {
            role,
            layer: None,
            row,
            rows: 4096,
            stack: 1,
        }
    }

    fn encoding(format: WeightFormat, facts: ModelFacts, role: Role) -> Encoding {
        format.encoder(&facts).encode(&tensor(role, 4096))
    }

    #[test]
    fn awq_leaves_embeddings_head_and_router_in_16_bits() {
        for role in [Role::TokenEmbedding, Role::Output, Role::Router, Role::Norm] {
            assert_eq!(encoding(WeightFormat::Awq, DENSE, role), Encoding::F16);
        }
        assert_eq!(
            encoding(WeightFormat::Awq, DENSE, Role::FfnDown),
            Encoding::AwqInt4
        );
    }

    #[test]
    fn mlx_quantizes_embeddings_and_head_but_not_norms() {
        let format = WeightFormat::mlx(MlxBits::Four);
        let four = Encoding::MlxAffine { bits: 4, group: 64 };
        for role in [Role::TokenEmbedding, Role::Output, Role::AttentionQ] {
            assert_eq!(encoding(format, DENSE, role), four);
        }
        assert_eq!(encoding(format, DENSE, Role::Norm), Encoding::BF16);
        assert_eq!(
            encoding(format, DENSE, Role::Router),
            Encoding::MlxAffine { bits: 8, group: 64 }
        );
    }

    #[test]
    fn mlx_leaves_rows_that_do_not_divide() {
        let mut encoder = WeightFormat::mlx(MlxBits::Four).encoder(&DENSE);
        assert_eq!(
            encoder.encode(&tensor(Role::FfnDown, 2880 + 1)),
            Encoding::BF16
        );
    }

    #[test]
    fn mxfp4_packs_experts_only() {
        let moe = ModelFacts {
            experts: 32,
            ..DENSE
        };
        let four = Encoding::Block(BlockType::MXFP4);
        assert_eq!(encoding(WeightFormat::Mxfp4, moe, Role::ExpertUp), four);
        assert_eq!(
            encoding(WeightFormat::Mxfp4, moe, Role::AttentionQ),
            Encoding::BF16
        );
        assert_eq!(encoding(WeightFormat::Mxfp4, DENSE, Role::FfnUp), four);
    }

    #[test]
    fn moe_checkpoints_leave_attention_alone() {
        let moe = ModelFacts {
            experts: 256,
            ..DENSE
        };
        for (format, expert) in [
            (WeightFormat::Nvfp4, Encoding::Nvfp4),
            (WeightFormat::Int4, Encoding::Int4 { group: 32 }),
        ] {
            assert_eq!(encoding(format, moe, Role::ExpertUp), expert);
            assert_eq!(encoding(format, moe, Role::MlaQB), Encoding::BF16);
            assert_ne!(encoding(format, DENSE, Role::AttentionQ), Encoding::BF16);
        }
        let mixed = WeightFormat::Mxfp4Fp8;
        assert_eq!(encoding(mixed, moe, Role::ExpertUp), Encoding::MXFP4);
        assert_eq!(encoding(mixed, moe, Role::MlaQB), Encoding::Fp8Block);
    }

    #[test]
    fn exl_heads_have_six_bits_whatever_the_rate() {
        for hundredths in [200, 400, 800] {
            let rate = ExlRate::new(hundredths).expect("a rate in range");
            assert_eq!(
                encoding(WeightFormat::Exl3(rate), DENSE, Role::Output),
                Encoding::Exl3(600)
            );
        }
        assert_eq!(ExlRate::new(99), None);
        assert_eq!(ExlRate::new(801), None);
    }
}
