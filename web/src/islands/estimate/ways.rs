//! What makes it fit, where it doesn't.

use answer::Answer;

use crate::markup::Markup;

/// The attribute that tells which way a link takes.
pub(super) const WAY: &str = "data-way";

/// The ways out; nothing where none is needed, or none is known.
pub(super) fn ways(answer: &Answer) -> String {
    let mut html = Markup::default();
    if answer.ways.is_empty() {
        return html.take();
    }
    html.open("h2", &[("id", "ways")])
        .text("Ways out, cheapest first")
        .close("h2")
        .open("ol", &[("class", "ways")]);
    for (index, way) in answer.ways.iter().enumerate() {
        let then = match &*way.verdict {
            "fits" => "then it fits",
            "tight" => "then it just fits",
            _ => "then it runs with offload",
        };
        let link = [("href", &*way.permalink), (WAY, &*index.to_string())];
        html.open("li", &[])
            .open("a", &link)
            .text(&sentence(&way.change))
            .close("a")
            .text(" ")
            .element("span", "tag", then)
            .element("span", "cost", &format!("Costs {}.", way.cost))
            .close("li");
    }
    html.close("ol").take()
}

/// The text with a capital first letter.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}", letters.as_str())
}
