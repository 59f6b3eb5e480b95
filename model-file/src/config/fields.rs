//! The keys of a `config.json`, typed.

use std::collections::BTreeMap;

use crate::error::ReadError;
use crate::json::Json;
use crate::limits;

/// One object of a config, and where it is.
#[derive(Debug, Clone)]
pub(super) struct Fields<'a> {
    map: &'a BTreeMap<String, Json>,
    path: String,
}

impl<'a> Fields<'a> {
    pub(super) fn root(json: &'a Json) -> Result<Self, ReadError> {
        match json {
            Json::Map(map) => Ok(Self {
                map,
                path: String::new(),
            }),
            other => Err(ReadError::NotA {
                key: "config.json".to_owned(),
                expected: "an object",
                found: other.describe(),
            }),
        }
    }

    /// A key in full, for errors.
    pub(super) fn name(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// All keys there are.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.map.keys().map(String::as_str)
    }

    /// The value of a key, null being none.
    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key).filter(|value| **value != Json::Null)
    }

    /// The first of several names for a thing, with its value.
    fn first<'k>(&self, names: &[&'k str]) -> Option<(&'k str, &'a Json)> {
        names
            .iter()
            .find_map(|name| self.get(name).map(|value| (*name, value)))
    }

    /// An object within.
    pub(super) fn child(&self, key: &str) -> Result<Option<Self>, ReadError> {
        match self.get(key) {
            None => Ok(None),
            Some(Json::Map(map)) => Ok(Some(Self {
                map,
                path: self.name(key),
            })),
            Some(other) => Err(self.not_a(key, "an object", other)),
        }
    }

    fn not_a(&self, key: &str, expected: &'static str, found: &Json) -> ReadError {
        ReadError::NotA {
            key: self.name(key),
            expected,
            found: found.describe(),
        }
    }

    /// A number under one of several names.
    pub(super) fn number(&self, names: &[&str]) -> Result<Option<u32>, ReadError> {
        self.first(names)
            .map(|(name, value)| number(&self.name(name), value))
            .transpose()
    }

    /// A number that must be there and isn't 0.
    pub(super) fn need(&self, names: &[&str]) -> Result<u32, ReadError> {
        match self.first(names) {
            None => Err(ReadError::Missing {
                key: self.name(names.first().copied().unwrap_or_default()),
            }),
            Some((name, value)) => match number(&self.name(name), value)? {
                0 => Err(ReadError::OutOfRange {
                    key: self.name(name),
                    value: "0".to_owned(),
                    allowed: "1 or more is needed".to_owned(),
                }),
                number => Ok(number),
            },
        }
    }

    /// Yes or no under one of several names.
    pub(super) fn flag(&self, names: &[&str]) -> Result<Option<bool>, ReadError> {
        match self.first(names) {
            None => Ok(None),
            Some((_, Json::Flag(flag))) => Ok(Some(*flag)),
            Some((name, other)) => Err(self.not_a(name, "true or false", other)),
        }
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, ReadError> {
        match self.get(key) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text)),
            Some(other) => Err(self.not_a(key, "a text", other)),
        }
    }

    /// A list, whatever is in it.
    pub(super) fn list(&self, key: &str) -> Result<Option<&'a [Json]>, ReadError> {
        match self.get(key) {
            None => Ok(None),
            Some(Json::List(list)) if list.len() > limits::CONFIG_LIST => Err(ReadError::Limit {
                what: format!("the length of `{}`", self.name(key)),
                value: u64::try_from(list.len()).unwrap_or(u64::MAX),
                limit: u64::try_from(limits::CONFIG_LIST).unwrap_or(u64::MAX),
            }),
            Some(Json::List(list)) => Ok(Some(list)),
            Some(other) => Err(self.not_a(key, "a list", other)),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<&'a str>>, ReadError> {
        let Some(list) = self.list(key)? else {
            return Ok(None);
        };
        list.iter()
            .enumerate()
            .map(|(at, item)| match item {
                Json::Text(text) => Ok(text.as_str()),
                other => Err(self.not_a(&format!("{key}[{at}]"), "a text", other)),
            })
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// A list of numbers.
    pub(super) fn numbers(&self, key: &str) -> Result<Option<Vec<u32>>, ReadError> {
        let Some(list) = self.list(key)? else {
            return Ok(None);
        };
        list.iter()
            .enumerate()
            .map(|(at, item)| number(&self.name(&format!("{key}[{at}]")), item))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Whether a key is a list.
    pub(super) fn is_list(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Json::List(_)))
    }
}

/// A whole number within what an architecture can hold.
pub(super) fn number(key: &str, value: &Json) -> Result<u32, ReadError> {
    let refuse = |value: String, allowed: String| {
        Err(ReadError::OutOfRange {
            key: key.to_owned(),
            value,
            allowed,
        })
    };
    match value {
        Json::Whole(number) => match u32::try_from(*number) {
            Ok(small) if u64::from(small) <= limits::DIMENSION => Ok(small),
            _ => refuse(
                number.to_string(),
                format!("at most {} is read", limits::DIMENSION),
            ),
        },
        Json::Negative(number) => refuse(
            number.to_string(),
            "a number of 0 or more is needed".to_owned(),
        ),
        Json::Float(number) => refuse(number.to_string(), "a whole number is needed".to_owned()),
        other => Err(ReadError::NotA {
            key: key.to_owned(),
            expected: "a whole number",
            found: other.describe(),
        }),
    }
}
