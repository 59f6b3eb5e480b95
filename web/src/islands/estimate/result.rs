//! The answer: the most important first.
//!
//! What stands in it is written as text; only what must keep its state while the numbers change,
//! such as a table that was folded out, is an element of its own.

use answer::{Answer, Field};
use leptos::{
    ev::MouseEvent,
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{Element, HtmlElement},
};

use super::{
    Strange,
    arithmetic::arithmetic,
    curve,
    headline::headline,
    memory, remarks, run,
    share::{self, share},
    state::State,
    ways,
};
use crate::words;

/// Everything right of the form.
pub(super) fn result(state: State, strange: &[Strange]) -> AnyView {
    let part = move |write: fn(&Answer) -> String| move || state.answer(write).unwrap_or_default();
    let drawn = move |answer: &Answer| curve::curve(answer).unwrap_or_default();
    let problems = move || {
        let answered = state.answer(|_| ()).is_some();
        remarks::problems(&state.told(), answered)
    };
    let share = move || match state.own() {
        Some(_) => share::of_a_file(),
        None => share(&state.question()),
    };
    let flags = Memo::new(move |_| state.flags());
    let command = move || flags.with(|flags| flags.as_ref().map(run::run).unwrap_or_default());
    let reasons = move || flags.with(|flags| flags.as_ref().map(run::reasons).unwrap_or_default());
    view! {
        <section
            class="answer"
            id="answer"
            aria-label="The answer"
            tabindex="-1"
            class:stale=move || state.is_stale()
        >
            <p class="hidden-label" role="status">{move || state.answer(words::summary)}</p>
            <div class="told" inner_html=remarks::strangers(strange)></div>
            <div class="told" role="alert" inner_html=problems></div>
            <div class="parts" hidden=move || state.answer(|_| ()).is_none()>
                <section class="panel" aria-labelledby="verdict" inner_html=part(headline)></section>
                <section
                    class="panel"
                    aria-labelledby="ways"
                    inner_html=part(ways::ways)
                    on:click=move |event| take(state, &event)
                ></section>
                <div inner_html=part(remarks::remarks)></div>
                <section
                    class="panel"
                    aria-labelledby="run"
                    hidden=move || flags.with(Option::is_none)
                    on:click=move |event| copy(&event)
                >
                    <div class="stack" inner_html=command></div>
                    {details("run-reasons", "Why each flag", reasons)}
                </section>
                <section class="panel" aria-labelledby="memory-use">
                    <div inner_html=part(memory::memory)></div>
                    {details("memory-values", "Show values", part(memory::values))}
                </section>
                <section
                    class="panel"
                    aria-labelledby="curve"
                    hidden=move || state.answer(drawn).is_none_or(|drawn| drawn.is_empty())
                >
                    <figure inner_html=move || state.answer(drawn).unwrap_or_default()></figure>
                    {details("curve-values", "Show values", part(curve::values))}
                </section>
                <section class="panel stack" aria-labelledby="elsewhere" inner_html=share></section>
                <section class="panel">
                    {details("arithmetic", "Show the arithmetic", part(arithmetic))}
                </section>
            </div>
        </section>
    }
    .into_any()
}

/// A fold-out that stays as it is while what it holds changes.
fn details(
    id: &'static str,
    summary: &'static str,
    content: impl Fn() -> String + Send + 'static,
) -> AnyView {
    let class = if id == "arithmetic" { "" } else { "small" };
    view! {
        <details id=id class=class>
            <summary>{summary}</summary>
            <div inner_html=content></div>
        </details>
    }
    .into_any()
}

/// Fills the form as the link of a way out would; where the link is to open elsewhere, it does.
fn take(state: State, event: &MouseEvent) {
    if event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key() {
        return;
    }
    let link = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .and_then(|target| target.closest("a").ok().flatten());
    let Some(way) = link
        .and_then(|link| link.get_attribute(ways::WAY))
        .and_then(|index| index.parse::<usize>().ok())
    else {
        return;
    };
    let Some(settings) = state.answer(|answer| answer.ways.get(way).map(|way| way.set.clone()))
    else {
        return;
    };
    event.prevent_default();
    let settings = settings.into_iter().flatten().filter_map(|setting| {
        let field = Field::parse(&setting.field)?;
        Some((field, setting.value))
    });
    state.set_all(settings);
    // The link is gone; the answer to the changed question comes first.
    let answer = document()
        .get_element_by_id("answer")
        .and_then(|answer| answer.dyn_into::<HtmlElement>().ok());
    if let Some(answer) = answer {
        answer.focus().ok();
    }
}

/// Copies what stands before a button, and says so on it.
fn copy(event: &MouseEvent) {
    let button = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .filter(|target| target.has_attribute(run::COPY));
    let Some(button) = button else {
        return;
    };
    let text = button
        .previous_element_sibling()
        .and_then(|text| text.text_content());
    let copied = text.is_some_and(|text| write_clipboard(&text));
    let said = if copied {
        "Copied"
    } else {
        "Select it to copy"
    };
    button.set_text_content(Some(said));
}

/// Whether the clipboard may be written to; a browser that forbids it even so says that itself.
#[cfg(feature = "hydrate")]
fn write_clipboard(text: &str) -> bool {
    let window = window();
    let allowed = window.is_secure_context();
    if allowed {
        drop(window.navigator().clipboard().write_text(text));
    }
    allowed
}

#[cfg(not(feature = "hydrate"))]
fn write_clipboard(_: &str) -> bool {
    false
}
