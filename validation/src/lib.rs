//! Estimates compared with measured runs.
//!
//! A measured row, from [`run_db`] or from a CSV file with its columns ([`rows::read`]), becomes the
//! question its authors could have asked ([`asked::ask`]); the answer's figure stands against the
//! measured one ([`compare::compare`]). A row that can't be answered has a [`Reason`] and is counted
//! under it: none is skipped. [`report::Report`] gives the errors by slice, and those of the
//! field's rules of thumb on the same rows.

pub mod asked;
pub mod compare;
pub mod engines;
pub mod host;
#[cfg(feature = "lint")]
pub mod lint;
pub mod memory;
pub mod naive;
pub mod note;
pub mod reason;
pub mod report;
pub mod rows;
pub mod slices;
pub mod statistics;

pub use compare::{Compared, compare, compare_all};
pub use reason::Reason;
pub use report::Report;

use run_db::Metric;

/// The runs of the project's own database, as rows.
#[must_use]
pub fn known_runs() -> Vec<rows::Row> {
    run_db::runs().map(Ok).collect()
}

/// Whether there is a metric of this name.
#[must_use]
pub fn is_metric(name: &str) -> bool {
    Metric::ALL.iter().any(|metric| metric.name() == name)
}

/// The names of all metrics.
#[must_use]
pub fn metrics() -> Vec<String> {
    Metric::ALL.map(|metric| metric.name().to_owned()).to_vec()
}
