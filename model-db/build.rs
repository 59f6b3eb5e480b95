//! Reads all model files and writes two compact blobs; a bad file fails the build by name, line and key.

#![expect(
    unreachable_pub,
    reason = "the modules are shared with the library, where they are public"
)]
#![expect(dead_code, reason = "the build script uses a part of each module")]

#[path = "src/entry.rs"]
mod entry;
#[path = "src/layout.rs"]
mod layout;
#[path = "src/provenance.rs"]
mod provenance;
#[path = "src/record.rs"]
mod record;
#[path = "src/spec.rs"]
mod spec;

use catalog::files::{DataFile, read_yaml};
use catalog::{Source, SourceIds};
use provenance::{KeyId, Library, Provenance, SourceId};
use serde::Serialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("data");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build.rs");

    let mut files = read_yaml(&root.join("models"))?;
    files.sort_by(|a, b| a.id.cmp(&b.id));
    let mut models = Vec::new();
    let mut builder = Builder::default();
    for file in &files {
        let entry: record::ModelEntry =
            serde_yaml::from_str(&file.text).map_err(|error| named(file, &error.to_string()))?;
        entry
            .architecture
            .checked_layers()
            .map_err(|error| named(file, &format!("architecture: {error}")))?;
        models.push(entry.spec(&file.id, &file.folder));
        builder.add(&entry).map_err(|error| named(file, &error))?;
    }
    write("models.bin", &models)?;
    write("library.bin", &builder.library)
}

fn named(file: &DataFile, error: &str) -> String {
    format!("{}: {error}", file.path.display())
}

fn write<T: Serialize>(name: &str, value: &T) -> Result<(), Box<dyn Error>> {
    let path = Path::new(&env::var("OUT_DIR")?).join(name);
    Ok(fs::write(path, postcard::to_stdvec(value)?)?)
}

/// Collects the library; sources and paths are stored once.
#[derive(Default)]
struct Builder {
    library: Library,
    source_ids: BTreeMap<Source, SourceId>,
    key_ids: BTreeMap<String, KeyId>,
}

impl Builder {
    fn source(&mut self, source: Source) -> Result<SourceId, String> {
        if let Some(known) = self.source_ids.get(&source) {
            return Ok(*known);
        }
        let fresh = u16::try_from(self.source_ids.len()).map_err(|_| "too many sources")?;
        self.library.sources.push(source.clone());
        self.source_ids.insert(source, SourceId(fresh));
        Ok(SourceId(fresh))
    }

    fn key(&mut self, path: &str) -> Result<KeyId, String> {
        if let Some(known) = self.key_ids.get(path) {
            return Ok(*known);
        }
        let fresh = u16::try_from(self.key_ids.len()).map_err(|_| "too many keys")?;
        self.library.keys.push(path.to_owned());
        self.key_ids.insert(path.to_owned(), KeyId(fresh));
        Ok(KeyId(fresh))
    }

    fn add(&mut self, entry: &record::ModelEntry) -> Result<(), String> {
        use catalog::figure::Sourced;
        let mut local = BTreeMap::new();
        for (id, source) in &entry.sources {
            let source = Source::try_from(source.clone())
                .map_err(|error| format!("sources.{id}: {error}"))?;
            local.insert(id.as_str(), self.source(source)?);
        }
        let mut cited: Vec<(String, &SourceIds)> = Vec::new();
        entry.visit_sources(&mut |path, ids| cited.push((path.to_owned(), ids)));
        let mut figures = Vec::new();
        for (path, ids) in cited {
            let ids: Result<Vec<SourceId>, String> = ids
                .iter()
                .map(|id| {
                    local
                        .get(id)
                        .copied()
                        .ok_or_else(|| format!("{path}: source `{id}` is not declared"))
                })
                .collect();
            figures.push((self.key(&path)?, ids?));
        }
        let mut unknown = Vec::new();
        for (path, why) in entry.unknown() {
            unknown.push((self.key(path)?, why.to_owned()));
        }
        self.library.models.push(Provenance {
            figures,
            unknown,
            check: entry.check.clone(),
            notes: entry.notes.clone(),
        });
        Ok(())
    }
}
