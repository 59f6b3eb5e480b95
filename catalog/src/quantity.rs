//! Values with a unit, as written in data files: `24 GiB`, `1008 GB/s`, `165.2 TFLOP/s`, `450 W`.
//!
//! Every quantity is finite and above zero. A zero in a table means "not known", and a data file
//! says that with `unknown: <why>`, so zero is refused like a negative or NaN.

use crate::number::{self, Scale, compact};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Why a text is not the quantity that was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// Not `<number> <unit>`.
    #[error(
        "`{text}` is not a {quantity}: expected a number, a space and a unit, as in `{example}`"
    )]
    Shape {
        /// The text given.
        text: String,
        /// What was expected.
        quantity: &'static str,
        /// A well-formed value.
        example: &'static str,
    },
    /// The unit belongs to something else.
    #[error("`{unit}` is not a unit of {quantity}; allowed: {allowed}")]
    Unit {
        /// The unit given.
        unit: String,
        /// What was expected.
        quantity: &'static str,
        /// The units that fit, comma-separated.
        allowed: String,
    },
    /// NaN, infinite, zero or negative.
    #[error("a {quantity} must be finite and above zero, not `{text}`")]
    Range {
        /// The value given.
        text: String,
        /// What was expected.
        quantity: &'static str,
    },
}

struct Unit {
    name: &'static str,
    scale: Scale,
}

const fn ten(name: &'static str, exponent: i32) -> Unit {
    Unit {
        name,
        scale: Scale::Ten(exponent),
    }
}

const fn two(name: &'static str, bits: u8) -> Unit {
    Unit {
        name,
        scale: Scale::Two(bits),
    }
}

fn parse(
    text: &str,
    quantity: &'static str,
    example: &'static str,
    units: &[Unit],
) -> Result<f64, QuantityError> {
    let shape = || QuantityError::Shape {
        text: text.to_owned(),
        quantity,
        example,
    };
    let (digits, unit) = text.trim().split_once(' ').ok_or_else(shape)?;
    let unit = unit.trim_start();
    let Some(known) = units.iter().find(|candidate| candidate.name == unit) else {
        let allowed = units.iter().map(|u| u.name).collect::<Vec<_>>().join(", ");
        return Err(QuantityError::Unit {
            unit: unit.to_owned(),
            quantity,
            allowed,
        });
    };
    match number::parse(digits, known.scale) {
        Some(value) if value > 0.0 => Ok(value),
        Some(_) => Err(QuantityError::Range {
            text: text.to_owned(),
            quantity,
        }),
        None if matches!(digits.parse::<f64>(), Ok(v) if v.is_nan() || v <= 0.0 || v.is_infinite()) => {
            Err(QuantityError::Range {
                text: text.to_owned(),
                quantity,
            })
        }
        None => Err(shape()),
    }
}

/// The shortest way to write `value` among `units`; the first wins a tie.
fn print(value: f64, units: &[Unit], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let best = units
        .iter()
        .map(|unit| (number::print(value, unit.scale), unit.name))
        .min_by_key(|(digits, _)| digits.len());
    match best {
        Some((digits, unit)) => write!(f, "{digits} {unit}"),
        None => Ok(()),
    }
}

