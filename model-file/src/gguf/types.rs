//! The types a GGUF file numbers its tensors' blocks by.

use estimator::format::{BlockType, Encoding};

/// How a tensor of a GGUF file is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorType {
    /// The name ggml prints.
    pub name: &'static str,
    /// Elements of a block.
    pub elements: u64,
    /// Bytes of a block.
    pub bytes: u64,
    /// What the estimator knows it as; `None` for types no weights come in.
    pub encoding: Option<Encoding>,
}

impl TensorType {
    const fn block(kind: BlockType) -> Self {
        let (elements, bytes) = kind.block();
        Self {
            name: kind.name(),
            elements,
            bytes,
            encoding: Some(Encoding::Block(kind)),
        }
    }

    const fn other(name: &'static str, elements: u64, bytes: u64) -> Self {
        Self {
            name,
            elements,
            bytes,
            encoding: None,
        }
    }

    /// The type of this number (`enum ggml_type`, llama.cpp `ggml/include/ggml.h`); `None` for
    /// numbers never given out, or withdrawn.
    #[must_use]
    pub const fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::block(BlockType::F32),
            1 => Self::block(BlockType::F16),
            2 => Self::block(BlockType::Q4_0),
            3 => Self::block(BlockType::Q4_1),
            6 => Self::block(BlockType::Q5_0),
            7 => Self::block(BlockType::Q5_1),
            8 => Self::block(BlockType::Q8_0),
            9 => Self::other("Q8_1", 32, 40),
            10 => Self::block(BlockType::Q2_K),
            11 => Self::block(BlockType::Q3_K),
            12 => Self::block(BlockType::Q4_K),
            13 => Self::block(BlockType::Q5_K),
            14 => Self::block(BlockType::Q6_K),
            15 => Self::other("Q8_K", 256, 292),
            16 => Self::block(BlockType::IQ2_XXS),
            17 => Self::block(BlockType::IQ2_XS),
            18 => Self::block(BlockType::IQ3_XXS),
            19 => Self::block(BlockType::IQ1_S),
            20 => Self::block(BlockType::IQ4_NL),
            21 => Self::block(BlockType::IQ3_S),
            22 => Self::block(BlockType::IQ2_S),
            23 => Self::block(BlockType::IQ4_XS),
            24 => Self::other("I8", 1, 1),
            25 => Self::other("I16", 1, 2),
            26 => Self::other("I32", 1, 4),
            27 => Self::other("I64", 1, 8),
            28 => Self::other("F64", 1, 8),
            29 => Self::block(BlockType::IQ1_M),
            30 => Self::block(BlockType::BF16),
            34 => Self::block(BlockType::TQ1_0),
            35 => Self::block(BlockType::TQ2_0),
            39 => Self::block(BlockType::MXFP4),
            // the same numbers and scales as in safetensors, four blocks of 16 together
            40 => Self {
                name: "NVFP4",
                elements: 64,
                bytes: 36,
                encoding: Some(Encoding::Nvfp4),
            },
            _ => return None,
        })
    }
}
