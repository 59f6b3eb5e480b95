//! What is embedded: the files as they are, so that what they share is stored once.

use catalog::Source;
use serde::{Deserialize, Serialize};

use crate::record::{Entry, RunFile};

/// Where a report's figures come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Origin {
    /// Somebody published them.
    Published(Source),
    /// Measured for this database, and how.
    Measured(String),
}

impl Origin {
    /// The address to follow, if there is one.
    #[must_use]
    pub fn link(&self) -> Option<String> {
        match self {
            Self::Published(source) => source.link(),
            Self::Measured(_) => None,
        }
    }

    /// One line for people: the address, else what it is.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Published(source) => source.link().unwrap_or_else(|| source.text()),
            Self::Measured(how) => format!("measured: {how}"),
        }
    }
}

/// A run file that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its folder and name: `rtx-4090/<source>`.
    pub path: String,
    /// Where its figures come from.
    pub origin: Origin,
    /// The devices.
    pub hardware: String,
    /// What its runs share.
    pub shared: Entry,
    /// Its runs.
    pub runs: Vec<Entry>,
}

/// Why a file makes no report.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Its source makes no sense.
    #[error("source: {0}")]
    Source(#[from] catalog::SourceError),
    /// It says both or neither of where the figures come from.
    #[error("expected one of `source` and `measured`")]
    Origin,
    /// A run that can't be.
    #[error("runs[{index}]: {problem}")]
    Run {
        /// Which, from 0.
        index: usize,
        /// Why.
        problem: crate::run::RunError,
    },
}

impl Report {
    /// The report of a file.
    ///
    /// # Errors
    /// Why it makes none.
    pub fn new(path: String, file: RunFile) -> Result<Self, ReportError> {
        let origin = match (file.source, file.measured) {
            (Some(source), None) => Origin::Published(Source::try_from(source)?),
            (None, Some(how)) => Origin::Measured(how),
            _ => return Err(ReportError::Origin),
        };
        let report = Self {
            path,
            origin,
            hardware: file.hardware,
            shared: file.shared.unwrap_or_default(),
            runs: file.runs,
        };
        for (index, run) in report.runs().enumerate() {
            run.map_err(|problem| ReportError::Run { index, problem })?;
        }
        Ok(report)
    }

    /// Its runs, with what they share filled in.
    pub fn runs(&self) -> impl Iterator<Item = Result<crate::run::Run, crate::run::RunError>> {
        let source = self.origin.text();
        self.runs
            .iter()
            .map(move |entry| crate::run::Run::new(&self.hardware, &source, &self.shared, entry))
    }
}
