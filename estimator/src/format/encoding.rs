//! How the numbers of one tensor are stored: bytes, and which kernel multiplies with them.

use core::fmt;

use super::block::BlockType;
use crate::num;
use crate::tensor::Tensor;

/// How the numbers of a tensor are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// Plain floats, or one of ggml's blocks. MXFP4 is the same bytes in ggml and in safetensors.
    Block(BlockType),
    /// MLX affine: integers with a 16-bit scale and bias for each group along the row
    /// (`ml-explore/mlx: mlx/ops.cpp`, `affine_quantize`).
    MlxAffine {
        /// Bits of an integer: 2, 3, 4, 5, 6 or 8.
        bits: u8,
        /// Numbers sharing a scale and a bias: 32, 64 or 128.
        group: u8,
    },
    /// MLX's `nvfp4` mode: E2M1 with an E4M3 scale for 16.
    MlxNvfp4,
    /// NVIDIA FP4: E2M1 with an E4M3 scale for 16 and an FP32 scale for the matrix.
    Nvfp4,
    /// 4-bit integers in groups of 128 with a 16-bit scale and a 4-bit zero point
    /// (`casper-hansen/AutoAWQ@030fe2a: awq/modules/linear/gemm.py`).
    AwqInt4,
    /// The same with a 32-bit group index for each input, as GPTQ writes
    /// (AutoGPTQ and GPTQModel `nn_modules/qlinear`: `qweight`, `qzeros`, `scales`, `g_idx`).
    GptqInt4,
    /// As [`GptqInt4`](Self::GptqInt4) with 8 bits.
    GptqInt8,
    /// 4-bit integers in groups with a 16-bit scale, symmetric: compressed-tensors `pack-quantized`
    /// as `W4A16` (`vllm-project/compressed-tensors: quantization/quant_scheme.py`).
    Int4 {
        /// Numbers sharing a scale: 32 or 128.
        group: u8,
    },
    /// 8-bit integers with an FP32 scale for each output.
    Int8,
    /// 8-bit floats (E4M3) with an FP32 scale for each output.
    Fp8,
    /// 8-bit floats (E4M3) with an FP32 scale for each square of 128 × 128, as DeepSeek-V3 and Qwen3
    /// publish (`weight_block_size` in `quantization_config`).
    Fp8Block,
    /// EXL2 at a rate in hundredths of a bit; scales and indices are within the rate.
    Exl2(u16),
    /// EXL3's trellis at a rate in hundredths of a bit, with a 16-bit factor for each input and output
    /// (`turboderp-org/exllamav3@0c64750: exllamav3/modules/quant/exl3.py`, `trellis`, `suh`, `svh`).
    Exl3(u16),
    /// bitsandbytes NF4: 4 bits with an FP32 maximum for 64, not quantized again
    /// (`bnb_4bit_use_double_quant` is off unless asked for).
    Nf4,
    /// bitsandbytes `LLM.int8()`: 8-bit integers with an FP32 maximum for each output.
    BnbInt8,
}

/// Which kernels multiply with an encoding. The speed model keeps its utilization by these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KernelClass {
    /// 32-bit floats.
    Float32,
    /// 16-bit floats.
    Float16,
    /// ggml's older blocks of 32: Q4_0 to Q8_0.
    LegacyQuant,
    /// ggml's super-blocks of 256: Q2_K to Q6_K.
    KQuant,
    /// ggml's codebooks and non-linear grids.
    IQuant,
    /// Ternary.
    Ternary,
    /// OCP microscaling FP4.
    Mxfp4,
    /// NVIDIA FP4.
    Nvfp4,
    /// 8-bit floats.
    Fp8,
    /// 8-bit integers, multiplied as such.
    Int8,
    /// MLX's affine groups.
    MlxAffine,
    /// Integers in groups, unpacked to 16 bit: AWQ, GPTQ, compressed-tensors (Marlin kernels).
    GroupInt,
    /// ExLlama's formats.
    Exl,
    /// bitsandbytes.
    Bnb,
}

impl KernelClass {
    /// How many there are; the length of a table by class.
    pub const COUNT: usize = 14;