macro_rules! quantity {
    (
        $(#[$doc:meta])*
        $name:ident, $words:literal, $example:literal,
        $(#[$get_doc:meta])* $get:ident,
        units: [$($unit:expr),* $(,)?], print: [$($shown:expr),* $(,)?]
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            const UNITS: &'static [Unit] = &[$($unit),*];
            const SHOWN: &'static [Unit] = &[$($shown),*];

            /// From the base unit.
            ///
            /// # Errors
            /// [`QuantityError::Range`] unless finite and above zero.
            pub fn new(value: f64) -> Result<Self, QuantityError> {
                if value.is_finite() && value > 0.0 {
                    Ok(Self(value))
                } else {
                    Err(QuantityError::Range { text: value.to_string(), quantity: $words })
                }
            }

            $(#[$get_doc])*
            #[must_use]
            pub fn $get(self) -> f64 {
                self.0
            }

            /// The units that a data file may use.
            pub fn units() -> impl Iterator<Item = &'static str> {
                Self::UNITS.iter().map(|unit| unit.name)
            }
        }

        impl FromStr for $name {
            type Err = QuantityError;
            fn from_str(text: &str) -> Result<Self, QuantityError> {
                parse(text, $words, $example, Self::UNITS).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                print(self.0, Self::SHOWN, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    compact::serialize(self.0, serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    let text = String::deserialize(deserializer)?;
                    text.parse().map_err(D::Error::custom)
                } else {
                    Self::new(compact::deserialize(deserializer)?).map_err(D::Error::custom)
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let units = Self::units().collect::<Vec<_>>().join("|");
                schemars::json_schema!({
                    "type": "string",
                    "description": concat!("A ", $words, " with its unit, as in ", $example),
                    "pattern": format!("^[0-9]+(\\.[0-9]+)? ({units})$"),
                    "examples": [$example],
                })
            }
        }
    };
}

quantity! {
    /// An amount of memory or a file size. Memory as sold ("24 GB") is binary: `24 GiB`.
    Capacity, "capacity", "24 GiB",
    /// In bytes.
    bytes,
    units: [two("GiB", 30), two("MiB", 20), two("KiB", 10), two("TiB", 40),
            ten("GB", 9), ten("MB", 6), ten("kB", 3), ten("TB", 12), ten("B", 0)],
    print: [two("GiB", 30), two("MiB", 20), two("KiB", 10), ten("GB", 9), ten("MB", 6), ten("B", 0)]
}

quantity! {
    /// A transfer rate in decimal bytes a second, the way memory and links are quoted.
    Bandwidth, "bandwidth", "1008 GB/s",
    /// In bytes a second.
    bytes_per_second,
    units: [ten("GB/s", 9), ten("MB/s", 6), ten("TB/s", 12)],
    print: [ten("GB/s", 9)]
}

quantity! {
    /// A peak arithmetic rate: floating-point or integer operations a second, a multiply-add counting
    /// two, dense (without structured sparsity).
    Peak, "compute peak", "165.2 TFLOP/s",
    /// In operations a second.
    per_second,
    units: [ten("TFLOP/s", 12), ten("GFLOP/s", 9), ten("PFLOP/s", 15),
            ten("TOP/s", 12), ten("GOP/s", 9), ten("POP/s", 15)],
    print: [ten("TFLOP/s", 12)]
}

quantity! {
    /// Electric power.
    Power, "power", "450 W",
    /// In watts.
    watts,
    units: [ten("W", 0), ten("kW", 3)], print: [ten("W", 0)]
}

quantity! {
    /// The width of a memory interface.
    BusWidth, "bus width", "384 bit",
    /// In bits.
    bits,
    units: [ten("bit", 0)], print: [ten("bit", 0)]
}

quantity! {
    /// The data rate of one memory pin.
    DataRate, "data rate", "21 Gbit/s",
    /// In bits a second.
    bits_per_second,
    units: [ten("Gbit/s", 9), ten("Mbit/s", 6)], print: [ten("Gbit/s", 9)]
}

quantity! {
    /// A clock.
    Frequency, "frequency", "2520 MHz",
    /// In hertz.
    hertz,
    units: [ten("MHz", 6), ten("GHz", 9)], print: [ten("MHz", 6)]
}

quantity! {
    /// A number of parameters. Written in words, since `B` is a byte.
    Parameters, "parameter count", "30.5 billion",
    /// As a number.
    count,
    units: [ten("billion", 9), ten("million", 6), ten("thousand", 3), ten("trillion", 12), ten("parameters", 0)],
    print: [ten("billion", 9), ten("million", 6), ten("parameters", 0)]
}

impl Peak {
    /// As text, with `TOP/s` for integer operations.
    #[must_use]
    pub fn text(self, integer: bool) -> String {
        let digits = number::print(self.0, Scale::Ten(12));
        format!("{digits} {}", if integer { "TOP/s" } else { "TFLOP/s" })
    }
}

#[cfg(test)]
mod tests;
