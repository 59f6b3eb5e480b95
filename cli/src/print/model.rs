//! What was read from a model file.

use answer::own::Description;
use answer::text;

use crate::print::{Page, Style, Table, Tone, bytes, parameters};

/// The description as a page of text.
pub(crate) fn model(model: &Description, style: Style) -> String {
    let mut page = Page::new(style);
    let about = format!(
        "{}, {} parameters, {} of them work on a token; read from a {}",
        model.name,
        parameters(model.parameters),
        parameters(model.active_parameters),
        model.read_from
    );
    page.paragraph(Tone::Plain, &about);

    let mut table = Table::new(["what", "value"]);
    let unknown = || "unknown".to_owned();
    let count = |number: u32| text::count(u64::from(number));
    table.row(["family", &model.family]);
    table.row(["format", &model.format.clone().unwrap_or_else(unknown)]);
    table.row(["width", &count(model.hidden)]);
    let vocabulary = count(model.vocabulary);
    table.row([
        "vocabulary",
        &if model.tied_embeddings {
            format!("{vocabulary}, head and embedding are one")
        } else {
            vocabulary
        },
    ]);
    table.row(["context", &model.max_context.map_or_else(unknown, count)]);
    if let Some(file) = model.file_bytes {
        table.row(["file", &bytes(file)]);
    }
    if let Some(tensors) = model.tensor_bytes {
        table.row(["its tensors", &bytes(tensors)]);
    }
    for (what, size) in [
        ("prediction layers", model.prediction_bytes),
        ("towers", model.vision_bytes),
    ] {
        if size > 0 {
            table.row([what, &bytes(size)]);
        }
    }
    for kind in &model.layer_kinds {
        table.row([&format!("{} layers", kind.layers), &kind.what]);
    }
    page.table(table);

    let mut parts = Table::new(["part", ">parameters"]);
    for (part, count) in &model.parameters_by_part {
        parts.row([*part, &parameters(*count)]);
    }
    page.table(parts);
    if !model.bytes_by_type.is_empty() {
        let mut types = Table::new(["type", ">bytes"]);
        for (kind, size) in &model.bytes_by_type {
            types.row([kind.as_str(), &bytes(*size)]);
        }
        page.table(types);
    }
    page.list("Assumed", model.assumed.iter().cloned());
    page.list("Notes", model.notes.iter().cloned());
    page.finish()
}
