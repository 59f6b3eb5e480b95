//! JSON that isn't trusted: read into a tree with limits on its depth and size, each name once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::error::{ReadError, Section};
use crate::limits;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Flag(bool),
    Whole(u64),
    Negative(i64),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Map(BTreeMap<String, Self>),
}

impl Json {
    /// What it is, for errors.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Flag(value) => format!("`{value}`"),
            Self::Whole(value) => format!("the number `{value}`"),
            Self::Negative(value) => format!("the number `{value}`"),
            Self::Float(value) => format!("the number `{value}`"),
            Self::Text(text) => format!("the text `{}`", shorten(text)),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Map(_) => "an object".to_owned(),
        }
    }
}

/// A text short enough for an error.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// How much has been read, and what stopped it.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    values: usize,
    /// What the parser can't express.
    stopped: Option<ReadError>,
}

/// Reads one value at some depth.
struct Value<'a> {
    budget: &'a RefCell<Budget>,
    depth: usize,
}

/// Stops with an error of our own, which takes the place of the parser's.
pub(crate) fn stop<E: Error>(budget: &RefCell<Budget>, error: ReadError) -> E {
    if let Ok(mut budget) = budget.try_borrow_mut() {
        budget.stopped = Some(error);
    }
    E::custom("stopped")
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let values = match self.budget.try_borrow_mut() {
            Ok(mut budget) => {
                budget.values = budget.values.saturating_add(1);
                budget.values
            }
            Err(_) => 0,
        };
        if values > limits::CONFIG_VALUES {
            return Err(stop(
                self.budget,
                limit(
                    "the number of values in the JSON",
                    values,
                    limits::CONFIG_VALUES,
                ),
            ));
        }
        if self.depth > limits::JSON_DEPTH {
            return Err(stop(
                self.budget,
                limit("the depth of the JSON", self.depth, limits::JSON_DEPTH),
            ));
        }
        deserializer.deserialize_any(self)
    }
}

fn limit(what: &str, value: usize, limit: usize) -> ReadError {
    let number = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
    ReadError::Limit {
        what: what.to_owned(),
        value: number(value),
        limit: number(limit),
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Json;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Flag(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(u64::try_from(value).map_or(Json::Negative(value), Json::Whole))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.inner())? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(name) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self.inner())?;
            if map.contains_key(&name) {
                let name = shorten(&name);
                return Err(stop(
                    self.budget,
                    ReadError::Duplicate {
                        what: "the key",
                        name,
                    },
                ));
            }
            map.insert(name, value);
        }
        Ok(Json::Map(map))
    }
}

impl Value<'_> {
    const fn inner(&self) -> Value<'_> {
        Value {
            budget: self.budget,
            depth: self.depth.saturating_add(1),
        }
    }
}

/// The text of JSON: UTF-8, without a byte-order mark, within the limit.
pub(crate) fn text<'a>(bytes: &'a [u8], what: &str, most: usize) -> Result<&'a str, ReadError> {
    if bytes.len() > most {
        return Err(limit(&format!("the length of {what}"), bytes.len(), most));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| ReadError::Text {
        what: what.to_owned(),
    })?;
    if text.trim().is_empty() {
        return Err(ReadError::Empty);
    }
    Ok(text)
}

/// Reads all of a text with something that counts into a budget.
pub(crate) fn parse<T>(
    text: &str,
    seed: impl FnOnce(
        &RefCell<Budget>,
        &mut serde_json::Deserializer<serde_json::de::StrRead<'_>>,
    ) -> Result<T, serde_json::Error>,
) -> Result<T, ReadError> {
    let budget = RefCell::new(Budget::default());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let result = seed(&budget, &mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    result.map_err(|error| {
        budget.into_inner().stopped.unwrap_or_else(|| {
            if error.is_eof() {
                let size = u64::try_from(text.len()).unwrap_or(u64::MAX);
                ReadError::Truncated {
                    section: Section::Json,
                    needed: size.saturating_add(1),
                    size,
                }
            } else if error.is_data() {
                ReadError::Content {
                    message: error.to_string(),
                }
            } else {
                ReadError::Json {
                    message: error.to_string(),
                }
            }
        })
    })
}

/// Reads JSON as Python writes it: `NaN` and `Infinity`, which JSON doesn't have, count as texts.
pub(crate) fn read(bytes: &[u8], what: &str) -> Result<Json, ReadError> {
    let text = without_infinities(text(bytes, what, limits::CONFIG_BYTES)?);
    parse(&text, |budget, deserializer| {
        Value { budget, depth: 1 }.deserialize(deserializer)
    })
}

/// `NaN`, `Infinity` and `-Infinity` outside texts, as texts.
fn without_infinities(text: &str) -> String {
    const NAMES: [&str; 3] = ["NaN", "-Infinity", "Infinity"];
    let mut out = String::new();
    let mut rest = text;
    let mut within = false;
    while let Some(letter) = rest.chars().next() {
        let name = NAMES
            .iter()
            .find(|name| !within && rest.starts_with(**name));
        let taken = if let Some(name) = name {
            out.push('"');
            out.push_str(name);
            out.push('"');
            name.len()
        } else if within && letter == '\\' {
            // the letter after a backslash never ends a text
            let escaped = rest.chars().nth(1).map_or(0, char::len_utf8);
            let taken = letter.len_utf8().saturating_add(escaped);
            out.push_str(rest.get(..taken).unwrap_or_default());
            taken
        } else {
            if letter == '"' {
                within = !within;
            }
            out.push(letter);
            letter.len_utf8()
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_writes_for_infinity_is_a_text() {
        let read = |text: &str| read(text.as_bytes(), "JSON");
        assert_eq!(
            read(r#"[0.0, Infinity, -Infinity, NaN, "NaN \" Infinity"]"#).unwrap(),
            Json::List(vec![
                Json::Float(0.0),
                Json::Text("Infinity".to_owned()),
                Json::Text("-Infinity".to_owned()),
                Json::Text("NaN".to_owned()),
                Json::Text("NaN \" Infinity".to_owned()),
            ])
        );
    }

    #[test]
    fn a_name_is_there_once() {
        let error = read(br#"{"a": 1, "b": {"c": 1, "c": 2}}"#, "JSON").unwrap_err();
        assert_eq!(error.to_string(), "the key `c` is there twice");
    }
}
