//! Reading run files.

use std::path::{Path, PathBuf};

use catalog::Source;
use catalog::files::read_yaml;

use crate::record::RunFile;

/// A run file that was read, with its source checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Where it lies.
    pub path: PathBuf,
    /// Where its figures were published.
    pub source: Source,
    /// What it says.
    pub file: RunFile,
}

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
    /// Its source makes no sense.
    #[error("{}: source: {problem}", path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: catalog::SourceError,
    },
    /// A figure that can't be: not finite, or not above zero.
    #[error("{}: runs[{index}].value is `{value}`: must be a finite number above 0", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Which run, from 0.
        index: usize,
        /// What it says.
        value: f64,
    },
    /// A count that can't be zero is.
    #[error("{}: {key} must be at least 1", path.display())]
    Zero {
        /// The file.
        path: PathBuf,
        /// Which key.
        key: String,
    },
}

/// Reads all run files below a folder, sorted by path.
///
/// # Errors
/// The first file that can't be used, and why.
pub fn load(folder: &Path) -> Result<Vec<Report>, LoadError> {
    read_yaml(folder)?
        .into_iter()
        .map(|file| parse(&file.path, &file.text))
        .collect()
}

/// Reads one run file's text; `path` is for messages.
///
/// # Errors
/// Why it can't be used.
pub fn parse(path: &Path, text: &str) -> Result<Report, LoadError> {
    let path = path.to_owned();
    let file: RunFile = match serde_yaml::from_str(text) {
        Ok(file) => file,
        Err(problem) => return Err(LoadError::Shape { path, problem }),
    };
    let source = match Source::try_from(file.source.clone()) {
        Ok(source) => source,
        Err(problem) => return Err(LoadError::Source { path, problem }),
    };
    if file.machine.devices.is_empty() {
        let key = "machine.devices".to_owned();
        return Err(LoadError::Zero { path, key });
    }
    for (index, run) in file.runs.iter().enumerate() {
        let spread = run.spread.into_iter().flatten();
        for value in std::iter::once(run.value).chain(spread) {
            if !(value.is_finite() && value > 0.0) {
                return Err(LoadError::Value { path, index, value });
            }
        }
        if run.concurrency == 0 {
            let key = format!("runs[{index}].concurrency");
            return Err(LoadError::Zero { path, key });
        }
    }
    Ok(Report { path, source, file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Metric, Quality};

    const REPORT: &str = "
source: { kind: community, url: 'https://example.org/report', read: 2026-12-01 }
date: 2026-06-07
machine: { devices: [rtx-4090] }
engine: { name: llama.cpp, version: b1, backend: cuda, flash_attention: true }
quality: a
runs:
  - { model: llama-3.1-8b, format: Q4_K_M, metric: decode, value: 128.5, spread: [127, 129.5], output: 128, depth: 0 }
  - { model: llama-3.1-8b, format: Q4_K_M, metric: prefill, value: 9000, prompt: 512, concurrency: 4, quality: b, issue: batch not stated }
";

    fn read(text: &str) -> Result<Report, LoadError> {
        parse(Path::new("report.yaml"), text)
    }

    #[test]
    fn a_report_reads_with_its_defaults() {
        let report = read(REPORT).unwrap();
        let [decode, prefill] = report.file.runs.as_slice() else {
            panic!("two runs");
        };
        assert_eq!((decode.metric, decode.concurrency), (Metric::Decode, 1));
        assert_eq!(prefill.quality, Some(Quality::B));
        assert_eq!(decode.metric.unit(), "tok/s");
    }

    #[test]
    fn a_report_writes_and_reads_back() {
        let file = read(REPORT).unwrap().file;
        let text = serde_yaml::to_string(&file).unwrap();
        assert_eq!(read(&text).unwrap().file, file);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
        for (from, to, message) in [
            ("value: 128.5", "value: .nan", "runs[0].value"),
            ("value: 128.5", "value: -1", "runs[0].value"),
            ("value: 9000", "value: 0", "runs[1].value"),
            ("concurrency: 4", "concurrency: 0", "runs[1].concurrency"),
            ("[rtx-4090]", "[]", "machine.devices"),
            ("metric: decode", "metric: speed", "unknown variant `speed`"),
            (
                "quality: a",
                "quality: a\nqualty: a",
                "unknown field `qualty`",
            ),
            (
                "url: 'https://example.org/report', ",
                "",
                "expected exactly one of",
            ),
        ] {
            let text = REPORT.replacen(from, to, 1);
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
            assert!(error.starts_with("report.yaml"), "{error}");
        }
    }
}
