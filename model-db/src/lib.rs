//! The models Bandwise knows: what `data/` says, embedded at build time.
//!
//! [`find`] turns what people type into a model, [`get`] an id, [`models`] lists all. A
//! [`ModelRecord`] holds typed values; [`ModelRecord::architecture`] makes of it what the estimator
//! takes. With the feature `sources` each figure's sources, notes and published check values are
//! there too.
//!
//! Files are never read at run time, except by the lint (feature `lint`).

pub mod convert;
pub mod entry;
mod find;
pub mod layout;
#[cfg(feature = "sources")]
mod library;
#[cfg(feature = "lint")]
pub mod lint;
mod pasted;
#[cfg(feature = "sources")]
pub mod provenance;
#[cfg(any(feature = "lint", feature = "schema"))]
pub mod record;
#[cfg(feature = "schema")]
pub mod schema;
pub mod spec;

pub use find::{ModelNotFound, find, find_with_rest, get, models};
#[cfg(feature = "sources")]
pub use library::{key, provenance, source};
pub use spec::{Basis, ModelRecord};
