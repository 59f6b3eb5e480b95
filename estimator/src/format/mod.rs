//! Weight formats: what each stores which tensor in, and how to name them.
//!
//! A format is not a number of bits. A GGUF "Q4_K_M" holds three to five kinds of blocks; "AWQ
//! 4-bit" leaves a fifth of a small model in 16 bits. A [`WeightFormat`] gives an [`Encoder`], and that gives each
//! tensor its [`Encoding`], from which bytes and kernels follow.

mod assign;
mod block;
mod encoding;
mod extra;
mod facts;
mod gguf;
mod named;
mod parse;
mod plan;
mod recipe;

pub use assign::Assigner;
pub use block::{ALIGNMENT, BlockType};
pub use encoding::{ComputeType, Encoding, KernelClass};
pub use extra::{Extra, keeps_prediction};
pub use facts::{ModelFacts, QuantFamily};
pub use gguf::{GgufType, Imatrix, header_bytes};
pub use named::{Named, Spread};
pub use parse::UnknownFormat;
pub use recipe::Encoder;

use core::fmt;

use encoding::Rate;

/// How a model's weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WeightFormat {
    /// A GGUF file.
    Gguf(GgufType, Imatrix),
    /// A GGUF file by a vendor's own recipe.
    Named(Named),
    /// MLX affine.
    Mlx(MlxBits, MlxGroup),
    /// MLX in `mxfp4` mode: every matrix, embeddings too, at 4.25 bits.
    MlxMxfp4,
    /// MLX in `nvfp4` mode.
    MlxNvfp4,
    /// AWQ: 4 bits in groups of 128.
    Awq,
    /// GPTQ in groups of 128, 4 bits.
    Gptq4,
    /// GPTQ in groups of 128, 8 bits.
    Gptq8,
    /// 4-bit integers without zero points (compressed-tensors `W4A16`): of a dense model every linear
    /// layer in groups of 128, of a MoE the routed experts in groups of 32 as Kimi K2 is published.
    Int4,
    /// 8-bit integers for weights and activations (compressed-tensors `W8A8`).
    Int8,
    /// FP8 with a scale for each output.
    Fp8,
    /// FP8 with a scale for each square of 128 × 128.
    Fp8Block,
    /// OCP microscaling FP4 for the experts, the rest in BF16: gpt-oss as published.
    Mxfp4,
    /// OCP microscaling FP4 for the experts, the rest in FP8: DeepSeek V4 as published.
    Mxfp4Fp8,
    /// NVIDIA FP4; of a MoE the feed-forward only, attention stays in BF16.
    Nvfp4,
    /// EXL2 at a rate.
    Exl2(ExlRate),
    /// EXL3 at a rate.
    Exl3(ExlRate),
    /// bitsandbytes NF4.
    Nf4,
    /// bitsandbytes `LLM.int8()`.
    BnbInt8,
    /// bfloat16, as most models are published.
    Bf16,
    /// 16-bit IEEE floats.
    Fp16,
    /// 32-bit floats.
    Fp32,
}

/// Families of formats that the same engines load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FormatFamily {
    /// GGUF files.
    Gguf,
    /// MLX weights.
    Mlx,
    /// Unquantized safetensors: 16-bit, rarely 32-bit.
    Plain16,
    /// FP8.
    Fp8,
    /// 8-bit integers.
    Int8,
    /// AWQ.
    Awq,
    /// GPTQ, and other 4-bit integers in groups that the same kernels run.
    Gptq,
    /// Microscaling FP4 in safetensors.
    Mxfp4,
    /// NVIDIA FP4.
    Nvfp4,
    /// bitsandbytes.
    Bnb,
    /// ExLlamaV2's.
    Exl2,
    /// ExLlamaV3's.
    Exl3,
}

impl FormatFamily {
    /// Every family, in the order of menus.
    pub const ALL: [Self; 12] = [
        Self::Gguf,
        Self::Mlx,
        Self::Plain16,
        Self::Fp8,
        Self::Int8,
        Self::Nvfp4,
        Self::Mxfp4,
        Self::Awq,
        Self::Gptq,
        Self::Bnb,
        Self::Exl2,
        Self::Exl3,
    ];

