//! Decimal numbers without loss: text to `f64` and back, and a form of a few bytes for blobs.
//!
//! `165.2 TFLOP/s` must become the `f64` nearest to 165 200 000 000 000, not the product of two
//! rounded numbers, and must print as `165.2` again. So units of ten shift the decimal point of the
//! text instead of multiplying.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a unit stands for: a power of ten or a power of two of the base unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// 10ⁿ base units.
    Ten(i32),
    /// 2ⁿ base units.
    Two(u8),
}

/// Reads a plain decimal (`24`, `0.5`, `165.2`; no sign, exponent or separators) times `scale`.
pub(crate) fn parse(text: &str, scale: Scale) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || text.len() > 40 {
        return None;
    }
    let value = match scale {
        Scale::Ten(exponent) => format!("{text}e{exponent}").parse::<f64>().ok()?,
        Scale::Two(bits) => text.parse::<f64>().ok()? * power_of_two(bits),
    };
    value.is_finite().then_some(value)
}

/// The shortest plain decimal that [`parse`] reads back as `value` with the same `scale`.
pub(crate) fn print(value: f64, scale: Scale) -> String {
    match scale {
        Scale::Two(bits) => format!("{}", value / power_of_two(bits)),
        Scale::Ten(exponent) => {
            let (mantissa, tens) = decompose(value);
            plain(mantissa, i32::from(tens) - exponent)
        }
    }
}

fn power_of_two(bits: u8) -> f64 {
    let mut power = 1.0;
    for _ in 0..bits {
        power *= 2.0;
    }
    power
}

/// `mantissa × 10^exponent` in plain digits.
fn plain(mantissa: u64, exponent: i32) -> String {
    let digits = mantissa.to_string();
    if exponent >= 0 {
        let zeros = usize::try_from(exponent).unwrap_or(0);
        return format!("{digits}{}", "0".repeat(zeros));
    }
    let places = usize::try_from(-exponent).unwrap_or(0);
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{whole}.{fraction}")
}

/// The shortest `mantissa × 10^exponent` that rounds to `value`; (0, 0) for zero.
///
/// `value` is finite and not negative: the quantities see to that.
fn decompose(value: f64) -> (u64, i8) {
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let places = i32::try_from(fraction.len()).unwrap_or(0);
    let mantissa = format!("{whole}{fraction}").parse().unwrap_or(0);
    (mantissa, i8::try_from(exponent - places).unwrap_or(0))
}

/// `mantissa × 10^exponent`, correctly rounded.
fn compose(mantissa: u64, exponent: i8) -> f64 {
    // Both factors are exact below these bounds, so one operation rounds once.
    const EXACT: u64 = 1 << 53;
    if mantissa <= EXACT && (-22..=22).contains(&exponent) {
        let mut power = 1.0;
        for _ in 0..exponent.unsigned_abs() {
            power *= 10.0;
        }
        let mantissa = mantissa as f64;
        return if exponent < 0 {
            mantissa / power
        } else {
            mantissa * power
        };
    }
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Serde form of a finite, non-negative `f64` in blobs: two varints instead of eight bytes.
pub(crate) mod compact {
    use super::{Deserialize, Deserializer, Serialize, Serializer, compose, decompose};

    pub(crate) fn serialize<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
        decompose(value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let (mantissa, exponent) = <(u64, i8)>::deserialize(deserializer)?;
        Ok(compose(mantissa, exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ten_to_the_twelve_is_shifted_not_multiplied() {
        // 165.2 * 1e12 in floating point is 165200000000000.0 or a neighbour; the text is exact.
        assert_eq!(parse("165.2", Scale::Ten(12)), Some(165_200_000_000_000.0));
        assert_eq!(print(165_200_000_000_000.0, Scale::Ten(12)), "165.2");
        assert_eq!(print(0.5e9, Scale::Ten(9)), "0.5");
        assert_eq!(print(8e13, Scale::Ten(9)), "80000");
    }

    #[test]
    fn only_plain_decimals_are_numbers() {
        for text in [
            "", ".", "1.", ".5", "-1", "+1", "1e3", "1_000", "1,000", "NaN", "inf", "1.2.3", "٣",
        ] {
            assert_eq!(parse(text, Scale::Ten(0)), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn compact_form_returns_the_same_bits(value in 0.0..1e22_f64) {
            let (mantissa, exponent) = decompose(value);
            prop_assert_eq!(compose(mantissa, exponent).to_bits(), value.to_bits());
        }

        #[test]
        fn printed_decimals_parse_back_to_the_same_bits(cents in 1_u64..1_000_000_000, tens in 0_i32..16) {
            let text = format!("{}.{:02}", cents / 100, cents % 100);
            let value = parse(&text, Scale::Ten(tens)).unwrap();
            let again = parse(&print(value, Scale::Ten(tens)), Scale::Ten(tens)).unwrap();
            prop_assert_eq!(again.to_bits(), value.to_bits());
        }
    }
}
