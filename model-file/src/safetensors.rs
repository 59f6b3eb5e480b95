//! What safetensors files hold: the header of each, and the index over all.
//!
//! Format: `huggingface/safetensors: README.md` (eight bytes of length, JSON, then the tensors without
//! gaps). A header says names, types and shapes, so bytes are exact; an index says only how many
//! bytes all files have together. Neither says what a model is: that is its `config.json`.

mod index;
mod inventory;
mod names;

pub use index::{Index, read_index, with_index};
pub use inventory::with_headers;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::error::{Progress, ReadError, Section};
use crate::json::{self, Budget, shorten, stop};
use crate::limits;

/// The header of a safetensors file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The tensors, in the order of the file.
    pub tensors: Vec<TensorInfo>,
    /// Bytes of the whole file.
    pub file: u64,
}

/// A tensor as a header lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// The type of its numbers.
    pub kind: NumberType,
    /// Its sizes.
    pub shape: Vec<u64>,
    /// How many numbers it has.
    pub elements: u64,
    /// How many bytes it takes.
    pub bytes: u64,
}

/// The type of a tensor's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NumberType {
    /// As headers name it.
    pub name: &'static str,
    /// Bits of a number.
    pub bits: u64,
}

/// The types of numbers (`safetensors/src/tensor.rs`, `Dtype`).
const TYPES: [NumberType; 20] = [
    NumberType::new("BOOL", 8),
    NumberType::new("F4", 4),
    NumberType::new("F6_E2M3", 6),
    NumberType::new("F6_E3M2", 6),
    NumberType::new("U8", 8),
    NumberType::new("I8", 8),
    NumberType::new("F8_E5M2", 8),
    NumberType::new("F8_E4M3", 8),
    NumberType::new("F8_E8M0", 8),
    NumberType::new("I16", 16),
    NumberType::new("U16", 16),
    NumberType::new("F16", 16),
    NumberType::new("BF16", 16),
    NumberType::new("I32", 32),
    NumberType::new("U32", 32),
    NumberType::new("F32", 32),
    NumberType::new("C64", 64),
    NumberType::new("F64", 64),
    NumberType::new("I64", 64),
    NumberType::new("U64", 64),
];

impl NumberType {
    const fn new(name: &'static str, bits: u64) -> Self {
        Self { name, bits }
    }

    fn of(name: &str) -> Option<Self> {
        TYPES.iter().find(|kind| kind.name == name).copied()
    }
}

/// The most dimensions of a tensor; ours have at most five.
const DIMENSIONS: u32 = 8;

/// Reads the header of a safetensors file from its first bytes.
///
/// `size` is the length of the whole file, if known: then tensors that end elsewhere are an error.
///
/// # Errors
/// Whatever [`ReadError`] names of a header; never for bytes that are merely missing yet.
pub fn read(start: &[u8], size: Option<u64>) -> Result<Progress<Header>, ReadError> {
    let short = |section, needed: u64| match size {
        Some(size) if needed > size => Err(ReadError::Truncated {
            section,
            needed,
            size,
        }),
        _ => Ok(Progress::NeedMore { at_least: needed }),
    };
    let Some((length, rest)) = start.split_first_chunk::<8>() else {
        return short(Section::Length, 8);
    };
    let length = u64::from_le_bytes(*length);
    if length > limits::SAFETENSORS_HEADER_BYTES {
        return Err(ReadError::Limit {
            what: "the length of the header".to_owned(),
            value: length,
            limit: limits::SAFETENSORS_HEADER_BYTES,
        });
    }
    let end = length.saturating_add(8);
    let text = match usize::try_from(length).map(|length| rest.get(..length)) {
        Ok(Some(text)) => text,
        _ => return short(Section::Json, end),
    };
    if size.is_some_and(|size| end > size) {
        return short(Section::Json, end);
    }
    header(text, end, size).map(Progress::Done)
}

fn header(text: &[u8], begin: u64, size: Option<u64>) -> Result<Header, ReadError> {
    let text = json::text(text, "the header", usize::MAX)?;
    let mut entries = json::parse(text, |budget, deserializer| {
        Entries { budget }.deserialize(deserializer)
    })?;
    entries.sort_by_key(|entry| (entry.begin, entry.end));
    let mut tensors = Vec::new();
    let mut end = 0;
    for entry in entries {
        if entry.begin != end {
            return Err(ReadError::Offset {
                tensor: entry.tensor.name,
                offset: entry.begin,
                expected: end,
            });
        }
        end = entry.end;
        tensors.push(entry.tensor);
    }
    let file = begin.saturating_add(end);
    match size {
        Some(size) if size < file => Err(ReadError::Truncated {
            section: Section::Data,
            needed: file,
            size,
        }),
        _ => Ok(Header { tensors, file }),
    }
}

