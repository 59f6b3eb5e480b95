//! Errors by slice.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::compare::Compared;
use crate::naive::RULES;
use crate::reason::Reason;
use crate::slices;
use crate::statistics::{Errors, share};

/// How estimates compare with measured rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Rows given.
    pub rows: usize,
    /// Rows with an estimate.
    pub answered: usize,
    /// By metric and slice.
    pub by: Vec<Slice>,
    /// The rules of thumb, on the rows of decode they say something about.
    pub naive: Vec<Naive>,
    /// Rows without an estimate, by reason.
    pub unanswered: Vec<Unanswered>,
    /// Version of the method.
    pub methodology: String,
}

/// The rows of one metric in one slice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slice {
    /// The metric; `all` for all together.
    pub metric: &'static str,
    /// The slice: `all`, or what its rows have in common.
    pub slice: String,
    /// Rows.
    pub rows: usize,
    /// Rows with an estimate.
    pub answered: usize,
    /// Their errors; null where none has an estimate.
    #[serde(flatten)]
    pub errors: Option<Errors>,
    /// The share of measured figures in the interval; null where estimates have none.
    pub coverage_80: Option<f64>,
}

/// A rule of thumb on the rows of one slice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Naive {
    /// The rule.
    pub formula: &'static str,
    /// The metric.
    pub metric: &'static str,
    /// The slice.
    pub slice: String,
    /// Rows.
    pub rows: usize,
    /// Its errors.
    #[serde(flatten)]
    pub errors: Option<Errors>,
}

/// Rows of one metric without an estimate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unanswered {
    /// Why.
    pub reason: String,
    /// The metric.
    pub metric: &'static str,
    /// Rows.
    pub rows: usize,
    /// Of those, rows that might have been scored.
    pub scored: usize,
    /// What one of them says.
    pub example: String,
}

#[derive(Default)]
struct Group {
    rows: usize,
    ratios: Vec<f64>,
    covered: Vec<bool>,
    naive: Vec<Vec<f64>>,
}

impl Group {
    fn add(&mut self, compared: &Compared) {
        self.rows += 1;
        let measured = compared.run.value;
        let Ok(estimated) = &compared.estimate else {
            return;
        };
        self.ratios.push(estimated.ratio(measured));
        self.covered.extend(estimated.covers(measured));
        self.naive.resize(RULES.len(), Vec::new());
        for (of_rule, estimate) in self.naive.iter_mut().zip(&estimated.naive) {
            of_rule.extend(estimate.map(|estimate| estimate / measured));
        }
    }
}

