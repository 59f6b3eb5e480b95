//! The answer as every surface shares it: the JSON of the command line, the API and the browser.

use std::borrow::Cow;
use std::sync::Arc;

use estimator::calibration::Calibration;
use estimator::error::{FieldError, Refusal};
use estimator::estimate::{self, Estimate, METHODOLOGY, Speed};
use estimator::memory::Verdict;
use estimator::range::Range;
use estimator::units::{Bytes, Seconds, TokensPerSecond};
use model_file::OwnModel;
use serde::{Deserialize, Serialize};

use crate::memory::memory;
pub use crate::memory::{CachePool, MemoryUse, PlaceMemory};
use crate::question::Question;
use crate::resolve::{Resolved, Resolver, resolve, resolve_own};
use crate::ways::{Way, ways_out};

/// A text that is mostly fixed.
pub type Text = Cow<'static, str>;

/// Low, typical and high: one run in ten is expected below the first, one above the last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// The low end.
    pub low: f64,
    /// The middle.
    pub typical: f64,
    /// The high end.
    pub high: f64,
}

/// The inputs an answer is for, with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Inputs {
    /// Id of the device; of different devices, theirs joined by `+`.
    pub hardware: String,
    /// Its name.
    pub hardware_name: String,
    /// What the machine is called: its devices and how many.
    pub machine: String,
    /// How many devices.
    pub count: u32,
    /// Id of the model; empty for one of the user's own.
    pub model: String,
    /// Its name.
    pub model_name: String,
    /// Weight format.
    pub format: String,
    /// Number type of the KV cache.
    pub kv_type: String,
    /// Engine.
    pub engine: String,
    /// Backend.
    pub backend: String,
    /// Tokens of context for each sequence.
    pub context: u64,
    /// Tokens of each prompt.
    pub prompt: u64,
    /// Tokens of each answer.
    pub output: u64,
    /// Sequences at once.
    pub concurrency: u64,
    /// Tokens of a prefill step.
    pub ubatch: u64,
    /// Slots of the server.
    pub slots: u64,
    /// Whether all slots share one cache of the context.
    pub kv_unified: bool,
    /// How several devices share the model: `layer` or `tensor`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub split: Text,
    /// Name of each device, in the engine's order.
    pub devices: Vec<String>,
    /// Defaults that were filled in, in words.
    pub assumed: Vec<String>,
}

/// Whether it fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fit {
    /// `fits`, `tight`, `needs_offload`, `does_not_fit`, or `unknown`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub verdict: Text,
    /// What is left on the fullest device; negative when short. Null when unknown.
    pub headroom_bytes: Option<i64>,
    /// The largest context for each sequence in any placement allowed; of engines that page their cache,
    /// for one request.
    pub largest_context: Option<u64>,
}

/// Speed of writing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Decode {
    /// Tokens a second of one request.
    pub tok_s: Interval,
    /// Tokens a second of all requests together.
    pub total_tok_s: Interval,
    /// Time of an output token, in milliseconds.
    pub tpot_ms: Interval,
    /// Tokens in the context where this speed holds.
    pub at_context: f64,
    /// `bandwidth`, `compute`, `overhead` or `link`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub bound: Text,
    /// The share of the typical time that goes to what binds.
    pub bound_share: f64,
    /// How many times as fast it would be with twice of what binds.
    pub gain_from_doubling: f64,
    /// `calibrated`, `prior`, `roofline` or `assumed`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub basis: Text,
    /// Measured runs behind the factors.
    pub runs: u32,
    /// Where the typical time of a token goes, in milliseconds.
    pub parts_ms: TimeParts,
}

/// Speed of reading a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Prefill {
    /// Tokens a second of one prompt.
    pub tok_s: Interval,
    /// `bandwidth`, `compute`, `overhead` or `link`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub bound: Text,
    /// The share of the typical time that goes to what binds.
    pub bound_share: f64,
    /// How many times as fast it would be with twice of what binds.
    pub gain_from_doubling: f64,
    /// `calibrated`, `prior`, `roofline` or `assumed`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub basis: Text,
    /// Measured runs behind the factors.
    pub runs: u32,
    /// Where the typical time goes, in milliseconds.
    pub parts_ms: TimeParts,
}

