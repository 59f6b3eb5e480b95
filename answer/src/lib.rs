//! From a question as people type it to the answer every surface shows.
//!
//! A [`Question`] holds what a user typed; [`ask`] finds the names in the catalogues, fills in the
//! documented defaults, calls the estimator and returns an [`Answer`]. The command line, the
//! server, the browser and the API all go through here, so they agree to the last digit.
//! [`ask_own`] does the same for a model file of the user's own, in place of a model's name.

pub mod answer;
#[cfg(feature = "sources")]
pub mod facts;
pub mod flags;
pub mod formats;
mod headline;
mod host;
pub mod machine;
mod memory;
pub mod number;
pub mod own;
pub mod problem;
pub mod question;
pub mod resolve;
mod subject;
pub mod tables;
pub mod text;
mod typed;
mod usual;
pub mod ways;

pub use answer::{Answer, ask, ask_own};
pub use estimator::error::{Field, FieldError};
pub use problem::{BadInput, Message, Problem};
pub use question::Question;
pub use resolve::{Resolved, resolve, resolve_own};
