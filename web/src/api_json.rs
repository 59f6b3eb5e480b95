//! The JSON of an estimate: one function for the API and for the browser's module.

use answer::{Answer, FieldError, Problem, Question, ask};
use serde::Serialize;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub(crate) struct Refused {
    /// What is wrong as a whole.
    pub(crate) error: Message,
    /// Each input that can't be used.
    pub(crate) problems: Vec<Problem>,
}

/// A text for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub(crate) struct Message {
    /// What is wrong.
    pub(crate) message: String,
}

/// The answer to a query string, or every problem with it.
pub(crate) fn estimate(query: &str) -> Result<Answer, Refused> {
    put(query, ask)
}

/// What `answer` says to a query string, or every problem with it.
pub(crate) fn put<T>(
    query: &str,
    answer: impl FnOnce(&Question) -> Result<T, Vec<FieldError>>,
) -> Result<T, Refused> {
    let (question, unknown) = Question::from_query(query);
    let mut problems: Vec<_> = unknown
        .into_iter()
        .map(|unknown| Problem {
            problem: "unknown parameter".to_owned(),
            hint: Some(unknown.hint()),
            field: unknown.name.into(),
            value: String::new(),
        })
        .collect();
    let answer =
        answer(&question).map_err(|errors| problems.extend(errors.iter().map(Problem::from)));
    match answer {
        Ok(answer) if problems.is_empty() => Ok(answer),
        _ => Err(Refused::new(problems)),
    }
}

impl Refused {
    fn new(problems: Vec<Problem>) -> Self {
        let message = problems.iter().map(said).collect::<Vec<_>>().join("; ");
        Self {
            error: Message { message },
            problems,
        }
    }
}

/// One problem as the command line prints it, without its hint.
fn said(problem: &Problem) -> String {
    format!("{} `{}`: {}", problem.field, problem.value, problem.problem)
}

/// The text of a value as JSON, as axum writes it.
#[cfg(feature = "hydrate")]
pub(crate) fn text(value: &impl Serialize) -> String {
    // Our types have string keys and finite numbers, so this can't fail.
    serde_json::to_string(value).unwrap_or_default()
}
