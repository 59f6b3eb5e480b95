//! Reading run files.

use std::path::{Path, PathBuf};

use catalog::files::{DataFile, read_yaml};

use crate::record::RunFile;
use crate::spec::{Report, ReportError};

/// Why a run file can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The folder or a file can't be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file isn't YAML of the right shape; the message names key, line and column.
    #[error("{}: {problem}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: serde_yaml::Error,
    },
    /// What it says makes no sense.
    #[error("{}: {problem}", path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: ReportError,
    },
}

/// Reads all run files below a folder, sorted by path.
///
/// # Errors
/// The first file that can't be used, and why.
pub fn load(folder: &Path) -> Result<Vec<Report>, LoadError> {
    read_yaml(folder)?.iter().map(parse).collect()
}

/// Reads one run file.
///
/// # Errors
/// Why it can't be used.
pub fn parse(file: &DataFile) -> Result<Report, LoadError> {
    let path = &file.path;
    let record: RunFile = serde_yaml::from_str(&file.text).map_err(|problem| LoadError::Shape {
        path: path.clone(),
        problem,
    })?;
    Report::new(format!("{}/{}", file.folder, file.id), record).map_err(|problem| {
        LoadError::Report {
            path: path.clone(),
            problem,
        }
    })
}
