//! The embedded runs.

use std::sync::LazyLock;

use crate::run::Run;
use crate::spec::Report;

static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runs.bin"));

/// The build script wrote the blob from the same types, so it decodes; a test says so.
static REPORTS: LazyLock<Vec<Report>> =
    LazyLock::new(|| postcard::from_bytes(BLOB).unwrap_or_default());

/// All reports, by path.
#[must_use]
pub fn reports() -> &'static [Report] {
    &REPORTS
}

/// All runs, in the order of the reports. The build script checked each.
pub fn runs() -> impl Iterator<Item = Run> {
    reports()
        .iter()
        .flat_map(Report::runs)
        .filter_map(Result::ok)
}
