//! `models`: list, show and search models.

use answer::facts;
use model_db::{ModelRecord, models};
use serde::Serialize;

use crate::args::{Models, ModelsList};
use crate::commands::{Done, catalogue};
use crate::failure::Failure;
use crate::print::{self, Style, Table};

/// Width of a table with names beside the ids.
const WITH_NAMES: u16 = 125;

/// A model in a list.
#[derive(Debug, Serialize)]
struct Row {
    id: &'static str,
    name: &'static str,
    vendor: &'static str,
    family: &'static str,
    released: String,
    parameters: u64,
    active_parameters: u64,
    max_context: Option<u32>,
}

pub(crate) fn run(asked: &Models, json: bool, style: Style) -> Result<Done, Failure> {
    match asked {
        Models::List(filters) => Ok(list(&filtered(filters)?, json, style)),
        Models::Show { name } => {
            let record = find(&name.join(" "))?;
            let sheet = facts::model(record);
            Ok(Done::data(if json {
                print::json(&sheet)
            } else {
                print::facts(&sheet, style)
            }))
        }
        Models::Search { text } => {
            let found: Vec<_> = models()
                .iter()
                .filter(|model| catalogue::has_words(text, names(model)))
                .collect();
            if found.is_empty() {
                // A near name, or what a search by words doesn't see, such as an alias in other words.
                return Ok(list(&[find(&text.join(" "))?], json, style));
            }
            Ok(list(&found, json, style))
        }
    }
}

fn find(text: &str) -> Result<&'static ModelRecord, Failure> {
    model_db::find(text)
        .map_err(|unknown| Failure::unknown("model", text, "model", &unknown.nearest))
}

fn names(model: &ModelRecord) -> impl Iterator<Item = &str> {
    [&model.id, &model.name, &model.vendor]
        .into_iter()
        .chain(&model.aliases)
        .map(String::as_str)
}

fn filtered(filters: &ModelsList) -> Result<Vec<&'static ModelRecord>, Failure> {
    let families = catalogue::distinct(models().iter().map(|model| model.family.clone()));
    let family = filters
        .family
        .as_deref()
        .map(|text| catalogue::one_of("family", text, &families))
        .transpose()?;
    Ok(models()
        .iter()
        .filter(|model| family.as_ref().is_none_or(|family| model.family == *family))
        .collect())
}

fn list(models: &[&'static ModelRecord], json: bool, style: Style) -> Done {
    let rows = models.iter().map(|model| {
        let parameters = model.architecture().parameters();
        Row {
            id: &model.id,
            name: &model.name,
            vendor: &model.vendor,
            family: &model.family,
            released: model.released.to_string(),
            parameters: parameters.total,
            active_parameters: parameters.active,
            max_context: model.max_context(),
        }
    });
    if json {
        return Done::data(print::json(&rows.collect::<Vec<_>>()));
    }
    // The id says most of the name.
    let with_names = style.has_room(WITH_NAMES);
    let names = with_names.then_some("name");
    let mut table = Table::new(["=id"].into_iter().chain(names).chain([
        ">parameters",
        ">active",
        ">context",
        ">released",
    ]));
    for row in rows {
        let name = with_names.then(|| row.name.to_owned());
        let active = if row.active_parameters == row.parameters {
            String::new()
        } else {
            print::parameters(row.active_parameters)
        };
        let figures = [
            print::parameters(row.parameters),
            active,
            row.max_context
                .map(|limit| answer::text::tokens(u64::from(limit)))
                .unwrap_or_default(),
            row.released,
        ];
        table.row([row.id.to_owned()].into_iter().chain(name).chain(figures));
    }
    Done {
        data: table.print(style) + "\n",
        remarks: catalogue::counted(models.len(), "model"),
        code: 0,
    }
}
