//! `validate`: estimates against measured runs.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::Serialize;
use validation::report::Each;
use validation::rows::{self, Row};
use validation::{Report, compare_all};

use crate::args::Validate;
use crate::commands::Done;
use crate::failure::Failure;
use crate::print::{self, Style};

#[derive(Serialize)]
struct Json {
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<Vec<Each>>,
}

pub(crate) fn run(asked: &Validate, json: bool, style: Style) -> Result<Done, Failure> {
    let mut rows = match &asked.runs {
        Some(path) => read(path)?,
        None => validation::known_runs(),
    };
    if let Some(metric) = &asked.metric {
        if !validation::is_metric(metric) {
            let names = validation::metrics().join(", ");
            let problem = format!("unknown metric; there are {names}");
            return Err(Failure::one("metric", metric, problem, None));
        }
        rows.retain(|row| row.as_ref().is_ok_and(|run| run.metric.name() == metric));
    }
    let (mut compared, unreadable) = compare_all(rows);
    if let Some(slice) = &asked.slice {
        compared.retain(|row| validation::slices::of(row).contains(slice));
        if compared.is_empty() {
            let hint = Some("`bandwise validate` lists all slices".to_owned());
            return Err(Failure::one(
                "slice",
                slice,
                "no row is in this slice",
                hint,
            ));
        }
    }
    let report = Report::of(&compared, &unreadable);
    let each = asked.each.then(|| Each::of(&compared, &unreadable));
    Ok(Done::data(if json {
        print::json(&Json { report, each })
    } else {
        match each {
            Some(each) => print::rows(&each, style),
            None => print::report(&report, style),
        }
    }))
}

fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let name = path.display().to_string();
    let unusable = |problem: String| Failure::one("runs", &name, problem, None);
    let rows = if name == "-" {
        rows::read(io::stdin().lock())
    } else {
        let file = File::open(path).map_err(|error| unusable(format!("can't be read: {error}")))?;
        rows::read(file)
    };
    rows.map_err(|error| unusable(error.to_string()))
}
