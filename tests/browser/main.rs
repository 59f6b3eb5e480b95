//! The pages in a real browser.
//!
//! A test calls [`harness::browse`] with what one person does; names say
//! `{action}_{object}`. `cargo xtask test` brings Chromium and builds the
//! browser part; then `cargo test -p bandwise-tests --features browser` is
//! enough. Without either the tests fail and say so.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod harness;
mod home;
mod look;
mod memory;
mod own_model;
mod parity;
mod run;
