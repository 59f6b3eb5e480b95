//! The prices in a device file.

use super::Stated;
use catalog::{Capacity, Date, Money, SourceIds};
use serde::{Deserialize, Serialize};

/// Prices of a device.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PriceEntry {
    /// The maker's price at launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Stated<Money>>,
    /// The maker's price at launch by memory size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launch_by_size: Vec<LaunchBySizeEntry>,
    /// The maker's prices of whole machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<MachinePriceEntry>,
    /// What shops and sellers asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub street: Vec<StreetPriceEntry>,
}

/// A launch price of one memory size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LaunchBySizeEntry {
    /// The memory.
    pub size: Capacity,
    /// The price.
    pub price: Money,
    /// Where it was read.
    pub source: SourceIds,
}

/// The price of a machine with the device in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MachinePriceEntry {
    /// The machine.
    pub machine: String,
    /// Its memory.
    pub memory: Capacity,
    /// Its disk.
    pub storage: Capacity,
    /// The price.
    pub price: Money,
    /// When it was asked.
    pub date: Date,
    /// Where it was read.
    pub source: SourceIds,
}

/// A price asked by shops or sellers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StreetPriceEntry {
    /// The price, or the lowest of a range.
    pub low: Money,
    /// The highest of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Money>,
    /// New or used, and what else matters.
    pub condition: String,
    /// When it was asked.
    pub date: Date,
    /// How exactly the date is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_note: Option<String>,
    /// Where it was read.
    pub source: SourceIds,
}
