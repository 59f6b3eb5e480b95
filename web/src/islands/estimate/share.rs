//! The same answer elsewhere: terminal, API, another person.

use answer::{Field, Question};

use crate::{command, markup::Markup};

pub(super) fn share(question: &Question) -> String {
    let permalink = question.permalink();
    let query = permalink
        .split_once('?')
        .map(|(_, query)| format!("?{query}"))
        .unwrap_or_default();
    let mut html = Markup::default();
    let command = [
        ("class", "command"),
        ("tabindex", "0"),
        ("aria-label", "Command line"),
    ];
    html.open("h2", &[("id", "elsewhere")])
        .text("The same answer elsewhere")
        .close("h2")
        .open("pre", &command)
        .text(&command::line(question))
        .close("pre")
        .open("p", &[("class", "row")])
        .open("a", &[("href", &permalink), ("id", "permalink")])
        .text("Link to this page")
        .close("a");
    let json = [
        ("href", &*format!("/api/v1/estimate{query}")),
        ("id", "json"),
        ("rel", "nofollow"),
    ];
    html.open("a", &json)
        .text("JSON")
        .close("a")
        .link(
            &format!("/fit{}", others(question)),
            "Every format and context",
        )
        .link("/api", "API")
        .close("p")
        .take()
}

/// What is said instead where the model is a file.
pub(super) fn of_a_file() -> String {
    let said = "The file isn’t part of any link: it was read in your browser and stays there. `bandwise estimate --model-file FILE` gives the same answer in a terminal.";
    let mut html = Markup::default();
    html.open("h2", &[("id", "elsewhere")])
        .text("The same answer elsewhere")
        .close("h2")
        .open("p", &[])
        .marked(said)
        .close("p")
        .take()
}

/// The query of the question without what a table of formats and contexts leaves open.
fn others(question: &Question) -> String {
    let open = question
        .clone()
        .with(Field::Format, "")
        .with(Field::Context, "");
    open.permalink().split_off(1)
}
