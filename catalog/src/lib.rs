//! What the databases of Bandwise share: figures that carry their source, values written with their
//! unit, dates, name search with "did you mean", and the frame of the data lint.
//!
//! A data file states facts as people write them (`1008 GB/s`, `2022-09`); the types here read that
//! text into exact values, refuse what makes no sense, and print it back the same. In a binary form
//! (the blobs that the databases embed) the same types take a few bytes a value.
//!
//! This crate knows nothing of devices, models or estimates.

pub mod date;
pub mod figure;
pub mod files;
pub mod lint;
pub mod money;
mod number;
pub mod quantity;
pub mod search;
pub mod slug;
pub mod source;

pub use date::Date;
pub use figure::{Figure, Maybe, SourceIds, Sourced};
pub use money::{Currency, Money};
pub use quantity::{
    Bandwidth, BusWidth, Capacity, DataRate, Frequency, Parameters, Peak, Power, QuantityError,
};
pub use search::{Found, Index, Named, NoMatch};
pub use source::{Place, Source, SourceEntry, SourceError, SourceKind};
