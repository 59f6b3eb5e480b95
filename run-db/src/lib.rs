//! Measured runs: what factors are fitted on and estimates are checked against.
//!
//! One file a report, `data/runs/<device>/<report>.yaml`: who measured, with what, and the figures.
//! [`record::RunFile`] is its type, [`load()`] reads a folder of them and [`parse`] one text. Nothing
//! here is embedded: runs are read by calibration and validation, not by the product.

pub mod load;
pub mod record;

pub use load::{LoadError, Report, load, parse};
pub use record::{Metric, Run, RunFile};
