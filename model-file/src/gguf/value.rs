//! The metadata of a GGUF file.

use std::collections::BTreeMap;

use super::cursor::{Cursor, Stop};
use crate::error::ReadError;
use crate::limits;

/// A value of the metadata.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An unsigned or a non-negative number.
    Whole(u64),
    /// A negative number.
    Negative(i64),
    /// A floating-point number.
    Float(f64),
    /// Yes or no.
    Flag(bool),
    /// A text; `None` when it was too long to keep.
    Text(Option<String>),
    /// Numbers or flags.
    List(Vec<Self>),
    /// An array that isn't kept: of texts, or too long.
    Skipped {
        /// How many elements it has.
        elements: u64,
    },
}

impl Value {
    /// What it is, for errors.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Whole(value) => format!("the number `{value}`"),
            Self::Negative(value) => format!("the number `{value}`"),
            Self::Float(value) => format!("the number `{value}`"),
            Self::Flag(value) => format!("`{value}`"),
            Self::Text(Some(text)) => format!("the text `{text}`"),
            Self::Text(None) => "a long text".to_owned(),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Skipped { elements } => format!("a list of {elements}"),
        }
    }
}

/// The metadata by key.
pub type Metadata = BTreeMap<String, Value>;

/// The type of a value, as a file numbers them.
#[derive(Clone, Copy)]
enum Kind {
    Unsigned(u64),
    Signed(u64),
    Float(u64),
    Flag,
    Text,
    Array,
}

impl Kind {
    const fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Unsigned(1),
            1 => Self::Signed(1),
            2 => Self::Unsigned(2),
            3 => Self::Signed(2),
            4 => Self::Unsigned(4),
            5 => Self::Signed(4),
            6 => Self::Float(4),
            7 => Self::Flag,
            8 => Self::Text,
            9 => Self::Array,
            10 => Self::Unsigned(8),
            11 => Self::Signed(8),
            12 => Self::Float(8),
            _ => return None,
        })
    }

    /// Bytes of an element; `None` where that isn't fixed.
    const fn bytes(self) -> Option<u64> {
        match self {
            Self::Unsigned(bytes) | Self::Signed(bytes) | Self::Float(bytes) => Some(bytes),
            Self::Flag => Some(1),
            Self::Text | Self::Array => None,
        }
    }
}

fn kind(cursor: &mut Cursor<'_>, key: &str) -> Result<Kind, Stop> {
    let number = cursor.u32()?;
    Kind::of(number).ok_or_else(|| {
        ReadError::ValueType {
            key: key.to_owned(),
            kind: number,
        }
        .into()
    })
}

/// One key with its value.
pub(super) fn entry(cursor: &mut Cursor<'_>, number: u64) -> Result<(String, Value), Stop> {
    let key = cursor
        .text(limits::KEY_BYTES, &|| format!("metadata key {number}"))?
        .to_owned();
    if key.is_empty() {
        return Err(ReadError::EmptyName {
            what: format!("metadata key {number}"),
        }
        .into());
    }
    let value = match kind(cursor, &key)? {
        Kind::Array => array(cursor, &key)?,
        kind => single(cursor, kind, &key)?,
    };
    Ok((key, value))
}

fn array(cursor: &mut Cursor<'_>, key: &str) -> Result<Value, Stop> {
    let kind = kind(cursor, key)?;
    let elements = cursor.u64()?;
    match kind.bytes() {
        Some(_) if elements <= limits::KEPT_ARRAY => {
            // grows with what is read, never by what the file says
            let mut list = Vec::new();
            for _ in 0..elements {
                list.push(single(cursor, kind, key)?);
            }
            return Ok(Value::List(list));
        }
        Some(bytes) => {
            cursor.take(elements.saturating_mul(bytes))?;
        }
        None if matches!(kind, Kind::Array) => {
            return Err(ReadError::NestedArray {
                key: key.to_owned(),
            }
            .into());
        }
        None => {
            // each has a length of eight bytes at least
            cursor.need(elements.saturating_mul(8))?;
            for _ in 0..elements {
                let length = cursor.u64()?;
                cursor.take(length)?;
            }
        }
    }
    Ok(Value::Skipped { elements })
}

fn single(cursor: &mut Cursor<'_>, kind: Kind, key: &str) -> Result<Value, Stop> {
    Ok(match kind {
        Kind::Unsigned(bytes) => Value::Whole(cursor.number(bytes)?),
        Kind::Signed(bytes) => {
            let number = cursor.number(bytes)?;
            let unused = 64_u64.saturating_sub(bytes.saturating_mul(8));
            let shift = u32::try_from(unused).unwrap_or(0);
            let signed = (number << shift).cast_signed() >> shift;
            u64::try_from(signed).map_or(Value::Negative(signed), Value::Whole)
        }
        Kind::Float(4) => Value::Float(f64::from(f32::from_bits(cursor.u32()?))),
        Kind::Float(_) => Value::Float(f64::from_bits(cursor.u64()?)),
        Kind::Flag => Value::Flag(cursor.number(1)? != 0),
        Kind::Text => {
            let length = cursor.u64()?;
            let taken = cursor.take(length)?;
            if length > limits::KEPT_TEXT_BYTES {
                Value::Text(None)
            } else {
                let text = std::str::from_utf8(taken).map_err(|_| ReadError::Text {
                    what: format!("the value of `{key}`"),
                })?;
                Value::Text(Some(text.to_owned()))
            }
        }
        Kind::Array => {
            return Err(ReadError::NestedArray {
                key: key.to_owned(),
            }
            .into());
        }
    })
}
