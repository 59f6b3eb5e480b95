//! What to know beside the numbers: problems, refusals, warnings, assumptions.

use answer::{Answer, answer::Refused};
use leptos::prelude::*;

use super::{Strange, fields, state::Shown};
use crate::marked::marked;

/// Inputs that can't be used, each with a link to its field.
pub(super) fn problems(shown: &Shown) -> Option<AnyView> {
    if shown.problems.is_empty() {
        return None;
    }
    let items = shown
        .problems
        .iter()
        .map(|problem| {
            let field = problem.field;
            let value = (!problem.value.is_empty())
                .then(|| view! { " "<code>{problem.value.clone()}</code> });
            view! {
                <li>
                    <a href=format!("#{}", field.name())>{fields::label(field)}</a>
                    {value}
                    ": "
                    {marked(&problem.problem)}
                    {problem.hint.as_deref().map(|hint| view! { "; "{marked(hint)} })}
                </li>
            }
        })
        .collect_view();
    let rest = shown
        .answer
        .is_some()
        .then_some("Until then, this is the answer to the question before.");
    Some(
        view! {
            <div class="notice wrong" role="alert">
                <p><strong>"Something in the question needs a change."</strong></p>
                <ul>{items}</ul>
                <p>{rest}</p>
            </div>
        }
        .into_any(),
    )
}

/// Parameters of the address that are no inputs.
pub(super) fn strangers(strange: Vec<Strange>) -> Option<AnyView> {
    if strange.is_empty() {
        return None;
    }
    let items = strange
        .into_iter()
        .map(|strange| view! { <li><code>{strange.name}</code>": "{marked(&strange.hint)}</li> })
        .collect_view();
    Some(
        view! {
            <div class="notice">
                <p><strong>"The address has parameters that aren’t inputs; they were left out."</strong></p>
                <ul>{items}</ul>
            </div>
        }
        .into_any(),
    )
}

/// Refusals, warnings and assumed defaults of an answer.
pub(super) fn remarks(answer: &Answer) -> Option<AnyView> {
    if answer.refusals.is_empty() && answer.warnings.is_empty() && answer.inputs.assumed.is_empty()
    {
        return None;
    }
    let refusals = together(&answer.refusals)
        .into_iter()
        .map(|(parts, refused)| {
            view! {
                <li class="notice refused">
                    <p>
                        <strong>{format!("No {parts} estimate: ")}</strong>
                        {marked(&refused.missing)}
                    </p>
                    {refused.hint.as_deref().map(|hint| view! { <p>{marked(&sentence(hint))}</p> })}
                </li>
            }
        })
        .collect_view();
    let warnings = answer
        .warnings
        .iter()
        .map(|warning| view! { <li class="notice"><p>{marked(&sentence(&warning.text))}</p></li> })
        .collect_view();
    let assumed = (!answer.inputs.assumed.is_empty()).then(|| {
        view! {
            <li class="aside">
                <b>"Assumed: "</b>
                {answer.inputs.assumed.join(" · ")}
            </li>
        }
    });
    Some(view! { <ul class="remarks">{refusals}{warnings}{assumed}</ul> }.into_any())
}

/// Parts refused for the same reason, named together.
fn together(refusals: &[Refused]) -> Vec<(String, &Refused)> {
    let mut groups: Vec<(String, &Refused)> = Vec::new();
    for refused in refusals {
        let alike =
            |known: &Refused| known.missing == refused.missing && known.hint == refused.hint;
        match groups.iter_mut().find(|(_, known)| alike(known)) {
            Some((parts, _)) => parts.push_str(&format!(" and {}", refused.part)),
            None => groups.push((refused.part.to_string(), refused)),
        }
    }
    groups
}

/// The text with a capital first letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
