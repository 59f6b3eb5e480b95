//! What was typed, and what it answers.

use std::{sync::Arc, time::Duration};

use answer::{
    Answer, Field, FieldError, Question, ask, ask_own,
    flags::{self, Flags},
    resolve, resolve_own, tables,
};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use model_file::OwnModel;

use super::own::Reading;

/// So long after a key a field counts as being typed into, unless it is left before.
const TYPING: Duration = Duration::from_secs(4);

/// The signals behind the page.
#[derive(Clone, Copy)]
pub(super) struct State {
    question: RwSignal<Question>,
    file: RwSignal<Reading>,
    shown: Memo<Shown>,
    /// The problems told: while somebody types, none that wasn't told before.
    told: Memo<Arc<Vec<FieldError>>>,
    typing: RwSignal<bool>,
    pause: StoredValue<Option<TimeoutHandle>>,
    /// Whether the page reacts.
    live: RwSignal<bool>,
}

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Default)]
struct Shown {
    /// The answer; with problems it is that to the last question without any.
    answer: Option<Arc<Answer>>,
    /// Inputs that can't be used.
    problems: Arc<Vec<FieldError>>,
}

/// A question with its answer, or all that is wrong with it.
pub(crate) type Answered = (Question, Result<Arc<Answer>, Arc<Vec<FieldError>>>);

/// Asks, or takes what the page asked already.
pub(crate) fn answered(question: &Question, before: Option<&Answered>) -> Answered {
    match before {
        Some(known) if known.0 == *question => known.clone(),
        _ => {
            let answer = ask(question).map(Arc::new).map_err(Arc::new);
            (question.clone(), answer)
        }
    }
}

impl State {
    pub(super) fn new(question: Question) -> Self {
        let asked = use_context::<Answered>();
        let question = RwSignal::new(question);
        let file = RwSignal::new(Reading::None);
        let shown = Memo::new(move |before: Option<&Shown>| {
            let answer = match file.with(Reading::own) {
                Some(own) => {
                    let question = question.get().with(Field::Model, "");
                    ask_own(&question, &own).map(Arc::new).map_err(Arc::new)
                }
                None => question.with(|question| answered(question, asked.as_ref()).1),
            };
            match answer {
                Ok(answer) => Shown {
                    answer: Some(answer),
                    problems: Arc::default(),
                },
                Err(problems) => Shown {
                    answer: before.and_then(|before| before.answer.clone()),
                    problems,
                },
            }
        });
        let typing = RwSignal::new(false);
        let told = Memo::new(move |before: Option<&Arc<Vec<FieldError>>>| {
            let now = shown.with(|shown| Arc::clone(&shown.problems));
            if !typing.get() {
                return now;
            }
            let told = |problem: &&FieldError| {
                before.is_some_and(|before| before.iter().any(|told| told.field == problem.field))
            };
            Arc::new(now.iter().filter(told).cloned().collect())
        });
        Self {
            question,
            file,
            shown,
            told,
            typing,
            pause: StoredValue::new(None),
            live: RwSignal::new(false),
        }
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

    /// Types into a field: what is wrong with it is told when it is left, or after a while.
    pub(super) fn type_into(self, field: Field, text: String) {
        self.typing.set(true);
        let pause = set_timeout_with_handle(move || self.typing.set(false), TYPING).ok();
        self.stop_waiting();
        self.pause.set_value(pause);
        self.question.update(|question| question.set(field, text));
    }

    /// Notes that nobody types any more.
    pub(super) fn leave(self) {
        self.stop_waiting();
        if self.typing.get_untracked() {
            self.typing.set(false);
        }
    }

    fn stop_waiting(self) {
        if let Some(waiting) = self.pause.try_update_value(Option::take).flatten() {
            waiting.clear();
        }
    }

    /// Sets a field.
    pub(super) fn set(self, field: Field, text: String) {
        self.set_all([(field, text)]);
    }

    /// Sets several fields at once.
    pub(super) fn set_all(self, fields: impl IntoIterator<Item = (Field, String)>) {
        self.leave();
        self.question.update(|question| {
            for (field, text) in fields {
                question.set(field, text);
            }
        });
    }

    /// Whether the answer is to an older question, tracked.
    pub(super) fn is_stale(self) -> bool {
        self.shown.with(|shown| !shown.problems.is_empty())
    }

    /// Reads the answer, tracked; nothing if there has been none yet.
    pub(super) fn answer<T>(self, read: impl FnOnce(&Answer) -> T) -> Option<T> {
        self.shown.with(|shown| shown.answer.as_deref().map(read))
    }

    /// Whether the model is a mixture of experts, tracked.
    pub(super) fn has_experts(self) -> bool {
        let found = match self.own() {
            Some(own) => resolve_own(&self.asked(), &own),
            None => self.question.with(resolve),
        };
        found.is_ok_and(|found| found.architecture.is_moe())
    }

    /// How far a file of the user's own is, tracked.
    pub(super) fn file(self) -> Reading {
        self.file.get()
    }

    /// Notes how far a file is.
    #[cfg(feature = "hydrate")]
    pub(super) fn read(self, reading: Reading) {
        self.file.set(reading);
    }

    /// The model of the user's own that the question is about, tracked.
    pub(super) fn own(self) -> Option<Arc<OwnModel>> {
        self.file.with(Reading::own)
    }

    /// The question as it is asked, tracked: a file stands in place of the model's name.
    fn asked(self) -> Question {
        match self.own() {
            Some(_) => self.question().with(Field::Model, ""),
            None => self.question(),
        }
    }

    /// The engine's commands, tracked; none where the set-up doesn't fit.
    pub(super) fn flags(self) -> Option<Flags> {
        let fits = self.answer(|answer| answer.fit.verdict != "does_not_fit")?;
        if !fits || self.is_stale() {
            return None;
        }
        match self.own() {
            Some(own) => flags::flags_own(&self.asked(), &own).ok(),
            None => self.question.with(flags::flags).ok(),
        }
    }

    /// Decode speed at each value of a field, tracked.
    pub(super) fn speeds(
        self,
        question: &Question,
        field: Field,
        values: &[u64],
    ) -> Vec<Option<f64>> {
        match self.own() {
            Some(own) => {
                let question = question.clone().with(Field::Model, "");
                tables::speeds(&question, field, values, &|question| {
                    resolve_own(question, &own)
                })
            }
            None => tables::speeds(question, field, values, &resolve),
        }
    }

    /// The problems to tell of, tracked.
    pub(super) fn told(self) -> Arc<Vec<FieldError>> {
        self.told.get()
    }

    /// What is wrong with a field, tracked.
    pub(super) fn problem(self, field: Field) -> Option<FieldError> {
        self.told
            .with(|told| told.iter().find(|problem| problem.field == field).cloned())
    }

    /// Whether something is wrong with a field, tracked.
    pub(super) fn is_wrong(self, field: Field) -> bool {
        self.told
            .with(|told| told.iter().any(|problem| problem.field == field))
    }

    /// Whether the page reacts, tracked: never on the server, and not at the first paint.
    pub(super) fn is_live(self) -> bool {
        self.live.get()
    }

    /// Notes that the page reacts.
    pub(super) fn come_alive(self) {
        self.live.set(true);
    }
}
