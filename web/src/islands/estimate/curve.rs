//! Decode speed over the context.

use answer::{Answer, text};

use crate::{
    chart::{self, Labels, Point},
    markup::{Column, Markup},
    words,
};

/// The chart with what it shows; nothing where there is no speed to draw.
pub(super) fn curve(answer: &Answer) -> Option<String> {
    let finding = words::curve(answer)?;
    let points: Vec<_> = answer
        .curve
        .iter()
        .map(|point| Point {
            x: position(point.context),
            low: point.low,
            typical: point.tok_s,
            high: point.high,
        })
        .collect();
    let mark = answer
        .decode
        .as_ref()
        .map(|decode| (decode.at_context, decode.tok_s.typical));
    let svg = chart::band(
        &points,
        mark,
        &Labels {
            title: "Decode speed over the context",
            description: &finding,
            x: "tokens in the context",
            y: "tok/s",
            x_tick: |x| text::tokens(estimator::num::whole(x)),
            y_tick: |y| {
                if y.fract() == 0.0 {
                    text::count(estimator::num::whole(y))
                } else {
                    text::digits(y)
                }
            },
        },
    )?;
    let at = mark.map(|(at, _)| {
        let at = text::count(estimator::num::whole(at));
        format!("the figure above, at {at} tokens")
    });
    let mut html = Markup::default();
    html.open("figcaption", &[("class", "stack")])
        .open("h2", &[("id", "curve")])
        .text("Speed over the context")
        .close("h2")
        .element("p", "aside", &finding)
        .close("figcaption")
        .open("div", &[("class", "chart")])
        .raw(&svg)
        .close("div")
        .open("ul", &[("class", "legend")]);
    for (swatch, name) in [
        ("swatch line", Some("typical")),
        ("swatch band", Some("low to high: about 8 of 10 runs")),
        ("swatch mark", at.as_deref()),
    ] {
        if let Some(name) = name {
            html.open("li", &[])
                .element("span", swatch, "")
                .text(name)
                .close("li");
        }
    }
    Some(html.close("ul").take())
}

/// The chart's values.
pub(super) fn values(answer: &Answer) -> String {
    let columns = ["Tokens in the context", "low", "typical", "high"].map(Column::plain);
    let rows: Vec<_> = answer
        .curve
        .iter()
        .map(|point| {
            vec![
                text::count(point.context),
                text::digits(point.low),
                text::digits(point.tok_s),
                text::digits(point.high),
            ]
        })
        .collect();
    let caption = Some("Decode speed in tok/s of one request");
    Markup::default().table(caption, &columns, &rows).take()
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
const fn position(tokens: u64) -> f64 {
    tokens as f64
}
