//! The tensors of a file by layer and by what they are.

use std::collections::BTreeMap;

use super::TensorInfo;
use crate::error::ReadError;

/// The tensors of one layer by what follows `blk.N.` in their names.
#[derive(Debug, Clone, Default)]
pub(super) struct LayerShapes<'a> {
    pub(super) number: u32,
    pub(super) tensors: BTreeMap<&'a str, &'a TensorInfo>,
}

/// The tensors of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Shapes<'a> {
    /// Those of no layer.
    pub(super) outside: BTreeMap<&'a str, &'a TensorInfo>,
    /// Those of layers, by number.
    pub(super) layers: BTreeMap<u32, LayerShapes<'a>>,
}

impl<'a> Shapes<'a> {
    pub(super) fn of(tensors: &'a [TensorInfo]) -> Self {
        let mut shapes = Self::default();
        for tensor in tensors {
            match layer_and_stem(&tensor.name) {
                Some((number, stem)) => {
                    let layer = shapes.layers.entry(number).or_default();
                    layer.number = number;
                    layer.tensors.insert(stem, tensor);
                }
                None => {
                    shapes.outside.insert(&tensor.name, tensor);
                }
            }
        }
        shapes
    }
}

/// `blk.7.attn_q.weight` as 7 and `attn_q.weight`.
pub(super) fn layer_and_stem(name: &str) -> Option<(u32, &str)> {
    let (number, stem) = name.strip_prefix("blk.")?.split_once('.')?;
    Some((number.parse().ok()?, stem))
}

impl<'a> LayerShapes<'a> {
    pub(super) fn get(&self, stem: &str) -> Option<&'a TensorInfo> {
        self.tensors.get(stem).copied()
    }

    pub(super) fn has(&self, stem: &str) -> bool {
        self.tensors.contains_key(stem)
    }

    pub(super) fn need(&self, stem: &str) -> Result<&'a TensorInfo, ReadError> {
        self.get(stem).ok_or_else(|| ReadError::MissingTensor {
            layer: self.number,
            tensor: stem.to_owned(),
        })
    }

    /// A dimension of a tensor that must be there.
    pub(super) fn size(&self, stem: &str, axis: usize) -> Result<u32, ReadError> {
        size(self.need(stem)?, axis)
    }

    /// Elements of a tensor, 0 when it isn't there.
    pub(super) fn elements(&self, stem: &str) -> Result<u32, ReadError> {
        self.get(stem).map_or(Ok(0), |tensor| {
            u32::try_from(tensor.elements()).map_err(|_| strange(tensor))
        })
    }
}

/// A dimension of a tensor.
pub(super) fn size(tensor: &TensorInfo, axis: usize) -> Result<u32, ReadError> {
    tensor
        .dimensions
        .get(axis)
        .and_then(|size| u32::try_from(*size).ok())
        .ok_or_else(|| strange(tensor))
}

/// A tensor whose shape fits nothing.
pub(super) fn strange(tensor: &TensorInfo) -> ReadError {
    ReadError::Shape {
        tensor: tensor.name.clone(),
        shape: tensor.shape(),
    }
}

/// `whole` divided by `part`, which must divide it.
pub(super) fn divide(whole: u32, part: u32, tensor: &TensorInfo) -> Result<u32, ReadError> {
    whole
        .checked_div(part)
        .filter(|times| times.checked_mul(part) == Some(whole))
        .ok_or_else(|| strange(tensor))
}
