//! The arithmetic, step by step.

use answer::Answer;

use crate::markup::Markup;

const PARTS: [(&str, &str); 3] = [
    ("memory", "Memory"),
    ("decode", "Decode"),
    ("prefill", "Prefill and TTFT"),
];

pub(super) fn arithmetic(answer: &Answer) -> String {
    let mut html = Markup::default();
    let introduction = format!(
        "Every number above comes from these lines. Method {}.",
        answer.methodology
    );
    html.element("p", "aside", &introduction)
        .open("div", &[("class", "scroll")])
        .open("table", &[("class", "steps")])
        .open("thead", &[])
        .open("tr", &[]);
    for (name, class) in [
        ("Symbol", ""),
        ("What", ""),
        ("Formula", ""),
        ("Value", "number"),
        ("Source", ""),
    ] {
        html.open("th", &[("scope", "col"), ("class", class)])
            .text(name)
            .close("th");
    }
    html.close("tr").close("thead");
    for (part, heading) in PARTS {
        html.open("tbody", &[])
            .open("tr", &[])
            .open("th", &[("colspan", "5"), ("scope", "rowgroup")])
            .text(heading)
            .close("th")
            .close("tr");
        for step in answer.steps.iter().filter(|step| step.part == part) {
            html.open("tr", &[])
                .element("td", "", &step.symbol)
                .element("td", "", &step.what)
                .element("td", "", &step.formula)
                .element("td", "number", &step.text)
                .element("td", "aside", &step.source)
                .close("tr");
        }
        html.close("tbody");
    }
    html.close("table").close("div").take()
}
