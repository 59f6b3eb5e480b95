//! The slot a card sits in.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A PCIe link: `4.0 x16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PcieLink {
    generation: u8,
    lanes: u8,
}

/// A text that isn't a PCIe link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a PCIe link: expected a generation from 1 to 6 and 1, 2, 4, 8 or 16 lanes, as in `4.0 x16`"
)]
pub struct PcieLinkError {
    /// The text given.
    pub text: String,
}

impl PcieLink {
    /// The generation, 1 to 6.
    #[must_use]
    pub fn generation(self) -> u8 {
        self.generation
    }

    /// The lanes.
    #[must_use]
    pub fn lanes(self) -> u8 {
        self.lanes
    }

    /// Raw payload rate of one direction in GB/s after line coding: 8b/10b up to generation 2,
    /// 128b/130b up to 5, 242 of 256 bytes of a FLIT in 6 (PCI Express base specifications).
    #[must_use]
    pub fn gigabytes_per_second(self) -> f64 {
        let lane = match self.generation {
            1 => 0.25,
            2 => 0.5,
            3 => 128.0 / 130.0,
            4 => 2.0 * 128.0 / 130.0,
            5 => 4.0 * 128.0 / 130.0,
            _ => 8.0 * 242.0 / 256.0,
        };
        lane * f64::from(self.lanes)
    }
}

impl FromStr for PcieLink {
    type Err = PcieLinkError;
    fn from_str(text: &str) -> Result<Self, PcieLinkError> {
        let fail = || PcieLinkError {
            text: text.to_owned(),
        };
        let (generation, lanes) = text.split_once(".0 x").ok_or_else(fail)?;
        let generation: u8 = generation.parse().map_err(|_| fail())?;
        let lanes: u8 = lanes.parse().map_err(|_| fail())?;
        if (1..=6).contains(&generation) && [1, 2, 4, 8, 16].contains(&lanes) {
            Ok(Self { generation, lanes })
        } else {
            Err(fail())
        }
    }
}

impl fmt::Display for PcieLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.0 x{}", self.generation, self.lanes)
    }
}

impl Serialize for PcieLink {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (self.generation, self.lanes).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for PcieLink {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?
                .parse()
                .map_err(D::Error::custom)
        } else {
            let (generation, lanes) = <(u8, u8)>::deserialize(deserializer)?;
            Ok(Self { generation, lanes })
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PcieLink {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PcieLink".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "Generation and lanes, as in 4.0 x16",
            "pattern": "^[1-6]\\.0 x(1|2|4|8|16)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pcie_links_print_back_and_refuse_odd_lanes() {
        for text in ["3.0 x16", "4.0 x8", "5.0 x4", "6.0 x1"] {
            assert_eq!(text.parse::<PcieLink>().unwrap().to_string(), text);
        }
        for text in [
            "", "4.0", "4 x16", "7.0 x16", "0.0 x16", "4.0 x3", "4.0 x-1", "4.0x16",
        ] {
            assert!(text.parse::<PcieLink>().is_err(), "{text}");
        }
    }

    #[test]
    fn pcie_4_with_16_lanes_moves_31_5_gigabytes_a_second() {
        let link: PcieLink = "4.0 x16".parse().unwrap();
        assert!((link.gigabytes_per_second() - 31.508).abs() < 0.001);
    }
}
