//! `formats`: what a model takes in each format.

use answer::formats::{self, Asked};

use crate::args::Formats;
use crate::commands::Done;
use crate::failure::Failure;
use crate::model_file;
use crate::print::{self, Style};

pub(crate) fn run(asked: &Formats, json: bool, style: Style) -> Result<Done, Failure> {
    let question = Asked {
        model: asked.model.as_deref(),
        family: if asked.all {
            Some("all")
        } else {
            asked.family.as_deref()
        },
        format: asked.format.as_deref(),
    };
    let list = if asked.model_file.is_empty() {
        formats::formats(&question)?
    } else {
        let own = model_file::read(&asked.model_file, asked.assume_family.as_deref())?;
        formats::formats_own(&own, &question)?
    };
    Ok(Done::data(if json {
        print::json(&list)
    } else {
        print::formats(&list, style)
    }))
}
