//! The block formats of ggml tensors: how many elements share how many bytes.

use crate::tensor::Tensor;

/// A type a ggml tensor can be stored in.
///
/// Elements lie in blocks along a row; a block is the smallest piece that can be stored.
#[expect(non_camel_case_types, reason = "the names ggml prints")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockType {
    /// 32-bit float.
    F32,
    /// 16-bit float, IEEE.
    F16,
    /// bfloat16.
    BF16,
    /// 8 bits with one scale for 32.
    Q8_0,
    /// 5 bits with scale and minimum for 32.
    Q5_1,
    /// 5 bits with one scale for 32.
    Q5_0,
    /// 4 bits with scale and minimum for 32.
    Q4_1,
    /// 4 bits with one scale for 32.
    Q4_0,
    /// 4 bits on a non-linear grid, one scale for 32.
    IQ4_NL,
    /// OCP microscaling FP4: E2M1 with one E8M0 scale for 32.
    MXFP4,
    /// 6 bits in super-blocks of 256.
    Q6_K,
    /// 5 bits in super-blocks of 256.
    Q5_K,
    /// 4 bits in super-blocks of 256.
    Q4_K,
    /// 4 bits on a non-linear grid in super-blocks of 256.
    IQ4_XS,
    /// 3 bits in super-blocks of 256.
    Q3_K,
    /// 3 bits from a codebook, with signs.
    IQ3_S,
    /// 3 bits from a smaller codebook.
    IQ3_XXS,
    /// 2 bits in super-blocks of 256.
    Q2_K,
    /// 2 bits from a codebook, with signs.
    IQ2_S,
    /// 2 bits from a codebook.
    IQ2_XS,
    /// 2 bits from a smaller codebook.
    IQ2_XXS,
    /// 1.75 bits from a codebook.
    IQ1_M,
    /// 1.56 bits from a codebook.
    IQ1_S,
    /// Ternary, packed five to a byte.
    TQ1_0,
    /// Ternary, two bits each.
    TQ2_0,
    /// 6 bits on a non-linear grid (`ik_llama.cpp`, as all types from here on).
    IQ6_K,
    /// 5 bits on a non-linear grid.
    IQ5_K,
    /// 5 bits with one scale a row.
    IQ5_KS,
    /// 4 bits on a non-linear grid.
    IQ4_K,
    /// 4 bits with one scale a row.
    IQ4_KS,
    /// 4 bits, scales included, with one more a row.
    IQ4_KSS,
    /// 4 bits on a trellis.
    IQ4_KT,
    /// 3 bits on a non-linear grid.
    IQ3_K,
    /// 3 bits with one scale a row.
    IQ3_KS,
    /// 3 bits on a trellis.
    IQ3_KT,
    /// 2.7 bits with one scale a row.
    IQ2_KL,
    /// 2 bits on a non-linear grid.
    IQ2_K,
    /// 2 bits with one scale a row.
    IQ2_KS,
    /// 2 bits on a trellis.
    IQ2_KT,
    /// 1.75 bits on a trellis.
    IQ1_KT,
}

/// What a file's tensors are aligned to (`GGUF_DEFAULT_ALIGNMENT`).
pub const ALIGNMENT: u64 = 32;

impl BlockType {
    /// Every type, largest first.
    pub const ALL: [Self; 40] = [
        Self::F32,
        Self::F16,
        Self::BF16,
        Self::Q8_0,
        Self::IQ6_K,
        Self::Q6_K,
        Self::Q5_1,
        Self::Q5_0,
        Self::Q5_K,
        Self::IQ5_K,
        Self::IQ5_KS,
        Self::Q4_1,
        Self::Q4_0,
        Self::Q4_K,
        Self::IQ4_NL,
        Self::IQ4_K,
        Self::IQ4_XS,
        Self::MXFP4,
        Self::IQ4_KS,
        Self::IQ4_KSS,
        Self::IQ4_KT,
        Self::Q3_K,
        Self::IQ3_S,
        Self::IQ3_K,
        Self::IQ3_KS,
        Self::IQ3_KT,
        Self::IQ3_XXS,
        Self::IQ2_KL,
        Self::Q2_K,
        Self::IQ2_S,
        Self::IQ2_K,
        Self::IQ2_XS,
        Self::IQ2_KS,
        Self::IQ2_KT,
        Self::IQ2_XXS,
        Self::TQ2_0,
        Self::IQ1_M,
        Self::IQ1_KT,
        Self::TQ1_0,
        Self::IQ1_S,
    ];