/// A tensor, and where in the file it is.
struct Entry {
    tensor: TensorInfo,
    begin: u64,
    end: u64,
}

/// What a header says of a tensor.
#[derive(Deserialize)]
#[serde(expecting = "an object with `dtype`, `shape` and `data_offsets`")]
struct Written {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// Reads a header's JSON into entries.
struct Entries<'a> {
    budget: &'a RefCell<Budget>,
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = Vec<Entry>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Entry>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = Vec<Entry>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with the tensors of a safetensors file")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Entry>, A::Error> {
        let mut entries = Vec::new();
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == "__metadata__" {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let written = map.next_value::<Written>()?;
            let count = u64::try_from(entries.len()).unwrap_or(u64::MAX);
            let entry = checked_name(&name, count)
                .and_then(|()| {
                    if names.insert(name.clone()) {
                        Ok(())
                    } else {
                        Err(ReadError::Duplicate {
                            what: "the tensor",
                            name: shorten(&name),
                        })
                    }
                })
                .and_then(|()| entry(name, &written))
                .map_err(|error| stop(self.budget, error))?;
            entries.push(entry);
        }
        Ok(entries)
    }
}

/// A name and a number of tensors within the limits.
fn checked_name(name: &str, before: u64) -> Result<(), ReadError> {
    let length = u64::try_from(name.len()).unwrap_or(u64::MAX);
    let over = |what: &str, value, limit| {
        Err(ReadError::Limit {
            what: what.to_owned(),
            value,
            limit,
        })
    };
    if length > limits::NAME_BYTES {
        return over("the length of a tensor's name", length, limits::NAME_BYTES);
    }
    if before >= limits::TENSORS {
        let count = before.saturating_add(1);
        return over("the number of tensors", count, limits::TENSORS);
    }
    if name.is_empty() {
        return Err(ReadError::EmptyName {
            what: format!("the name of tensor {before}"),
        });
    }
    Ok(())
}

fn entry(name: String, written: &Written) -> Result<Entry, ReadError> {
    let Some(kind) = NumberType::of(&written.dtype) else {
        return Err(ReadError::TensorType {
            tensor: name,
            kind: shorten(&written.dtype),
        });
    };
    let count = u64::try_from(written.shape.len()).unwrap_or(u64::MAX);
    if count > u64::from(DIMENSIONS) {
        return Err(ReadError::DimensionCount {
            tensor: name,
            count,
            allowed: DIMENSIONS,
        });
    }
    let mut elements = 1_u64;
    for (axis, size) in (0_u32..).zip(&written.shape) {
        if *size > limits::DIMENSION {
            return Err(ReadError::Dimension {
                tensor: name,
                axis,
                value: *size,
                limit: limits::DIMENSION,
            });
        }
        elements = elements.saturating_mul(*size);
    }
    if elements > limits::ELEMENTS {
        return Err(ReadError::Elements {
            tensor: name,
            limit: limits::ELEMENTS,
        });
    }
    // a limited number of elements, of at most 64 bits, counts in 128
    let bits = u128::from(elements).saturating_mul(u128::from(kind.bits));
    let expected = u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX);
    let (begin, end) = written.data_offsets;
    match end.checked_sub(begin) {
        Some(bytes) if bytes == expected => Ok(Entry {
            tensor: TensorInfo {
                name,
                kind,
                shape: written.shape.clone(),
                elements,
                bytes,
            },
            begin,
            end,
        }),
        other => Err(ReadError::Bytes {
            tensor: name,
            bytes: other.unwrap_or(0),
            expected,
        }),
    }
}

impl Header {
    /// How many bytes the tensors of each number type take, by its name.
    #[must_use]
    pub fn by_type(&self) -> std::collections::BTreeMap<&'static str, u64> {
        let mut sums = std::collections::BTreeMap::new();
        for tensor in &self.tensors {
            let sum: &mut u64 = sums.entry(tensor.kind.name).or_default();
            *sum = sum.saturating_add(tensor.bytes);
        }
        sums
    }
}
