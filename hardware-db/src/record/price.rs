//! Price files: `data/prices/{api,rental,electricity}/<id>.yaml`.

use super::Sources;
use catalog::figure::Sourced;
use catalog::{Date, Figure, Money, SourceIds};
use serde::{Deserialize, Serialize};

/// What a provider asks for tokens of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ApiPriceEntry {
    /// The model's name, for people.
    pub name: String,
    /// The provider's id.
    pub provider: String,
    /// The model, as the provider calls it.
    pub model: String,
    /// Whether the weights can be downloaded, where the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_weights: Option<bool>,
    /// The longest context the provider accepts, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Figure<u64>>,
    /// When the prices held.
    pub date: Date,
    /// A million prompt tokens.
    pub input: Figure<Money>,
    /// A million generated tokens.
    pub output: Figure<Money>,
    /// A million prompt tokens read from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<Figure<Money>>,
    /// Other prices above a prompt length.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<TierEntry>,
    /// What to mind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The sources by id.
    pub sources: Sources,
}

/// Prices of long prompts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TierEntry {
    /// Applies to prompts of more tokens than this.
    pub above: u64,
    /// A million prompt tokens.
    pub input: Money,
    /// A million generated tokens.
    pub output: Money,
    /// Where it was read.
    pub source: SourceIds,
}

/// What a provider asks for an hour of a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RentalEntry {
    /// The device's id.
    pub device: String,
    /// The provider, or the market the figure stands for.
    pub provider: String,
    /// Its offers.
    pub offers: Vec<OfferEntry>,
    /// The sources by id.
    pub sources: Sources,
}

/// The price of an hour of one device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfferEntry {
    /// On demand, spot, …
    pub terms: String,
    /// The price, or the lowest of a range.
    pub hour: Money,
    /// The highest of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hour_high: Option<Money>,
    /// When it was asked.
    pub date: Date,
    /// What to mind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where it was read.
    pub source: SourceIds,
}

/// What a household pays for electricity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ElectricityEntry {
    /// Where.
    pub region: String,
    /// A kilowatt-hour.
    pub kilowatt_hour: Figure<Money>,
    /// When the price held.
    pub date: Date,
    /// What to mind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The sources by id.
    pub sources: Sources,
}

impl Sourced for ApiPriceEntry {
    fn visit_sources<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a SourceIds)) {
        visit("input", &self.input.source);
        visit("output", &self.output.source);
        if let Some(figure) = &self.cached_input {
            visit("cached_input", &figure.source);
        }
        if let Some(figure) = &self.context {
            visit("context", &figure.source);
        }
        for (at, tier) in self.tiers.iter().enumerate() {
            visit(&format!("tiers.{at}"), &tier.source);
        }
    }
}

impl Sourced for RentalEntry {
    fn visit_sources<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a SourceIds)) {
        for (at, offer) in self.offers.iter().enumerate() {
            visit(&format!("offers.{at}"), &offer.source);
        }
    }
}

impl Sourced for ElectricityEntry {
    fn visit_sources<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a SourceIds)) {
        visit("kilowatt_hour", &self.kilowatt_hour.source);
    }
}