    /// Every class, in the order of [`index`](Self::index).
    pub const ALL: [Self; Self::COUNT] = [
        Self::Float32,
        Self::Float16,
        Self::LegacyQuant,
        Self::KQuant,
        Self::IQuant,
        Self::Ternary,
        Self::Mxfp4,
        Self::Nvfp4,
        Self::Fp8,
        Self::Int8,
        Self::MlxAffine,
        Self::GroupInt,
        Self::Exl,
        Self::Bnb,
    ];

    /// Its place in a table by class.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Float32 => 0,
            Self::Float16 => 1,
            Self::LegacyQuant => 2,
            Self::KQuant => 3,
            Self::IQuant => 4,
            Self::Ternary => 5,
            Self::Mxfp4 => 6,
            Self::Nvfp4 => 7,
            Self::Fp8 => 8,
            Self::Int8 => 9,
            Self::MlxAffine => 10,
            Self::GroupInt => 11,
            Self::Exl => 12,
            Self::Bnb => 13,
        }
    }

    /// The word for it in tables and explanations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float32 => "32-bit",
            Self::Float16 => "16-bit",
            Self::LegacyQuant => "legacy-quant",
            Self::KQuant => "k-quant",
            Self::IQuant => "i-quant",
            Self::Ternary => "ternary",
            Self::Mxfp4 => "mxfp4",
            Self::Nvfp4 => "nvfp4",
            Self::Fp8 => "fp8",
            Self::Int8 => "int8",
            Self::MlxAffine => "mlx-affine",
            Self::GroupInt => "group-int",
            Self::Exl => "exl",
            Self::Bnb => "bnb",
        }
    }

    /// The number type a large matrix product runs in, where the device has it; else it is 16-bit.
    ///
    /// llama.cpp turns activations to 8-bit integers for its quantized blocks on CUDA, ROCm and CPUs
    /// (`ggml/src/ggml-cuda/mmq.cuh`) and unpacks the weights to 16 bit on Metal; engines for
    /// safetensors multiply FP8, INT8 and FP4 as they are, and unpack the rest.
    #[must_use]
    pub const fn compute(self) -> ComputeType {
        match self {
            Self::Float32 => ComputeType::Fp32,
            Self::LegacyQuant | Self::KQuant | Self::IQuant | Self::Ternary | Self::Int8 => {
                ComputeType::Int8
            }
            Self::Mxfp4 | Self::Nvfp4 => ComputeType::Fp4,
            Self::Fp8 => ComputeType::Fp8,
            Self::Float16 | Self::MlxAffine | Self::GroupInt | Self::Exl | Self::Bnb => {
                ComputeType::Fp16
            }
        }
    }
}

/// The number type a matrix product runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ComputeType {
    /// 32-bit floats.
    Fp32,
    /// 16-bit floats, either kind.
    Fp16,
    /// 8-bit floats.
    Fp8,
    /// 8-bit integers.
    Int8,
    /// 4-bit floats.
    Fp4,
}

/// A tensor as groups along its rows: bytes of the packed numbers, and of what comes with each group.
const fn grouped(tensor: &Tensor, bits: u64, group: u64, bits_a_group: u64) -> u64 {
    let rows = tensor.rows.saturating_mul(tensor.stack);
    let numbers = tensor.row.saturating_mul(bits).div_ceil(8);
    let groups = tensor
        .row
        .div_ceil(group)
        .saturating_mul(bits_a_group)
        .div_ceil(8);
    rows.saturating_mul(numbers.saturating_add(groups))
}

/// One byte a number and an FP32 scale for each output.
const fn byte_and_row_scale(tensor: &Tensor) -> u64 {
    tensor
        .elements()
        .saturating_add(tensor.rows.saturating_mul(tensor.stack).saturating_mul(4))
}

impl Encoding {
    /// 16-bit floats.
    pub const F16: Self = Self::Block(BlockType::F16);
    /// bfloat16.
    pub const BF16: Self = Self::Block(BlockType::BF16);
    /// 32-bit floats.
    pub const F32: Self = Self::Block(BlockType::F32);
    /// Microscaling FP4.
    pub const MXFP4: Self = Self::Block(BlockType::MXFP4);

