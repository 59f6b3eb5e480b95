//! What each command does: ask, and say how the answer is printed.

mod catalogue;
mod formats;
mod hardware;
mod model;
mod models;
mod validate;
mod what_runs;

use std::sync::Arc;

use ::model_file::OwnModel;
use answer::{Answer, tables};

use crate::NO;
use crate::args::{About, Cli, Command, Estimate};
use crate::failure::Failure;
use crate::model_file;
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
        Command::Explain(about) => {
            let answer = ask(about)?;
            Ok(Done::data(if json {
                print::json(&answer.steps)
            } else {
                print::steps(&answer, style)
            }))
        }
        Command::Fit(about) => {
            let question = &about.inputs.0;
            let (table, page) = match own(about)? {
                Some(own) => (tables::fit_table_own(question, &own)?, String::new()),
                None => (tables::fit_table(question)?, question.permalink()),
            };
            let text = || print::fit(&table, &page, style);
            Ok(Done::data(if json { print::json(&table) } else { text() }))
        }
        Command::Formats(formats) => formats::run(formats, json, style),
        Command::Flags(about) => {
            let question = &about.inputs.0;
            let flags = match own(about)? {
                Some(own) => answer::flags::flags_own(question, &own)?,
                None => answer::flags::flags(question)?,
            };
            Ok(Done::data(if json {
                print::json(&flags)
            } else {
                print::flags(&flags, style)
            }))
        }
        Command::WhatRuns(what_runs) => what_runs::run(what_runs, json, style),
        Command::Validate(validate) => validate::run(validate, json, style),
        Command::Hardware(hardware) => hardware::run(hardware, json, style),
        Command::Models(models) => models::run(models, json, style),
        Command::Model(model) => model::run(model, json, style),
    }
}

fn ask(about: &About) -> Result<Answer, Failure> {
    let question = &about.inputs.0;
    Ok(match own(about)? {
        Some(own) => answer::ask_own(question, &own)?,
        None => answer::ask(question)?,
    })
}

/// The model of the user's own that is asked about, if files were given.
fn own(about: &About) -> Result<Option<Arc<OwnModel>>, Failure> {
    if about.model_file.is_empty() {
        return Ok(None);
    }
    model_file::read(&about.model_file, about.assume_family.as_deref()).map(Some)
}

fn estimate(estimate: &Estimate, json: bool, style: Style) -> Result<Done, Failure> {
    let answer = ask(&estimate.about)?;
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
