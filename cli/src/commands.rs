//! What each command does: ask, and say how the answer is printed.

mod catalogue;
mod formats;
mod hardware;
mod models;
mod validate;
mod what_runs;

use answer::{Answer, Question, tables};

use crate::NO;
use crate::args::{Cli, Command, Estimate};
use crate::failure::Failure;
use crate::print::{self, Style};

/// A command that ran.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    /// What was asked for.
    pub(crate) data: String,
    /// What else there is to say.
    pub(crate) remarks: String,
    /// The exit code.
    pub(crate) code: u8,
}

impl Done {
    pub(crate) fn data(data: String) -> Self {
        Self {
            data,
            ..Self::default()
        }
    }
}

/// Runs the command that was typed.
pub(crate) fn run(cli: &Cli, style: Style) -> Result<Done, Failure> {
    let json = cli.output.json;
    match &cli.command {
        Command::Estimate(estimate) => self::estimate(estimate, json, style),
        Command::Explain(inputs) => {
            let answer = ask(&inputs.0)?;
            Ok(Done::data(if json {
                print::json(&answer.steps)
            } else {
                print::steps(&answer, style)
            }))
        }
        Command::Fit(inputs) => {
            let table = tables::fit_table(&inputs.0)?;
            let text = || print::fit(&table, &inputs.0.permalink(), style);
            Ok(Done::data(if json { print::json(&table) } else { text() }))
        }
        Command::Formats(formats) => formats::run(formats, json, style),
        Command::WhatRuns(what_runs) => what_runs::run(what_runs, json, style),
        Command::Validate(validate) => validate::run(validate, json, style),
        Command::Hardware(hardware) => hardware::run(hardware, json, style),
        Command::Models(models) => models::run(models, json, style),
    }
}

fn ask(question: &Question) -> Result<Answer, Failure> {
    Ok(answer::ask(question)?)
}

fn estimate(estimate: &Estimate, json: bool, style: Style) -> Result<Done, Failure> {
    let answer = ask(&estimate.inputs.0)?;
    let data = if json {
        print::json(&answer)
    } else {
        print::estimate(&answer, style)
    };
    let code = if estimate.check && !answer.fits() {
        NO
    } else {
        0
    };
    Ok(Done {
        data,
        code,
        ..Done::default()
    })
}
