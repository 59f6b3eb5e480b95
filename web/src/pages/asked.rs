//! Forms of pages that ask for some inputs of a question and carry the others along.

use answer::{Field, FieldError, Question};
use axum::http::StatusCode;
use leptos::prelude::*;

use super::{address, set_status};
use crate::marked::marked;

/// An input of a form: its label and an example.
pub(super) type Input = (Field, &'static str, &'static str);

/// The question in the address, and the parameters that are neither inputs nor the page's `own`.
pub(super) fn asked(own: &[&str]) -> (Question, Vec<(String, String)>) {
    let (_, query) = address();
    let (question, unknown) = Question::from_query(&query);
    let strange: Vec<_> = unknown
        .into_iter()
        .filter(|unknown| !own.contains(&&*unknown.name))
        .map(|unknown| {
            let hint = unknown.hint();
            (unknown.name, hint)
        })
        .collect();
    if !strange.is_empty() {
        set_status(StatusCode::UNPROCESSABLE_ENTITY);
    }
    (question, strange)
}

/// What is told of parameters that nothing asks for.
pub(super) fn strangers(strange: Vec<(String, String)>) -> AnyView {
    if strange.is_empty() {
        return ().into_any();
    }
    let items = strange
        .into_iter()
        .map(|(name, hint)| view! { <li><code>{name}</code>": "{marked(&hint)}</li> })
        .collect_view();
    view! {
        <div class="notice wrong" role="alert">
            <p>
                <strong>"The address has parameters that aren’t inputs; the answer is without them."</strong>
            </p>
            <ul>{items}</ul>
        </div>
    }
    .into_any()
}

/// The inputs of a form, with what is wrong with each, and hidden ones that carry along whatever
/// else was typed.
pub(super) fn inputs(question: &Question, problems: &[FieldError], inputs: &[Input]) -> AnyView {
    let asked = inputs
        .iter()
        .map(|input| self::input(question, problems, *input))
        .collect_view();
    let others = question
        .typed()
        .filter(|(field, _)| inputs.iter().all(|(shown, ..)| shown != field))
        .map(|(field, text)| view! { <input type="hidden" name=field.name() value=text.to_owned()/> })
        .collect_view();
    view! {
        {asked}
        {others}
        {elsewhere(problems, inputs)}
    }
    .into_any()
}

/// Problems with inputs that the form doesn't show.
fn elsewhere(problems: &[FieldError], inputs: &[Input]) -> AnyView {
    let items: Vec<_> = problems
        .iter()
        .filter(|problem| inputs.iter().all(|(shown, ..)| *shown != problem.field))
        .map(|problem| {
            let value = (!problem.value.is_empty())
                .then(|| view! { " "<code>{problem.value.clone()}</code> });
            view! {
                <li>
                    {problem.field.name()}
                    {value}
                    ": "
                    {marked(&problem.problem)}
                    {problem.hint.as_deref().map(|hint| view! { "; "{marked(hint)} })}
                </li>
            }
        })
        .collect();
    (!items.is_empty())
        .then(|| view! { <ul class="notice wrong plain-list widest" role="alert">{items}</ul> })
        .into_any()
}

fn input(question: &Question, problems: &[FieldError], (field, label, example): Input) -> AnyView {
    let name = field.name();
    let problem = problems.iter().find(|problem| problem.field == field);
    let note = problem.map(|problem| {
        let hint = problem
            .hint
            .as_deref()
            .map(|hint| view! { <span class="hint">{marked(hint)}</span> });
        view! { <p class="note" id=format!("note-{name}")>{marked(&problem.problem)}{hint}</p> }
    });
    let wrong = problem.is_some();
    let list = match field {
        Field::Hardware => Some("all-hardware"),
        Field::Model => Some("all-models"),
        _ => None,
    };
    view! {
        <div class:bad=wrong class:wide=list.is_some()>
            <label class="labelled" for=name>{label}</label>
            <input
                id=name
                name=name
                placeholder=example
                list=list
                value=question.get(field).unwrap_or_default().to_owned()
                aria-invalid=wrong.then_some("true")
                aria-describedby=wrong.then(|| format!("note-{name}"))
            />
            {note}
        </div>
    }
    .into_any()
}

/// Names the text fields propose.
#[component]
pub(super) fn Proposals() -> impl IntoView {
    let devices = hardware_db::devices()
        .iter()
        .map(|device| view! { <option value=device.id.clone()>{device.name.clone()}</option> })
        .collect_view();
    let hosts = hardware_db::devices()
        .iter()
        .filter(|device| device.kind == hardware_db::Kind::CpuPlatform)
        .map(|device| view! { <option value=device.id.clone()>{device.name.clone()}</option> })
        .collect_view();
    let models = model_db::models()
        .iter()
        .map(|model| view! { <option value=model.id.to_string()>{model.name.to_string()}</option> })
        .collect_view();
    view! {
        <datalist id="all-hardware">{devices}</datalist>
        <datalist id="all-hosts">{hosts}</datalist>
        <datalist id="all-models">{models}</datalist>
    }
}
