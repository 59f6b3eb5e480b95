//! The header of a GGUF file: metadata and the list of tensors.
//!
//! Format: `ggml-org/ggml: docs/gguf.md`; what is refused follows `ggml/src/gguf.cpp` of llama.cpp.
//! A header lies at the start of a file and is as long as its tokenizer makes it, 1 to 20 MB. So it
//! is read from what there is: [`read`] takes a file's first bytes and says how many more it needs.
//!
//! No number of the file sizes an allocation: lists grow as their elements are read, each of which
//! takes bytes of the file, and what isn't needed (tokens, merges, chat templates) is skipped.

mod architecture;
mod attention;
mod cursor;
mod families;
mod feed_forward;
mod inventory;
mod keys;
mod layer;
mod linear;
mod outside;
mod parts;
mod shapes;
mod sliding;
mod types;
mod value;

pub use parts::join;
pub use types::TensorType;
pub use value::{Metadata, Value};

pub use architecture::model;
pub use families::known;

use std::collections::BTreeSet;

use crate::error::{Progress, ReadError, Section};
use crate::limits;
use cursor::{Cursor, Stop};

/// What a GGUF file begins with.
pub const MAGIC: &[u8; 4] = b"GGUF";

/// The header of a GGUF file.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Of the format: 2 or 3.
    pub version: u32,
    /// The metadata.
    pub metadata: Metadata,
    /// The tensors in the order of the file.
    pub tensors: Vec<TensorInfo>,
    /// What the tensors are aligned to, in bytes.
    pub alignment: u64,
    /// Where the tensors begin: the header's length, aligned.
    pub data_offset: u64,
}

/// A tensor as the header lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// Its dimensions, the row first (`ne`); those it doesn't have are 1.
    pub dimensions: [u64; 4],
    /// How it is stored.
    pub kind: TensorType,
    /// Where it begins, counted from where the tensors begin.
    pub offset: u64,
}

impl TensorInfo {
    /// How many elements it has.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.dimensions
            .iter()
            .fold(1, |all, each| all.saturating_mul(*each))
    }

    /// How many bytes it takes, without what aligns the next.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.elements() / self.kind.elements.max(1)).saturating_mul(self.kind.bytes)
    }

    /// Its shape, for errors.
    pub(crate) fn shape(&self) -> String {
        let used = self
            .dimensions
            .iter()
            .rposition(|each| *each != 1)
            .map_or(1, |last| last.saturating_add(1));
        let sizes: Vec<String> = self
            .dimensions
            .iter()
            .take(used)
            .map(u64::to_string)
            .collect();
        sizes.join(" × ")
    }
}

impl Header {
    /// Where the last tensor ends: what the file's length must be at least.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.tensors.last().map_or(self.data_offset, |tensor| {
            self.data_offset
                .saturating_add(tensor.offset)
                .saturating_add(tensor.bytes())
        })
    }
}

/// Reads the header of a GGUF file from its first bytes.
///
/// `size` is the length of the whole file, if known: then a header or tensors beyond it are errors.
///
/// # Errors
/// Whatever [`ReadError`] names of a header; never for bytes that are merely missing yet.
pub fn read(start: &[u8], size: Option<u64>) -> Result<Progress<Header>, ReadError> {
    match header(start, size) {
        Ok(header) => Ok(Progress::Done(header)),
        Err(Stop::More(at_least)) => Ok(Progress::NeedMore { at_least }),
        Err(Stop::Error(error)) => Err(error),
    }
}

