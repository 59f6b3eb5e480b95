//! `models`: list, show and search models.

use model_db::{ModelRecord, models};
use serde::Serialize;

use crate::args::Models;
use crate::commands::{Done, catalogue};
use crate::failure::Failure;
use crate::print::{self, Style, Table};

/// A model in a list.
#[derive(Debug, Serialize)]
struct Row {
    id: &'static str,
    name: &'static str,
}

pub(crate) fn run(asked: &Models, json: bool, style: Style) -> Result<Done, Failure> {
    match asked {
        Models::List(_filters) => Ok(list(&models().iter().collect::<Vec<_>>(), json, style)),
        Models::Show { name } => Ok(list(&[find(&name.join(" "))?], json, style)),
        Models::Search { text } => {
            let found: Vec<_> = models()
                .iter()
                .filter(|model| catalogue::has_words(text, names(model)))
                .collect();
            if found.is_empty() {
                return Ok(list(&[find(&text.join(" "))?], json, style));
            }
            Ok(list(&found, json, style))
        }
    }
}

fn find(text: &str) -> Result<&'static ModelRecord, Failure> {
    model_db::find_with_rest(text)
        .map(|(m, _)| m)
        .map_err(|unknown| Failure::unknown("model", text, "model", &unknown.nearest))
}

fn names(model: &ModelRecord) -> impl Iterator<Item = &str> {
    [model.id.as_str(), &model.name].into_iter()
}

fn list(models: &[&'static ModelRecord], json: bool, style: Style) -> Done {
    let rows = models.iter().map(|model| Row {
        id: &model.id,
        name: &model.name,
    });
    if json {
        return Done::data(print::json(&rows.collect::<Vec<_>>()));
    }
    let mut table = Table::new(["=id", "name"]);
    for row in rows {
        table.row([row.id, row.name]);
    }
    Done {
        data: table.print(style) + "\n",
        ..Done::default()
    }
}
