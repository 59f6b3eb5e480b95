//! Questions people asked in public when they sized hardware, with the answer the evidence supports.
//!
//! Each test asks one of them through the ordinary inputs and states its source. Figures are the
//! source's, as printed; "derived" stands where they follow from the model's shape. A tolerance is as
//! wide as what the source leaves open. An ignored test holds what is right and isn't answered yet.

#![expect(clippy::panic, reason = "helpers of tests: a panic is the failure")]

mod context;
mod fit;
mod offload;
mod slower;

use answer::answer::{Decode, PlaceMemory};
use answer::ways::Way;
use answer::{Answer, Question, ask};
use estimator::num;

const GIB: f64 = 1_073_741_824.0;
const MIB: f64 = 1_048_576.0;

fn answered(query: &str) -> Answer {
    let (question, unknown) = Question::from_query(query);
    assert!(unknown.is_empty(), "{query}: {unknown:?}");
    ask(&question).unwrap_or_else(|problems| panic!("{query}: {problems:?}"))
}

fn gib(bytes: u64) -> f64 {
    num::f(bytes) / GIB
}

fn mib(bytes: u64) -> f64 {
    num::f(bytes) / MIB
}

/// The only device.
fn card(answer: &Answer) -> &PlaceMemory {
    assert_eq!(answer.memory.devices.len(), 1);
    &answer.memory.devices[0]
}

#[track_caller]
fn assert_verdict(answer: &Answer, allowed: &[&str]) {
    let verdict = &*answer.fit.verdict;
    assert!(allowed.contains(&verdict), "{}", answer.headline());
}

/// Within a share of what is expected.
#[track_caller]
fn assert_near(what: &str, value: f64, expected: f64, share: f64) {
    assert!(
        (value - expected).abs() <= share * expected,
        "{what}: {value:.3}, but {expected} ± {:.0} % is expected",
        share * 100.0
    );
}

fn decode(answer: &Answer) -> &Decode {
    answer
        .decode
        .as_ref()
        .unwrap_or_else(|| panic!("no speed: {:?}", answer.refusals))
}

fn tok_s(answer: &Answer) -> f64 {
    decode(answer).tok_s.typical
}

/// What was measured lies in the interval, at the question's depth.
#[track_caller]
fn assert_within(answer: &Answer, measured: f64) {
    let range = decode(answer).tok_s;
    assert!(
        (range.low..=range.high).contains(&measured),
        "{measured} tok/s measured, {:.2}–{:.2} estimated: {}",
        range.low,
        range.high,
        answer.permalink
    );
}

/// What was measured lies in the interval and within a quarter of the typical value.
#[track_caller]
fn assert_speed(answer: &Answer, measured: f64) {
    assert_within(answer, measured);
    assert_near("tok/s", tok_s(answer), measured, 0.25);
}

/// The way out that changes an input.
#[track_caller]
fn way<'a>(answer: &'a Answer, field: &str) -> &'a Way {
    answer
        .ways
        .iter()
        .find(|way| way.set.iter().any(|setting| setting.field == field))
        .unwrap_or_else(|| panic!("no way by {field}: {:#?}", answer.ways))
}

/// Every way out says in figures what it changes and what it costs, and where to look.
#[track_caller]
fn assert_ways_have_figures(answer: &Answer) {
    assert!(!answer.ways.is_empty(), "{}", answer.headline());
    for way in &answer.ways {
        assert!(way.change.contains(|letter: char| letter.is_ascii_digit()));
        assert!(way.cost.contains("tok/s"), "{way:?}");
        assert!(way.permalink.starts_with("/?"));
    }
}

#[track_caller]
fn assert_warns(answer: &Answer, words: &str) {
    assert!(
        answer
            .warnings
            .iter()
            .any(|warning| warning.text.contains(words)),
        "{:?}",
        answer.warnings
    );
}