    /// The family of this key or name, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        Self::ALL.into_iter().find(|family| {
            family.key().eq_ignore_ascii_case(text) || family.name().eq_ignore_ascii_case(text)
        })
    }

    /// The word for it in inputs and JSON.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Gguf => "gguf",
            Self::Mlx => "mlx",
            Self::Plain16 => "unquantized",
            Self::Fp8 => "fp8",
            Self::Int8 => "int8",
            Self::Awq => "awq",
            Self::Gptq => "gptq",
            Self::Mxfp4 => "mxfp4",
            Self::Nvfp4 => "nvfp4",
            Self::Bnb => "bnb",
            Self::Exl2 => "exl2",
            Self::Exl3 => "exl3",
        }
    }

    /// The word for it in menus.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gguf => "GGUF",
            Self::Mlx => "MLX",
            Self::Plain16 => "unquantized",
            Self::Fp8 => "FP8",
            Self::Int8 => "INT8",
            Self::Awq => "AWQ",
            Self::Gptq => "GPTQ",
            Self::Mxfp4 => "MXFP4",
            Self::Nvfp4 => "NVFP4",
            Self::Bnb => "bitsandbytes",
            Self::Exl2 => "EXL2",
            Self::Exl3 => "EXL3",
        }
    }
}

/// Bits of MLX's integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MlxBits {
    /// 2 bits.
    Two,
    /// 3 bits.
    Three,
    /// 4 bits, the usual.
    Four,
    /// 5 bits.
    Five,
    /// 6 bits.
    Six,
    /// 8 bits.
    Eight,
}

impl MlxBits {
    const fn get(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
            Self::Five => 5,
            Self::Six => 6,
            Self::Eight => 8,
        }
    }
}

/// Numbers that share a scale and a bias in MLX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum MlxGroup {
    /// 32.
    G32,
    /// 64, the default of `mlx_lm.convert`.
    #[default]
    G64,
    /// 128.
    G128,
}

impl MlxGroup {
    const fn get(self) -> u8 {
        match self {
            Self::G32 => 32,
            Self::G64 => 64,
            Self::G128 => 128,
        }
    }
}

/// A rate of EXL2 or EXL3 in hundredths of a bit a weight, from 1 to 8 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExlRate(u16);

impl ExlRate {
    /// The rate, if it is between 1.00 and 8.00 bits.
    #[must_use]
    pub const fn new(hundredths: u16) -> Option<Self> {
        if 100 <= hundredths && hundredths <= 800 {
            Some(Self(hundredths))
        } else {
            None
        }
    }

    /// In hundredths of a bit.
    #[must_use]
    pub const fn hundredths(self) -> u16 {
        self.0
    }
}

