//! GGUF recipes that go by a name of their own: Unsloth's `UD-*`, `_L` files, `ik_llama.cpp`'s types.
//!
//! A vendor overrides the quantizer's choice tensor by tensor, and does so anew for each model, so most
//! of these names have no rule. They are stood in for by plain mixes, chosen so that the largest
//! miss over published files is least; that miss is [`Spread`]. The files, with sources, are
//! `tests/data/published.csv`; the test beside them holds the figures here to what is measured.
//!
//! - `_L` (bartowski): the plain mix with embedding and head in Q8_0, as its model cards say
//!   (`Q3_K_XL` is made of `Q3_K_L`). Exact.
//! - `UD-*` (Unsloth Dynamic 2.0, 2025 to 2026): two plain mixes, layers taking turns. Not for models
//!   published with 4-bit experts (DeepSeek V4, Kimi K3, gpt-oss), which `UD-Q4_K_XL` and larger keep
//!   as they are, nor for the small Gemmas whose table of per-layer embeddings is half of the file.
//! - `ik_llama.cpp`: the recipe published with `ubergarm/Qwen3-Coder-480B-A35B-Instruct-GGUF` for each
//!   type, and for IQ4_KS the one of its author (ikawrakow/ik_llama.cpp#321). Others of the same name
//!   differ in attention.
//! - `MXFP4-F16`: gpt-oss files labelled `F16`, experts as published, the rest in F16.
//! - `ds4-q2` (antirez' ds4 for DeepSeek V4): routed experts in IQ2_XXS, down projections in Q2_K,
//!   the rest in Q8_0, as the file names say.
//!
//! Left out for want of files: `UD-IQ2_S`, `UD-IQ3_S`, `UD-IQ4_NL`, `UD-Q3_K_M`, `UD-Q3_K_S`,
//! `UD-Q4_K_S`, `UD-Q5_K_M`, `UD-TQ1_0`, and of `ik_llama.cpp` IQ2_KT to IQ4_KT, IQ3_KS and IQ5_KS.

use super::block::BlockType;
use super::gguf::GgufType;
use super::plan::{Classes, Plan};

/// A recipe with a name of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Named(&'static Facts);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Facts {
    name: &'static str,
    /// For a dense model, and for one with routed experts.
    dense: Recipe,
    moe: Recipe,
    /// Whether only `ik_llama.cpp` loads it.
    ik: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Recipe {
    plan: Plan,
    spread: Spread,
}

/// How far published files of a name lie from what is taken for it here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spread {
    /// Tenths of a percent of the file's size, either way.
    tenths: u16,
    /// How many files that is over; 0 where none of such a model is known.
    pub files: u16,
}

impl Spread {
    /// The largest miss over the files, in percent of the size.
    #[must_use]
    pub fn percent(self) -> f64 {
        crate::num::f(crate::num::u16u(self.tenths)) / 10.0
    }
}

/// A plain mix with embedding and head in Q8_0. Exact for a dense model; bartowski's files of large
/// mixtures of experts override more, so there it is measured, in tenths of a percent over so many.
const fn ends(name: &'static str, base: GgufType, files: u16, moe: [u16; 2]) -> Facts {
    let plan = Plan::Ends {
        base,
        ends: BlockType::Q8_0,
    };
    let [tenths, others] = moe;
    Facts {
        name,
        dense: Recipe {
            plan,
            spread: Spread { tenths: 1, files },
        },
        moe: Recipe {
            plan,
            spread: Spread {
                tenths,
                files: others,
            },
        },
        ik: false,
    }
}

const fn blend(
    base: GgufType,
    other: GgufType,
    sixteenths: u32,
    tenths: u16,
    files: u16,
) -> Recipe {
    Recipe {
        plan: Plan::Blend {
            base,
            other,
            sixteenths,
        },
        spread: Spread { tenths, files },
    }
}

const fn unsloth(name: &'static str, dense: Recipe, moe: Recipe) -> Facts {
    Facts {
        name,
        dense,
        moe,
        ik: false,
    }
}

/// The recipe of the other kind of model, where no files of this kind are known.
const fn unseen(recipe: Recipe) -> Recipe {
    Recipe {
        spread: Spread {
            files: 0,
            ..recipe.spread
        },
        ..recipe
    }
}

const fn classes(name: &'static str, classes: Classes, ik: bool, tenths: u16, files: u16) -> Facts {
    let recipe = Recipe {
        plan: Plan::Classes(classes),
        spread: Spread { tenths, files },
    };
    Facts {
        name,
        dense: unseen(recipe),
        moe: recipe,
        ik,
    }
}

