//! Number types of a cache.

use crate::num;
use crate::units::Bytes;

/// In what a cache keeps its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KvType {
    /// 32-bit float.
    F32,
    /// 16-bit float, the default everywhere.
    #[default]
    F16,
    /// bfloat16.
    Bf16,
    /// 8-bit float, scaled once a tensor.
    Fp8,
    /// 8-bit integer, scaled once a tensor.
    Int8,
    /// 8 bit in blocks of 32.
    Q8_0,
    /// 5 bit with offset in blocks of 32.
    Q5_1,
    /// 5 bit in blocks of 32.
    Q5_0,
    /// 4 bit with offset in blocks of 32.
    Q4_1,
    /// 4 bit in blocks of 32.
    Q4_0,
    /// 4 bit, non-linear, in blocks of 32.
    Iq4Nl,
}

/// A name no cache type has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown KV cache type `{name}`")]
pub struct UnknownKvType {
    /// What was given.
    pub name: String,
}

impl KvType {
    /// All of them, most precise first.
    pub const ALL: [Self; 11] = [
        Self::F32,
        Self::F16,
        Self::Bf16,
        Self::Q8_0,
        Self::Fp8,
        Self::Int8,
        Self::Q5_1,
        Self::Q5_0,
        Self::Q4_1,
        Self::Q4_0,
        Self::Iq4Nl,
    ];

    /// Its name on an engine's command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Int8 => "int8",
            Self::Q8_0 => "q8_0",
            Self::Q5_1 => "q5_1",
            Self::Q5_0 => "q5_0",
            Self::Q4_1 => "q4_1",
            Self::Q4_0 => "q4_0",
            Self::Iq4Nl => "iq4_nl",
        }
    }

    /// The type of that name, in any case; engines' other spellings count.
    ///
    /// # Errors
    ///
    /// [`UnknownKvType`] if there is none.
    pub fn parse(name: &str) -> Result<Self, UnknownKvType> {
        let lower = name.trim().to_ascii_lowercase();
        let known = match lower.as_str() {
            "fp16" | "float16" | "half" => Some(Self::F16),
            "fp32" | "float32" => Some(Self::F32),
            "bfloat16" => Some(Self::Bf16),
            "fp8_e4m3" | "fp8_e5m2" | "e4m3" | "e5m2" => Some(Self::Fp8),
            "q8" => Some(Self::Q8_0),
            "q4" => Some(Self::Q4_0),
            other => Self::ALL.into_iter().find(|each| each.name() == other),
        };
        known.ok_or_else(|| UnknownKvType {
            name: name.to_owned(),
        })
    }

    /// Elements of a block and the block's bytes, scales included (`ggml/src/ggml-common.h`).
    #[must_use]
    pub const fn block(self) -> (u64, u64) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::Bf16 => (1, 2),
            Self::Fp8 | Self::Int8 => (1, 1),
            Self::Q8_0 => (32, 34),
            Self::Q5_1 => (32, 24),
            Self::Q5_0 => (32, 22),
            Self::Q4_1 => (32, 20),
            Self::Q4_0 | Self::Iq4Nl => (32, 18),
        }
    }

    /// Bytes of an element, its share of the block's scales included.
    #[must_use]
    pub const fn bytes_per_element(self) -> f64 {
        let (elements, bytes) = self.block();
        num::f(bytes) / num::f(elements)
    }

    /// Whether elements share a scale by block.
    #[must_use]
    pub const fn is_quantized(self) -> bool {
        self.block().0 > 1
    }

    /// Bits an element takes on average.
    #[must_use]
    pub const fn bits(self) -> f64 {
        let (block, bytes) = self.block();
        num::f(bytes) * 8.0 / num::f(block)
    }

    /// Bytes of a row of elements.
    pub(crate) const fn bytes(self, elements: u64) -> Bytes {
        let (block, bytes) = self.block();
        // both powers of two: exact
        Bytes::new(num::f(elements) / num::f(block) * num::f(bytes))
    }
}