/// Where a time goes, in milliseconds; the parts add up to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TimeParts {
    /// Moving weights.
    pub weights: f64,
    /// Moving KV cache and state.
    pub kv_cache: f64,
    /// Arithmetic.
    pub compute: f64,
    /// Launches, sampling, scheduler, host.
    pub overhead: f64,
    /// Between devices.
    pub link: f64,
}

/// Decode speed at one depth of context.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CurvePoint {
    /// Tokens already in the context.
    pub context: u64,
    /// Typical tokens a second of one request.
    pub tok_s: f64,
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// One step of the arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Step {
    /// `memory`, `decode` or `prefill`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub part: Text,
    /// The symbol in other steps' formulas.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub symbol: Text,
    /// What it is.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub what: Text,
    /// How it comes from the steps before; empty for a fact.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub formula: Text,
    /// The value in the base unit.
    pub value: f64,
    /// The base unit.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub unit: Text,
    /// The value in words.
    pub text: String,
    /// Where it comes from.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub source: Text,
}

/// A remark on the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Warning {
    /// A short name of the kind.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub code: Text,
    /// The remark.
    pub text: String,
}

/// A part that can't be answered, and what would make it so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refused {
    /// `fit`, `decode` or `prefill`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub part: Text,
    /// What is missing or impossible.
    pub missing: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// What it is for, with every default filled in.
    pub inputs: Inputs,
    /// Where every byte goes.
    pub memory: MemoryUse,
    /// Whether it fits.
    pub fit: Fit,
    /// Speed of writing; null when refused.
    pub decode: Option<Decode>,
    /// Speed of reading; null when refused.
    pub prefill: Option<Prefill>,
    /// Time to the first token in seconds; null when refused.
    pub ttft_s: Option<Interval>,
    /// Decode speed over the context.
    pub curve: Vec<CurvePoint>,
    /// The arithmetic.
    pub steps: Vec<Step>,
    /// Remarks.
    pub warnings: Vec<Warning>,
    /// Where it doesn't fit: the cheapest changes that make it, each with what it costs.
    pub ways: Vec<Way>,
    /// Parts that can't be answered.
    pub refusals: Vec<Refused>,
    /// Version of the method.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub methodology: Text,
    /// The page with this answer, from the root of the site; empty for a model of the user's own,
    /// which no page knows.
    pub permalink: String,
}

/// Answers a question.
///
/// # Errors
/// Every input that can't be used.
pub fn ask(question: &Question) -> Result<Answer, Vec<FieldError>> {
    let resolved = resolve(question)?;
    Ok(answer(&resolved, question, &resolve))
}

/// Answers a question about a model of the user's own. No page shows such an answer, so it has no
/// permalink.
///
/// # Errors
/// Every input that can't be used; a name of a model beside the file, too.
pub fn ask_own(question: &Question, own: &Arc<OwnModel>) -> Result<Answer, Vec<FieldError>> {
    let again = |question: &Question| resolve_own(question, own);
    let resolved = again(question)?;
    Ok(answer(&resolved, question, &again))
}

