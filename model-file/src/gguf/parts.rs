//! Models split over several GGUF files.

use super::keys::number;
use super::{Header, Metadata};
use crate::error::ReadError;
use crate::own::OwnModel;

/// The model that the headers of all parts of a split file describe, in any order.
///
/// The first part has the metadata, each has its own tensors (`tools/gguf-split` of llama.cpp).
///
/// # Errors
/// Parts that are missing, twice there or of different files, and whatever a header's model can
/// be refused for.
pub fn join(headers: &[Header], assume: Option<&str>) -> Result<OwnModel, ReadError> {
    let mut parts: Vec<(u32, u32, &Header)> = Vec::new();
    for header in headers {
        let count = key(&header.metadata, "split.count")?.unwrap_or(1);
        parts.push((
            key(&header.metadata, "split.no")?.unwrap_or(0),
            count,
            header,
        ));
    }
    parts.sort_by_key(|(number, ..)| *number);
    let refuse = |what: String| Err(ReadError::Parts { what });
    let Some((_, count, first)) = parts.first() else {
        return Err(ReadError::Empty);
    };
    if usize::try_from(*count) != Ok(parts.len()) {
        return refuse(format!(
            "a split file has {count} parts, {} were given",
            parts.len()
        ));
    }
    let mut whole = Header {
        tensors: Vec::new(),
        data_offset: 0,
        ..(*first).clone()
    };
    for (expected, (number, of, header)) in (0_u32..).zip(&parts) {
        if *number != expected || of != count {
            return refuse(format!(
                "parts of a split file don't fit: part {} of {of} where part {} of {count} belongs",
                u64::from(*number).saturating_add(1),
                u64::from(expected).saturating_add(1)
            ));
        }
        let begin = whole.data_offset;
        whole.data_offset = begin.saturating_add(header.end());
        whole.tensors.extend(header.tensors.iter().cloned());
    }
    let declared = key(&first.metadata, "split.tensors.count")?;
    if let Some(declared) = declared
        && usize::try_from(declared) != Ok(whole.tensors.len())
    {
        return Err(ReadError::Disagree {
            key: "split.tensors.count".to_owned(),
            value: declared.to_string(),
            other: format!("the parts have {} tensors", whole.tensors.len()),
        });
    }
    let mut model = super::architecture::described(&whole, assume)?;
    if let Some(inventory) = &mut model.inventory {
        inventory.file = whole.data_offset;
    }
    Ok(model)
}

fn key(metadata: &Metadata, name: &str) -> Result<Option<u32>, ReadError> {
    metadata
        .get(name)
        .map(|value| number(name, value))
        .transpose()
}
