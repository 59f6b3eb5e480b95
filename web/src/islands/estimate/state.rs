//! What was typed, and what it answers.

use std::sync::Arc;

use answer::{Answer, Field, FieldError, Question, ask};
use leptos::prelude::*;

/// The signals behind the page.
#[derive(Clone, Copy)]
pub(super) struct State {
    question: RwSignal<Question>,
    shown: Memo<Shown>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Shown {
    /// The answer; with problems it is that to the last question without any.
    pub(super) answer: Option<Arc<Answer>>,
    /// Inputs that can't be used.
    pub(super) problems: Arc<Vec<FieldError>>,
}

impl Shown {
    /// Whether the answer is to an older question.
    pub(super) fn is_stale(&self) -> bool {
        !self.problems.is_empty()
    }
}

impl State {
    pub(super) fn new(question: Question) -> Self {
        let question = RwSignal::new(question);
        let shown = Memo::new(move |before: Option<&Shown>| match question.with(ask) {
            Ok(answer) => Shown {
                answer: Some(Arc::new(answer)),
                problems: Arc::default(),
            },
            Err(problems) => Shown {
                answer: before.and_then(|before| before.answer.clone()),
                problems: Arc::new(problems),
            },
        });
        Self { question, shown }
    }

    /// The question, tracked.
    pub(super) fn question(self) -> Question {
        self.question.get()
    }

    /// What was typed into a field, tracked.
    pub(super) fn typed(self, field: Field) -> String {
        self.question
            .with(|question| question.get(field).unwrap_or_default().to_owned())
    }

    /// Types into a field.
    pub(super) fn set(self, field: Field, text: String) {
        self.question.update(|question| question.set(field, text));
    }

    /// What is shown, tracked.
    pub(super) fn shown(self) -> Shown {
        self.shown.get()
    }

    /// Reads the answer, tracked; nothing if there has been none yet.
    pub(super) fn answer<T>(self, read: impl FnOnce(&Answer) -> T) -> Option<T> {
        self.shown.with(|shown| shown.answer.as_deref().map(read))
    }

    /// What is wrong with a field, tracked.
    pub(super) fn problem(self, field: Field) -> Option<FieldError> {
        self.shown.with(|shown| {
            shown
                .problems
                .iter()
                .find(|problem| problem.field == field)
                .cloned()
        })
    }

    /// Whether something is wrong with a field, tracked.
    pub(super) fn is_wrong(self, field: Field) -> bool {
        self.shown
            .with(|shown| shown.problems.iter().any(|problem| problem.field == field))
    }
}
