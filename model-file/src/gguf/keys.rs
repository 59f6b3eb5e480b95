//! The keys of one architecture.

use super::value::{Metadata, Value};
use crate::error::ReadError;
use crate::limits;

/// The metadata, seen from one architecture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys<'a> {
    metadata: &'a Metadata,
    architecture: &'a str,
}

impl<'a> Keys<'a> {
    pub(super) const fn new(metadata: &'a Metadata, architecture: &'a str) -> Self {
        Self {
            metadata,
            architecture,
        }
    }

    /// A key of the architecture in full.
    pub(super) fn name(&self, key: &str) -> String {
        format!("{}.{key}", self.architecture)
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.metadata.get(&self.name(key))
    }

    /// A number, if it is there.
    pub(super) fn number(&self, key: &str) -> Result<Option<u32>, ReadError> {
        self.get(key)
            .map(|value| number(&self.name(key), value))
            .transpose()
    }

    /// A number that must be there and isn't 0.
    pub(super) fn required(&self, key: &str) -> Result<u32, ReadError> {
        match self.number(key)? {
            Some(0) => Err(ReadError::OutOfRange {
                key: self.name(key),
                value: "0".to_owned(),
                allowed: "1 or more is needed".to_owned(),
            }),
            Some(number) => Ok(number),
            None => Err(ReadError::Missing {
                key: self.name(key),
            }),
        }
    }

    /// A number of a layer: the same for all, or one each.
    pub(super) fn at(&self, key: &str, layer: u32) -> Result<Option<u32>, ReadError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::List(list)) => {
                let value = usize::try_from(layer).ok().and_then(|at| list.get(at));
                value.map_or_else(
                    || {
                        Err(ReadError::Disagree {
                            key: self.name(key),
                            value: format!("a list of {}", list.len()),
                            other: format!("there is a layer {layer}"),
                        })
                    },
                    |value| number(&format!("{}[{layer}]", self.name(key)), value).map(Some),
                )
            }
            Some(value) => number(&self.name(key), value).map(Some),
        }
    }
}

/// A text of the metadata.
pub(super) fn text<'a>(metadata: &'a Metadata, key: &str) -> Result<Option<&'a str>, ReadError> {
    match metadata.get(key) {
        None => Ok(None),
        Some(Value::Text(Some(text))) => Ok(Some(text)),
        Some(other) => Err(ReadError::NotA {
            key: key.to_owned(),
            expected: "a text",
            found: other.describe(),
        }),
    }
}

/// A whole number of the metadata, within what an architecture can hold.
pub(super) fn number(key: &str, value: &Value) -> Result<u32, ReadError> {
    match value {
        Value::Whole(number) => u32::try_from(*number)
            .ok()
            .filter(|number| u64::from(*number) <= limits::DIMENSION)
            .ok_or_else(|| ReadError::OutOfRange {
                key: key.to_owned(),
                value: number.to_string(),
                allowed: format!("at most {} is read", limits::DIMENSION),
            }),
        Value::Negative(number) => Err(ReadError::OutOfRange {
            key: key.to_owned(),
            value: number.to_string(),
            allowed: "a number of 0 or more is needed".to_owned(),
        }),
        other => Err(ReadError::NotA {
            key: key.to_owned(),
            expected: "a whole number",
            found: other.describe(),
        }),
    }
}
