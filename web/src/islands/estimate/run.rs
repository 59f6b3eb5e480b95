//! How to start the engine so that it does what the answer is for.

use answer::flags::Flags;

use super::ways::sentence;
use crate::markup::Markup;

/// The attribute of a button that copies what stands before it.
pub(super) const COPY: &str = "data-copy";

/// The commands and files, with why each flag is there.
pub(super) fn run(flags: &Flags) -> String {
    let mut html = Markup::default();
    html.open("h2", &[("id", "run")])
        .text("Run it")
        .close("h2")
        .element(
            "p",
            "aside",
            &format!(
                "The command of {} that does what this answer is for.",
                flags.engine
            ),
        );
    for command in &flags.commands {
        block(&mut html, &sentence(&command.about), &command.shell);
    }
    for file in &flags.files {
        block(&mut html, &format!("The file {}", file.name), &file.text);
    }
    if !flags.warnings.is_empty() {
        html.open("ul", &[("class", "remarks")]);
        for warning in &flags.warnings {
            html.open("li", &[("class", "notice")])
                .marked(&sentence(warning))
                .close("li");
        }
        html.close("ul");
    }
    html.take()
}

/// Why each flag is there.
pub(super) fn reasons(flags: &Flags) -> String {
    let mut html = Markup::default();
    html.open("dl", &[("class", "words")]);
    for note in &flags.notes {
        html.open("dt", &[])
            .element("code", "", &note.flag)
            .close("dt")
            .open("dd", &[])
            .marked(&sentence(&note.why))
            .close("dd");
    }
    html.close("dl").take()
}

/// A text to type or save, with a button that copies it.
fn block(html: &mut Markup, about: &str, text: &str) {
    let attributes = [
        ("class", "command"),
        ("tabindex", "0"),
        ("aria-label", about),
    ];
    html.element("p", "place-name", about)
        .open("div", &[("class", "copied")])
        .open("pre", &attributes)
        .text(text)
        .close("pre")
        .open(
            "button",
            &[("type", "button"), ("class", "do plain copy"), (COPY, "")],
        )
        .text("Copy")
        .close("button")
        .close("div");
}
