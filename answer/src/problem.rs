//! What is wrong with a question, as every surface shows it.

use std::fmt;

use estimator::error::FieldError;
use serde::{Deserialize, Serialize};

use crate::answer::Text;
use crate::question::UnknownInput;

/// Why a question has no answer: the JSON that the command line, the API and the browser give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BadInput {
    /// What is wrong as a whole.
    pub error: Message,
    /// Each input that can't be used.
    pub problems: Vec<Problem>,
}

/// A text for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    /// What is wrong.
    pub message: String,
}

/// One input that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Which input.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub field: Text,
    /// What was given.
    pub value: String,
    /// What is wrong and what is allowed.
    pub problem: String,
    /// What to try instead.
    pub hint: Option<String>,
}

/// In words, without the hint: what the command line prints and the API gives as its message.
impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_empty() {
            write!(out, "{} {}", self.field, self.problem)
        } else {
            write!(out, "{} `{}`: {}", self.field, self.value, self.problem)
        }
    }
}

impl From<&FieldError> for Problem {
    fn from(error: &FieldError) -> Self {
        Self {
            field: error.field.name().into(),
            value: error.value.clone(),
            problem: error.problem.clone(),
            hint: error.hint.clone(),
        }
    }
}

impl From<UnknownInput> for Problem {
    fn from(unknown: UnknownInput) -> Self {
        Self {
            hint: Some(unknown.hint()),
            field: unknown.name.into(),
            value: String::new(),
            problem: "is no parameter".to_owned(),
        }
    }
}

impl From<Vec<Problem>> for BadInput {
    fn from(problems: Vec<Problem>) -> Self {
        let message = problems
            .iter()
            .map(Problem::to_string)
            .collect::<Vec<_>>()
            .join("; ");
        Self {
            error: Message { message },
            problems,
        }
    }
}

impl From<Vec<FieldError>> for BadInput {
    fn from(errors: Vec<FieldError>) -> Self {
        errors.iter().map(Problem::from).collect::<Vec<_>>().into()
    }
}
