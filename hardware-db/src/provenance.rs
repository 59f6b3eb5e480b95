//! Where each figure comes from, what people should know, and prices.

use catalog::{Capacity, Date, Money, Source};
use serde::{Deserialize, Serialize};

/// A source of this database; [`crate::source`] gives the source itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceId(pub(crate) u16);

/// A figure's path: `memory.bandwidth`; [`crate::key`] gives the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeyId(pub(crate) u16);

/// All of it, as embedded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Library {
    /// Every source once.
    pub sources: Vec<Source>,
    /// Every figure's path once.
    pub keys: Vec<String>,
    /// One for each device, in the order of the devices.
    pub devices: Vec<Provenance>,
    /// Prices that aren't of a device alone.
    pub prices: Prices,
}

/// What stands behind a device's record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The sources of each figure.
    pub figures: Vec<(KeyId, Vec<SourceId>)>,
    /// Figures that aren't known, and why.
    pub unknown: Vec<(KeyId, String)>,
    /// How exactly the date of release is known.
    pub release_note: Option<String>,
    /// How the peak rates came about.
    pub compute_basis: Option<String>,
    /// How the data rate came about.
    pub data_rate_note: Option<String>,
    /// What the limit of the usable memory is.
    pub usable_about: Option<String>,
    /// The rule behind the limits of older systems.
    pub usable_older_rule: Option<String>,
    /// What people measured.
    pub measured: Vec<Measured>,
    /// The maker's price at launch, and what to mind about it.
    pub launch: Option<(Money, Option<String>)>,
    /// The maker's price at launch by memory size.
    pub launch_by_size: Vec<(Capacity, Money)>,
    /// The maker's prices of whole machines.
    pub machines: Vec<MachinePrice>,
    /// What shops and sellers asked.
    pub street: Vec<StreetPrice>,
    /// What to know.
    pub notes: Vec<String>,
}

/// A measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What was measured.
    pub what: String,
    /// The result with its unit.
    pub value: String,
    /// Who measured it.
    pub sources: Vec<SourceId>,
}

/// The price of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachinePrice {
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
    pub sources: Vec<SourceId>,
}

/// A price asked by shops or sellers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreetPrice {
    /// The price, or the lowest of a range.
    pub low: Money,
    /// The highest of a range.
    pub high: Option<Money>,
    /// New or used, and what else matters.
    pub condition: String,
    /// When it was asked.
    pub date: Date,
    /// How exactly the date is known.
    pub date_note: Option<String>,
    /// Where it was read.
    pub sources: Vec<SourceId>,
}

/// Prices of tokens, of an hour of a device, of electricity.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Prices {
    /// Tokens.
    pub api: Vec<ApiPrice>,
    /// Hours of a device.
    pub rental: Vec<Rental>,
    /// Electricity.
    pub electricity: Vec<Electricity>,
}

/// What a provider asks for a million tokens of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApiPrice {
    /// The id.
    pub id: String,
    /// The model's name, for people.
    pub name: String,
    /// The provider's id.
    pub provider: String,
    /// The model, as the provider calls it.
    pub model: String,
    /// Whether the weights can be downloaded, where the source says.
    pub open_weights: Option<bool>,
    /// The longest context, in tokens.
    pub context: Option<u64>,
    /// When the prices held.
    pub date: Date,
    /// Prompt tokens.
    pub input: Money,
    /// Generated tokens.
    pub output: Money,
    /// Prompt tokens read from the provider's cache.
    pub cached_input: Option<Money>,
    /// Other prices above a prompt length.
    pub tiers: Vec<Tier>,
    /// What to mind.
    pub note: Option<String>,
    /// Where it was read.
    pub sources: Vec<SourceId>,
}

/// Prices of long prompts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tier {
    /// Applies to prompts of more tokens than this.
    pub above: u64,
    /// Prompt tokens.
    pub input: Money,
    /// Generated tokens.
    pub output: Money,
}

/// What a provider asks for an hour of one device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rental {
    /// The id.
    pub id: String,
    /// The device's id.
    pub device: String,
    /// The provider, or the market the figure stands for.
    pub provider: String,
    /// Its offers.
    pub offers: Vec<Offer>,
}

/// The price of an hour of one device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// On demand, spot, …
    pub terms: String,
    /// The price, or the lowest of a range.
    pub hour: Money,
    /// The highest of a range.
    pub hour_high: Option<Money>,
    /// When it was asked.
    pub date: Date,
    /// What to mind.
    pub note: Option<String>,
    /// Where it was read.
    pub sources: Vec<SourceId>,
}

/// What a household pays for a kilowatt-hour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Electricity {
    /// The id.
    pub id: String,
    /// Where.
    pub region: String,
    /// The price.
    pub kilowatt_hour: Money,
    /// When it held.
    pub date: Date,
    /// What to mind.
    pub note: Option<String>,
    /// Where it was read.
    pub sources: Vec<SourceId>,
}
