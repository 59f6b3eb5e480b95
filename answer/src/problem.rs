//! What is wrong with a question, as every surface shows it.

use std::fmt;

use estimator::error::FieldError;
use serde::{Deserialize, Serialize};

use crate::answer::Text;

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
