//! `model.safetensors.index.json`: which file has which tensor, and how many bytes all have.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use estimator::format::ModelFacts;
use estimator::weights::{Inventory, Share, Stored};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::names::{Place, place};
use crate::error::ReadError;
use crate::json::{self, Budget, shorten, stop};
use crate::limits;
use crate::own::{FileKind, OwnModel};

/// An index over the files of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Index {
    /// Bytes of all tensors together.
    pub total_size: u64,
    /// The names of all tensors.
    pub tensors: BTreeSet<String>,
    /// The names of the files.
    pub files: BTreeSet<String>,
}

/// Reads an index.
///
/// # Errors
/// What [`ReadError`] names: JSON that isn't, no size, no tensors, one tensor twice.
pub fn read_index(bytes: &[u8]) -> Result<Index, ReadError> {
    let text = json::text(bytes, "the index", limits::INDEX_BYTES)?;
    let (total, index) = json::parse(text, |budget, deserializer| {
        Top { budget }.deserialize(deserializer)
    })?;
    if index.tensors.is_empty() {
        return Err(ReadError::Missing {
            key: "weight_map".to_owned(),
        });
    }
    let Some(total_size) = total else {
        return Err(ReadError::Missing {
            key: "metadata.total_size".to_owned(),
        });
    };
    Ok(Index {
        total_size,
        ..index
    })
}

/// Reads an object's entries one by one.
struct Top<'a> {
    budget: &'a RefCell<Budget>,
}

impl<'de> DeserializeSeed<'de> for Top<'_> {
    type Value = (Option<u64>, Index);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Top<'_> {
    type Value = (Option<u64>, Index);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with `metadata` and `weight_map`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut total = None;
        let mut index = Index::default();
        let mut seen = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "metadata" => total = map.next_value_seed(Total)?,
                "weight_map" => map.next_value_seed(Names {
                    budget: self.budget,
                    index: &mut index,
                })?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            if !seen.insert(key.clone()) {
                let name = shorten(&key);
                return Err(stop(
                    self.budget,
                    ReadError::Duplicate {
                        what: "the key",
                        name,
                    },
                ));
            }
        }
        Ok((total, index))
    }
}

/// Reads `metadata.total_size`, a whole number that some tools write with a point.
struct Total;

impl<'de> DeserializeSeed<'de> for Total {
    type Value = Option<u64>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<u64>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Total {
    type Value = Option<u64>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with `total_size`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<u64>, A::Error> {
        let mut total = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "total_size" {
                total = Some(map.next_value::<u64>()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(total)
    }
}

/// Reads `weight_map`.
struct Names<'a> {
    budget: &'a RefCell<Budget>,
    index: &'a mut Index,
}

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object of tensors and their files")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, file)) = map.next_entry::<String, String>()? {
            let count = u64::try_from(self.index.tensors.len()).unwrap_or(u64::MAX);
            super::checked_name(&name, count).map_err(|error| stop(self.budget, error))?;
            if !self.index.files.contains(&file) {
                self.index.files.insert(file);
            }
            if !self.index.tensors.insert(name.clone()) {
                let name = shorten(&name);
                let error = ReadError::Duplicate {
                    what: "the tensor",
                    name,
                };
                return Err(stop(self.budget, error));
            }
        }
        Ok(())
    }
}

/// The model of a config, with the size of all its files together.
///
/// What each tensor takes isn't in an index, so the text trunk is counted by the rules of the
/// format the config names. What is over belongs to towers and prediction layers, where the index
/// names any; else a difference of more than 1 % is said.
#[must_use]
pub fn with_index(model: OwnModel, index: &Index) -> OwnModel {
    let mut model = OwnModel {
        kind: FileKind::ConfigAndIndex,
        ..model
    };
    let Some(format) = model.format else {
        model.notes.push(format!(
            "all files together have {} bytes",
            index.total_size
        ));
        return model;
    };
    let architecture = &model.architecture;
    let mut encoder = format.encoder(&ModelFacts::of(architecture));
    let mut inventory = Inventory {
        file: index.total_size,
        ..Inventory::default()
    };
    architecture.visit_parts(&mut |part, tensor| {
        let encoding = encoder.encode(&tensor);
        inventory.add(Stored {
            part,
            layer: tensor.layer,
            routed: tensor.role.is_routed(),
            encoding,
            share: Share {
                elements: tensor.elements(),
                bytes: encoding.bytes(&tensor),
            },
            tensors: 1,
        });
    });
    let (mut mtp, mut tower) = (false, false);
    for name in &index.tensors {
        match place(name, architecture) {
            Place::Mtp => mtp = true,
            Place::Tower => tower = true,
            Place::Trunk(..) => {}
        }
    }
    if !mtp {
        model.architecture.mtp_layers = 0;
    }
    let trunk = inventory.total().bytes;
    match index.total_size.checked_sub(trunk) {
        Some(rest) if tower => inventory.vision.bytes = rest,
        Some(rest) if mtp => inventory.mtp.bytes = rest,
        _ if trunk.abs_diff(index.total_size).saturating_mul(100) > trunk => {
            model.assumed.push(format!(
                "all files together have {} bytes, by the rules of {format} they would have {trunk}",
                index.total_size
            ));
        }
        _ => {}
    }
    model.inventory = Some(inventory);
    model
}
