//! `what-runs`: the models a machine runs, narrowed and ordered.

use std::cmp::Ordering;

use answer::Field;
use answer::tables::{self, RunRow};

use crate::args::{Sort, WhatRuns};
use crate::commands::Done;
use crate::failure::Failure;
use crate::print::{self, Style};

/// Rows of a table when no limit is given.
const LIMIT: usize = 20;

pub(crate) fn run(asked: &WhatRuns, json: bool, style: Style) -> Result<Done, Failure> {
    let slowest = asked.min_tok_s.as_deref().map(speed).transpose()?;
    let limit = asked.limit.as_deref().map(limit).transpose()?;
    let mut list = tables::what_runs(&asked.inputs.0)?;
    if let Some(slowest) = slowest {
        list.rows.retain(|row| typical(row) >= slowest);
    }
    if asked.sort == Sort::Speed {
        // The order of the list, by size, stays where speeds are equal or unknown.
        list.rows.sort_by(|a, b| {
            typical(b)
                .partial_cmp(&typical(a))
                .unwrap_or(Ordering::Equal)
        });
    }
    if json {
        list.rows.truncate(limit.unwrap_or(usize::MAX));
        return Ok(Done::data(print::json(&list)));
    }
    Ok(Done::data(print::what_runs(
        &list,
        limit.unwrap_or(LIMIT),
        style,
    )))
}

/// The typical decode speed; what isn't known counts as none.
fn typical(row: &RunRow) -> f64 {
    row.tok_s.map_or(0.0, |speed| speed.typical)
}

fn speed(text: &str) -> Result<f64, Failure> {
    let refuse = || {
        Failure::one(
            "min-tok-s",
            text,
            "must be a number of tokens a second, such as 20",
            None,
        )
    };
    // The words of a field that doesn't matter here are replaced by the flag's own.
    answer::number::decimal(Field::Count, text, &[]).map_err(|_| refuse())
}

fn limit(text: &str) -> Result<usize, Failure> {
    match text.trim().parse() {
        Ok(0) => Ok(usize::MAX),
        Ok(limit) => Ok(limit),
        Err(_) => Err(Failure::one(
            "limit",
            text,
            "must be a whole number, such as 20, or 0 for all",
            None,
        )),
    }
}