impl Report {
    /// The report of compared rows, and of those that couldn't be read.
    #[must_use]
    pub fn of(compared: &[Compared], unreadable: &[(String, Reason)]) -> Self {
        let mut groups: BTreeMap<(&'static str, String), Group> = BTreeMap::new();
        let mut reasons: BTreeMap<(String, &'static str), Unanswered> = BTreeMap::new();
        for row in compared {
            let metric = row.run.metric.name();
            for slice in slices::of(row) {
                groups.entry((metric, slice)).or_default().add(row);
            }
            if let Err(reason) = &row.estimate {
                let scored = usize::from(row.run.quarantined().is_none());
                count(&mut reasons, reason, metric, scored);
            }
        }
        for (_, reason) in unreadable {
            count(&mut reasons, reason, "unknown", 1);
        }
        let mut unanswered: Vec<Unanswered> = reasons.into_values().collect();
        unanswered
            .sort_by(|a, b| (b.rows, &a.reason, a.metric).cmp(&(a.rows, &b.reason, b.metric)));
        let naive = groups.iter().flat_map(|((metric, slice), group)| {
            RULES
                .iter()
                .zip(&group.naive)
                .map(move |(rule, ratios)| Naive {
                    formula: rule.name,
                    metric,
                    slice: slice.clone(),
                    rows: ratios.len(),
                    errors: Errors::of(ratios),
                })
        });
        Self {
            rows: compared.len() + unreadable.len(),
            answered: compared.iter().filter(|row| row.estimate.is_ok()).count(),
            naive: naive.filter(|naive| naive.rows > 0).collect(),
            by: groups
                .into_iter()
                .map(|((metric, slice), group)| Slice {
                    metric,
                    slice,
                    rows: group.rows,
                    answered: group.ratios.len(),
                    errors: Errors::of(&group.ratios),
                    coverage_80: share(&group.covered, |covered| covered),
                })
                .collect(),
            unanswered,
            methodology: estimator::estimate::METHODOLOGY.to_owned(),
        }
    }

    /// The rows of a metric in a slice.
    #[must_use]
    pub fn slice(&self, metric: &str, slice: &str) -> Option<&Slice> {
        self.by
            .iter()
            .find(|row| row.metric == metric && row.slice == slice)
    }
}

fn count(
    reasons: &mut BTreeMap<(String, &'static str), Unanswered>,
    reason: &Reason,
    metric: &'static str,
    scored: usize,
) {
    let name = reason.name();
    let counted = reasons
        .entry((name.clone(), metric))
        .or_insert_with(|| Unanswered {
            reason: name,
            metric,
            rows: 0,
            scored: 0,
            example: reason.to_string(),
        });
    counted.rows += 1;
    counted.scored += scored;
}

/// A row with its estimate, or the reason there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Each {
    /// Its name.
    pub id: String,
    /// The devices.
    pub hardware: String,
    /// The model.
    pub model: String,
    /// The weight format.
    pub format: String,
    /// The engine.
    pub engine: String,
    /// The metric.
    pub metric: &'static str,
    /// Its quality.
    pub quality: &'static str,
    /// What was measured.
    pub measured: Option<f64>,
    /// What was estimated.
    pub estimate: Option<f64>,
    /// The low end.
    pub low: Option<f64>,
    /// The high end.
    pub high: Option<f64>,
    /// Estimate ÷ measured.
    pub ratio: Option<f64>,
    /// Why there is no estimate.
    pub reason: Option<String>,
    /// Where it was published.
    pub source: String,
    /// The page with the estimate, from the root of the site.
    pub permalink: Option<String>,
}

impl Each {
    /// The rows, those furthest from their estimate first and those without one last.
    #[must_use]
    pub fn of(compared: &[Compared], unreadable: &[(String, Reason)]) -> Vec<Self> {
        let mut each: Vec<Self> = compared.iter().map(Self::row).collect();
        let off = |row: &Self| row.ratio.map_or(-1.0, |ratio| ratio.max(1.0 / ratio));
        each.sort_by(|a, b| off(b).total_cmp(&off(a)));
        each.extend(unreadable.iter().map(|(id, reason)| Self {
            id: id.clone(),
            hardware: String::new(),
            model: String::new(),
            format: String::new(),
            engine: String::new(),
            metric: "",
            quality: "",
            measured: None,
            estimate: None,
            low: None,
            high: None,
            ratio: None,
            reason: Some(reason.to_string()),
            source: String::new(),
            permalink: None,
        }));
        each
    }

    fn row(compared: &Compared) -> Self {
        let run = &compared.run;
        let estimated = compared.estimate.as_ref().ok();
        let interval = estimated.and_then(|estimated| estimated.interval);
        Self {
            id: run.id.clone(),
            hardware: run.hardware.clone(),
            model: run.model.clone(),
            format: run.format.clone().unwrap_or_default(),
            engine: run.engine.clone(),
            metric: run.metric.name(),
            quality: run.quality.name(),
            measured: Some(run.value),
            estimate: estimated.map(|estimated| estimated.typical),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            ratio: estimated.map(|estimated| estimated.ratio(run.value)),
            reason: compared.estimate.as_ref().err().map(ToString::to_string),
            source: run.source.clone(),
            permalink: estimated.map(|estimated| estimated.permalink.clone()),
        }
    }
}