    /// Bytes of the tensor.
    #[must_use]
    pub const fn bytes(self, tensor: &Tensor) -> u64 {
        match self {
            Self::Block(block) => block.bytes(tensor),
            Self::MlxAffine { bits, group } => grouped(tensor, num::u8u(bits), num::u8u(group), 32),
            Self::MlxNvfp4 => grouped(tensor, 4, 16, 8),
            Self::Nvfp4 => grouped(tensor, 4, 16, 8).saturating_add(tensor.stack.saturating_mul(4)),
            Self::AwqInt4 => grouped(tensor, 4, 128, 20),
            Self::GptqInt4 => grouped(tensor, 4, 128, 20).saturating_add(group_index(tensor)),
            Self::GptqInt8 => grouped(tensor, 8, 128, 24).saturating_add(group_index(tensor)),
            Self::Int4 { group } => grouped(tensor, 4, num::u8u(group), 16),
            Self::Int8 | Self::Fp8 | Self::BnbInt8 => byte_and_row_scale(tensor),
            Self::Fp8Block => {
                let squares = tensor
                    .row
                    .div_ceil(128)
                    .saturating_mul(tensor.rows.div_ceil(128))
                    .saturating_mul(tensor.stack);
                tensor.elements().saturating_add(squares.saturating_mul(4))
            }
            Self::Exl2(rate) => at_rate(tensor, rate),
            Self::Exl3(rate) => {
                let factors = tensor
                    .row
                    .saturating_add(tensor.rows)
                    .saturating_mul(tensor.stack)
                    .saturating_mul(2);
                at_rate(tensor, rate).saturating_add(factors)
            }
            Self::Nf4 => {
                let elements = tensor.elements();
                elements
                    .div_ceil(2)
                    .saturating_add(elements.div_ceil(64).saturating_mul(4))
            }
        }
    }

    /// Bits a weight on average, overheads included.
    #[must_use]
    pub fn bits_per_weight(self, tensor: &Tensor) -> f64 {
        num::f(self.bytes(tensor)) * 8.0 / num::f(tensor.elements().max(1))
    }

    /// Which kernels multiply with it.
    #[must_use]
    pub const fn kernel(self) -> KernelClass {
        match self {
            Self::Block(block) => match block {
                BlockType::F32 => KernelClass::Float32,
                BlockType::F16 | BlockType::BF16 => KernelClass::Float16,
                BlockType::Q8_0
                | BlockType::Q5_1
                | BlockType::Q5_0
                | BlockType::Q4_1
                | BlockType::Q4_0 => KernelClass::LegacyQuant,
                BlockType::Q6_K
                | BlockType::Q5_K
                | BlockType::Q4_K
                | BlockType::Q3_K
                | BlockType::Q2_K => KernelClass::KQuant,
                BlockType::IQ4_NL
                | BlockType::IQ4_XS
                | BlockType::IQ3_S
                | BlockType::IQ3_XXS
                | BlockType::IQ2_S
                | BlockType::IQ2_XS
                | BlockType::IQ2_XXS
                | BlockType::IQ1_M
                | BlockType::IQ1_S
                | BlockType::IQ6_K
                | BlockType::IQ5_K
                | BlockType::IQ5_KS
                | BlockType::IQ4_K
                | BlockType::IQ4_KS
                | BlockType::IQ4_KSS
                | BlockType::IQ4_KT
                | BlockType::IQ3_K
                | BlockType::IQ3_KS
                | BlockType::IQ3_KT
                | BlockType::IQ2_KL
                | BlockType::IQ2_K
                | BlockType::IQ2_KS
                | BlockType::IQ2_KT
                | BlockType::IQ1_KT => KernelClass::IQuant,
                BlockType::TQ1_0 | BlockType::TQ2_0 => KernelClass::Ternary,
                BlockType::MXFP4 => KernelClass::Mxfp4,
            },
            Self::MlxAffine { .. } => KernelClass::MlxAffine,
            Self::MlxNvfp4 | Self::Nvfp4 => KernelClass::Nvfp4,
            Self::AwqInt4 | Self::GptqInt4 | Self::GptqInt8 | Self::Int4 { .. } => {
                KernelClass::GroupInt
            }
            Self::Int8 => KernelClass::Int8,
            Self::Fp8 | Self::Fp8Block => KernelClass::Fp8,
            Self::Exl2(_) | Self::Exl3(_) => KernelClass::Exl,
            Self::Nf4 | Self::BnbInt8 => KernelClass::Bnb,
        }
    }
}

/// GPTQ's list of which group each input belongs to, one for each matrix.
const fn group_index(tensor: &Tensor) -> u64 {
    tensor.row.saturating_mul(tensor.stack).saturating_mul(4)
}

