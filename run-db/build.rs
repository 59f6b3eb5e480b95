//! Reads all run files and writes a compact blob; a bad file fails the build by name, line and key.

#![expect(
    unreachable_pub,
    reason = "the modules are shared with the library, where they are public"
)]
#![expect(dead_code, reason = "the build script uses a part of each module")]

#[path = "src/load.rs"]
mod load;
#[path = "src/record.rs"]
mod record;
#[path = "src/run.rs"]
mod run;
#[path = "src/spec.rs"]
mod spec;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src");
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("data/runs");
    // The message alone: cargo prints the error of a build script by its debug form.
    let reports = load::load(&root).map_err(|error| error.to_string())?;
    let path = Path::new(&env::var("OUT_DIR")?).join("runs.bin");
    Ok(fs::write(path, postcard::to_stdvec(&reports)?)?)
}
