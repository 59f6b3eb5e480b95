//! Placeholder while the part is written.

fn main() {}