fn header(start: &[u8], size: Option<u64>) -> Result<Header, Stop> {
    let mut cursor = Cursor::new(start, size);
    let magic = cursor.take(4)?;
    if magic != MAGIC {
        return Err(ReadError::UnknownKind {
            start: crate::reader::printable(magic),
        }
        .into());
    }
    cursor.section = Section::Counts;
    let version = cursor.u32()?;
    if version != 0 && version.trailing_zeros() >= 16 {
        return Err(ReadError::BigEndian { version }.into());
    }
    if !(2..=3).contains(&version) {
        return Err(ReadError::Version { version }.into());
    }
    let tensors = count(&mut cursor, "the number of tensors", limits::TENSORS)?;
    let entries = count(
        &mut cursor,
        "the number of metadata entries",
        limits::GGUF_ENTRIES,
    )?;

    cursor.section = Section::Metadata;
    let mut metadata = Metadata::new();
    for number in 0..entries {
        let (key, value) = value::entry(&mut cursor, number)?;
        if metadata.insert(key.clone(), value).is_some() {
            return Err(ReadError::Duplicate {
                what: "the key",
                name: key,
            }
            .into());
        }
    }
    let alignment = alignment(&metadata)?;

    cursor.section = Section::Tensors;
    let mut list = Vec::new();
    let mut names = BTreeSet::new();
    let mut end = 0;
    for number in 0..tensors {
        let tensor = tensor(&mut cursor, number)?;
        if tensor.offset != end {
            return Err(ReadError::Offset {
                tensor: tensor.name,
                offset: tensor.offset,
                expected: end,
            }
            .into());
        }
        end = end.saturating_add(aligned(tensor.bytes(), alignment));
        if !names.insert(tensor.name.clone()) {
            return Err(ReadError::Duplicate {
                what: "the tensor",
                name: tensor.name,
            }
            .into());
        }
        list.push(tensor);
    }
    let header = Header {
        version,
        metadata,
        tensors: list,
        alignment,
        data_offset: aligned(cursor.position(), alignment),
    };
    if let Some(size) = size.filter(|size| header.end() > *size && !header.tensors.is_empty()) {
        return Err(ReadError::Truncated {
            section: Section::Data,
            needed: header.end(),
            size,
        }
        .into());
    }
    Ok(header)
}

fn count(cursor: &mut Cursor<'_>, what: &str, limit: u64) -> Result<u64, Stop> {
    let value = cursor.u64()?;
    if value > limit {
        return Err(ReadError::Limit {
            what: what.to_owned(),
            value,
            limit,
        }
        .into());
    }
    Ok(value)
}

/// `bytes`, rounded up to a multiple.
const fn aligned(bytes: u64, alignment: u64) -> u64 {
    match bytes.checked_next_multiple_of(alignment) {
        Some(aligned) => aligned,
        None => u64::MAX,
    }
}

fn alignment(metadata: &Metadata) -> Result<u64, ReadError> {
    match metadata.get("general.alignment") {
        None => Ok(estimator::format::ALIGNMENT),
        Some(Value::Whole(value)) if value.is_power_of_two() && *value <= 65_536 => Ok(*value),
        Some(Value::Whole(value)) => Err(ReadError::Alignment { value: *value }),
        Some(other) => Err(ReadError::NotA {
            key: "general.alignment".to_owned(),
            expected: "a number",
            found: other.describe(),
        }),
    }
}

fn tensor(cursor: &mut Cursor<'_>, number: u64) -> Result<TensorInfo, Stop> {
    let name = cursor
        .text(limits::NAME_BYTES, &|| {
            format!("the name of tensor {number}")
        })?
        .to_owned();
    if name.is_empty() {
        return Err(ReadError::EmptyName {
            what: format!("the name of tensor {number}"),
        }
        .into());
    }
    let count = cursor.u32()?;
    if !(1..=4).contains(&count) {
        return Err(ReadError::DimensionCount {
            tensor: name,
            count: u64::from(count),
            allowed: 4,
        }
        .into());
    }
    let mut dimensions = [1_u64; 4];
    let mut elements = 1_u64;
    for (axis, dimension) in (0..count).zip(&mut dimensions) {
        let value = cursor.u64()?;
        if value == 0 || value > limits::DIMENSION {
            return Err(ReadError::Dimension {
                tensor: name,
                axis,
                value,
                limit: limits::DIMENSION,
            }
            .into());
        }
        *dimension = value;
        elements = elements.saturating_mul(value);
    }
    if elements > limits::ELEMENTS {
        return Err(ReadError::Elements {
            tensor: name,
            limit: limits::ELEMENTS,
        }
        .into());
    }
    let number = cursor.u32()?;
    let Some(kind) = TensorType::of(number) else {
        return Err(ReadError::TensorType {
            tensor: name,
            kind: number.to_string(),
        }
        .into());
    };
    let [row, ..] = dimensions;
    if !row.is_multiple_of(kind.elements) {
        return Err(ReadError::Row {
            tensor: name,
            row,
            kind: kind.name,
            block: kind.elements,
        }
        .into());
    }
    let offset = cursor.u64()?;
    Ok(TensorInfo {
        name,
        dimensions,
        kind,
        offset,
    })
}
