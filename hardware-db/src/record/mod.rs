//! What a data file may say: the YAML side of the database.
//!
//! These types are the truth for the JSON Schema, the lint and the build script. What ships in the
//! binary is [`crate::spec`], made from them.

pub mod device;
pub mod device_price;
pub mod price;

use catalog::{Source, SourceEntry, SourceError, SourceIds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The `sources:` of a file by id.
pub type Sources = BTreeMap<String, SourceEntry>;

/// A text with the sources that state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stated<T> {
    /// The value.
    pub value: T,
    /// Where it was read.
    pub source: SourceIds,
    /// What to mind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// All sources of a file, checked; in the order of their ids.
///
/// # Errors
/// The id of the first source that makes no sense, and why.
pub fn checked_sources(sources: &Sources) -> Result<Vec<(String, Source)>, (String, SourceError)> {
    sources
        .iter()
        .map(|(id, entry)| match Source::try_from(entry.clone()) {
            Ok(source) => Ok((id.clone(), source)),
            Err(error) => Err((id.clone(), error)),
        })
        .collect()
}
