//! The data lint: reads the files and checks what a type can't.
//!
//! [`lint`] runs it over a `data/` folder. One file a rule; [`rules`] lists them. A file that isn't
//! well-formed is reported under `schema` and left out of the other rules.

mod active_le_total;
mod alias_unique;
mod counted_noted;
mod figure_has_source;
mod kv_heads_divide;
mod layout_known;
mod name_matches_slug;
mod parameters_add_up;
mod slug_shape;
mod source_declared;
mod source_permanent;
mod source_used;

#[cfg(test)]
mod fixture;

use crate::record::ModelEntry;
use catalog::files::{DataFile, read_yaml};
use catalog::lint::{At, Finding, Level, Rule, run};
use std::io;
use std::path::Path;

/// A model's file and what it says.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The id: the file's name.
    pub id: String,
    /// The folder it lies in.
    pub folder: String,
    /// The path as printed.
    pub file: String,
    /// The text.
    pub text: String,
    /// What it says.
    pub entry: ModelEntry,
}

impl Entry {
    fn at(&self) -> At<'_> {
        At {
            id: &self.id,
            file: &self.file,
            text: &self.text,
        }
    }
}

/// All files of the database.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// Models.
    pub models: Vec<Entry>,
}

/// All rules.
#[must_use]
pub fn rules() -> Vec<Rule<Dataset>> {
    vec![
        active_le_total::RULE,
        alias_unique::RULE,
        counted_noted::RULE,
        figure_has_source::RULE,
        kv_heads_divide::RULE,
        layout_known::RULE,
        name_matches_slug::RULE,
        parameters_add_up::RULE,
        slug_shape::RULE,
        source_declared::RULE,
        source_permanent::RULE,
        source_used::RULE,
    ]
}

/// Checks all files below `data` (which holds `models/`).
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
    let mut dataset = Dataset::default();
    let mut findings = Vec::new();
    for file in read_yaml(&data.join("models"))? {
        match read(&file) {
            Ok(entry) => dataset.models.push(entry),
            Err(finding) => findings.push(*finding),
        }
    }
    Ok((dataset, findings))
}

fn read(file: &DataFile) -> Result<Entry, Box<Finding>> {
    let printed = format!("model-db/data/models/{}/{}.yaml", file.folder, file.id);
    match serde_yaml::from_str(&file.text) {
        Ok(entry) => Ok(Entry {
            id: file.id.clone(),
            folder: file.folder.clone(),
            file: printed,
            text: file.text.clone(),
            entry,
        }),
        Err(error) => Err(Box::new(Finding {
            rule: "schema",
            level: Level::Error,
            file: printed,
            line: error.location().map(|at| at.line()),
            key: String::new(),
            message: error.to_string(),
            hint: None,
        })),
    }
}
