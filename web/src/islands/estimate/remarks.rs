//! What to know beside the numbers: problems, refusals, warnings, assumptions.

use answer::{Answer, FieldError, answer::Refused};

use super::{Strange, fields, ways::sentence};
use crate::markup::Markup;

/// Inputs that can't be used, each with a link to its field.
pub(super) fn problems(problems: &[FieldError], answered: bool) -> String {
    let mut html = Markup::default();
    if problems.is_empty() {
        return html.take();
    }
    html.open("div", &[("class", "notice wrong")])
        .open("p", &[])
        .element("strong", "", "Something in the question needs a change.")
        .close("p")
        .open("ul", &[]);
    for problem in problems {
        let name = problem.field.name();
        html.open("li", &[])
            .link(&format!("#{name}"), fields::label(problem.field));
        if !problem.value.is_empty() {
            html.text(" ").element("code", "", &problem.value);
        }
        html.text(": ").marked(&problem.problem);
        if let Some(hint) = &problem.hint {
            html.text("; ").marked(hint);
        }
        html.close("li");
    }
    html.close("ul");
    if answered {
        let rest = "Until then, this is the answer to the question before.";
        html.element("p", "", rest);
    }
    html.close("div").take()
}

/// Parameters of the address that are no inputs.
pub(super) fn strangers(strange: &[Strange]) -> String {
    let mut html = Markup::default();
    if strange.is_empty() {
        return html.take();
    }
    html.open("div", &[("class", "notice wrong")])
        .open("p", &[])
        .element(
            "strong",
            "",
            "The address has parameters that aren’t inputs; the answer is without them.",
        )
        .close("p")
        .open("ul", &[]);
    for strange in strange {
        html.open("li", &[])
            .element("code", "", &strange.name)
            .text(": ")
            .marked(&strange.hint)
            .close("li");
    }
    html.close("ul").close("div").take()
}

/// Refusals, warnings and assumed defaults of an answer.
pub(super) fn remarks(answer: &Answer) -> String {
    let mut html = Markup::default();
    let assumed = &answer.inputs.assumed;
    if answer.refusals.is_empty() && answer.warnings.is_empty() && assumed.is_empty() {
        return html.take();
    }
    html.open("ul", &[("class", "remarks")]);
    for (parts, refused) in together(&answer.refusals) {
        html.open("li", &[("class", "notice refused")])
            .open("p", &[])
            .element("strong", "", &format!("No {parts} estimate: "))
            .marked(&refused.missing)
            .close("p");
        if let Some(hint) = &refused.hint {
            html.open("p", &[]).marked(&full(hint)).close("p");
        }
        html.close("li");
    }
    for warning in &answer.warnings {
        html.open("li", &[("class", "notice")])
            .open("p", &[])
            .marked(&full(&warning.text))
            .close("p")
            .close("li");
    }
    if !assumed.is_empty() {
        html.open("li", &[("class", "aside")])
            .element("b", "", "Assumed: ")
            .marked(&assumed.join(" · "))
            .close("li");
    }
    html.close("ul").take()
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
fn full(text: &str) -> String {
    sentence(&format!("{}.", text.trim_end_matches('.')))
}