/// Bytes at a rate in hundredths of a bit.
const fn at_rate(tensor: &Tensor, rate: u16) -> u64 {
    tensor
        .elements()
        .saturating_mul(num::u16u(rate))
        .div_ceil(800)
}

impl fmt::Display for Encoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(block) => out.write_str(block.name()),
            Self::MlxAffine { bits, group } => write!(out, "MLX {bits}-bit g{group}"),
            Self::MlxNvfp4 | Self::Nvfp4 => out.write_str("NVFP4"),
            Self::AwqInt4 => out.write_str("AWQ 4-bit g128"),
            Self::GptqInt4 => out.write_str("GPTQ 4-bit g128"),
            Self::GptqInt8 => out.write_str("GPTQ 8-bit g128"),
            Self::Int4 { group } => write!(out, "INT4 g{group}"),
            Self::Int8 => out.write_str("INT8"),
            Self::Fp8 => out.write_str("FP8"),
            Self::Fp8Block => out.write_str("FP8 128x128"),
            Self::Exl2(rate) => write!(out, "EXL2 {} bpw", Rate(*rate)),
            Self::Exl3(rate) => write!(out, "EXL3 {} bpw", Rate(*rate)),
            Self::Nf4 => out.write_str("NF4"),
            Self::BnbInt8 => out.write_str("LLM.int8()"),
        }
    }
}

/// A rate in hundredths of a bit, as people write it: `4.0`, `2.25`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate(pub(super) u16);

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, hundredths) = (self.0 / 100, self.0 % 100);
        if hundredths % 10 == 0 {
            write!(out, "{whole}.{}", hundredths / 10)
        } else {
            write!(out, "{whole}.{hundredths:02}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Role;

    fn matrix(row: u64, rows: u64, stack: u64) -> Tensor {
        Tensor {
            role: Role::FfnUp,
            layer: Some(0),
            row,
            rows,
            stack,
        }
    }

    #[test]
    fn bits_a_weight_are_those_the_formats_are_known_for() {
        let tensor = matrix(4096, 4096, 1);
        let bits = |encoding: Encoding| encoding.bits_per_weight(&tensor);
        assert_eq!(bits(Encoding::MlxAffine { bits: 4, group: 64 }), 4.5);
        assert_eq!(bits(Encoding::MlxAffine { bits: 8, group: 64 }), 8.5);
        assert_eq!(bits(Encoding::MlxAffine { bits: 4, group: 32 }), 5.0);
        assert_eq!(bits(Encoding::AwqInt4), 4.156_25);
        assert_eq!(bits(Encoding::Int4 { group: 128 }), 4.125);
        assert_eq!(bits(Encoding::Int4 { group: 32 }), 4.5);
        assert_eq!(bits(Encoding::MlxNvfp4), 4.5);
        assert_eq!(bits(Encoding::Block(BlockType::MXFP4)), 4.25);
        assert_eq!(bits(Encoding::Nf4), 4.5);
        assert!((bits(Encoding::Exl2(465)) - 4.65).abs() < 1e-6);
        assert!((bits(Encoding::GptqInt4) - 4.164).abs() < 1e-3);
        assert!((bits(Encoding::Exl3(400)) - 4.0078).abs() < 1e-3);
        assert!((bits(Encoding::Fp8Block) - 8.002).abs() < 1e-3);
    }

    #[test]
    fn a_stack_is_so_many_matrices() {
        for encoding in [
            Encoding::Nvfp4,
            Encoding::GptqInt8,
            Encoding::Fp8Block,
            Encoding::Exl3(300),
            Encoding::Int8,
        ] {
            assert_eq!(
                encoding.bytes(&matrix(512, 256, 8)),
                8 * encoding.bytes(&matrix(512, 256, 1)),
                "{encoding}"
            );
        }
    }

    #[test]
    fn classes_stand_at_their_index() {
        for (index, class) in KernelClass::ALL.into_iter().enumerate() {
            assert_eq!(class.index(), index);
        }
    }

    #[test]
    fn rates_are_written_the_usual_way() {
        assert_eq!(Encoding::Exl3(400).to_string(), "EXL3 4.0 bpw");
        assert_eq!(Encoding::Exl2(465).to_string(), "EXL2 4.65 bpw");
        assert_eq!(Encoding::Exl2(205).to_string(), "EXL2 2.05 bpw");
    }
}
