//! Dates as precise as they are known: `2024`, `2022-09` or `2026-08-29`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A year, a month of a year, or a day. Ordered by time; a vaguer date comes before the dates in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A text that isn't a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a date: expected `2026`, `2026-08` or `2026-08-29`")]
pub struct DateError {
    /// The text given.
    pub text: String,
}

impl Date {
    /// The year.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month from 1 to 12, when known.
    #[must_use]
    pub fn month(self) -> Option<u8> {
        (self.month > 0).then_some(self.month)
    }

    /// The day of the month, when known.
    #[must_use]
    pub fn day(self) -> Option<u8> {
        (self.day > 0).then_some(self.day)
    }

    fn checked(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            0 => 0,
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        ((1970..=2100).contains(&year) && day <= days).then_some(Self { year, month, day })
    }
}

impl FromStr for Date {
    type Err = DateError;
    fn from_str(text: &str) -> Result<Self, DateError> {
        let mut parts = [0_u16; 3];
        let widths = [4, 2, 2];
        let fail = || DateError {
            text: text.to_owned(),
        };
        let count = text.split('-').count();
        if count > parts.len() {
            return Err(fail());
        }
        for ((part, width), slot) in text.split('-').zip(widths).zip(&mut parts) {
            if part.len() != width || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(fail());
            }
            *slot = part.parse().map_err(|_| fail())?;
        }
        let [year, month, day] = parts;
        let month_day = u8::try_from(month).ok().zip(u8::try_from(day).ok());
        let given_zero = (count > 1 && month == 0) || (count > 2 && day == 0);
        month_day
            .filter(|_| !given_zero)
            .and_then(|(month, day)| Self::checked(year, month, day))
            .ok_or_else(fail)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month() {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day() {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (self.year, self.month, self.day).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(D::Error::custom)
        } else {
            let (year, month, day) = <(u16, u8, u8)>::deserialize(deserializer)?;
            Self::checked(year, month, day).ok_or_else(|| D::Error::custom("not a date"))
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Date {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Date".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A quoted year, or a month or day: \"2026\", 2026-08, 2026-08-29",
            "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_print_as_precisely_as_they_were_read() {
        for text in ["2024", "2022-09", "2026-08-29", "2024-02-29"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn impossible_days_are_refused() {
        for text in [
            "",
            "24",
            "2026-13",
            "2026-00",
            "2026-02-30",
            "2025-02-29",
            "2026-8",
            "2026-08-00",
            "2026-08-29-1",
            "20260829",
            "0000",
            "9999",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }

    #[test]
    fn order_is_by_time() {
        let date = |text: &str| text.parse::<Date>().unwrap();
        assert!(date("2025-12-31") < date("2026"));
        assert!(date("2026") < date("2026-01"));
        assert!(date("2026-05") < date("2026-05-01"));
    }
}
