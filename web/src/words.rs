//! An answer in sentences.

use answer::Answer;
use answer::answer::Decode;
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
        "fits" => (
            "Fits",
            match &answer.memory.pool {
                // Such an engine leaves nothing over.
                Some(pool) => format!("with {} left for the KV cache", bytes(pool.bytes)),
                None => format!("with {amount} to spare"),
            },
        ),
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

/// What sets the pace of decode: the word, and the rest of the sentence with what would change it.
pub(crate) fn decode_bound(decode: &Decode) -> (&'static str, String) {
    let share = percent(decode.bound_share);
    let gain = text::digits(decode.gain_from_doubling);
    match &*decode.bound {
        "bandwidth" => (
            "Bandwidth-bound",
            format!(
                ": {share} of a token’s time goes into reading memory. \
                 Twice the FLOP/s would not help; twice the bandwidth would make it {gain} times as fast."
            ),
        ),
        "compute" => (
            "Compute-bound",
            format!(
                ": {share} of a token’s time is arithmetic that takes longer than reading memory. \
                 More bandwidth would not help; twice the FLOP/s would make it {gain} times as fast."
            ),
        ),
        "link" => (
            "Link-bound",
            format!(
                ": {share} of a token’s time goes into moving data between devices. \
                 A link twice as fast would make it {gain} times as fast."
            ),
        ),
        _ => (
            "Overhead-bound",
            format!(
                ": {share} of a token’s time goes into launching kernels, sampling and the host. \
                 A faster card would not help much."
            ),
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
        answer.inputs.machine,
        summary(answer)
    )
}
