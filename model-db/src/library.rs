//! Access to sources and notes.

use crate::provenance::{KeyId, Library, Provenance, SourceId};
use catalog::Source;
use std::sync::LazyLock;

static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bin"));

/// The build script wrote the blob from the same types, so it decodes; a test says so.
static LIBRARY: LazyLock<Library> =
    LazyLock::new(|| postcard::from_bytes(BLOB).unwrap_or_default());

/// What stands behind the record of a model: sources of its figures, notes.
#[must_use]
pub fn provenance(id: &str) -> Option<&'static Provenance> {
    LIBRARY.models.get(crate::find::position(id)?)
}

/// A source.
#[must_use]
pub fn source(id: SourceId) -> Option<&'static Source> {
    LIBRARY.sources.get(usize::from(id.0))
}

/// The path of a figure in its file: `parameters.total`.
#[must_use]
pub fn key(id: KeyId) -> &'static str {
    LIBRARY
        .keys
        .get(usize::from(id.0))
        .map_or("", String::as_str)
}

impl Provenance {
    /// The sources of the figure at `path`, best kind first; empty when it has none.
    #[must_use]
    pub fn sources_of(&self, path: &str) -> Vec<&'static Source> {
        let ids = self
            .figures
            .iter()
            .find(|(id, _)| key(*id) == path)
            .map(|(_, ids)| ids.as_slice());
        let mut sources: Vec<_> = ids
            .unwrap_or_default()
            .iter()
            .filter_map(|id| source(*id))
            .collect();
        sources.sort_by_key(|source| source.kind);
        sources
    }

    /// Why the figure at `path` isn't known.
    #[must_use]
    pub fn why_unknown(&self, path: &str) -> Option<&str> {
        self.unknown
            .iter()
            .find(|(id, _)| key(*id) == path)
            .map(|(_, why)| why.as_str())
    }

    /// All sources of the record, best kind first, each once.
    #[must_use]
    pub fn all_sources(&self) -> Vec<&'static Source> {
        let mut ids: Vec<SourceId> = self
            .figures
            .iter()
            .flat_map(|(_, ids)| ids.iter().copied())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let mut sources: Vec<_> = ids.into_iter().filter_map(source).collect();
        sources.sort_by_key(|source| source.kind);
        sources
    }
}
