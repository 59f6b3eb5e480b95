//! The JSON of an estimate: one function for the API and for the browser's module.

use answer::{Answer, BadInput, FieldError, Problem, Question, ask};
#[cfg(feature = "hydrate")]
use serde::Serialize;

/// The answer to a query string, or every problem with it.
pub(crate) fn estimate(query: &str) -> Result<Answer, BadInput> {
    put(query, ask)
}

/// What `answer` says to a query string, or every problem with it.
pub(crate) fn put<T>(
    query: &str,
    answer: impl FnOnce(&Question) -> Result<T, Vec<FieldError>>,
) -> Result<T, BadInput> {
    let (question, unknown) = Question::from_query(query);
    let mut problems: Vec<_> = unknown.into_iter().map(Problem::from).collect();
    let answer =
        answer(&question).map_err(|errors| problems.extend(errors.iter().map(Problem::from)));
    match answer {
        Ok(answer) if problems.is_empty() => Ok(answer),
        _ => Err(problems.into()),
    }
}

/// The text of a value as JSON, as axum writes it.
#[cfg(feature = "hydrate")]
pub(crate) fn text(value: &impl Serialize) -> String {
    // Our types have string keys and finite numbers, so this can't fail.
    serde_json::to_string(value).unwrap_or_default()
}