const fn ubergarm(embedding: BlockType, gate_up: BlockType, down: BlockType) -> Classes {
    Classes {
        head: BlockType::IQ6_K,
        embedding,
        lookup: embedding,
        wide: BlockType::IQ6_K,
        narrow: BlockType::Q8_0,
        shared: BlockType::IQ6_K,
        gate_up,
        down,
    }
}

/// Every recipe, by maker, in each from the largest to the smallest.
const TABLE: &[Facts] = &[
    ends("Q6_K_L", GgufType::Q6_K, 4, [0, 0]),
    ends("Q5_K_L", GgufType::Q5_K_M, 5, [0, 0]),
    ends("Q4_K_L", GgufType::Q4_K_M, 5, [0, 0]),
    ends("Q3_K_XL", GgufType::Q3_K_L, 5, [88, 1]),
    ends("Q2_K_L", GgufType::Q2_K, 4, [22, 1]),
    unsloth(
        "UD-Q8_K_XL",
        blend(GgufType::Q8_0, GgufType::BF16, 4, 144, 5),
        blend(GgufType::Q8_0, GgufType::BF16, 2, 101, 3),
    ),
    unsloth(
        "UD-Q6_K_XL",
        blend(GgufType::Q6_K, GgufType::Q8_0, 7, 38, 5),
        blend(GgufType::Q6_K, GgufType::Q8_0, 4, 48, 7),
    ),
    unsloth(
        "UD-Q5_K_XL",
        blend(GgufType::Q5_K_M, GgufType::Q6_K, 5, 49, 3),
        blend(GgufType::Q6_K, GgufType::Q5_K_M, 4, 62, 5),
    ),
    unsloth(
        "UD-Q4_K_XL",
        blend(GgufType::Q4_K_M, GgufType::Q4_K_M, 0, 70, 11),
        blend(GgufType::Q4_K_M, GgufType::Q4_K_S, 5, 79, 18),
    ),
    unsloth(
        "UD-Q4_K_M",
        blend(GgufType::Q4_K_M, GgufType::Q4_K_S, 6, 0, 1),
        blend(GgufType::Q4_K_S, GgufType::Q5_K_S, 9, 5, 2),
    ),
    unsloth(
        "UD-IQ4_XS",
        blend(GgufType::IQ4_XS, GgufType::IQ3_M, 7, 2, 1),
        blend(GgufType::IQ4_NL, GgufType::IQ3_XXS, 7, 30, 6),
    ),
    unsloth(
        "UD-Q3_K_XL",
        blend(GgufType::Q3_K_M, GgufType::Q4_K_S, 3, 63, 4),
        blend(GgufType::Q3_K_M, GgufType::Q3_K_S, 6, 43, 8),
    ),
    unsloth(
        "UD-IQ3_XXS",
        blend(GgufType::IQ3_XS, GgufType::IQ2_M, 7, 41, 5),
        blend(GgufType::IQ2_M, GgufType::IQ4_XS, 4, 44, 4),
    ),
    unsloth(
        "UD-Q2_K_XL",
        blend(GgufType::Q2_K, GgufType::Q2_K_S, 7, 87, 5),
        blend(GgufType::Q2_K_S, GgufType::Q3_K_S, 4, 87, 8),
    ),
    unsloth(
        "UD-IQ2_M",
        blend(GgufType::IQ2_XS, GgufType::IQ3_S, 5, 27, 4),
        blend(GgufType::IQ2_S, GgufType::IQ3_S, 4, 35, 3),
    ),
    unsloth(
        "UD-IQ2_XXS",
        blend(GgufType::IQ1_M, GgufType::IQ2_XXS, 4, 91, 4),
        blend(GgufType::IQ2_M, GgufType::IQ2_M, 0, 80, 4),
    ),
    unsloth(
        "UD-IQ1_M",
        blend(GgufType::IQ1_M, GgufType::IQ1_M, 0, 148, 1),
        blend(GgufType::IQ2_S, GgufType::IQ2_XXS, 2, 52, 5),
    ),
    unsloth(
        "UD-IQ1_S",
        blend(GgufType::IQ1_S, GgufType::IQ1_S, 0, 169, 1),
        blend(GgufType::IQ2_S, GgufType::IQ2_XXS, 1, 23, 4),
    ),
    classes(
        "IQ6_K",
        ubergarm(BlockType::IQ6_K, BlockType::IQ6_K, BlockType::IQ6_K),
        true,
        80,
        1,
    ),
    classes(
        "IQ5_K",
        ubergarm(BlockType::IQ6_K, BlockType::IQ5_K, BlockType::IQ6_K),
        true,
        0,
        1,
    ),
    classes(
        "IQ4_K",
        ubergarm(BlockType::IQ6_K, BlockType::IQ4_K, BlockType::IQ5_K),
        true,
        82,
        3,
    ),
    classes(
        "IQ4_KS",
        Classes {
            head: BlockType::Q6_K,
            embedding: BlockType::Q4_K,
            lookup: BlockType::Q4_K,
            wide: BlockType::IQ4_KS,
            narrow: BlockType::IQ4_KS,
            shared: BlockType::IQ4_KS,
            gate_up: BlockType::IQ4_KS,
            down: BlockType::IQ4_KS,
        },
        true,
        5,
        1,
    ),
    classes(
        "IQ4_KSS",
        ubergarm(BlockType::IQ4_K, BlockType::IQ4_KSS, BlockType::IQ4_KS),
        true,
        6,
        1,
    ),
    classes(
        "IQ3_K",
        ubergarm(BlockType::IQ4_K, BlockType::IQ3_K, BlockType::IQ4_K),
        true,
        0,
        1,
    ),
    classes(
        "IQ2_KL",
        ubergarm(BlockType::IQ4_K, BlockType::IQ2_KL, BlockType::IQ3_K),
        true,
        31,
        2,
    ),
    classes(
        "IQ2_K",
        ubergarm(BlockType::IQ4_K, BlockType::IQ2_K, BlockType::IQ2_KL),
        true,
        0,
        1,
    ),
    classes(
        "IQ2_KS",
        Classes {
            wide: BlockType::IQ4_KS,
            narrow: BlockType::IQ5_KS,
            shared: BlockType::IQ4_KS,
            ..ubergarm(BlockType::IQ4_K, BlockType::IQ2_KS, BlockType::IQ3_KS)
        },
        true,
        0,
        1,
    ),
    classes(
        "IQ1_KT",
        Classes {
            wide: BlockType::IQ4_KT,
            narrow: BlockType::IQ4_KT,
            shared: BlockType::IQ4_KT,
            ..ubergarm(BlockType::IQ4_KT, BlockType::IQ1_KT, BlockType::IQ2_KT)
        },
        true,
        0,
        1,
    ),
    classes(
        "MXFP4-F16",
        Classes {
            head: BlockType::F16,
            embedding: BlockType::F16,
            lookup: BlockType::F16,
            wide: BlockType::F16,
            narrow: BlockType::F16,
            shared: BlockType::F16,
            gate_up: BlockType::MXFP4,
            down: BlockType::MXFP4,
        },
        false,
        0,
        1,
    ),
    classes(
        "ds4-q2",
        Classes {
            head: BlockType::Q8_0,
            embedding: BlockType::F16,
            lookup: BlockType::Q8_0,
            wide: BlockType::Q8_0,
            narrow: BlockType::Q8_0,
            shared: BlockType::Q8_0,
            gate_up: BlockType::IQ2_XXS,
            down: BlockType::Q2_K,
        },
        false,
        15,
        2,
    ),
];

impl Named {
    /// Every recipe, by maker, in each from the largest to the smallest.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(Self)
    }

    /// The name it goes by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// How far published files of a dense model, or of one with routed experts, lie from it.
    #[must_use]
    pub const fn spread(self, experts: bool) -> Spread {
        self.recipe(experts).spread
    }

    /// Whether `ik_llama.cpp` alone loads such files.
    #[must_use]
    pub const fn needs_ik_llama(self) -> bool {
        self.0.ik
    }

    pub(super) const fn plan(self, experts: bool) -> Plan {
        self.recipe(experts).plan
    }

    const fn recipe(self, experts: bool) -> Recipe {
        if experts { self.0.moe } else { self.0.dense }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_no_plain_type_has_one() {
        let mut names: Vec<_> = Named::all().map(Named::name).collect();
        names.extend(GgufType::ALL.iter().map(|kind| kind.name()));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn what_no_file_of_a_kind_shows_is_said_to_rest_on_none() {
        let named = Named::all().find(|named| named.name() == "IQ4_K");
        let named = named.expect("a recipe");
        assert_eq!(named.spread(false).files, 0);
        assert_eq!(named.spread(true).files, 3);
    }
}
