//! Where each figure comes from, and what people should know.

use crate::entry::CheckEntry;
use catalog::Source;
use serde::{Deserialize, Serialize};

/// A source of this database; [`crate::source`] gives the source itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceId(pub(crate) u16);

/// A figure's path: `parameters.total`; [`crate::key`] gives the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeyId(pub(crate) u16);

/// All of it, as embedded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Library {
    /// Every source once.
    pub sources: Vec<Source>,
    /// Every figure's path once.
    pub keys: Vec<String>,
    /// One for each model, in the order of the models.
    pub models: Vec<Provenance>,
}

/// What stands behind a model's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The sources of each figure.
    pub figures: Vec<(KeyId, Vec<SourceId>)>,
    /// Figures that aren't known, and why.
    pub unknown: Vec<(KeyId, String)>,
    /// Weights by part, as others counted them.
    pub check: CheckEntry,
    /// What to know.
    pub notes: Vec<String>,
}
