//! What a model takes in each format.

use answer::formats::{FormatList, FormatRow};
use estimator::num;

use crate::print::{Page, Style, Table, Tone, bytes, parameters};

/// Width of a table with what published files show.
const ROOMY: u16 = 70;
/// Width of a table with the types of the tensors, without and with that column.
const WIDE: [u16; 2] = [95, 118];

/// The list as a page of text.
pub(crate) fn formats(list: &FormatList, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(
        Tone::Plain,
        &format!("{}, {} parameters", list.name, parameters(list.parameters)),
    );
    let any = |is: fn(&FormatRow) -> bool| list.formats.iter().any(is);
    let measured = style.has_room(ROOMY) && any(|row| row.approximation.is_some());
    let types = style.has_room(WIDE[usize::from(measured)]);
    let columns = ["=format", ">file", ">bits/weight", ">resident"];
    let mut table = Table::new(
        columns
            .into_iter()
            .chain(measured.then_some(">published files"))
            .chain(types.then_some("types")),
    );
    for row in &list.formats {
        let cells = [
            row.input.clone(),
            bytes(row.file_bytes),
            format!("{:.2}", row.bits_per_weight),
            bytes(row.resident_bytes),
        ];
        table.row(
            cells
                .into_iter()
                .chain(measured.then(|| spread(row)))
                .chain(types.then(|| self::types(row))),
        );
    }
    page.table(table);
    if any(|row| row.input.ends_with("-imatrix")) {
        page.paragraph(
            Tone::Quiet,
            "`-imatrix` is what most published files are: quantized with an importance matrix.",
        );
    }
    if measured {
        page.paragraph(
            Tone::Quiet,
            "Names with an entry under `published files` have no rule; ± is the largest miss over so many.",
        );
    }
    let prediction = list.formats.iter().map(|row| row.prediction_bytes).max();
    if let Some(most) = prediction.filter(|most| *most > 0) {
        page.paragraph(
            Tone::Quiet,
            &format!(
                "Files hold up to {} of layers for multi-token prediction; those made without are smaller.",
                bytes(most)
            ),
        );
    }
    page.finish()
}

/// How far published files of the name lie from the row.
fn spread(row: &FormatRow) -> String {
    match &row.approximation {
        None => String::new(),
        Some(rests) if rests.files == 0 => "none seen".to_owned(),
        Some(rests) => format!("±{:.1} % of {}", rests.percent, rests.files),
    }
}

/// The types of the tensors, the largest first, each with its share of the bytes.
fn types(row: &FormatRow) -> String {
    let mut types: Vec<_> = row.bytes_by_type.iter().collect();
    types.sort_by(|one, other| other.1.cmp(one.1).then_with(|| one.0.cmp(other.0)));
    let all = num::f(row.tensor_bytes.max(1));
    types
        .iter()
        .map(|(name, bytes)| match num::f(**bytes) / all * 100.0 {
            share if share < 1.0 => format!("{name} <1%"),
            share => format!("{name} {share:.0}%"),
        })
        .collect::<Vec<_>>()
        .join(", ")
}
