//! Names of formats, as people write them.

use thiserror::Error;

use super::gguf::{GgufType, Imatrix};
use super::{ExlRate, MlxBits, MlxGroup, Named, WeightFormat};

/// A name that is no format's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("format `{given}`: not a weight format")]
pub struct UnknownFormat {
    /// What was given, as given.
    pub given: String,
    /// Canonical names near it, the nearest first; never empty.
    pub nearest: Vec<String>,
}

/// Letters, digits and dots, in lower case: what tells names apart.
fn key(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '.')
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

pub(super) fn parse(text: &str) -> Result<WeightFormat, UnknownFormat> {
    let key = key(text);
    plain(&key)
        .or_else(|| gguf(&key))
        .or_else(|| named(&key))
        .or_else(|| mlx(&key))
        .or_else(|| exl(&key))
        .ok_or_else(|| UnknownFormat {
            given: text.to_owned(),
            nearest: nearest(&key),
        })
}

/// Names that stand for themselves.
fn plain(key: &str) -> Option<WeightFormat> {
    Some(match key {
        "bf16" | "bfloat16" => WeightFormat::Bf16,
        "fp16" | "float16" | "half" => WeightFormat::Fp16,
        "fp32" | "f32" | "float32" => WeightFormat::Fp32,
        "fp8" | "fp8dynamic" | "fp8e4m3" | "e4m3" | "fp8w8a8" | "w8a8fp8" => WeightFormat::Fp8,
        "fp8block" | "blockfp8" | "fp8128x128" => WeightFormat::Fp8Block,
        "int8" | "w8a8" | "int8w8a8" | "w8a8int8" | "smoothquant" => WeightFormat::Int8,
        "int4" | "w4a16" | "int4w4a16" => WeightFormat::Int4,
        "mxfp4" => WeightFormat::Mxfp4,
        "mxfp4fp8" | "fp4fp8" | "fp4fp8native" => WeightFormat::Mxfp4Fp8,
        "nvfp4" | "fp4" | "modeloptfp4" => WeightFormat::Nvfp4,
        "awq" | "awq4bit" | "awq4" | "awqint4" | "4bitawq" => WeightFormat::Awq,
        "gptq" | "gptq4bit" | "gptq4" | "gptqint4" | "4bitgptq" | "autoround" | "autoround4bit" => {
            WeightFormat::Gptq4
        }
        "gptq8bit" | "gptq8" | "gptqint8" | "8bitgptq" => WeightFormat::Gptq8,
        "bnb" | "bnb4bit" | "bnb4" | "nf4" | "bnbnf4" | "bitsandbytes" | "bitsandbytes4bit" => {
            WeightFormat::Nf4
        }
        "bnb8bit" | "bnb8" | "llm.int8" | "llmint8" | "bitsandbytes8bit" => WeightFormat::BnbInt8,
        _ => return None,
    })
}

/// GGUF file types, `gguf` before or after allowed, and what people shorten them to.
fn gguf(key: &str) -> Option<WeightFormat> {
    let key = key.strip_prefix("gguf").unwrap_or(key);
    let key = key.strip_suffix("gguf").unwrap_or(key);
    let key = key.strip_suffix('.').unwrap_or(key);
    let (key, imatrix) = match key
        .strip_suffix("imatrix")
        .or_else(|| key.strip_suffix("imat"))
    {
        Some(rest) => (rest, Imatrix::With),
        None => (key, Imatrix::Without),
    };
    let kind = match key {
        "q2" => GgufType::Q2_K,
        // The aliases of `llama-quantize` and those of the trade.
        "q3" | "q3k" => GgufType::Q3_K_M,
        "q4" | "q4k" => GgufType::Q4_K_M,
        "q5" | "q5k" => GgufType::Q5_K_M,
        "q6" => GgufType::Q6_K,
        "q8" | "q80" => GgufType::Q8_0,
        "mxfp4" => GgufType::MXFP4_MOE,
        "fp16" => GgufType::F16,
        _ => *GgufType::ALL.iter().find(|kind| {
            let name = self::key(kind.name());
            name == key || interleaved(key).is_some_and(|plain| plain == name)
        })?,
    };
    // Where it changes nothing, it makes no other format.
    let imatrix = if kind.depends_on_imatrix() {
        imatrix
    } else {
        Imatrix::Without
    };
    Some(WeightFormat::Gguf(kind, imatrix))
}

/// The name without `ik_llama.cpp`'s mark for rows in another order.
fn interleaved(key: &str) -> Option<&str> {
    key.strip_suffix("r4")
        .or_else(|| key.strip_suffix("r8"))
        .filter(|rest| !rest.is_empty())
}