/// Answers a resolved question.
#[must_use]
pub fn answer(resolved: &Resolved, question: &Question, resolve: Resolver<'_>) -> Answer {
    let scenario = resolved.scenario();
    let estimate = estimate::estimate(&scenario, Calibration::priors());
    let ways = ways_out(question, resolved, &estimate, resolve);
    Answer {
        inputs: resolved.inputs(),
        memory: memory(&estimate, resolved),
        fit: fit(&estimate),
        decode: estimate.decode.as_ref().ok().map(|speed| Decode {
            tok_s: tokens_per_second(speed.rate),
            total_tok_s: tokens_per_second(speed.total),
            tpot_ms: milliseconds(speed.time),
            at_context: scenario.decode_depth(),
            bound: speed.bound.name().into(),
            bound_share: speed.parts.bound_share(),
            gain_from_doubling: speed.parts.gain_from_doubling(),
            basis: speed.basis.name().into(),
            runs: speed.runs,
            parts_ms: parts(speed),
        }),
        prefill: estimate.prefill.as_ref().ok().map(|speed| Prefill {
            tok_s: tokens_per_second(speed.rate),
            bound: speed.bound.name().into(),
            bound_share: speed.parts.bound_share(),
            gain_from_doubling: speed.parts.gain_from_doubling(),
            basis: speed.basis.name().into(),
            runs: speed.runs,
            parts_ms: parts(speed),
        }),
        ttft_s: estimate.ttft.map(|range| interval(range.map(Seconds::get))),
        curve: estimate
            .curve
            .iter()
            .map(|point| CurvePoint {
                context: point.context,
                tok_s: point.rate.typical.get(),
                low: point.rate.low.get(),
                high: point.rate.high.get(),
            })
            .collect(),
        steps: estimate
            .steps
            .iter()
            .map(|step| Step {
                part: step.part.into(),
                symbol: step.symbol.into(),
                what: step.what.into(),
                formula: step.formula.into(),
                value: step.value,
                unit: step.unit.symbol().into(),
                text: crate::text::quantity(step.value, step.unit),
                source: step.source.into(),
            })
            .collect(),
        warnings: estimate
            .warnings
            .iter()
            .map(|warning| Warning {
                code: warning.code.into(),
                text: warning.text.clone(),
            })
            .collect(),
        refusals: refusals(&estimate, resolved, &ways),
        ways,
        methodology: METHODOLOGY.into(),
        permalink: resolved.permalink(question),
    }
}

fn interval(range: Range<f64>) -> Interval {
    Interval {
        low: range.low,
        typical: range.typical,
        high: range.high,
    }
}

fn tokens_per_second(range: Range<TokensPerSecond>) -> Interval {
    interval(range.map(TokensPerSecond::get))
}

fn milliseconds(range: Range<Seconds>) -> Interval {
    interval(range.map(Seconds::to_ms))
}

fn parts(speed: &Speed) -> TimeParts {
    TimeParts {
        weights: speed.parts.weights.to_ms(),
        kv_cache: speed.parts.cache.to_ms(),
        compute: speed.parts.compute.to_ms(),
        overhead: speed.parts.overhead.to_ms(),
        link: speed.parts.link.to_ms(),
    }
}

fn fit(estimate: &Estimate) -> Fit {
    let whole = |bytes: Bytes| i64::try_from(bytes.round()).unwrap_or(i64::MAX);
    let (verdict, headroom) = match &estimate.verdict {
        Ok(verdict) => (
            verdict.name(),
            Some(match *verdict {
                Verdict::Fits(left) | Verdict::Tight(left) => whole(left),
                Verdict::NeedsOffload(missing) | Verdict::DoesNotFit(missing) => -whole(missing),
            }),
        ),
        Err(_) => ("unknown", None),
    };
    Fit {
        verdict: verdict.into(),
        headroom_bytes: headroom,
        largest_context: estimate.largest_context,
    }
}

/// What isn't answered; where ways out were computed, the general hint gives way to what they leave out.
fn refusals(estimate: &Estimate, resolved: &Resolved, ways: &[Way]) -> Vec<Refused> {
    let smaller = || {
        format!(
            "or take a smaller model: `bandwise what-runs --hardware '{}'{}` lists what runs here",
            resolved.inputs().hardware,
            match resolved.scenario() {
                scenario if scenario.is_mixed() || scenario.count() == 1 => String::new(),
                scenario => format!(" --count {}", scenario.count()),
            }
        )
    };
    let refused = |refusal: &Refusal| Refused {
        part: refusal.part.name().into(),
        missing: refusal.missing.clone(),
        hint: if ways.is_empty() {
            refusal.hint.clone()
        } else {
            Some(smaller())
        },
    };
    [
        estimate.verdict.as_ref().err(),
        estimate.decode.as_ref().err(),
        estimate.prefill.as_ref().err(),
    ]
    .into_iter()
    .flatten()
    .map(refused)
    .collect()
}