impl WeightFormat {
    /// The formats of menus: by family, in each from the largest to the smallest.
    pub const ALL: &[Self] = &[
        Self::gguf(GgufType::F32),
        Self::gguf(GgufType::BF16),
        Self::gguf(GgufType::F16),
        Self::gguf(GgufType::Q8_0),
        Self::gguf(GgufType::Q6_K),
        Self::gguf(GgufType::Q5_K_M),
        Self::gguf(GgufType::Q5_K_S),
        Self::gguf(GgufType::Q5_1),
        Self::gguf(GgufType::Q5_0),
        Self::gguf(GgufType::Q4_K_M),
        Self::gguf(GgufType::Q4_K_S),
        Self::gguf(GgufType::Q4_1),
        Self::gguf(GgufType::Q4_0),
        Self::gguf(GgufType::IQ4_NL),
        Self::gguf(GgufType::IQ4_XS),
        Self::gguf(GgufType::MXFP4_MOE),
        Self::gguf(GgufType::Q3_K_L),
        Self::gguf(GgufType::Q3_K_M),
        Self::gguf(GgufType::Q3_K_S),
        Self::gguf(GgufType::IQ3_M),
        Self::gguf(GgufType::IQ3_S),
        Self::gguf(GgufType::IQ3_XS),
        Self::gguf(GgufType::IQ3_XXS),
        Self::gguf(GgufType::Q2_K),
        Self::gguf(GgufType::Q2_K_S),
        Self::gguf(GgufType::IQ2_M),
        Self::gguf(GgufType::IQ2_S),
        Self::gguf(GgufType::IQ2_XS),
        Self::gguf(GgufType::IQ2_XXS),
        Self::gguf(GgufType::TQ2_0),
        Self::gguf(GgufType::TQ1_0),
        Self::gguf(GgufType::IQ1_M),
        Self::gguf(GgufType::IQ1_S),
        Self::mlx(MlxBits::Eight),
        Self::mlx(MlxBits::Six),
        Self::mlx(MlxBits::Five),
        Self::mlx(MlxBits::Four),
        Self::MlxNvfp4,
        Self::MlxMxfp4,
        Self::mlx(MlxBits::Three),
        Self::mlx(MlxBits::Two),
        Self::Bf16,
        Self::Fp16,
        Self::Fp32,
        Self::Fp8,
        Self::Fp8Block,
        Self::Int8,
        Self::Nvfp4,
        Self::Mxfp4Fp8,
        Self::Mxfp4,
        Self::Awq,
        Self::Gptq8,
        Self::Gptq4,
        Self::Int4,
        Self::BnbInt8,
        Self::Nf4,
        Self::Exl2(ExlRate(800)),
        Self::Exl2(ExlRate(600)),
        Self::Exl2(ExlRate(500)),
        Self::Exl2(ExlRate(400)),
        Self::Exl2(ExlRate(300)),
        Self::Exl2(ExlRate(250)),
        Self::Exl3(ExlRate(800)),
        Self::Exl3(ExlRate(600)),
        Self::Exl3(ExlRate(500)),
        Self::Exl3(ExlRate(400)),
        Self::Exl3(ExlRate(300)),
        Self::Exl3(ExlRate(250)),
        Self::Exl3(ExlRate(200)),
    ];

    /// A GGUF file quantized without an importance matrix.
    #[must_use]
    pub const fn gguf(kind: GgufType) -> Self {
        Self::Gguf(kind, Imatrix::Without)
    }

    /// MLX affine in groups of 64.
    #[must_use]
    pub const fn mlx(bits: MlxBits) -> Self {
        Self::Mlx(bits, MlxGroup::G64)
    }