/// Recipes with names of their own. Rows of `ik_llama.cpp`'s `_R4` and `_R8` lie in another order
/// and take the same bytes; Unsloth's `_K_XL` are known without their `UD-` too.
fn named(key: &str) -> Option<WeightFormat> {
    let key = key.strip_prefix("gguf").unwrap_or(key);
    let key = key.strip_suffix("gguf").unwrap_or(key);
    let key = key.strip_suffix('.').unwrap_or(key);
    let find = |wanted: &str| Named::all().find(|named| self::key(named.name()) == wanted);
    let plain = interleaved(key);
    find(key)
        .or_else(|| find(plain?))
        .or_else(|| {
            find(&format!(
                "ud{}",
                Some(key).filter(|key| key.ends_with("kxl"))?
            ))
        })
        .map(WeightFormat::Named)
}

/// `mlx` with bits and perhaps a group: `mlx-4bit`, `4bit mlx`, `mlx-q4-g32`.
fn mlx(key: &str) -> Option<WeightFormat> {
    let rest = key
        .strip_prefix("mlx")
        .or_else(|| key.strip_suffix("mlx"))?;
    match rest {
        "mxfp4" => return Some(WeightFormat::MlxMxfp4),
        "nvfp4" => return Some(WeightFormat::MlxNvfp4),
        "bf16" => return Some(WeightFormat::Bf16),
        "fp16" | "f16" => return Some(WeightFormat::Fp16),
        _ => {}
    }
    let (bits, group) = match rest.split_once('g') {
        None => (rest, MlxGroup::G64),
        Some((bits, "32")) => (bits, MlxGroup::G32),
        Some((bits, "64")) => (bits, MlxGroup::G64),
        Some((bits, "128")) => (bits, MlxGroup::G128),
        Some(_) => return None,
    };
    let bits = bits.strip_prefix('q').unwrap_or(bits);
    let bits = match bits.strip_suffix("bit").unwrap_or(bits) {
        "2" => MlxBits::Two,
        "3" => MlxBits::Three,
        "" | "4" => MlxBits::Four,
        "5" => MlxBits::Five,
        "6" => MlxBits::Six,
        "8" => MlxBits::Eight,
        _ => return None,
    };
    Some(WeightFormat::Mlx(bits, group))
}

/// `exl2` or `exl3` with a rate: `exl2-4.65`, `exl3 4bpw`, `exl3`.
fn exl(key: &str) -> Option<WeightFormat> {
    let (make, rest): (fn(ExlRate) -> WeightFormat, _) = match key.strip_prefix("exl2") {
        Some(rest) => (WeightFormat::Exl2, rest),
        None => (WeightFormat::Exl3, key.strip_prefix("exl3")?),
    };
    let rate = rest
        .strip_suffix("bpw")
        .or_else(|| rest.strip_suffix("bit"))
        .unwrap_or(rest);
    if rate.is_empty() {
        return ExlRate::new(400).map(make);
    }
    ExlRate::new(hundredths(rate)?).map(make)
}

/// A number of at most two decimals, in hundredths.
fn hundredths(text: &str) -> Option<u16> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole: u16 = whole.parse().ok()?;
    let part = match part.len() {
        0 => 0,
        1 => part.parse::<u16>().ok()?.checked_mul(10)?,
        2 => part.parse::<u16>().ok()?,
        _ => return None,
    };
    whole.checked_mul(100)?.checked_add(part)
}

/// How many names an error offers.
const OFFERED: usize = 5;

/// How many letters of what was given are compared: more than any name has, since comparing costs
/// their number for every format there is.
const COMPARED: usize = 64;

/// The canonical names nearest to what was given.
///
/// By letters to change; of those equally far the commoner first, which is their order here. A bare
/// number of bits is near to all formats of so many.
fn nearest(given: &str) -> Vec<String> {
    let given: String = given.chars().take(COMPARED).collect();
    let bits: Vec<char> = given.chars().filter(char::is_ascii_digit).collect();
    let mut ranked: Vec<(usize, String)> = COMMON
        .iter()
        .copied()
        .chain(WeightFormat::ALL.iter().copied())
        .chain(WeightFormat::named())
        .map(|format| {
            let name = format.name();
            let other = key(&name);
            let shared = bits
                .first()
                .is_some_and(|digit| other.chars().find(char::is_ascii_digit) == Some(*digit));
            let distance = distance(&given, &other) * 2 + usize::from(!shared);
            (distance, name)
        })
        .collect();
    ranked.sort_by_key(|(distance, _)| *distance);
    let mut names: Vec<String> = Vec::with_capacity(OFFERED);
    for (_, name) in ranked {
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == OFFERED {
            break;
        }
    }
    names
}

