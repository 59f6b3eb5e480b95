//! `formats`: what a model takes in each format.

use answer::formats::{self, Asked};

use crate::args::Formats;
use crate::commands::Done;
use crate::failure::Failure;
use crate::print::{self, Style};

pub(crate) fn run(asked: &Formats, json: bool, style: Style) -> Result<Done, Failure> {
    let list = formats::formats(&Asked {
        model: asked.model.as_deref(),
        family: if asked.all {
            Some("all")
        } else {
            asked.family.as_deref()
        },
        format: asked.format.as_deref(),
    })?;
    Ok(Done::data(if json {
        print::json(&list)
    } else {
        print::formats(&list, style)
    }))
}
