//! The lint of the runs: reads the files and checks what a type can't.
//!
//! One file a rule; [`rules`] lists them. Rules that need the catalogues or the estimator (names
//! that resolve, physical limits) are in `validation`, which knows both.

mod id_unique;
mod memory_of_what;
mod path_matches;
mod plausible_figure;
mod quality_explained;
mod repeated;
mod source_checkable;

#[cfg(test)]
mod fixture;

use std::io;
use std::path::Path;

use catalog::files::read_yaml;
use catalog::lint::{At, Finding, Level, Rule, run};

use crate::load::parse;
use crate::run::Run;
use crate::spec::Report;

/// A file and what it says.
#[derive(Debug, Clone)]
pub struct File {
    /// Its folder and name.
    pub id: String,
    /// The path as printed.
    pub file: String,
    /// The text.
    pub text: String,
    /// What it says.
    pub report: Report,
    /// Its runs, with what they share.
    pub runs: Vec<Run>,
}

impl File {
    /// Where a finding about the file is.
    #[must_use]
    pub fn at(&self) -> At<'_> {
        At {
            id: &self.id,
            file: &self.file,
            text: &self.text,
        }
    }

    /// The runs, each with where a finding about it is and the key of the run.
    pub fn each(&self) -> impl Iterator<Item = (At<'_>, String, &Run)> {
        self.runs.iter().enumerate().map(|(index, run)| {
            let at = At {
                id: &run.id,
                ..self.at()
            };
            (at, format!("runs.{index}"), run)
        })
    }
}

/// All files of the database.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// The files, by path.
    pub files: Vec<File>,
}

/// All rules.
#[must_use]
pub fn rules() -> Vec<Rule<Dataset>> {
    vec![
        id_unique::RULE,
        memory_of_what::RULE,
        path_matches::RULE,
        plausible_figure::RULE,
        quality_explained::RULE,
        repeated::RULE,
        source_checkable::RULE,
    ]
}

/// Checks all files below `data` (which holds `runs/`).
///
/// # Errors
/// When a folder or file can't be read.
pub fn lint(data: &Path) -> io::Result<Vec<Finding>> {
    let (dataset, mut findings) = load(data)?;
    findings.extend(run(&rules(), &dataset));
    Ok(findings)
}

/// Reads all files below `data`; those that aren't well-formed are findings.
///
/// # Errors
/// When a folder or file can't be read.
pub fn load(data: &Path) -> io::Result<(Dataset, Vec<Finding>)> {
    let mut findings = Vec::new();
    let mut dataset = Dataset::default();
    for file in read_yaml(&data.join("runs"))? {
        let printed = format!("run-db/data/runs/{}/{}.yaml", file.folder, file.id);
        match parse(&file) {
            Ok(report) => dataset.files.push(File {
                id: format!("{}/{}", file.folder, file.id),
                file: printed,
                runs: report.runs().filter_map(Result::ok).collect(),
                text: file.text,
                report,
            }),
            Err(error) => findings.push(Finding {
                rule: "schema",
                level: Level::Error,
                file: printed,
                line: None,
                key: String::new(),
                message: error.to_string(),
                hint: None,
            }),
        }
    }
    Ok((dataset, findings))
}
