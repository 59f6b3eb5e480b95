//! Amounts of money, written `1600 USD`.

use crate::number::{self, Scale, compact};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The currencies in which prices are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Currency {
    /// US dollar.
    Usd,
    /// Euro.
    Eur,
}

impl Currency {
    /// The three-letter code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Usd => "USD",
            Self::Eur => "EUR",
        }
    }
}

/// An amount, finite and not negative (free of charge is a price).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Money {
    amount: f64,
    currency: Currency,
}

/// A text that isn't an amount of money.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not an amount of money: expected a number, a space and `USD` or `EUR`, as in `1600 USD`"
)]
pub struct MoneyError {
    /// The text given.
    pub text: String,
}

impl Money {
    /// The amount in its currency.
    #[must_use]
    pub fn amount(self) -> f64 {
        self.amount
    }

    /// The currency.
    #[must_use]
    pub fn currency(self) -> Currency {
        self.currency
    }
}

impl FromStr for Money {
    type Err = MoneyError;
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let fail = || MoneyError {
            text: text.to_owned(),
        };
        let (digits, code) = text.split_once(' ').ok_or_else(fail)?;
        let currency = match code {
            "USD" => Currency::Usd,
            "EUR" => Currency::Eur,
            _ => return Err(fail()),
        };
        let amount = number::parse(digits, Scale::Ten(0)).ok_or_else(fail)?;
        Ok(Self { amount, currency })
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            number::print(self.amount, Scale::Ten(0)),
            self.currency.code()
        )
    }
}

/// The form in blobs: amount and whether it is in euro.
struct Compact(f64);

impl Serialize for Compact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        compact::serialize(self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Compact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        compact::deserialize(deserializer).map(Self)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (Compact(self.amount), self.currency == Currency::Eur).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(D::Error::custom)
        } else {
            let (Compact(amount), euro) = <(Compact, bool)>::deserialize(deserializer)?;
            let currency = if euro { Currency::Eur } else { Currency::Usd };
            Ok(Self { amount, currency })
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Money {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Money".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "An amount and its currency, as in 1600 USD",
            "pattern": "^[0-9]+(\\.[0-9]+)? (USD|EUR)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_print_back_and_survive_a_blob() {
        for text in ["1600 USD", "0.1805 USD", "0.384 EUR", "0 USD"] {
            let money: Money = text.parse().unwrap();
            assert_eq!(money.to_string(), text);
            let bytes = postcard::to_stdvec(&money).unwrap();
            assert_eq!(postcard::from_bytes::<Money>(&bytes).unwrap(), money);
        }
    }

    #[test]
    fn unknown_currencies_and_negative_amounts_are_refused() {
        for text in [
            "1600", "1600 GBP", "$1600", "-1 USD", "NaN USD", "1600USD", "1e3 USD",
        ] {
            assert!(text.parse::<Money>().is_err(), "{text}");
        }
    }
}
