//! What comes alive in the browser: one file an island.
//!
//! An island runs on both sides, so while it renders it must not ask for a
//! clock, randomness or the window. Its props travel in the page as JSON: give
//! it the two or three records it needs, never a whole database.

mod estimate;

#[cfg(feature = "ssr")]
pub(crate) use estimate::{Estimate, Strange, answered};
