//! Placeholder while the part is written.
