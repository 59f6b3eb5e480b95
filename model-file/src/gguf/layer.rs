//! A layer, from its tensors.

use estimator::architecture::{Layer, Passes};

use super::keys::Keys;
use super::shapes::LayerShapes;
use super::sliding::Spans;
use super::{attention, feed_forward, inventory, linear};
use crate::error::ReadError;

/// A layer without any tensors is one: some models leave whole layers out.
pub(super) fn read(
    shapes: &LayerShapes<'_>,
    keys: Keys<'_>,
    spans: &Spans<'_>,
    hidden: u32,
    shares_cache: bool,
) -> Result<Layer, ReadError> {
    let linear = linear::read(shapes, keys)?;
    let attention = if attention::has(shapes) && !linear::owns_attention(shapes) {
        let span = spans.at(shapes.number);
        Some(attention::read(shapes, keys, span, shares_cache)?)
    } else {
        None
    };
    let norms = shapes
        .tensors
        .iter()
        .filter(|(stem, tensor)| inventory::is_norm(stem, tensor, hidden))
        .count();
    Ok(Layer {
        attention,
        linear,
        dense: feed_forward::dense(shapes, keys)?,
        experts: feed_forward::experts(shapes, keys)?,
        norms: u32::try_from(norms).unwrap_or(u32::MAX),
        passes: Passes::default(),
    })
}
