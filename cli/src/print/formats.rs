//! What a model takes in each format.

use answer::formats::{FormatList, FormatRow};
use estimator::num;

use crate::print::{Page, Style, Table, Tone, bytes, parameters};

/// Width of a table with the types of the tensors.
const WIDE: u16 = 90;

/// The list as a page of text.
pub(crate) fn formats(list: &FormatList, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(
        Tone::Plain,
        &format!("{}, {} parameters", list.name, parameters(list.parameters)),
    );
    let types = style.has_room(WIDE);
    let mut table = Table::new(
        ["=format", ">file", ">bits/weight", ">resident"]
            .into_iter()
            .chain(types.then_some("types")),
    );
    for row in &list.formats {
        table.row(
            [
                row.input.clone(),
                bytes(row.file_bytes),
                format!("{:.2}", row.bits_per_weight),
                bytes(row.resident_bytes),
            ]
            .into_iter()
            .chain(types.then(|| self::types(row))),
        );
    }
    page.table(table);
    page.finish()
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
