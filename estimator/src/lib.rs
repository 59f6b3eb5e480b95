//! What a machine will do with a language model: does it fit, how fast, and why.
//!
//! Pure arithmetic on plain types: no I/O, no clock, no randomness, no panics, and no float
//! function beyond `+ − × ÷ √ min max`, so that a server and a browser agree to the last bit.
//!
//! [`estimate::estimate`] answers a [`scenario::Scenario`]. On the way there: an
//! [`architecture::Architecture`] lists its weight tensors, a [`format::WeightFormat`] gives each
//! its bytes ([`weights`]), [`kv_cache`] says what a context holds and a step reads, [`memory`] says
//! what each device and the host hold, [`step`] times a pass over it with the factors of a
//! [`calibration::Calibration`], and [`placement`] picks the fastest way to lay it out that fits.

#![warn(
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

pub mod architecture;
pub mod basis;
pub mod calibration;
pub mod device;
pub mod engine;
pub mod error;
pub mod estimate;
pub mod explain;
pub mod fit;
pub mod format;
pub mod kv_cache;
pub mod memory;
pub mod num;
pub mod placement;
pub mod range;
pub mod roofline;
pub mod scenario;
pub mod step;
pub mod tensor;
pub mod units;
pub mod warning;
pub mod weights;
pub mod widths;
