//! Model files, read in the browser.
//!
//! A WebAssembly module of its own beside the page's: a page is alive without it, and only who
//! chooses a file downloads it. It hands the model on as bytes (`model_file::wire`); the page's
//! module, which has the estimator and both catalogues already, answers. The file itself stays in
//! the browser, and of a large one only the header is read.
//!
//! Without the feature `browser` the crate is empty. `cargo xtask build-web` builds it.

#[cfg(feature = "browser")]
mod read;

#[cfg(feature = "browser")]
pub use read::read;
