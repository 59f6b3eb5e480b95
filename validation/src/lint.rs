//! The rules of the lint of runs that need the catalogues or the estimator.

mod backend_possible;
mod fits_memory;
mod names_resolve;
mod physical_limit;
mod unlisted;

#[cfg(test)]
mod fixture;

use std::io;
use std::path::Path;

use catalog::lint::{Finding, Rule, run};
use run_db::lint::{Dataset, load};

/// All rules.
#[must_use]
pub fn rules() -> Vec<Rule<Dataset>> {
    vec![
        backend_possible::RULE,
        fits_memory::RULE,
        names_resolve::RULE,
        physical_limit::RULE,
    ]
}

/// Checks all runs below `data`, the folder of run-db. Files that aren't well-formed are run-db's
/// own lint's to report.
///
/// # Errors
/// When a folder or file can't be read.
pub fn lint(data: &Path) -> io::Result<Vec<Finding>> {
    let (dataset, _) = load(data)?;
    Ok(run(&rules(), &dataset))
}
