//! One row against its estimate.

use std::num::NonZeroUsize;

use answer::answer::{Answer, Interval, answer};
use answer::{Question, Resolved, resolve};
use run_db::{Metric, Run};

use crate::asked::{Asked, Figure, ask};
use crate::engines::Relation;
use crate::memory::Part;
use crate::naive::RULES;
use crate::reason::Reason;
use crate::rows::Row;

/// A row and what was estimated for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The row.
    pub run: Run,
    /// The estimate, or why there is none.
    pub estimate: Result<Estimated, Reason>,
}

/// An estimate of a row's figure, in the unit of its metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimated {
    /// The figure.
    pub typical: f64,
    /// Low and high, where the answer has an interval.
    pub interval: Option<(f64, f64)>,
    /// What each rule of thumb gives, in the order of [`RULES`]; empty where they say nothing.
    pub naive: Vec<Option<f64>>,
    /// Of memory, which part.
    pub part: Option<Part>,
    /// How the printed engine is related to the one asked about.
    pub relation: Relation,
    /// What the factors rest on: `calibrated`, `prior`, …
    pub basis: String,
    /// The page with the answer, from the root of the site.
    pub permalink: String,
}

impl Estimated {
    /// Estimate ÷ measured.
    #[must_use]
    pub fn ratio(&self, measured: f64) -> f64 {
        self.typical / measured
    }

    /// Whether the measured figure lies in the interval; `None` where there is none.
    #[must_use]
    pub fn covers(&self, measured: f64) -> Option<bool> {
        self.interval
            .map(|(low, high)| (low..=high).contains(&measured))
    }
}

/// Compares a row with its estimate.
#[must_use]
pub fn compare(run: Run) -> Compared {
    let estimate = ask(&run).and_then(|asked| estimate(&run, &asked));
    Compared { run, estimate }
}

/// Compares many rows, in their order; those that can't be read come back with their reason.
#[must_use]
pub fn compare_all(rows: Vec<Row>) -> (Vec<Compared>, Vec<(String, Reason)>) {
    let mut unreadable = Vec::new();
    let mut runs = Vec::new();
    for row in rows {
        match row {
            Ok(run) => runs.push(run),
            Err(problem) => unreadable.push(problem),
        }
    }
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let length = runs.len().div_ceil(threads).max(1);
    let mut compared = Vec::with_capacity(runs.len());
    std::thread::scope(|scope| {
        let workers: Vec<_> = runs
            .chunks(length)
            .map(|chunk| {
                scope.spawn(|| {
                    chunk
                        .iter()
                        .cloned()
                        .map(compare)
                        .collect::<Vec<Compared>>()
                })
            })
            .collect();
        for (worker, chunk) in workers.into_iter().zip(runs.chunks(length)) {
            // A worker that failed would have panicked; its rows are compared here, in the open.
            compared.extend(
                worker
                    .join()
                    .unwrap_or_else(|_| chunk.iter().cloned().map(compare).collect()),
            );
        }
    });
    (compared, unreadable)
}

/// The answer without the ways out of what doesn't fit, which ask many questions more.
fn answered(question: &Question) -> Result<(Resolved, Answer), Reason> {
    let resolved = resolve(question)?;
    let answer = answer(&resolved, question, &|_| Err(Vec::new()));
    Ok((resolved, answer))
}

fn estimate(run: &Run, asked: &Asked) -> Result<Estimated, Reason> {
    let (resolved, answer) = answered(&asked.question)?;
    let interval = interval(asked, &answer)?;
    let naive = match run.metric {
        Metric::Decode if run.concurrency.unwrap_or(1) == 1 => RULES
            .iter()
            .map(|rule| rule.decode(&resolved, answer.memory.file_bytes))
            .collect(),
        _ => Vec::new(),
    };
    let basis = match &asked.figure {
        Figure::Memory(_) => "computed",
        Figure::Prefill { .. } => answer.prefill.as_ref().map_or("", |speed| &speed.basis),
        _ => answer.decode.as_ref().map_or("", |speed| &speed.basis),
    };
    Ok(Estimated {
        typical: interval.typical,
        interval: asked
            .figure
            .part()
            .is_none()
            .then_some((interval.low, interval.high)),
        naive,
        part: asked.figure.part(),
        relation: asked.relation,
        basis: basis.to_owned(),
        permalink: asked.question.permalink(),
    })
}

fn interval(asked: &Asked, answer: &Answer) -> Result<Interval, Reason> {
    let no = |part: &str| refused(answer, part);
    let decode = || answer.decode.as_ref().ok_or_else(|| no("decode"));
    let ttft = || answer.ttft_s.ok_or_else(|| no("prefill"));
    match &asked.figure {
        Figure::Decode => Ok(decode()?.tok_s),
        Figure::DecodeTotal => Ok(decode()?.total_tok_s),
        Figure::Tpot => Ok(decode()?.tpot_ms),
        Figure::Ttft => ttft(),
        Figure::Served { output, requests } => {
            let (first, each) = (ttft()?, decode()?.tpot_ms);
            let tokens = f64::from(*output);
            let rate = |first: f64, each_ms: f64| {
                tokens * f64::from(*requests) / (first + each_ms / 1000.0 * tokens)
            };
            Ok(Interval {
                low: rate(first.high, each.high),
                typical: rate(first.typical, each.typical),
                high: rate(first.low, each.low),
            })
        }
        Figure::Prefill {
            before,
            prompt,
            depth,
        } => {
            let all = answer.prefill.as_ref().ok_or_else(|| no("prefill"))?.tok_s;
            match before {
                None => Ok(all),
                Some(before) => after(all, before, *prompt, *depth),
            }
        }
        Figure::Memory(asked) => {
            let gib = asked.of(&answer.memory)?;
            Ok(Interval {
                low: gib,
                typical: gib,
                high: gib,
            })
        }
    }
}

/// The rate of the last `prompt` tokens of a longer text, whose first `depth` were read before.
fn after(all: Interval, before: &Question, prompt: u32, depth: u32) -> Result<Interval, Reason> {
    let (_, answer) = answered(before)?;
    let first = answer
        .prefill
        .as_ref()
        .ok_or_else(|| refused(&answer, "prefill"))?
        .tok_s;
    let (prompt, depth) = (f64::from(prompt), f64::from(depth));
    let typical = prompt / ((prompt + depth) / all.typical - depth / first.typical);
    if !(typical.is_finite() && typical > 0.0) {
        return Err(Reason::Refused {
            part: "prefill".to_owned(),
            missing: "the time of the last tokens".to_owned(),
        });
    }
    // The spread is that of the whole: the same factors hold for both parts.
    Ok(Interval {
        low: typical * all.low / all.typical,
        typical,
        high: typical * all.high / all.typical,
    })
}

fn refused(answer: &Answer, part: &str) -> Reason {
    let missing = answer
        .refusals
        .iter()
        .find(|refusal| refusal.part == part)
        .or(answer.refusals.last())
        .map(|refusal| refusal.missing.clone());
    Reason::Refused {
        part: part.to_owned(),
        missing: missing.unwrap_or_default(),
    }
}
