//! An answer in sentences.

use answer::Answer;
use answer::answer::{Decode, TimeParts};
use answer::text;

/// A byte count as a float, for formatting.
#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
pub(crate) fn bytes(count: u64) -> String {
    text::memory(count as f64)
}

/// The verdict: what to print strongly, and the rest of the sentence.
pub(crate) fn verdict(answer: &Answer) -> (&'static str, String) {
    let amount = answer
        .fit
        .headroom_bytes
        .map(|headroom| bytes(headroom.unsigned_abs()));
    let amount = amount.as_deref().unwrap_or("an unknown amount");
    match &*answer.fit.verdict {
        "fits" => ("Fits", format!("with {amount} to spare")),
        "tight" => ("Tight", format!("it fits with only {amount} to spare")),
        "needs_offload" => (
            "Needs offload",
            format!("{amount} more than {} holds", devices(answer)),
        ),
        "does_not_fit" => ("Doesn’t fit", format!("short by {amount}")),
        _ => (
            "Can’t say whether it fits",
            "see below what is missing".to_owned(),
        ),
    }
}

fn devices(answer: &Answer) -> &'static str {
    if answer.inputs.count > 1 {
        "the devices together"
    } else {
        "the device"
    }
}

/// One line for a title or a status: `fits, 118–152 tok/s`.
pub(crate) fn summary(answer: &Answer) -> String {
    let (verdict, _) = verdict(answer);
    match &answer.decode {
        Some(decode) => format!(
            "{verdict}, {} tok/s",
            text::span(decode.tok_s.low, decode.tok_s.high)
        ),
        None => verdict.to_owned(),
    }
}

/// `2 × GeForce RTX 4090`.
pub(crate) fn machine(answer: &Answer) -> String {
    match answer.inputs.count {
        1 => answer.inputs.hardware_name.clone(),
        count => format!("{count} × {}", answer.inputs.hardware_name),
    }
}

/// What sets the pace of decode, and what would change it.
pub(crate) fn decode_bound(decode: &Decode) -> String {
    let parts = &decode.parts_ms;
    let memory = share(parts, parts.weights + parts.kv_cache);
    match &*decode.bound {
        "bandwidth" => {
            let faster = halved(parts, parts.weights + parts.kv_cache);
            format!(
                "Bandwidth-bound: {memory} of a token’s time goes into reading memory. \
                 Twice the FLOP/s would not help; twice the bandwidth would make it {faster} times as fast."
            )
        }
        "compute" => {
            let faster = halved(parts, parts.compute);
            format!(
                "Compute-bound: arithmetic takes longer than reading memory. \
                 More bandwidth would not help; twice the FLOP/s would make it {faster} times as fast."
            )
        }
        "link" => {
            "Link-bound: most of a token’s time goes into moving data between devices.".to_owned()
        }
        _ => format!(
            "Overhead-bound: {} of a token’s time goes into launching kernels, sampling and the host. \
             A faster card would not help much.",
            share(parts, parts.overhead)
        ),
    }
}

/// What sets the pace of prefill.
pub(crate) fn bound_word(bound: &str) -> &'static str {
    match bound {
        "bandwidth" => "bandwidth-bound",
        "compute" => "compute-bound",
        "link" => "link-bound",
        _ => "overhead-bound",
    }
}

/// What an estimate rests on.
pub(crate) fn basis(basis: &str, runs: u32) -> String {
    match basis {
        "calibrated" => format!("calibrated on {runs} runs"),
        "prior" => "class factors, not yet calibrated".to_owned(),
        "roofline" => "roofline only".to_owned(),
        _ => "rests on an assumed peak".to_owned(),
    }
}

fn whole(parts: &TimeParts) -> f64 {
    parts.weights + parts.kv_cache + parts.compute + parts.overhead + parts.link
}

fn share(parts: &TimeParts, part: f64) -> String {
    percent(part / whole(parts).max(f64::MIN_POSITIVE))
}

/// How many times as fast it gets when one part takes half the time.
fn halved(parts: &TimeParts, part: f64) -> String {
    let whole = whole(parts);
    text::digits(whole / (whole - part / 2.0).max(f64::MIN_POSITIVE))
}

/// A share as whole percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// What the curve over the context shows, as a finding.
pub(crate) fn curve(answer: &Answer) -> Option<String> {
    let (first, last) = (answer.curve.first()?, answer.curve.last()?);
    if first.tok_s <= 0.0 || last.context == 0 {
        return None;
    }
    let lost = 1.0 - last.tok_s / first.tok_s;
    let context = text::tokens(last.context);
    Some(if lost < 0.015 {
        format!(
            "Decode stays at about {} tok/s up to {context} tokens of context.",
            text::digits(last.tok_s)
        )
    } else {
        format!(
            "Decode falls from {} tok/s on an empty context to {} on a full one of {context} tokens, {} slower.",
            text::digits(first.tok_s),
            text::digits(last.tok_s),
            percent(lost)
        )
    })
}

/// The page's title.
pub(crate) fn title(answer: &Answer) -> String {
    format!(
        "{} {} on {}: {} · Bandwise",
        answer.inputs.model_name,
        answer.inputs.format,
        machine(answer),
        summary(answer)
    )
}
