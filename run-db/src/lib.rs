//! Measured runs: what factors are fitted on and estimates are checked against.
//!
//! One file a source and device, `data/runs/<device>/<source>.yaml`: where the figures come from,
//! what all share, and each figure with what is known of it. [`record::RunFile`] is its type.
//! [`runs`] gives all, embedded at build time, each a [`Run`] in one piece.
//!
//! Figures stand as printed. What is missing or unclear about one is said in `issue`; what must not
//! be fitted on has quality C or a `quarantine` with its reason, and stays.

mod library;
#[cfg(feature = "lint")]
pub mod lint;
#[cfg(feature = "lint")]
pub mod load;
pub mod record;
pub mod run;
#[cfg(feature = "schema")]
pub mod schema;
pub mod spec;

pub use library::{reports, runs};
pub use record::{Metric, Parallel, Placement, Quality};
pub use run::{Run, RunError};
pub use spec::{Origin, Report};
