//! `model`: what a model file says.

use answer::own;

use crate::args::Model;
use crate::commands::Done;
use crate::failure::Failure;
use crate::model_file;
use crate::print::{self, Style};

pub(crate) fn run(asked: &Model, json: bool, style: Style) -> Result<Done, Failure> {
    let model = model_file::read(&asked.files, asked.assume_family.as_deref())?;
    let description = own::describe(&model);
    Ok(Done::data(if json {
        print::json(&description)
    } else {
        print::model(&description, style)
    }))
}
