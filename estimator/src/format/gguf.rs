//! GGUF file types: "Q4_K_M" names a mix, not a number of bits.
//!
//! Which tensor gets which type follows llama.cpp 0.5.0-dev commit 0c1e57098
//! (`src/llama-quant.cpp`, `llama_tensor_get_type_impl` and `tensor_type_fallback`): by the role of
//! the tensor, the layer, heads sharing a key, the number of experts and the length of a row.
//! Checked against the sizes that the engine's own quantizer reports, exact to the byte.

use super::block::BlockType;

macro_rules! gguf_types {
    ($($(#[$doc:meta])* $variant:ident => $name:literal, $default:ident;)*) => {
        /// A GGUF file type, by the name that files carry.
        #[expect(non_camel_case_types, reason = "the names that files carry")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum GgufType {
            $($(#[$doc])* $variant,)*
        }

        impl GgufType {
            /// Every file type, largest first.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name that files carry.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The type of a tensor no rule speaks of (`llama_ftype_get_default_type`).
            #[must_use]
            pub const fn default_type(self) -> BlockType {
                match self {
                    $(Self::$variant => BlockType::$default,)*
                }
            }
        }
    };
}

gguf_types! {
    /// 32-bit floats.
    F32 => "F32", F32;
    /// 16-bit floats.
    F16 => "F16", F16;
    /// bfloat16.
    BF16 => "BF16", BF16;
    /// 8 bits.
    Q8_0 => "Q8_0", Q8_0;
    /// 6 bits.
    Q6_K => "Q6_K", Q6_K;
    /// 5 bits with minimum, older blocks.
    Q5_1 => "Q5_1", Q5_1;
    /// 5 bits, more for the sensitive half of the layers.
    Q5_K_M => "Q5_K_M", Q5_K;
    /// 5 bits.
    Q5_K_S => "Q5_K_S", Q5_K;
    /// 5 bits, older blocks.
    Q5_0 => "Q5_0", Q5_0;
    /// 4 bits with minimum, older blocks.
    Q4_1 => "Q4_1", Q4_1;
    /// 4 bits, more for the sensitive half of the layers: what most people run.
    Q4_K_M => "Q4_K_M", Q4_K;
    /// 4 bits, more for the first layers.
    Q4_K_S => "Q4_K_S", Q4_K;
    /// 4 bits, older blocks.
    Q4_0 => "Q4_0", Q4_0;
    /// 4 bits on a non-linear grid.
    IQ4_NL => "IQ4_NL", IQ4_NL;
    /// 4 bits on a non-linear grid, smaller scales.
    IQ4_XS => "IQ4_XS", IQ4_XS;
    /// Experts in MXFP4, the rest in 8 bits; what gpt-oss files are.
    MXFP4_MOE => "MXFP4_MOE", MXFP4;
    /// 3 bits, 5 for values and down projections.
    Q3_K_L => "Q3_K_L", Q3_K;
    /// 3 bits, 4 for values and down projections.
    Q3_K_M => "Q3_K_M", Q3_K;
    /// 3 bits from a codebook, 4 for values and outputs.
    IQ3_M => "IQ3_M", IQ3_S;
    /// 3 bits.
    Q3_K_S => "Q3_K_S", Q3_K;
    /// 3 bits from a codebook.
    IQ3_S => "IQ3_S", IQ3_S;
    /// 3 bits from a codebook, less for most of the layers.
    IQ3_XS => "IQ3_XS", IQ3_S;
    /// 3 bits from a smaller codebook.
    IQ3_XXS => "IQ3_XXS", IQ3_XXS;
    /// 2 bits, 3 for values, outputs and down projections.
    Q2_K => "Q2_K", Q2_K;
    /// 2 bits.
    Q2_K_S => "Q2_K_S", Q2_K;
    /// 2 bits from a codebook, 3 for outputs.
    IQ2_M => "IQ2_M", IQ2_S;
    /// 2 bits from a codebook.
    IQ2_S => "IQ2_S", IQ2_XS;
    /// 2 bits from a codebook.
    IQ2_XS => "IQ2_XS", IQ2_XS;
    /// 2 bits from a smaller codebook.
    IQ2_XXS => "IQ2_XXS", IQ2_XXS;
    /// Ternary in 2 bits; for models trained so.
    TQ2_0 => "TQ2_0", TQ2_0;
    /// Ternary in 1.7 bits; for models trained so.
    TQ1_0 => "TQ1_0", TQ1_0;
    /// 1.75 bits from a codebook.
    IQ1_M => "IQ1_M", IQ1_M;
    /// 1.56 bits from a codebook.
    IQ1_S => "IQ1_S", IQ1_S;
}

/// Whether the quantizer was given an importance matrix.
///
/// It changes three things: `IQ3_XXS` gives values and down projections fewer bits, `IQ4_*` drop
/// the extra bits of the first down projections, `Q4_0` and `Q5_0` add some. File names don't say
/// which was done; the default here is [`Imatrix::Without`], the plain rule, for every type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Imatrix {
    /// Quantized without.
    #[default]
    Without,
    /// Quantized with one.
    With,
}

impl GgufType {
    /// Whether the quantizer refuses to write the type without an importance matrix, so that
    /// published files have one (`tensor_requires_imatrix`, over the tensors the mix uses).
    #[must_use]
    pub const fn requires_imatrix(self) -> bool {
        matches!(
            self,
            Self::IQ3_XS
                | Self::IQ3_XXS
                | Self::IQ2_M
                | Self::IQ2_S
                | Self::IQ2_XS
                | Self::IQ2_XXS
                | Self::IQ1_M
                | Self::IQ1_S
                | Self::Q2_K_S
        )
    }

    /// Whether an importance matrix changes the types, and with them the size.
    #[must_use]
    pub const fn depends_on_imatrix(self) -> bool {
        matches!(
            self,
            Self::IQ3_XXS | Self::IQ4_NL | Self::IQ4_XS | Self::Q4_0 | Self::Q5_0
        )
    }
}

/// Bytes before the first tensor of a file: metadata, tokenizer and the list of tensors.
///
/// An approximation of under 0.1 % of a file of a billion weights; a real file's header says it
/// exactly. The list of tensors is taken at 64 bytes each (60 to 70 in files without a tokenizer), the
/// tokenizer at so many bytes a token of vocabulary, measured as size of file less tensors:
///
/// - SentencePiece without merges (Gemma to 3n; vocabularies up to 32,768): 24.9 (Gemma 3's 262,144).
/// - Qwen's: 42 (39.0 for 152,064 tokens, 44.1 for 248,320).
/// - Other BPE with merges: 62 (60.3 Nemotron's 131,072, 60.4 Gemma 4's 262,144, 61 Llama 3's
///   128,256, 62.2 GLM's 151,552, 64 Tekken's 131,072, 64.5 gpt-oss' 201,088), and 37 for small
///   ones (36.3 SmolLM2's 49,152).
#[must_use]
pub fn header_bytes(family: &str, vocabulary: u32, tensors: u64) -> u64 {
    let sentence_piece = family.starts_with("gemma") && !family.starts_with("gemma4");
    let tenths = if sentence_piece || vocabulary <= SENTENCE_PIECE {
        249
    } else if family.starts_with("qwen") {
        420
    } else if vocabulary < LARGE {
        370
    } else {
        620
    };
    u64::from(vocabulary)
        .saturating_mul(tenths)
        .saturating_div(10)
        .saturating_add(tensors.saturating_mul(64))
}

/// Vocabularies up to this size are taken as SentencePiece without merges (Llama 2's 32,000 and its kin).
const SENTENCE_PIECE: u32 = 32_768;

/// From this size on a BPE vocabulary has the long merges of today's.
const LARGE: u32 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_33_file_types_with_distinct_names() {
        let mut names: Vec<_> = GgufType::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), 33);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 33);
    }

    #[test]
    fn header_is_within_a_tenth_of_measured_ones() {
        for (family, vocabulary, tensors, measured) in [
            ("gemma3_text", 262_144, 236, 6_525_120_u64),
            ("gemma4", 262_144, 832, 15_833_888),
            ("qwen2", 152_064, 339, 5_953_248),
            ("qwen3_5", 248_320, 866, 10_996_704),
            ("llama", 49_152, 272, 1_785_664),
            ("gpt_oss", 201_088, 459, 13_008_224),
            ("nemotron_h", 131_072, 401, 7_907_360),
        ] {
            let estimate = header_bytes(family, vocabulary, tensors);
            assert!(
                estimate.abs_diff(measured) * 10 < measured,
                "{family} {estimate} {measured}"
            );
        }
    }
}
