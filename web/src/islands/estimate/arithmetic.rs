//! The arithmetic, step by step.

use answer::{Answer, answer::Step};
use leptos::prelude::*;

pub(super) fn arithmetic(answer: &Answer) -> AnyView {
    let parts = [
        ("memory", "Memory"),
        ("decode", "Decode"),
        ("prefill", "Prefill and TTFT"),
    ]
    .into_iter()
    .map(|(part, heading)| {
        let rows = answer
            .steps
            .iter()
            .filter(|step| step.part == part)
            .map(row)
            .collect_view();
        view! {
            <tbody>
                <tr>
                    <th colspan="5" scope="rowgroup">{heading}</th>
                </tr>
                {rows}
            </tbody>
        }
    })
    .collect_view();
    view! {
        <section class="panel">
            <details id="arithmetic">
                <summary>"Show the arithmetic"</summary>
                <p class="aside">
                    "Every number above comes from these lines. Method "{answer.methodology.to_string()}"."
                </p>
                <div class="scroll">
                    <table class="steps">
                        <thead>
                            <tr>
                                <th scope="col">"Symbol"</th>
                                <th scope="col">"What"</th>
                                <th scope="col">"Formula"</th>
                                <th scope="col" class="number">"Value"</th>
                                <th scope="col">"Source"</th>
                            </tr>
                        </thead>
                        {parts}
                    </table>
                </div>
            </details>
        </section>
    }
    .into_any()
}

fn row(step: &Step) -> AnyView {
    view! {
        <tr>
            <td>{step.symbol.to_string()}</td>
            <td>{step.what.to_string()}</td>
            <td>{step.formula.to_string()}</td>
            <td class="number">{step.text.clone()}</td>
            <td class="aside">{step.source.to_string()}</td>
        </tr>
    }
    .into_any()
}
