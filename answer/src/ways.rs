//! Ways out when a set-up doesn't fit, each with what it costs.

use estimator::calibration::Calibration;
use estimator::error::Field;
use estimator::estimate::{self, Estimate};
use estimator::weights::Weights;
use serde::{Deserialize, Serialize};

mod candidates;

use candidates::{both, cache, context, devices, disk, formats, freed, offload, slots};

use crate::answer::Text;
use crate::question::Question;
use crate::resolve::{Resolved, Resolver};
use crate::text;

/// As many ways are shown.
const SHOWN: usize = 3;

/// A change that makes a set-up fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Way {
    /// The inputs to change.
    pub set: Vec<Setting>,
    /// The change in words.
    pub change: String,
    /// What it costs, in words.
    pub cost: String,
    /// `fits`, `tight` or `needs_offload`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub verdict: Text,
    /// Typical decode speed then; null when it can't be estimated.
    pub tok_s: Option<f64>,
    /// The page with the change made; empty for a model of the user's own.
    pub permalink: String,
}

/// An input and what to set it to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Setting {
    /// The input.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub field: Text,
    /// What to set it to.
    pub value: String,
}

/// What a change costs, from least to most. The ways shown are the cheapest of different kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cost {
    /// Nothing that is asked for.
    Nothing,
    /// Precision of the cache.
    CachePrecision,
    /// Part of the context.
    Context,
    /// Precision of the weights.
    Precision,
    /// Speed.
    Speed,
    /// Money.
    Money,
    /// Most of the context, or weights below four bits.
    Much,
}

/// A change and how to judge it.
struct Candidate {
    cost: Cost,
    field: Field,
    asked: Question,
    question: Question,
    change: String,
}

/// Below so many bits a weight, quality suffers in every published comparison.
const FEW_BITS: f64 = 4.0;

/// The cheapest ways to make a question's set-up fit, of different kinds; none when it fits.
///
/// `resolve` finds the names of a changed question.
pub(crate) fn ways_out(
    question: &Question,
    resolved: &Resolved,
    asked: &Estimate,
    resolve: Resolver<'_>,
) -> Vec<Way> {
    if asked
        .verdict
        .as_ref()
        .map_or(true, |verdict| verdict.fits())
    {
        return Vec::new();
    }
    let mut kinds: Vec<Vec<Candidate>> = vec![
        freed(question, resolved),
        slots(question, resolved),
        cache(question, resolved),
        context(question, resolved),
        formats(question, resolved),
        both(question, resolved),
        offload(question, resolved),
        disk(question, resolved),
        devices(question, resolved),
    ];
    let mut ways: Vec<(Cost, Way)> = Vec::new();
    for candidates in &mut kinds {
        let found = candidates.drain(..).find_map(|candidate| {
            let changed = resolve(&candidate.question).ok()?;
            way(candidate, resolved, &changed, asked)
        });
        ways.extend(found);
    }
    // Two changes at once are of use only where they spare weights below four bits.
    let of_format = |way: &Way| way.set.iter().any(|set| set.field == "format");
    let one = ways
        .iter()
        .position(|(_, way)| of_format(way) && way.set.len() == 1);
    let two = ways
        .iter()
        .position(|(_, way)| of_format(way) && way.set.len() == 2);
    match (one, two) {
        (Some(one), Some(two)) if ways[one].0 <= ways[two].0 => drop(ways.remove(two)),
        (Some(one), Some(_)) => drop(ways.remove(one)),
        _ => {}
    }
    ways.sort_by_key(|(cost, _)| *cost);
    ways.truncate(SHOWN);
    ways.into_iter().map(|(_, way)| way).collect()
}

