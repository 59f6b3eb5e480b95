//! Numbers as people type them.

use estimator::error::{Field, FieldError};

/// A whole number: `4096`, `4,096`, `4_096`, `32K` (32 × 1,024), `1M` (1,048,576).
///
/// # Errors
/// A [`FieldError`] for anything else: signs, fractions that don't come out whole, other letters.
pub fn whole(field: Field, text: &str) -> Result<u64, FieldError> {
    let refuse = || FieldError::new(field, text, "must be a whole number, such as 4096 or 32K");
    let plain: String = text
        .trim()
        .chars()
        .filter(|letter| !matches!(letter, ',' | '_' | ' '))
        .collect();
    let (digits, factor) = match plain.chars().last() {
        Some('k' | 'K') => (plain.trim_end_matches(['k', 'K']), 1024_u64),
        Some('m' | 'M') => (plain.trim_end_matches(['m', 'M']), 1024 * 1024),
        _ => (plain.as_str(), 1),
    };
    if digits.is_empty()
        || plain.len() > 24
        || !digits.chars().all(|letter| letter.is_ascii_digit())
    {
        return Err(refuse());
    }
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(refuse)
}

/// A number that may have a fraction and a unit the field allows: `64`, `64GB`, `0.9`.
///
/// # Errors
/// A [`FieldError`] for what is no number, not finite, or negative.
pub fn decimal(field: Field, text: &str, units: &[&str]) -> Result<f64, FieldError> {
    let allowed = match units.first() {
        Some(unit) => format!("must be a number of {unit}, such as 24"),
        None => "must be a number, such as 0.9".to_owned(),
    };
    let refuse = || FieldError::new(field, text, allowed.clone());
    let plain = text.trim();
    let lower = plain.to_ascii_lowercase();
    let number = units
        .iter()
        .find_map(|unit| lower.strip_suffix(&unit.to_ascii_lowercase()))
        .unwrap_or(&lower)
        .trim();
    // `parse` also reads "nan", "inf" and exponents; only plain decimals are meant here.
    if number.is_empty()
        || !number
            .chars()
            .all(|letter| letter.is_ascii_digit() || letter == '.')
    {
        return Err(refuse());
    }
    number
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_in_every_spelling() {
        for (text, number) in [
            ("4096", 4096),
            (" 4,096 ", 4096),
            ("4_096", 4096),
            ("32K", 32768),
            ("32k", 32768),
            ("1M", 1_048_576),
            ("0", 0),
        ] {
            assert_eq!(whole(Field::Context, text).unwrap(), number, "{text}");
        }
        for text in [
            "",
            "-1",
            "NaN",
            "1e6",
            "4.5",
            "K",
            "99999999999999999999",
            "18446744073709551615M",
            "४",
        ] {
            assert!(whole(Field::Context, text).is_err(), "{text}");
        }
    }

    #[test]
    fn decimals_with_units() {
        for (text, number) in [("64", 64.0), ("64GB", 64.0), ("64 gib", 64.0), ("0.5", 0.5)] {
            assert_eq!(
                decimal(Field::Ram, text, &["GB", "GiB"]).unwrap(),
                number,
                "{text}"
            );
        }
        for text in ["", "nan", "inf", "-3", "1e3", "abc", "GB", "1.2.3"] {
            assert!(decimal(Field::Ram, text, &["GB", "GiB"]).is_err(), "{text}");
        }
    }
}
