//! What tests of several parts share. The tests of more than one part are the files and folders
//! beside this one.
//!
//! That every surface gives the same JSON is checked in three places, each against the library and
//! all with [`questions`]: `cli/tests/cli/agreement.rs`, `web/tests/agreement.rs` (the API) and
//! `tests/browser/parity.rs`. So each part compiles only what it needs, and a test of the command
//! line always runs the binary of the same build.

mod files;
mod json;
mod questions;

pub use files::{root, text_files};
pub use json::{compact, library_json};
pub use questions::{QUESTIONS, questions};
