//! Verdict and speeds: what most people came for.

use answer::{
    Answer,
    answer::{Decode, Interval, TimeParts},
    text,
};

use super::memory::{Part, bar};
use crate::{
    glossary::{self, Entry},
    markup::Markup,
    words,
};

/// Where the words of this part stand; part of their ids.
const PLACE: &str = "figures";

pub(super) fn headline(answer: &Answer) -> String {
    let inputs = &answer.inputs;
    let mut html = Markup::default();
    html.open("p", &[("class", "subject")]);
    // A file of the user's own has no page.
    if inputs.model.is_empty() {
        html.text(&inputs.model_name);
    } else {
        html.link(&format!("/models/{}", inputs.model), &inputs.model_name);
    }
    html.text(&format!(" {} on ", inputs.format));
    // Different devices have a page each.
    let ids: Vec<_> = inputs.hardware.split('+').collect();
    let names = if ids.len() > 1 {
        inputs.machine.split(" + ").collect()
    } else {
        vec![&*inputs.machine]
    };
    for (index, name) in names.into_iter().enumerate() {
        if index > 0 {
            html.text(" + ");
        }
        match ids.get(index) {
            Some(id) => html.link(&format!("/hardware/{id}"), name),
            None => html.text(name),
        };
    }
    html.text(&setting(answer)).close("p");
    let (verdict, rest) = words::verdict(answer);
    let class = format!("verdict {}", answer.fit.verdict);
    html.open("h2", &[("class", &class), ("id", "verdict")])
        .open("span", &[])
        .element("strong", "", verdict)
        .text(&format!(", {rest}"))
        .close("span")
        .close("h2")
        .open("dl", &[("class", "figures")]);
    decode(&mut html, answer);
    let bound = answer.prefill.as_ref().map(|prefill| {
        let range = range(prefill.tok_s, "tok/s");
        let rest = format!("{range}, {}", words::bound_word(&prefill.bound));
        (
            text::digits(prefill.tok_s.typical),
            "tok/s".to_owned(),
            rest,
        )
    });
    figure(&mut html, (glossary::PREFILL, "Prefill"), "prefill", bound);
    let first = answer.ttft_s.map(|time| {
        let typical = text::time(time.typical);
        let (number, unit) = typical.split_once(' ').unwrap_or((&typical, ""));
        let rest = format!(
            "{} to {}, prompt of {} tokens",
            text::time(time.low),
            text::time(time.high),
            text::count(inputs.prompt)
        );
        (number.to_owned(), unit.to_owned(), rest)
    });
    figure(&mut html, (glossary::TTFT, "TTFT"), "ttft", first);
    html.close("dl");
    if let Some(decode) = &answer.decode {
        why(&mut html, decode);
    }
    html.take()
}

/// `, llama.cpp with cuda, 8K of context, 4 requests at once`.
fn setting(answer: &Answer) -> String {
    let inputs = &answer.inputs;
    let engine = match inputs.backend.as_str() {
        "native" => inputs.engine.clone(),
        backend => format!("{} with {backend}", inputs.engine),
    };
    let split = if &*inputs.split == "tensor" {
        ", tensor parallel"
    } else {
        ""
    };
    let context = text::tokens(inputs.context);
    match inputs.concurrency {
        1 => format!(", {engine}{split}, {context} tokens of context"),
        many => {
            format!(
                ", {engine}{split}, {many} requests at once with {context} tokens of context each"
            )
        }
    }
}

fn decode(html: &mut Markup, answer: &Answer) {
    let requests = answer.inputs.concurrency;
    html.open("div", &[("class", "figure main")])
        .open("dt", &[])
        .term(glossary::DECODE, PLACE, "Decode");
    if requests > 1 {
        html.text(" of each request");
    }
    html.close("dt").open("dd", &[]);
    match &answer.decode {
        Some(decode) => {
            html.open("span", &[("class", "big"), ("id", "decode-typical")])
                .text(&text::digits(decode.tok_s.typical))
                .close("span")
                .element("span", "unit", "tok/s")
                .open("span", &[("class", "range"), ("id", "decode-range")])
                .term(glossary::INTERVAL, PLACE, &range(decode.tok_s, "tok/s"))
                .close("span");
            if requests > 1 {
                let total = range(decode.total_tok_s, "tok/s");
                html.element(
                    "span",
                    "range",
                    &format!("{total} for all {requests} together"),
                );
            }
        }
        None => none(html),
    }
    html.close("dd").close("div");
}

/// A figure: the word it is for, and number, unit and what to say beside them.
fn figure(
    html: &mut Markup,
    (entry, word): (Entry, &str),
    id: &str,
    figure: Option<(String, String, String)>,
) {
    html.open("div", &[("class", "figure")])
        .open("dt", &[])
        .term(entry, PLACE, word)
        .close("dt")
        .open("dd", &[]);
    match figure {
        Some((number, unit, rest)) => {
            let id = format!("{id}-typical");
            html.open("span", &[("class", "big"), ("id", &id)])
                .text(&number)
                .close("span")
                .element("span", "unit", &unit)
                .element("span", "range", &rest);
        }
        None => none(html),
    }
    html.close("dd").close("div");
}

fn none(html: &mut Markup) {
    html.element("span", "big none", "—")
        .element("span", "range", "no estimate");
}

fn range(interval: Interval, unit: &str) -> String {
    format!("{} {unit}", text::span(interval.low, interval.high))
}

/// What sets the pace of decode, where its time goes, and what the estimate rests on.
fn why(html: &mut Markup, decode: &Decode) {
    let (bound, sentence) = words::decode_bound(decode);
    let tpot = text::time(decode.tpot_ms.typical / 1000.0);
    html.open("div", &[("class", "why stack")])
        .open("p", &[])
        .term(glossary::BOUND, PLACE, bound)
        .text(&sentence)
        .text(" ")
        .open("span", &[("class", "tag")])
        .term(
            glossary::BASIS,
            PLACE,
            &words::basis(&decode.basis, decode.runs),
        )
        .close("span")
        .close("p")
        .open("div", &[])
        .open("p", &[("class", "place-name")])
        .open("span", &[])
        .text(&format!("Where the {tpot} of a token go ("))
        .term(glossary::TPOT, PLACE, glossary::TPOT.word)
        .text(")")
        .close("span")
        .close("p");
    times(html, &decode.parts_ms);
    html.close("div").close("div");
}

fn times(html: &mut Markup, parts: &TimeParts) {
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
    bar(html, "bar slim", &parts, whole, None, "Time of a token");
}
