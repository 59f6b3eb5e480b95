//! All that is known of a catalogue entry, in the order pages and the command line show it, each
//! figure with its sources. What isn't known is said, with the reason.

mod device;
mod model;
mod sheet;

use catalog::Source;
use serde::Serialize;

pub use device::device;
pub use model::model;

/// What is known of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FactSheet {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// What else people call it.
    pub aliases: Vec<String>,
    /// The page of the entry, from the root of the site.
    pub page: String,
    /// The facts.
    pub facts: Vec<Fact>,
    /// What to mind.
    pub notes: Vec<String>,
    /// The sources, each once; facts name them by position.
    pub sources: Vec<SourceLine>,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fact {
    /// What it belongs to: `memory`, `compute`, …
    pub group: &'static str,
    /// What it is.
    pub what: String,
    /// The value with its unit; null when it isn't known.
    pub value: Option<String>,
    /// Why it isn't known, or what to mind about it.
    pub note: Option<String>,
    /// Where it stands in the data file; empty for what needs no source.
    pub key: String,
    /// Positions of its sources.
    pub sources: Vec<usize>,
}

/// A source, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SourceLine {
    /// What kind it is: `vendor`, `table`, …
    pub kind: &'static str,
    /// Title or place.
    pub text: String,
    /// The address.
    pub link: Option<String>,
    /// Where in it to look, or what to mind.
    pub note: Option<String>,
    /// When it was read.
    pub read: String,
}

impl From<&Source> for SourceLine {
    fn from(source: &Source) -> Self {
        Self {
            kind: source.kind.word(),
            text: source.text(),
            link: source.link(),
            note: source.note.clone(),
            read: source.read.to_string(),
        }
    }
}
