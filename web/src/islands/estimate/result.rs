//! The answer: the most important first.

use leptos::prelude::*;

use super::{
    Strange, arithmetic::arithmetic, curve::curve, headline::headline, memory::memory, remarks,
    share::share, state::State,
};
use crate::words;

/// Everything right of the form.
pub(super) fn result(state: State, strange: Vec<Strange>) -> impl IntoView {
    let answer = move || {
        state.shown().answer.map(|answer| {
            view! {
                {headline(&answer)}
                {remarks::remarks(&answer)}
                {memory(&answer)}
                {curve(&answer)}
                {share(&state.question())}
                {arithmetic(&answer)}
            }
        })
    };
    view! {
        <section
            class="answer"
            id="answer"
            aria-label="The answer"
            class:stale=move || state.shown().is_stale()
        >
            <p class="hidden-label" role="status">{move || state.answer(words::summary)}</p>
            {remarks::strangers(strange)}
            {move || remarks::problems(&state.shown())}
            {answer}
        </section>
    }
}
