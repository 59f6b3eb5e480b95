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
//!   recipe published with nearly every such checkpoint.
//! - NVFP4: `NVIDIA/TensorRT-Model-Optimizer@0991404: modelopt/torch/quantization/config.py`,
//!   `_default_disabled_quantizer_cfg` (head, router, `shared_expert_gate`), and only linear layers.
//! - MXFP4: experts only; attention and the rest are left to 16 bits
//!   (`vllm-project/vllm@007d500: vllm/model_executor/layers/quantization/mxfp4.py`,
//!   `Mxfp4Config.get_quant_method`). A dense model has no experts; there it is taken as all linear
//!   layers, which is what AMD Quark writes.
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
    /// MLX: one encoding for all that divides into groups of so many.
    Mlx(Encoding, u64),
    /// Linear layers in one encoding, the rest as published.
    Linear {
        linear: Encoding,
        head: Encoding,
        router: Encoding,
        plain: Encoding,
    },
    /// Experts only.
    Experts(Encoding),
    Plain(Encoding),
}

/// What a tensor is to a tool that quantizes "linear layers".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Linear,
    Head,
    Router,
    Plain,
}

const fn part(role: Role) -> Part {
    match role {
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
        | Role::LinearProjection
        | Role::FfnGate
        | Role::FfnUp
        | Role::FfnDown
        | Role::ExpertGate
        | Role::ExpertUp
        | Role::ExpertDown
        | Role::SharedGate
        | Role::SharedUp
        | Role::SharedDown => Part::Linear,
        Role::Output => Part::Head,
        Role::Router => Part::Router,
        _ => Part::Plain,
    }
}

impl Encoder {
    /// The encoder of a format for a model.
    pub(super) const fn new(format: WeightFormat, facts: &ModelFacts) -> Self {
        const BF16: Encoding = Encoding::BF16;
        const F16: Encoding = Encoding::F16;
        let rule = match format {
            WeightFormat::Gguf(kind, imatrix) => Rule::Gguf(Assigner::new(kind, imatrix, *facts)),
            WeightFormat::Mlx(bits, group) => Rule::Mlx(
                Encoding::MlxAffine {
                    bits: bits.get(),
                    group: group.get(),
                },
                num::u8u(group.get()),
            ),
            WeightFormat::MlxMxfp4 => Rule::Mlx(Encoding::MXFP4, 32),
            WeightFormat::MlxNvfp4 => Rule::Mlx(Encoding::MlxNvfp4, 16),
            WeightFormat::Awq => linear_only(Encoding::AwqInt4, F16),
            WeightFormat::Gptq4 => linear_only(Encoding::GptqInt4, F16),
            WeightFormat::Gptq8 => linear_only(Encoding::GptqInt8, F16),
            WeightFormat::Int4 => linear_only(Encoding::Int4, BF16),
            WeightFormat::Int8 => linear_only(Encoding::Int8, BF16),
            WeightFormat::Fp8 => linear_only(Encoding::Fp8, BF16),
            WeightFormat::Fp8Block => linear_only(Encoding::Fp8Block, BF16),
            WeightFormat::Nvfp4 => linear_only(Encoding::Nvfp4, BF16),
            WeightFormat::Mxfp4 if facts.experts > 0 => Rule::Experts(Encoding::MXFP4),
            WeightFormat::Mxfp4 => linear_only(Encoding::MXFP4, BF16),
            WeightFormat::Exl2(rate) => Rule::Linear {
                linear: Encoding::Exl2(rate.hundredths()),
                head: Encoding::Exl2(630),
                router: F16,
                plain: F16,
            },
            WeightFormat::Exl3(rate) => Rule::Linear {
                linear: Encoding::Exl3(rate.hundredths()),
                head: Encoding::Exl3(600),
                router: F16,
                plain: F16,
            },
            WeightFormat::Nf4 => Rule::Linear {
                linear: Encoding::Nf4,
                head: BF16,
                router: Encoding::Nf4,
                plain: BF16,
            },
            WeightFormat::BnbInt8 => Rule::Linear {
                linear: Encoding::BnbInt8,
                head: F16,
                router: Encoding::BnbInt8,
                plain: F16,
            },
            WeightFormat::Bf16 => Rule::Plain(BF16),
            WeightFormat::Fp16 => Rule::Plain(F16),
            WeightFormat::Fp32 => Rule::Plain(Encoding::F32),
        };
        Self { rule }
    }

    /// Whether this tensor's encoding depends on which layer it is in.
    #[must_use]
    pub const fn depends_on_layer(&self, tensor: &Tensor) -> bool {
        match &self.rule {
            Rule::Gguf(assigner) => assigner.depends_on_layer(tensor.role),
            _ => false,
        }
    }

    /// The encoding of the next tensor.
    pub const fn encode(&mut self, tensor: &Tensor) -> Encoding {
        match &mut self.rule {
            Rule::Gguf(assigner) => Encoding::Block(assigner.assign(tensor)),
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
            Rule::Linear {
                linear,
                head,
                router,
                plain,
            } => match part(tensor.role) {
                Part::Linear => *linear,
                Part::Head => *head,
                Part::Router => *router,
                Part::Plain => *plain,
            },
            Rule::Experts(encoding) => {
                if tensor.role.is_routed() && !matches!(tensor.role, Role::ExpertBias) {
                    *encoding
                } else {
                    Encoding::BF16
                }
            }
            Rule::Plain(encoding) => *encoding,
        }
    }
}

/// Linear layers in one encoding, everything else in another.
const fn linear_only(linear: Encoding, plain: Encoding) -> Rule {
    Rule::Linear {
        linear,
        head: plain,
        router: plain,
        plain,
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
