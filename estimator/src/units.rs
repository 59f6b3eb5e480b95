//! Quantities as types: what can be added, multiplied and divided is what physics allows.
//!
//! Each is made by a constructor that names the unit, so GB (10^9) and GiB (2^30) can't be taken
//! for each other: they are two constructors of one type. Values are finite and never negative;
//! [`checked`](Bytes::checked) refuses the rest where a number comes from outside.

use crate::num;

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $base:literal { $($(#[$unit_doc:meta])* $from:ident, $to:ident = $factor:expr;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
        pub struct $name(f64);

        impl $name {
            /// Nothing.
            pub const ZERO: Self = Self(0.0);

            /// The symbol of the base unit.
            pub const SYMBOL: &'static str = $base;

            $($(#[$unit_doc])*
            #[must_use]
            pub const fn $from(value: f64) -> Self {
                Self(value * $factor)
            }

            /// The value in this unit.
            #[must_use]
            pub const fn $to(self) -> f64 {
                self.0 / $factor
            }
            )*

            /// The quantity, if it is finite and not negative.
            #[must_use]
            pub fn checked(self) -> Option<Self> {
                (self.0.is_finite() && self.0 >= 0.0).then_some(self)
            }

            /// The larger of the two.
            #[must_use]
            pub const fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            /// The smaller of the two.
            #[must_use]
            pub const fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }

            /// What is left after taking `other` away; nothing when there isn't enough.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self((self.0 - other.0).max(0.0))
            }

            /// How many times `other` this is; nothing when `other` is zero.
            #[must_use]
            pub fn ratio(self, other: Self) -> Option<f64> {
                (other.0 > 0.0).then(|| self.0 / other.0)
            }
        }

        impl core::ops::Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl core::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl core::ops::Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl core::ops::Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        impl core::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(quantities: I) -> Self {
                quantities.fold(Self::ZERO, |total, next| total + next)
            }
        }
    };
}

const KIB: f64 = 1024.0;
const MIB: f64 = KIB * 1024.0;
const GIB: f64 = MIB * 1024.0;

quantity! {
    /// An amount of memory or traffic.
    Bytes, "B" {
        /// So many bytes.
        new, get = 1.0;
        /// So many GB (10^9 bytes): files, network, vendors' disks.
        gb, to_gb = 1e9;
        /// So many MiB (2^20 bytes).
        mib, to_mib = MIB;
        /// So many GiB (2^30 bytes): what "24 GB" on a memory label means.
        gib, to_gib = GIB;
    }
}

quantity! {
    /// How fast memory or a link moves bytes.
    BytesPerSecond, "B/s" {
        /// So many bytes a second.
        new, get = 1.0;
        /// So many GB/s (10^9 bytes a second), the unit of every data sheet.
        gb_per_s, to_gb_per_s = 1e9;
    }
}

quantity! {
    /// Floating-point operations; a multiply-add counts two.
    Flop, "FLOP" {
        /// So many operations.
        new, get = 1.0;
        /// So many 10^9 operations.
        giga, to_giga = 1e9;
    }
}

quantity! {
    /// How fast a device computes; dense, without sparsity.
    FlopPerSecond, "FLOP/s" {
        /// So many operations a second.
        new, get = 1.0;
        /// So many TFLOP/s (10^12 a second).
        tera, to_tera = 1e12;
    }
}

quantity! {
    /// A time.
    Seconds, "s" {
        /// So many seconds.
        new, get = 1.0;
        /// So many milliseconds.
        ms, to_ms = 1e-3;
        /// So many microseconds.
        us, to_us = 1e-6;
    }
}

quantity! {
    /// A speed of reading or writing text.
    TokensPerSecond, "tok/s" {
        /// So many tokens a second.
        new, get = 1.0;
    }
}

quantity! {
    /// Electric power.
    Watts, "W" {
        /// So many watts.
        new, get = 1.0;
    }
}

impl Bytes {
    /// A whole number of bytes.
    #[must_use]
    pub const fn whole(bytes: u64) -> Self {
        Self(num::f(bytes))
    }

    /// Rounded to a whole number of bytes.
    #[must_use]
    pub fn round(self) -> u64 {
        num::whole(self.0)
    }
}

impl core::ops::Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, bandwidth: BytesPerSecond) -> Seconds {
        Seconds(self.0 / bandwidth.0)
    }
}

impl core::ops::Div<FlopPerSecond> for Flop {
    type Output = Seconds;
    fn div(self, rate: FlopPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Seconds {
    /// The speed of `tokens` in this time; `None` for no time at all.
    #[must_use]
    pub fn speed(self, tokens: f64) -> Option<TokensPerSecond> {
        (self.0 > 0.0).then(|| TokensPerSecond(tokens / self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gb_and_gib_differ_by_seven_percent() {
        assert_eq!(Bytes::gib(1.0).get(), 1_073_741_824.0);
        assert_eq!(Bytes::gb(1.0).get(), 1_000_000_000.0);
        assert_eq!(Bytes::mib(1024.0), Bytes::gib(1.0));
    }

    #[test]
    fn every_constructor_reads_back() {
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        close(Bytes::gb(3.5).to_gb(), 3.5);
        close(Bytes::gib(3.5).to_gib(), 3.5);
        close(Bytes::mib(3.5).to_mib(), 3.5);
        close(BytesPerSecond::gb_per_s(1008.0).get(), 1.008e12);
        close(Flop::giga(2.0).get(), 2e9);
        close(FlopPerSecond::tera(165.2).get(), 165.2e12);
        close(Seconds::ms(250.0).get(), 0.25);
        close(Seconds::us(250.0).to_us(), 250.0);
    }

    #[test]
    fn nan_and_negative_are_refused() {
        assert_eq!(Bytes::new(f64::NAN).checked(), None);
        assert_eq!(Bytes::new(-1.0).checked(), None);
        assert_eq!(Bytes::new(f64::INFINITY).checked(), None);
        assert_eq!(Bytes::ZERO.checked(), Some(Bytes::ZERO));
    }

    #[test]
    fn bytes_over_bandwidth_is_time() {
        let time = Bytes::gb(4.62) / BytesPerSecond::gb_per_s(1008.0);
        assert!((time.to_ms() - 4.5833).abs() < 1e-3);
        assert_eq!(
            Seconds::ms(10.0).speed(1.0),
            Some(TokensPerSecond::new(100.0))
        );
        assert_eq!(Seconds::ZERO.speed(1.0), None);
    }
}
