//! The devices Bandwise knows, and prices: what `data/` says, embedded at build time.
//!
//! [`find`] turns what people type into a device, [`get`] an id, [`devices`] lists all. A
//! [`DeviceRecord`] holds typed values; [`DeviceRecord::device`] makes of it what the estimator
//! takes, with the options a buyer has (memory size, power limit, …). With the feature `sources`
//! each figure's sources, notes and prices are there too.
//!
//! Files are never read at run time, except by the lint (feature `lint`).

pub mod convert;
mod find;
#[cfg(feature = "sources")]
mod library;
#[cfg(feature = "lint")]
pub mod lint;
#[cfg(feature = "sources")]
pub mod provenance;
#[cfg(any(feature = "lint", feature = "schema"))]
pub mod record;
#[cfg(feature = "schema")]
pub mod schema;
pub mod spec;

pub use convert::{DeviceOptionError, DeviceOptions, MacOs, OperatingSystem};
pub use find::{DeviceNotFound, devices, find, find_with_rest, get};
#[cfg(feature = "sources")]
pub use library::{key, prices, provenance, source};
pub use spec::{DeviceRecord, Kind, Rate, Vendor};
