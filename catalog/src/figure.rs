//! A fact and where it was read.

use serde::{Deserialize, Serialize};

/// One id of the file's `sources:` map, or several that agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SourceIds {
    /// One source.
    One(String),
    /// Several sources.
    Many(Vec<String>),
}

impl SourceIds {
    /// The ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::One(id) => std::slice::from_ref(id),
            Self::Many(ids) => ids.as_slice(),
        }
        .iter()
        .map(String::as_str)
    }
}

/// A value and the sources that state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Figure<T> {
    /// The value, with its unit.
    pub value: T,
    /// Where it was read: ids of the file's `sources:`.
    pub source: SourceIds,
}

/// A figure, or why there is none: a gap is stated, never left to be guessed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "MaybeText<T>"))]
#[serde(
    try_from = "MaybeText<T>",
    into = "MaybeText<T>",
    bound(serialize = "T: Clone + Serialize")
)]
pub enum Maybe<T> {
    /// The figure.
    Known(Figure<T>),
    /// The reason why it isn't known.
    Unknown(String),
}

impl<T: Copy> Maybe<T> {
    /// The value, if known.
    pub fn value(&self) -> Option<T> {
        self.figure().map(|figure| figure.value)
    }
}

impl<T> Maybe<T> {
    /// The figure, if known.
    pub fn figure(&self) -> Option<&Figure<T>> {
        match self {
            Self::Known(figure) => Some(figure),
            Self::Unknown(_) => None,
        }
    }
}

/// `{ value, source }` or `{ unknown }`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct MaybeText<T> {
    /// The value, with its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<T>,
    /// Where it was read: ids of the file's `sources:`.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceIds>,
    /// Instead of value and source: why the figure isn't known.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl<T> TryFrom<MaybeText<T>> for Maybe<T> {
    type Error = &'static str;
    fn try_from(text: MaybeText<T>) -> Result<Self, Self::Error> {
        match text {
            MaybeText {
                value: Some(value),
                source: Some(source),
                unknown: None,
            } => Ok(Self::Known(Figure { value, source })),
            MaybeText {
                value: None,
                source: None,
                unknown: Some(why),
            } => Ok(Self::Unknown(why)),
            MaybeText {
                value: Some(_),
                source: None,
                ..
            } => Err("a value needs a `source`"),
            _ => Err("expected `value` and `source`, or `unknown` alone"),
        }
    }
}

impl<T> From<Maybe<T>> for MaybeText<T> {
    fn from(maybe: Maybe<T>) -> Self {
        match maybe {
            Maybe::Known(Figure { value, source }) => Self {
                value: Some(value),
                source: Some(source),
                unknown: None,
            },
            Maybe::Unknown(why) => Self {
                value: None,
                source: None,
                unknown: Some(why),
            },
        }
    }
}

/// A part of a record that names its sources: what the source rules and the provenance walk over.
pub trait Sourced {
    /// Calls `visit` with the path of every figure and its sources.
    fn visit_sources<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a SourceIds));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bandwidth;

    fn read(text: &str) -> Result<Maybe<Bandwidth>, serde_yaml::Error> {
        serde_yaml::from_str(text)
    }

    #[test]
    fn a_figure_is_known_with_its_source_or_unknown_with_its_reason() {
        let known = read("{ value: 1008 GB/s, source: [a, b] }").unwrap();
        assert_eq!(known.value().unwrap().to_string(), "1008 GB/s");
        assert_eq!(
            known.figure().unwrap().source.iter().collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(
            read("{ unknown: not read }").unwrap(),
            Maybe::Unknown("not read".into())
        );
    }

    #[test]
    fn half_a_figure_is_refused() {
        for text in [
            "{ value: 1008 GB/s }",
            "{ source: a }",
            "{}",
            "{ value: 1 GB/s, source: a, unknown: b }",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let error = read("{ value: 1008 GB/s }").unwrap_err().to_string();
        assert!(error.contains("a value needs a `source`"), "{error}");
        let error = read("{ value: 1008 GiB/s, source: a }")
            .unwrap_err()
            .to_string();
        assert!(error.contains("allowed: GB/s"), "{error}");
        assert!(read("{ value: 1 GB/s, source: a, sorce: b }").is_err());
    }
}