/// The way a changed set-up is, if it helps.
fn way(
    candidate: Candidate,
    before: &Resolved,
    changed: &Resolved,
    asked: &Estimate,
) -> Option<(Cost, Way)> {
    let scenario = changed.scenario().check().ok()?;
    // More devices than can share the layers' heads would take turns instead, and be slower.
    if candidate.field == Field::Count && changed.split != before.split {
        return None;
    }
    let estimate = estimate::estimate(&scenario, Calibration::priors());
    let verdict = estimate.verdict.as_ref().ok()?;
    let offloads = matches!(candidate.field, Field::Ram | Field::Ssd);
    if !verdict.fits() && !offloads || verdict.name() == "does_not_fit" {
        return None;
    }
    let speed = |estimate: &Estimate| {
        let decode = estimate.decode.as_ref().ok()?;
        Some(decode.rate.typical.get())
    };
    let tok_s = speed(&estimate);
    // More RAM or a disk is of no use where it changes nothing.
    if offloads
        && speed(asked)
            .zip(tok_s)
            .is_some_and(|(now, then)| then <= now)
    {
        return None;
    }
    let mut cost = candidate.cost;
    let mut costs = match candidate.field {
        Field::KvType => format!(
            "the cache keeps {} instead of {}: half the bits or fewer, and a loss of quality that no source \
             here puts a figure to",
            changed.kv_type.name(),
            before.kv_type.name()
        ),
        Field::Context => {
            if changed.workload.context * 2 < before.workload.context {
                cost = Cost::Much;
            }
            format!(
                "{} tokens of context less",
                text::count(before.workload.context - changed.workload.context)
            )
        }
        Field::Format => {
            let bits = |resolved: &Resolved| {
                Weights::of(&resolved.architecture, &resolved.format).bits_per_weight()
            };
            let (now, then) = (bits(before), bits(changed));
            if then < FEW_BITS {
                cost = Cost::Much;
            }
            format!(
                "{} bits a weight instead of {}: quality falls with them",
                text::digits(then),
                text::digits(now)
            )
        }
        Field::Ram => "speed: what lies in RAM is read at its bandwidth".to_owned(),
        Field::Ssd => "speed: what lies on disk is read at its rate".to_owned(),
        Field::Reserve => "whatever is shown or run there".to_owned(),
        Field::Count | Field::Hardware => "the price of the hardware".to_owned(),
        _ => "nothing that was asked for".to_owned(),
    };
    if let (Some(then), Some(now)) = (tok_s, speed(asked)) {
        costs.push_str(&format!(
            "; {} tok/s, against {} as asked",
            text::digits(then),
            text::digits(now)
        ));
    } else if let Some(then) = tok_s {
        costs.push_str(&format!("; {} tok/s", text::digits(then)));
    }
    let set = candidate
        .question
        .typed()
        .filter(|(field, value)| candidate.asked.get(*field) != Some(value))
        .map(|(field, value)| Setting {
            field: field.name().into(),
            value: value.to_owned(),
        })
        .collect();
    Some((
        cost,
        Way {
            set,
            change: candidate.change,
            cost: costs,
            verdict: verdict.name().into(),
            tok_s,
            permalink: before.permalink(&candidate.question),
        },
    ))
}

#[cfg(test)]
mod tests {
    use crate::{Field, Question, ask};

    fn ways(inputs: &[(Field, &str)]) -> Vec<crate::ways::Way> {
        let question = inputs
            .iter()
            .fold(Question::default(), |question, (field, text)| {
                question.with(*field, *text)
            });
        ask(&question).unwrap().ways
    }

    #[test]
    fn what_fits_needs_no_way_out() {
        let fits = [
            (Field::Hardware, "rtx-4090"),
            (Field::Model, "llama-3.1-8b"),
        ];
        assert!(ways(&fits).is_empty());
    }

    #[test]
    fn a_32b_at_32k_on_24_gb_is_told_of_the_cache_the_context_and_the_format() {
        let ways = ways(&[
            (Field::Hardware, "rtx-3090"),
            (Field::Model, "qwen3-32b"),
            (Field::Format, "Q4_K_M"),
            (Field::Context, "32768"),
        ]);
        let fields: Vec<_> = ways.iter().map(|way| &*way.set[0].field).collect();
        assert_eq!(fields, ["kv-type", "context", "format"], "{ways:#?}");
    }

    #[test]
    fn every_way_leads_to_a_page_where_it_runs() {
        for model in ["llama-3.3-70b", "gpt-oss-120b", "qwen3-235b-a22b"] {
            let found = ways(&[(Field::Hardware, "rtx-4090"), (Field::Model, model)]);
            assert!(!found.is_empty(), "{model}");
            for way in found {
                let (question, unknown) =
                    Question::from_query(way.permalink.trim_start_matches('/'));
                assert!(unknown.is_empty());
                let answer = ask(&question).unwrap();
                assert_eq!(answer.fit.verdict, way.verdict, "{way:#?}");
                assert_ne!(answer.fit.verdict, "does_not_fit");
                let tok_s = answer.decode.map(|decode| decode.tok_s.typical);
                assert_eq!(tok_s, way.tok_s);
            }
        }
    }
}
