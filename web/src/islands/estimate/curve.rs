//! Decode speed over the context.

use answer::{Answer, text};
use leptos::prelude::*;

use crate::{
    chart::{self, Labels, Point},
    words,
};

pub(super) fn curve(answer: &Answer) -> Option<AnyView> {
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
    let rows = answer
        .curve
        .iter()
        .map(|point| {
            view! {
                <tr>
                    <th scope="row" class="number">{text::count(point.context)}</th>
                    <td class="number">{text::digits(point.low)}</td>
                    <td class="number">{text::digits(point.tok_s)}</td>
                    <td class="number">{text::digits(point.high)}</td>
                </tr>
            }
        })
        .collect_view();
    let at = answer
        .decode
        .as_ref()
        .map(|decode| text::count(estimator::num::whole(decode.at_context)));
    Some(
        view! {
            <section class="panel" aria-labelledby="curve">
                <figure>
                    <figcaption class="stack">
                        <h2 id="curve">"Speed over the context"</h2>
                        <p class="aside">{finding.clone()}</p>
                    </figcaption>
                    <div class="chart" inner_html=svg></div>
                    <ul class="legend">
                        <li><span class="swatch line"></span>"typical"</li>
                        <li><span class="swatch band"></span>"low to high: about 8 of 10 runs"</li>
                        {at.map(|at| view! { <li><span class="swatch mark"></span>"the figure above, at "{at}" tokens"</li> })}
                    </ul>
                </figure>
                <details class="small">
                    <summary>"Show values"</summary>
                    <div class="scroll">
                        <table>
                            <caption>"Decode speed in tok/s of one request"</caption>
                            <thead>
                                <tr>
                                    <th scope="col" class="number">"Tokens in the context"</th>
                                    <th scope="col" class="number">"low"</th>
                                    <th scope="col" class="number">"typical"</th>
                                    <th scope="col" class="number">"high"</th>
                                </tr>
                            </thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                </details>
            </section>
        }
        .into_any(),
    )
}

#[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
const fn position(tokens: u64) -> f64 {
    tokens as f64
}
