//! The only place where numbers change their type.
//!
//! Everything the estimator counts (elements, tokens, layers) stays below 2^53, where `f64` holds
//! every integer exactly; sums of tensor bytes are therefore exact to the byte.

/// An integer as `f64`; exact below 2^53.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "the one place for it; counts stay below 2^53"
)]
#[must_use]
pub const fn f(value: u64) -> f64 {
    value as f64
}

/// A 32-bit integer as `f64`; always exact.
#[must_use]
pub fn f32u(value: u32) -> f64 {
    f64::from(value)
}

/// A length as a 32-bit count; saturates.
#[must_use]
pub fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// A byte as `u64`.
#[expect(
    clippy::as_conversions,
    reason = "the one place for it; `From` isn't const"
)]
#[must_use]
pub const fn u8u(value: u8) -> u64 {
    value as u64
}

/// 16 bits as `u64`.
#[expect(
    clippy::as_conversions,
    reason = "the one place for it; `From` isn't const"
)]
#[must_use]
pub const fn u16u(value: u16) -> u64 {
    value as u64
}

/// A non-negative `f64` as an integer, rounded down; 0 for anything below, saturating above.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the one place for it; `as` saturates and maps NaN to 0"
)]
#[must_use]
pub fn floor(value: f64) -> u64 {
    value as u64
}

/// A non-negative `f64` as an integer, rounded to nearest; 0 for anything below, saturating above.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the one place for it; `as` saturates and maps NaN to 0"
)]
#[must_use]
pub fn whole(value: f64) -> u64 {
    (value + 0.5) as u64
}

/// `base` to a whole-number power, by squaring.
///
/// Only multiplications, so that the server and the browser agree to the last bit; `powi` and
/// `powf` are not defined to.
#[must_use]
pub fn power(base: f64, mut exponent: u64) -> f64 {
    let mut square = base;
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

/// `value` rounded up to a multiple of `step`; `value` itself when `step` is 0.
#[must_use]
pub const fn round_up(value: u64, step: u64) -> u64 {
    match value.checked_next_multiple_of(step) {
        Some(rounded) => rounded,
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_of_small_cases() {
        assert_eq!(power(0.5, 0), 1.0);
        assert_eq!(power(0.5, 3), 0.125);
        assert_eq!(power(1.0, u64::MAX), 1.0);
        assert_eq!(power(0.0, 5), 0.0);
    }

    #[test]
    fn rounding() {
        assert_eq!(round_up(1, 256), 256);
        assert_eq!(round_up(256, 256), 256);
        assert_eq!(round_up(7, 0), 7);
        assert_eq!(whole(2.5), 3);
        assert_eq!(whole(-1.0), 0);
        assert_eq!(whole(f64::NAN), 0);
    }
}
