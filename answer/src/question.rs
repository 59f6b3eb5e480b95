//! What a user typed.

use std::collections::BTreeMap;

use estimator::error::{Field, FieldError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::typed;

/// Inputs as typed: a text for each that was given. Nothing is checked yet, so nothing is lost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    inputs: BTreeMap<Field, String>,
}

/// A name that is no input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown parameter `{name}`")]
pub struct UnknownInput {
    /// What was given.
    pub name: String,
    /// The nearest input there is.
    pub nearest: &'static str,
}

impl Question {
    /// The common question that a first visit is answered with.
    #[must_use]
    pub fn common() -> Self {
        Self::default()
            .with(Field::Hardware, "rtx-4090")
            .with(Field::Model, "llama-3.1-8b")
            .with(Field::Format, "Q4_K_M")
            .with(Field::Context, "8192")
    }

    /// The question in the pairs of a query string, and the names that are no inputs.
    pub fn from_pairs<K: AsRef<str>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> (Self, Vec<UnknownInput>) {
        let mut question = Self::default();
        let mut unknown = Vec::new();
        for (name, value) in pairs {
            match Field::parse(name.as_ref()) {
                Some(field) => question.set(field, value),
                None => unknown.push(UnknownInput::new(name.as_ref())),
            }
        }
        (question, unknown)
    }

    /// The question in a query string.
    #[must_use]
    pub fn from_query(query: &str) -> (Self, Vec<UnknownInput>) {
        let pairs = form_urlencoded::parse(query.trim_start_matches('?').as_bytes());
        Self::from_pairs(pairs.map(|(name, value)| (name, value.into_owned())))
    }

    /// What was typed for an input; nothing if it was left out or blank.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        self.inputs
            .get(&field)
            .map(String::as_str)
            .filter(|text| !text.trim().is_empty())
    }

    /// Types a text into an input.
    pub fn set(&mut self, field: Field, text: impl Into<String>) {
        self.inputs.insert(field, text.into());
    }

    /// The question with a text typed into an input.
    #[must_use]
    pub fn with(mut self, field: Field, text: impl Into<String>) -> Self {
        self.set(field, text);
        self
    }

    /// Whether nothing was typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        Field::ALL
            .into_iter()
            .all(|field| self.get(field).is_none())
    }

    /// The inputs that were typed, in their order.
    pub fn typed(&self) -> impl Iterator<Item = (Field, &str)> {
        Field::ALL
            .into_iter()
            .filter_map(|field| self.get(field).map(|text| (field, text)))
    }

    /// The page that shows this question's answer, from the root of any Bandwise site.
    #[must_use]
    pub fn permalink(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (field, text) in self.typed() {
            query.append_pair(field.name(), text);
        }
        let query = query.finish();
        if query.is_empty() {
            "/".to_owned()
        } else {
            format!("/?{query}")
        }
    }
}

impl UnknownInput {
    fn new(name: &str) -> Self {
        let nearest = typed::nearest(name, &Field::ALL.map(Field::name));
        Self {
            name: name.to_owned(),
            nearest,
        }
    }

    /// What to type instead.
    #[must_use]
    pub fn hint(&self) -> String {
        format!("did you mean `{}`?", self.nearest)
    }
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.typed().map(|(field, text)| (field.name(), text)))
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = BTreeMap::<String, String>::deserialize(deserializer)?;
        let (question, unknown) = Self::from_pairs(pairs);
        match unknown.into_iter().next() {
            None => Ok(question),
            Some(unknown) => Err(serde::de::Error::custom(format!(
                "{unknown}; {}",
                unknown.hint()
            ))),
        }
    }
}

/// What can go wrong with one input, without its position.
pub type Problems = Vec<FieldError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permalink_reads_back_to_the_same_question() {
        let question = Question::common().with(Field::Host, "a b&c=d%");
        let (read, unknown) = Question::from_query(question.permalink().trim_start_matches('/'));
        assert_eq!(read, question);
        assert!(unknown.is_empty());
    }

    #[test]
    fn an_unknown_parameter_names_the_nearest() {
        let (_, unknown) = Question::from_query("modle=x");
        assert_eq!(unknown[0].nearest, "model");
    }

    #[test]
    fn blank_inputs_count_as_left_out() {
        let (question, _) = Question::from_query("?model=&context=+");
        assert!(question.is_empty());
        assert_eq!(question.permalink(), "/");
    }
}
