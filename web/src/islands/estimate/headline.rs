//! Verdict and speeds: what most people came for.

use answer::{
    Answer,
    answer::{Decode, Interval, Prefill, TimeParts},
    text,
};
use leptos::prelude::*;

use super::memory::{Part, bar};
use crate::{
    glossary::{self, Defined},
    words,
};

pub(super) fn headline(answer: &Answer) -> AnyView {
    let inputs = &answer.inputs;
    let (verdict, rest) = words::verdict(answer);
    let class = format!("verdict {}", answer.fit.verdict);
    view! {
        <section class="panel" aria-labelledby="verdict">
            <p class="subject">
                <a href=format!("/models/{}", inputs.model)>{inputs.model_name.clone()}</a>
                {format!(" {} on ", inputs.format)}
                <a href=format!("/hardware/{}", inputs.hardware)>{inputs.machine.clone()}</a>
                {setting(answer)}
            </p>
            <h2 class=class id="verdict">
                <span>
                    <strong>{verdict}</strong>
                    {format!(", {rest}")}
                </span>
            </h2>
            <dl class="figures">
                {speed(answer.decode.as_ref(), answer.inputs.concurrency)}
                {prefill(answer.prefill.as_ref())}
                {ttft(answer.ttft_s, inputs.prompt)}
            </dl>
            {answer.decode.as_ref().map(why)}
        </section>
    }
    .into_any()
}

/// `, llama.cpp with cuda, 8K of context, 4 requests at once`.
fn setting(answer: &Answer) -> String {
    let inputs = &answer.inputs;
    let engine = match inputs.backend.as_str() {
        "native" => inputs.engine.clone(),
        backend => format!("{} with {backend}", inputs.engine),
    };
    let context = text::tokens(inputs.context);
    match inputs.concurrency {
        1 => format!(", {engine}, {context} tokens of context"),
        many => {
            format!(", {engine}, {many} requests at once with {context} tokens of context each")
        }
    }
}

fn speed(decode: Option<&Decode>, requests: u64) -> AnyView {
    let figure = decode.map(|decode| {
        let total = (requests > 1).then(|| {
            let total = decode.total_tok_s;
            format!(
                "{} tok/s for all {requests} together",
                text::span(total.low, total.high)
            )
        });
        view! {
            <span class="big" id="decode-typical">{text::digits(decode.tok_s.typical)}</span>
            <span class="unit">"tok/s"</span>
            <span class="range" id="decode-range">
                <Defined entry=glossary::INTERVAL place="figures" text=range(decode.tok_s, "tok/s")/>
            </span>
            {total.map(|total| view! { <span class="range">{total}</span> })}
        }
    });
    view! {
        <div class="figure main">
            <dt>
                <Defined entry=glossary::DECODE place="figures" text="Decode"/>
                {(requests > 1).then_some(" of each request")}
            </dt>
            <dd>{or_none(figure)}</dd>
        </div>
    }
    .into_any()
}

fn prefill(prefill: Option<&Prefill>) -> AnyView {
    let figure = prefill.map(|prefill| {
        let bound = words::bound_word(&prefill.bound);
        view! {
            <span class="big" id="prefill-typical">{text::digits(prefill.tok_s.typical)}</span>
            <span class="unit">"tok/s"</span>
            <span class="range">{range(prefill.tok_s, "tok/s")}", "{bound}</span>
        }
    });
    view! {
        <div class="figure">
            <dt>
                <Defined entry=glossary::PREFILL place="figures" text="Prefill"/>
            </dt>
            <dd>{or_none(figure)}</dd>
        </div>
    }
    .into_any()
}

fn ttft(time: Option<Interval>, prompt: u64) -> AnyView {
    let figure = time.map(|time| {
        let typical = text::time(time.typical);
        let (number, unit) = typical.split_once(' ').unwrap_or((&typical, ""));
        let between = format!("{} to {}", text::time(time.low), text::time(time.high));
        view! {
            <span class="big" id="ttft-typical">{number.to_owned()}</span>
            <span class="unit">{unit.to_owned()}</span>
            <span class="range">{between}{format!(", prompt of {} tokens", text::count(prompt))}</span>
        }
    });
    view! {
        <div class="figure">
            <dt>
                <Defined entry=glossary::TTFT place="figures"/>
            </dt>
            <dd>{or_none(figure)}</dd>
        </div>
    }
    .into_any()
}

fn range(interval: Interval, unit: &str) -> String {
    format!("{} {unit}", text::span(interval.low, interval.high))
}

fn or_none(figure: Option<impl IntoView + 'static>) -> AnyView {
    match figure {
        Some(figure) => figure.into_any(),
        None => view! { <span class="big none">"—"</span><span class="range">"no estimate"</span> }
            .into_any(),
    }
}

/// What sets the pace of decode, where its time goes, and what the estimate rests on.
fn why(decode: &Decode) -> AnyView {
    let (bound, sentence) = words::decode_bound(decode);
    let tpot = text::time(decode.tpot_ms.typical / 1000.0);
    view! {
        <div class="why stack">
            <p>
                <Defined entry=glossary::BOUND place="figures" text=bound/>
                {sentence}
                " "
                <span class="tag">
                    <Defined
                        entry=glossary::BASIS
                        place="figures"
                        text=words::basis(&decode.basis, decode.runs)
                    />
                </span>
            </p>
            <div>
                <p class="place-name">
                    <span>
                        "Where the "{tpot}" of a token go ("
                        <Defined entry=glossary::TPOT place="figures"/>
                        ")"
                    </span>
                </p>
                {times(&decode.parts_ms)}
            </div>
        </div>
    }
    .into_any()
}

fn times(parts: &TimeParts) -> AnyView {
    let parts = [
        ("weights", "reading weights", parts.weights),
        ("kv-cache", "reading KV cache", parts.kv_cache),
        ("compute", "arithmetic", parts.compute),
        ("overhead", "overhead", parts.overhead),
        ("link", "between devices", parts.link),
    ]
    .map(|(class, name, value)| Part {
        class,
        name,
        value,
        text: text::time(value / 1000.0),
    });
    let whole = parts.iter().map(|part| part.value).sum();
    bar("bar slim", &parts, whole, None, "Time of a token")
}
