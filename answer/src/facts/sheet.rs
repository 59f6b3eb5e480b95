//! Facts as they are gathered, for devices and models alike.

use std::collections::BTreeSet;
use std::fmt::Display;

use catalog::Source;

use super::{Fact, SourceLine};

/// What a catalogue knows of the origin of an entry's figures.
pub(super) trait Origin {
    fn sources_of(&self, key: &str) -> Vec<&'static Source>;
    fn why_unknown(&self, key: &str) -> Option<&str>;
    fn all_sources(&self) -> Vec<&'static Source>;
}

macro_rules! origin {
    ($provenance:ty) => {
        impl Origin for $provenance {
            fn sources_of(&self, key: &str) -> Vec<&'static Source> {
                self.sources_of(key)
            }

            fn why_unknown(&self, key: &str) -> Option<&str> {
                self.why_unknown(key)
            }

            fn all_sources(&self) -> Vec<&'static Source> {
                self.all_sources()
            }
        }
    };
}

origin!(hardware_db::provenance::Provenance);
origin!(model_db::provenance::Provenance);

/// Facts, and the sources they name by position.
pub(super) struct Sheet<'a, P> {
    pub(super) provenance: &'a P,
    pub(super) facts: Vec<Fact>,
    sources: Vec<&'static Source>,
}

impl<'a, P: Origin> Sheet<'a, P> {
    pub(super) fn new(provenance: &'a P) -> Self {
        // Best kind first, as everywhere.
        Self {
            provenance,
            facts: Vec::new(),
            sources: provenance.all_sources(),
        }
    }

    /// What needs no source.
    pub(super) fn plain(&mut self, group: &'static str, what: &str, value: &str) {
        self.push(group, what, "", Some(value.to_owned()), Vec::new());
    }

    /// A figure, or why it isn't known if that is stated.
    pub(super) fn figure(
        &mut self,
        group: &'static str,
        what: &str,
        key: &str,
        value: Option<impl Display>,
    ) {
        let why = self.provenance.why_unknown(key);
        if value.is_none() && why.is_none() {
            return;
        }
        let sources = self.positions(&self.provenance.sources_of(key));
        self.push(
            group,
            what,
            key,
            value.map(|value| value.to_string()),
            sources,
        );
        self.remark(why);
    }

    /// A figure that is left out where it isn't there.
    pub(super) fn known(
        &mut self,
        group: &'static str,
        what: &str,
        key: &str,
        value: Option<impl Display>,
    ) {
        if value.is_some() {
            self.figure(group, what, key, value);
        }
    }

    /// A fact that carries its sources itself.
    pub(super) fn cited(
        &mut self,
        group: &'static str,
        what: &str,
        key: &str,
        value: &str,
        sources: &[&Source],
    ) {
        let sources = self.positions(sources);
        self.push(group, what, key, Some(value.to_owned()), sources);
    }

    /// The sources for people.
    pub(super) fn source_lines(&self) -> Vec<SourceLine> {
        self.sources
            .iter()
            .map(|source| SourceLine::from(*source))
            .collect()
    }

    /// A note on the last fact.
    pub(super) fn remark(&mut self, note: Option<&str>) {
        if let (Some(fact), Some(note)) = (self.facts.last_mut(), note) {
            fact.note = Some(note.to_owned());
        }
    }

    fn push(
        &mut self,
        group: &'static str,
        what: &str,
        key: &str,
        value: Option<String>,
        sources: Vec<usize>,
    ) {
        let (what, key) = (what.to_owned(), key.to_owned());
        self.facts.push(Fact {
            group,
            what,
            value,
            note: None,
            key,
            sources,
        });
    }

    fn positions(&self, sources: &[&Source]) -> Vec<usize> {
        let positions: BTreeSet<usize> = sources
            .iter()
            .filter_map(|source| self.sources.iter().position(|known| known == source))
            .collect();
        positions.into_iter().collect()
    }
}