/// What most people run, the commonest first.
const COMMON: &[WeightFormat] = &[
    WeightFormat::gguf(GgufType::Q4_K_M),
    WeightFormat::gguf(GgufType::Q8_0),
    WeightFormat::mlx(MlxBits::Four),
    WeightFormat::Fp8,
    WeightFormat::Awq,
    WeightFormat::Nvfp4,
    WeightFormat::Bf16,
    WeightFormat::gguf(GgufType::Q6_K),
    WeightFormat::gguf(GgufType::Q5_K_M),
    WeightFormat::Gptq4,
];

/// Letters to insert, drop or replace to get from one to the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = index;
        let mut left = index.saturating_add(1);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, against) in row.iter_mut().skip(1).zip(other.chars()) {
            let change = diagonal.saturating_add(usize::from(letter != against));
            diagonal = *cell;
            *cell = change
                .min(cell.saturating_add(1))
                .min(left.saturating_add(1));
            left = *cell;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_canonical_name_is_read_back() {
        for format in WeightFormat::ALL {
            assert_eq!(parse(&format.name()).as_ref(), Ok(format), "{format}");
            assert_eq!(parse(&format.name().to_uppercase()).as_ref(), Ok(format));
        }
        for kind in GgufType::ALL {
            let given = format!("{}-imatrix", WeightFormat::gguf(*kind));
            let imatrix = if kind.depends_on_imatrix() {
                Imatrix::With
            } else {
                Imatrix::Without
            };
            assert_eq!(parse(&given), Ok(WeightFormat::Gguf(*kind, imatrix)));
        }
    }

    #[test]
    fn canonical_names_are_distinct() {
        let mut keys: Vec<_> = WeightFormat::ALL.iter().map(|f| key(&f.name())).collect();
        keys.sort_unstable();
        let all = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }

    #[test]
    fn names_people_use_are_understood() {
        for (text, name) in [
            ("q4_k_m", "Q4_K_M"),
            ("Q4KM", "Q4_K_M"),
            ("q4", "Q4_K_M"),
            ("Q4_K_M.gguf", "Q4_K_M"),
            ("q8", "Q8_0"),
            ("iq4 xs", "IQ4_XS"),
            ("mlx 4 bit", "mlx-4bit"),
            ("4bit-mlx", "mlx-4bit"),
            ("MLX", "mlx-4bit"),
            ("mlx-5bit-g32", "mlx-5bit-g32"),
            ("awq", "awq-4bit"),
            ("AWQ-INT4", "awq-4bit"),
            ("gptq-int8", "gptq-8bit"),
            ("autoround-4bit", "gptq-4bit"),
            ("W8A8", "int8"),
            ("exl2-4.0", "exl2-4.0"),
            ("exl3-4.0bpw", "exl3-4.0"),
            ("exl3 4.25 bpw", "exl3-4.25"),
            ("exl2_3bpw", "exl2-3.0"),
            ("BF16", "bf16"),
            ("f16", "F16"),
            ("fp16", "fp16"),
            ("gguf-bf16", "GGUF-BF16"),
            ("gguf mxfp4", "MXFP4_MOE"),
            ("nf4", "bnb-4bit"),
        ] {
            assert_eq!(
                parse(text).map(WeightFormat::name).as_deref(),
                Ok(name),
                "{text}"
            );
        }
    }

    #[test]
    fn unknown_names_come_with_near_ones() {
        for (text, first) in [
            ("Q4_K_N", "Q4_K_M"),
            ("UD-Q3_K_S", "UD-Q3_K_XL"),
            ("UD-Q3_K_S", "Q3_K_S"),
            ("iq4_xxs", "IQ4_XS"),
            ("fp9", "fp8"),
            ("exl3-9.0", "exl3-3.0"),
            ("mlx-7bit", "mlx-4bit"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.given, text);
            let nearest = &error.nearest;
            assert!(
                nearest.iter().take(5).any(|name| name == first),
                "{text}: {nearest:?}"
            );
        }
        assert_eq!(
            parse("Q4_K_N").expect_err("unknown").to_string(),
            "format `Q4_K_N`: not a weight format"
        );
    }

    #[test]
    fn nonsense_is_refused_not_guessed() {
        for text in [
            "",
            " ",
            "☃",
            "q",
            "exl2-0.5",
            "exl2-4.125",
            "exl2-99999999999",
            "mlx-4bit-g7",
            "4bit",
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.nearest.len(), OFFERED, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_format_or_an_error_with_names(text in ".{0,40}") {
            match parse(&text) {
                Ok(format) => assert_eq!(parse(&format.name()), Ok(format)),
                Err(error) => {
                    assert_eq!(error.given, text);
                    assert!(error.nearest.iter().all(|name| parse(name).is_ok()));
                }
            }
        }

        #[test]
        fn rates_read_back(hundredths in 0_u16..=1000) {
            let text = format!("exl3-{}", crate::format::encoding::Rate(hundredths));
            let format = parse(&text);
            assert_eq!(format.is_ok(), (100..=800).contains(&hundredths), "{text}");
        }
    }
}
