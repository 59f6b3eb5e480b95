//! Reads all data files and writes two compact blobs; a bad file fails the build by name, line and key.

#![expect(clippy::print_stdout, reason = "the way to talk to cargo")]
#![expect(
    unreachable_pub,
    reason = "the modules are shared with the library, where they are public"
)]

mod embed;
#[path = "../src/provenance.rs"]
mod provenance;
#[path = "../src/record/mod.rs"]
mod record;
#[path = "../src/spec/mod.rs"]
#[expect(dead_code, reason = "the build script uses no accessors")]
mod spec;

use catalog::files::{DataFile, read_yaml};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("data");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src");

    let mut builder = embed::Builder::default();
    let mut devices = Vec::new();
    let mut files = read_yaml(&root.join("devices"))?;
    files.sort_by(|a, b| a.id.cmp(&b.id));
    for file in files {
        let entry: record::device::DeviceEntry = parse(&file)?;
        devices.push(embed::device_record(&file.id, &entry));
        builder
            .device(&entry)
            .map_err(|error| named(&file, &error))?;
    }
    for file in read_yaml(&root.join("prices/api"))? {
        builder
            .api_price(&file.id, &parse(&file)?)
            .map_err(|error| named(&file, &error))?;
    }
    for file in read_yaml(&root.join("prices/rental"))? {
        builder
            .rental(&file.id, &parse(&file)?)
            .map_err(|error| named(&file, &error))?;
    }
    for file in read_yaml(&root.join("prices/electricity"))? {
        builder
            .electricity(&file.id, &parse(&file)?)
            .map_err(|error| named(&file, &error))?;
    }
    write("devices.bin", &devices)?;
    write("library.bin", &builder.finish())
}

fn parse<T: DeserializeOwned>(file: &DataFile) -> Result<T, String> {
    serde_yaml::from_str(&file.text).map_err(|error| named(file, &error.to_string()))
}

fn named(file: &DataFile, error: &str) -> String {
    format!("{}: {error}", file.path.display())
}

fn write<T: Serialize>(name: &str, value: &T) -> Result<(), Box<dyn Error>> {
    let path = Path::new(&env::var("OUT_DIR")?).join(name);
    Ok(fs::write(path, postcard::to_stdvec(value)?)?)
}
