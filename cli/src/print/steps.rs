//! The arithmetic, a table for each part of the answer.

use answer::Answer;

use crate::print::estimate::refusals;
use crate::print::{Page, Style, Table, Tone};

/// The steps as a page of text.
pub(crate) fn steps(answer: &Answer, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(Tone::of_verdict(&answer.fit.verdict), &answer.headline());
    let mut parts: Vec<&str> = Vec::new();
    for step in &answer.steps {
        if !parts.contains(&&*step.part) {
            parts.push(&step.part);
        }
    }
    let mut sources: Vec<&str> = Vec::new();
    for part in parts {
        let mut table = Table::new([part, "what", "formula", ">value", ">source"]);
        for step in answer.steps.iter().filter(|step| step.part == part) {
            let known = sources.iter().position(|source| *source == step.source);
            let number = known.unwrap_or_else(|| {
                sources.push(&step.source);
                sources.len() - 1
            }) + 1;
            table.row([
                &*step.symbol,
                &*step.what,
                &*step.formula,
                &step.text,
                &number.to_string(),
            ]);
        }
        page.table(table);
    }
    page.numbered("Sources", sources.into_iter().map(str::to_owned));
    page.list("Not answered", refusals(answer));
    page.pair("methodology", &answer.methodology);
    page.pair("page", &answer.permalink);
    page.finish()
}
