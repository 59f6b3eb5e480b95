//! `/`: the estimate page.

use answer::{Field, Question};
use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};

use super::{FileReader, address, asked::Proposals, lead_to, set_status};
use crate::{
    islands::{Estimate, Strange, answered},
    words,
};

/// The estimate page: an empty address is answered with a common question.
#[component]
pub(crate) fn HomePage() -> impl IntoView {
    let (_, query) = address();
    let (question, strange) = question(&query);
    // Asked once for the page: the island takes the same answer.
    let asked = answered(&question, None);
    if strange.is_empty() && has_blanks(&query) && asked.1.is_ok() {
        // What a form without scripts sends names every field; the address worth keeping doesn't.
        lead_to(&question.permalink());
    }
    // The API refuses parameters that aren't inputs; the page answers without them and says so.
    if asked.1.is_err() || !strange.is_empty() {
        set_status(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let title = match &asked.1 {
        Ok(answer) => words::title(answer),
        Err(_) => "Something needs a change · Bandwise".to_owned(),
    };
    provide_context(asked);
    let reader = use_context::<FileReader>().and_then(|FileReader(address)| address);
    view! {
        <Title text=title/>
        <Meta
            name="description"
            content="Does this model fit that hardware, how fast is it, and why: memory, decode and prefill speed, with every step of the arithmetic."
        />
        <h1>"What will this hardware do with that model?"</h1>
        <p class="lead">"Does it fit, how fast is it, and why. Change anything; the answer follows."</p>
        <Estimate question strange reader/>
        <Proposals/>
    }
}

/// The question in a query. Hardware and model are taken from the common question where the
/// address doesn't speak of them at all: links may name one alone. A field left blank stays blank.
fn question(query: &str) -> (Question, Vec<Strange>) {
    let common = Question::common();
    let (mut question, unknown) = Question::from_query(query);
    let strange = unknown
        .into_iter()
        .map(|unknown| Strange {
            hint: unknown.hint(),
            name: unknown.name,
        })
        .collect();
    if question.is_empty() && !names(query, Field::Hardware) && !names(query, Field::Model) {
        return (common, strange);
    }
    for field in [Field::Hardware, Field::Model] {
        if let Some(usual) = common.get(field)
            && !names(query, field)
        {
            question.set(field, usual);
        }
    }
    (question, strange)
}

fn has_blanks(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(_, value)| value.trim().is_empty())
}

fn names(query: &str, field: Field) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == field.name())
}
