//! What lies outside the layers: embeddings, head, final norm.

use estimator::architecture::Architecture;

use super::inventory::is_norm;
use super::keys::Keys;
use super::shapes::{Shapes, size};
use crate::error::ReadError;

/// An architecture without layers, with all that lies outside them.
pub(super) fn read(
    shapes: &Shapes<'_>,
    keys: Keys<'_>,
    model_type: &str,
) -> Result<Architecture, ReadError> {
    let embedding = shapes
        .outside
        .get("token_embd.weight")
        .ok_or_else(|| ReadError::Missing {
            key: "token_embd.weight".to_owned(),
        })?;
    let hidden = size(embedding, 0)?;
    let vocabulary = size(embedding, 1)?;
    let declared = keys.required("embedding_length")?;
    if declared != hidden {
        return Err(ReadError::Disagree {
            key: keys.name("embedding_length"),
            value: declared.to_string(),
            other: format!("tensor `{}` is {}", embedding.name, embedding.shape()),
        });
    }
    if let Some(declared) = keys.number("vocab_size")?
        && declared != vocabulary
    {
        return Err(ReadError::Disagree {
            key: keys.name("vocab_size"),
            value: declared.to_string(),
            other: format!("tensor `{}` is {}", embedding.name, embedding.shape()),
        });
    }
    let head = shapes.outside.get("output.weight");
    if let Some(head) = head
        && size(head, 0)? != hidden
    {
        return Err(ReadError::Disagree {
            key: keys.name("embedding_length"),
            value: hidden.to_string(),
            other: format!("tensor `{}` is {}", head.name, head.shape()),
        });
    }
    let norms = shapes
        .outside
        .iter()
        .filter(|(stem, tensor)| is_norm(stem, tensor, hidden))
        .count();
    Ok(Architecture {
        family: model_type.to_owned(),
        hidden,
        vocabulary,
        output_vocabulary: match head {
            Some(head) => size(head, 1)?,
            None => vocabulary,
        },
        tied_embeddings: head.is_none(),
        output_bias: shapes.outside.contains_key("output.bias"),
        positions: match shapes.outside.get("position_embd.weight") {
            Some(tensor) => size(tensor, 1)?,
            None => 0,
        },
        norms: u32::try_from(norms).unwrap_or(u32::MAX),
        layers: Vec::new(),
        counted: Vec::new(),
        max_context: keys.number("context_length")?.filter(|tokens| *tokens > 0),
        vision_parameters: 0,
        mtp_layers: 0,
        mtp_parameters: 0,
    })
}
