//! What a machine will do with a language model: does it fit, how fast, and why.
//!
//! Pure arithmetic on plain types: no I/O, no clock, no randomness, no panics, and no float
//! function beyond `+ − × ÷ √ min max`, so that a server and a browser agree to the last bit.

#![warn(
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

pub mod architecture;
pub mod device;
pub mod format;
pub mod kv_cache;
pub mod num;
pub mod tensor;
pub mod units;
pub mod weights;
