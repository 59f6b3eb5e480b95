//! The engine's command: what to type, then why.

use answer::flags::Flags;

use crate::print::{Page, Style, Tone};

/// The commands as a page of text.
pub(crate) fn flags(flags: &Flags, style: Style) -> String {
    let inputs = &flags.inputs;
    let mut page = Page::new(style);
    page.paragraph(
        Tone::of_verdict(&flags.verdict),
        &format!(
            "{} in {} on {} with {}",
            inputs.model_name, inputs.format, inputs.machine, flags.engine
        ),
    );
    for file in &flags.files {
        page.verbatim(&format!("File `{}`", file.name), &file.text);
    }
    for command in &flags.commands {
        page.verbatim(&command.about, &command.shell);
    }
    page.list(
        "Why",
        flags
            .notes
            .iter()
            .map(|note| format!("`{}`: {}", note.flag, note.why)),
    );
    page.list("Mind", flags.warnings.iter().cloned());
    page.list("Assumed", inputs.assumed.iter().cloned());
    page.pair("page", &flags.permalink);
    page.finish()
}