    /// The formats of menus: by family, in each from the largest to the smallest.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        Self::ALL
    }

    /// GGUF recipes with names of their own, which menus leave out.
    pub fn named() -> impl Iterator<Item = Self> {
        Named::all().map(Self::Named)
    }

    /// How far published files lie from what is taken for this format, where its name has no rule;
    /// `experts` tells a model with routed experts from a dense one.
    #[must_use]
    pub const fn spread(self, experts: bool) -> Option<Spread> {
        match self {
            Self::Named(named) => Some(named.spread(experts)),
            _ => None,
        }
    }

    /// The format of this name. Case, dashes, underscores and spaces don't matter; what people
    /// call formats by is understood (`q4`, `4bit mlx`, `awq-int4`, `exl3 4bpw`, `w8a8`).
    ///
    /// `f16` is the GGUF, `fp16` and `bf16` are safetensors, `gguf-bf16` and `gguf-f32`
    /// GGUFs again.
    ///
    /// # Errors
    ///
    /// [`UnknownFormat`] with the nearest names.
    pub fn parse(text: &str) -> Result<Self, UnknownFormat> {
        parse::parse(text)
    }

    /// The family it belongs to.
    #[must_use]
    pub const fn family(self) -> FormatFamily {
        match self {
            Self::Gguf(..) | Self::Named(_) => FormatFamily::Gguf,
            Self::Mlx(..) | Self::MlxMxfp4 | Self::MlxNvfp4 => FormatFamily::Mlx,
            Self::Awq => FormatFamily::Awq,
            Self::Gptq4 | Self::Gptq8 | Self::Int4 => FormatFamily::Gptq,
            Self::Int8 => FormatFamily::Int8,
            Self::Fp8 | Self::Fp8Block => FormatFamily::Fp8,
            Self::Mxfp4 | Self::Mxfp4Fp8 => FormatFamily::Mxfp4,
            Self::Nvfp4 => FormatFamily::Nvfp4,
            Self::Exl2(_) => FormatFamily::Exl2,
            Self::Exl3(_) => FormatFamily::Exl3,
            Self::Nf4 | Self::BnbInt8 => FormatFamily::Bnb,
            Self::Bf16 | Self::Fp16 | Self::Fp32 => FormatFamily::Plain16,
        }
    }

    /// The GGUF file that holds the same numbers, for engines that load nothing else.
    #[must_use]
    pub const fn in_gguf(self) -> Option<Self> {
        match self {
            Self::Gguf(..) | Self::Named(_) => Some(self),
            Self::Bf16 => Some(Self::gguf(GgufType::BF16)),
            Self::Fp16 => Some(Self::gguf(GgufType::F16)),
            Self::Fp32 => Some(Self::gguf(GgufType::F32)),
            Self::Mxfp4 => Some(Self::gguf(GgufType::MXFP4_MOE)),
            _ => None,
        }
    }

    /// Whether tied embeddings are stored twice: ExLlama quantizes the head and keeps the lookup
    /// table in 16 bits, in system memory (`exllamav3/modules/embedding.py`, `prefer_cpu`).
    #[must_use]
    pub const fn unties_embeddings(self) -> bool {
        matches!(self, Self::Exl2(_) | Self::Exl3(_))
    }

    /// What gives each tensor of a model its encoding.
    #[must_use]
    pub const fn encoder(self, facts: &ModelFacts) -> Encoder {
        Encoder::new(self, facts)
    }

    /// The canonical name; [`parse`](Self::parse) reads it back.
    #[must_use]
    pub fn name(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for WeightFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gguf(kind @ (GgufType::F32 | GgufType::BF16), _) => {
                write!(out, "GGUF-{}", kind.name())
            }
            Self::Gguf(kind, Imatrix::Without) => out.write_str(kind.name()),
            Self::Gguf(kind, Imatrix::With) => write!(out, "{}-imatrix", kind.name()),
            Self::Named(named) => out.write_str(named.name()),
            Self::Mlx(bits, MlxGroup::G64) => write!(out, "mlx-{}bit", bits.get()),
            Self::Mlx(bits, group) => write!(out, "mlx-{}bit-g{}", bits.get(), group.get()),
            Self::MlxMxfp4 => out.write_str("mlx-mxfp4"),
            Self::MlxNvfp4 => out.write_str("mlx-nvfp4"),
            Self::Awq => out.write_str("awq-4bit"),
            Self::Gptq4 => out.write_str("gptq-4bit"),
            Self::Gptq8 => out.write_str("gptq-8bit"),
            Self::Int4 => out.write_str("int4"),
            Self::Int8 => out.write_str("int8"),
            Self::Fp8 => out.write_str("fp8"),
            Self::Fp8Block => out.write_str("fp8-block"),
            Self::Mxfp4 => out.write_str("mxfp4"),
            Self::Mxfp4Fp8 => out.write_str("mxfp4-fp8"),
            Self::Nvfp4 => out.write_str("nvfp4"),
            Self::Exl2(rate) => write!(out, "exl2-{}", Rate(rate.0)),
            Self::Exl3(rate) => write!(out, "exl3-{}", Rate(rate.0)),
            Self::Nf4 => out.write_str("bnb-4bit"),
            Self::BnbInt8 => out.write_str("bnb-8bit"),
            Self::Bf16 => out.write_str("bf16"),
            Self::Fp16 => out.write_str("fp16"),
            Self::Fp32 => out.write_str("fp32"),
        }
    }
}

impl core::str::FromStr for WeightFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}