    /// The name ggml prints, in the case file names use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::BF16 => "BF16",
            Self::Q8_0 => "Q8_0",
            Self::Q5_1 => "Q5_1",
            Self::Q5_0 => "Q5_0",
            Self::Q4_1 => "Q4_1",
            Self::Q4_0 => "Q4_0",
            Self::IQ4_NL => "IQ4_NL",
            Self::MXFP4 => "MXFP4",
            Self::Q6_K => "Q6_K",
            Self::Q5_K => "Q5_K",
            Self::Q4_K => "Q4_K",
            Self::IQ4_XS => "IQ4_XS",
            Self::Q3_K => "Q3_K",
            Self::IQ3_S => "IQ3_S",
            Self::IQ3_XXS => "IQ3_XXS",
            Self::Q2_K => "Q2_K",
            Self::IQ2_S => "IQ2_S",
            Self::IQ2_XS => "IQ2_XS",
            Self::IQ2_XXS => "IQ2_XXS",
            Self::IQ1_M => "IQ1_M",
            Self::IQ1_S => "IQ1_S",
            Self::TQ1_0 => "TQ1_0",
            Self::TQ2_0 => "TQ2_0",
            Self::IQ6_K => "IQ6_K",
            Self::IQ5_K => "IQ5_K",
            Self::IQ5_KS => "IQ5_KS",
            Self::IQ4_K => "IQ4_K",
            Self::IQ4_KS => "IQ4_KS",
            Self::IQ4_KSS => "IQ4_KSS",
            Self::IQ4_KT => "IQ4_KT",
            Self::IQ3_K => "IQ3_K",
            Self::IQ3_KS => "IQ3_KS",
            Self::IQ3_KT => "IQ3_KT",
            Self::IQ2_KL => "IQ2_KL",
            Self::IQ2_K => "IQ2_K",
            Self::IQ2_KS => "IQ2_KS",
            Self::IQ2_KT => "IQ2_KT",
            Self::IQ1_KT => "IQ1_KT",
        }
    }

    /// Elements and bytes of a block.
    ///
    /// Source: the block structs of llama.cpp `ggml/src/ggml-common.h`, and for `ik_llama.cpp`'s own
    /// those of its copy (`ikawrakow/ik_llama.cpp@fb4cff3`) and its type table (`ggml/src/ggml.c`).
    #[must_use]
    pub const fn block(self) -> (u64, u64) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::BF16 => (1, 2),
            Self::Q8_0 => (32, 34),
            Self::Q5_1 => (32, 24),
            Self::Q5_0 => (32, 22),
            Self::Q4_1 => (32, 20),
            Self::Q4_0 | Self::IQ4_NL => (32, 18),
            Self::MXFP4 => (32, 17),
            Self::IQ6_K => (256, 212),
            Self::Q6_K => (256, 210),
            Self::Q5_K | Self::IQ5_K => (256, 176),
            Self::IQ5_KS => (256, 168),
            Self::Q4_K | Self::IQ4_K => (256, 144),
            Self::IQ4_XS | Self::IQ4_KS => (256, 136),
            Self::IQ4_KSS | Self::IQ4_KT => (256, 128),
            Self::Q3_K | Self::IQ3_S | Self::IQ3_K => (256, 110),
            Self::IQ3_KS => (256, 102),
            Self::IQ3_KT => (256, 100),
            Self::IQ3_XXS => (256, 98),
            Self::IQ2_KL => (256, 86),
            Self::Q2_K => (256, 84),
            Self::IQ2_S => (256, 82),
            Self::IQ2_K => (256, 76),
            Self::IQ2_XS => (256, 74),
            Self::IQ2_KS => (256, 70),
            Self::IQ2_KT => (256, 68),
            Self::IQ2_XXS | Self::TQ2_0 => (256, 66),
            Self::IQ1_M | Self::IQ1_KT => (256, 56),
            Self::TQ1_0 => (256, 54),
            Self::IQ1_S => (256, 50),
        }
    }

    /// Whether the type stores fewer bits than a 16-bit float.
    #[must_use]
    pub const fn is_quantized(self) -> bool {
        !matches!(self, Self::F32 | Self::F16 | Self::BF16)
    }

    /// Whether rows of this length consist of whole blocks.
    #[must_use]
    pub const fn divides(self, row: u64) -> bool {
        // Blocks hold 1, 32 or 256 elements: a mask is all a remainder takes.
        row & (self.block().0 - 1) == 0
    }

    /// Bytes in front of the blocks of each row: a scale that all of them share.
    #[must_use]
    pub const fn row_scale(self) -> u64 {
        match self {
            Self::IQ2_KS | Self::IQ2_KL | Self::IQ3_KS => 2,
            Self::IQ5_KS
            | Self::IQ4_KS
            | Self::IQ4_KSS
            | Self::IQ4_KT
            | Self::IQ3_KT
            | Self::IQ2_KT
            | Self::IQ1_KT => 4,
            _ => 0,
        }
    }

    /// Bytes of the tensor's data, without the padding that follows it in a file.
    ///
    /// Rows that end inside a block are counted with the whole block; no engine writes such.
    #[must_use]
    pub const fn bytes(self, tensor: &Tensor) -> u64 {
        let (elements, bytes) = self.block();
        let scales = tensor
            .rows
            .saturating_mul(tensor.stack)
            .saturating_mul(self.row_scale());
        tensor
            .elements()
            .div_ceil(elements)
            .saturating_mul(bytes)
            .saturating_add(scales)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Role;

    fn matrix(row: u64, rows: u64) -> Tensor {
        Tensor {
            role: Role::Output,
            layer: None,
            row,
            rows,
            stack: 1,
        }
    }

    #[test]
    fn types_are_listed_once_and_largest_first() {
        let bits = |t: &BlockType| t.block().1 * 256 / t.block().0;
        for pair in BlockType::ALL.windows(2) {
            assert_ne!(pair[0], pair[1]);
            assert!(bits(&pair[0]) >= bits(&pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn sizes_follow_the_block() {
        assert_eq!(BlockType::Q4_K.bytes(&matrix(256, 10)), 1440);
        assert_eq!(BlockType::Q8_0.bytes(&matrix(4096, 4096)), 17_825_792);
        assert_eq!(BlockType::F32.bytes(&matrix(7, 1)), 28);
        // Two blocks of 136 and four bytes a row.
        assert_eq!(BlockType::IQ4_KS.bytes(&matrix(512, 10)), 2760);
    }

    #[test]
    fn blocks_hold_a_power_of_two() {
        for kind in BlockType::ALL {
            assert!(kind.block().0.is_power_of_two());
            assert_eq!(kind.divides(2880), 2880 % kind.block().0 == 0);
            assert!(kind.divides(4096));
        }
    }
}
