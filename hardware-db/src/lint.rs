//! The data lint: reads the files and checks what a type can't.
//!
//! [`lint`] runs it over a `data/` folder. One file a rule; [`rules`] lists them. A file that isn't
//! well-formed is reported under `schema` and left out of the other rules.

mod alias_unique;
mod bandwidth_identity;
mod dense_peaks_only;
mod figure_has_source;
mod finite_positive;
mod name_matches_slug;
mod near_duplicate;
mod price_dated;
mod slug_shape;
mod source_declared;
mod source_permanent;
mod source_used;
mod unit_expected;

#[cfg(test)]
mod fixture;

use crate::record::Sources;
use crate::record::device::DeviceEntry;
use crate::record::price::{ApiPriceEntry, ElectricityEntry, RentalEntry};
use catalog::figure::Sourced;
use catalog::files::{DataFile, read_yaml};
use catalog::lint::{At, Finding, Level, Rule, run};
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

/// A file and what it says.
#[derive(Debug, Clone)]
pub struct Entry<T> {
    /// The id: the file's name.
    pub id: String,
    /// The folder it lies in.
    pub folder: String,
    /// The path as printed.
    pub file: String,
    /// The text.
    pub text: String,
    /// What it says.
    pub entry: T,
}

impl<T> Entry<T> {
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
    /// Devices.
    pub devices: Vec<Entry<DeviceEntry>>,
    /// Prices of tokens.
    pub api: Vec<Entry<ApiPriceEntry>>,
    /// Prices of rented devices.
    pub rental: Vec<Entry<RentalEntry>>,
    /// Prices of electricity.
    pub electricity: Vec<Entry<ElectricityEntry>>,
    /// Every file as plain YAML, for rules about the text.
    pub raw: Vec<Entry<serde_yaml::Value>>,
}

/// A file's sources and the figures that name them.
struct Cited<'a> {
    at: At<'a>,
    sources: &'a Sources,
    figures: &'a dyn Sourced,
}

impl Dataset {
    /// Every file that has sources.
    fn cited(&self) -> impl Iterator<Item = Cited<'_>> {
        fn cite<'a, T: Sourced>(file: &'a Entry<T>, sources: &'a Sources) -> Cited<'a> {
            Cited {
                at: file.at(),
                sources,
                figures: &file.entry,
            }
        }
        let devices = self
            .devices
            .iter()
            .map(|file| cite(file, &file.entry.sources));
        let api = self.api.iter().map(|file| cite(file, &file.entry.sources));
        let rental = self
            .rental
            .iter()
            .map(|file| cite(file, &file.entry.sources));
        let electricity = self
            .electricity
            .iter()
            .map(|file| cite(file, &file.entry.sources));
        devices.chain(api).chain(rental).chain(electricity)
    }
}

/// All rules.
#[must_use]
pub fn rules() -> Vec<Rule<Dataset>> {
    vec![
        alias_unique::RULE,
        bandwidth_identity::RULE,
        dense_peaks_only::RULE,
        figure_has_source::RULE,
        finite_positive::RULE,
        name_matches_slug::RULE,
        near_duplicate::RULE,
        price_dated::RULE,
        slug_shape::RULE,
        source_declared::RULE,
        source_permanent::RULE,
        source_used::RULE,
        unit_expected::RULE,
    ]
}

/// Checks all files below `data` (which holds `devices/` and `prices/`).
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
    let dataset = Dataset {
        devices: parse_all(data, "devices", &mut findings)?,
        api: parse_all(data, "prices/api", &mut findings)?,
        rental: parse_all(data, "prices/rental", &mut findings)?,
        electricity: parse_all(data, "prices/electricity", &mut findings)?,
        // Malformed YAML is already reported by the typed readers.
        raw: parse_all(data, ".", &mut Vec::new())?,
    };
    Ok((dataset, findings))
}

fn parse_all<T: DeserializeOwned>(
    data: &Path,
    folder: &str,
    findings: &mut Vec<Finding>,
) -> io::Result<Vec<Entry<T>>> {
    let mut entries = Vec::new();
    for file in read_yaml(&data.join(folder))? {
        match parse(data, file) {
            Ok(entry) => entries.push(entry),
            Err(finding) => findings.push(*finding),
        }
    }
    Ok(entries)
}

fn parse<T: DeserializeOwned>(data: &Path, file: DataFile) -> Result<Entry<T>, Box<Finding>> {
    let path = file.path.strip_prefix(data).unwrap_or(&file.path);
    let printed = format!("hardware-db/data/{}", path.display()).replace("/./", "/");
    match serde_yaml::from_str(&file.text) {
        Ok(entry) => Ok(Entry {
            id: file.id,
            folder: file.folder,
            file: printed,
            text: file.text,
            entry,
        }),
        Err(error) => Err(Box::new(Finding {
            rule: "schema",
            level: Level::Error,
            file: printed,
            line: error.location().map(|location| location.line()),
            key: String::new(),
            message: error.to_string(),
            hint: Some("the schemas in hardware-db/schema list every key and unit".to_owned()),
        })),
    }
}
