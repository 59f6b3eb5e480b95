//! The weights of the layers, counted layer by layer where a format asks which layer it is, else
//! once for all layers alike.

use super::{LayerBytes, Times, Weights};
use crate::architecture::{Architecture, Layer, Part};
use crate::format::{Encoder, Encoding};
use crate::tensor::Tensor;

/// How many kinds of layers are looked through for one alike; a kind forgotten is listed anew.
const REMEMBERED: usize = 6;

/// Layers alike.
struct Kind<'a> {
    layer: &'a Layer,
    count: u64,
    slots: Vec<Slot>,
    /// Bytes of the tensors that are the same in every such layer.
    fixed: LayerBytes,
}

/// A tensor that each layer of a kind has.
struct Slot {
    part: Part,
    tensor: Tensor,
    /// Whether the encoding is asked for again in each layer.
    varies: bool,
    /// Tensors alike in one layer.
    alike: u64,
    /// The encodings it has had, and in how many layers; the count of the first alone where it doesn't vary.
    counts: [(Encoding, u64); ENCODINGS],
}

/// The mixes give a tensor one of two or three encodings.
const ENCODINGS: usize = 3;

pub(super) fn add(weights: &mut Weights, architecture: &Architecture, encoder: &mut Encoder) {
    let mut kinds: Vec<Kind<'_>> = Vec::with_capacity(REMEMBERED);
    for (number, layer) in (0_u32..).zip(&architecture.layers) {
        let known = kinds
            .iter_mut()
            .rev()
            .take(REMEMBERED)
            .find(|kind| kind.layer == layer);
        let bytes = match known {
            Some(kind) => repeat(kind, number, weights, encoder),
            None => {
                let kind = first(layer, number, architecture, encoder);
                let bytes = kind.bytes();
                kinds.push(kind);
                bytes
            }
        };
        weights.layers.push(bytes);
    }
    for kind in &mut kinds {
        let all = kind.count;
        for slot in &mut kind.slots {
            if let ([first, ..], false) = (&mut slot.counts, slot.varies) {
                first.1 = all;
            }
            put(weights, kind.layer, slot);
        }
    }
}

/// The first layer of a kind.
fn first<'a>(
    layer: &'a Layer,
    number: u32,
    architecture: &Architecture,
    encoder: &mut Encoder,
) -> Kind<'a> {
    let mut slots: Vec<Slot> = Vec::with_capacity(24);
    architecture.visit_layer(number, layer, &mut |part, tensor| {
        let encoding = encoder.encode(&tensor);
        let varies = encoder.depends_on_layer(&tensor);
        match slots.last_mut() {
            Some(last) if !varies && last.part == part && last.tensor == tensor => {
                last.alike = last.alike.saturating_add(1);
            }
            _ => slots.push(Slot {
                part,
                tensor,
                varies,
                alike: 1,
                counts: [(encoding, 1), (encoding, 0), (encoding, 0)],
            }),
        }
    });
    let mut fixed = LayerBytes::default();
    for slot in slots.iter().filter(|slot| !slot.varies) {
        slot.weigh(&mut fixed, slot.counts[0].0);
    }
    Kind {
        layer,
        count: 1,
        slots,
        fixed,
    }
}

impl Kind<'_> {
    /// Bytes of its first layer.
    fn bytes(&self) -> LayerBytes {
        let mut bytes = self.fixed;
        for slot in self.slots.iter().filter(|slot| slot.varies) {
            slot.weigh(&mut bytes, slot.counts[0].0);
        }
        bytes
    }
}

/// A further layer of a kind; its bytes.
fn repeat(
    kind: &mut Kind<'_>,
    number: u32,
    weights: &mut Weights,
    encoder: &mut Encoder,
) -> LayerBytes {
    let mut bytes = kind.fixed;
    kind.count = kind.count.saturating_add(1);
    for slot in kind.slots.iter_mut().filter(|slot| slot.varies) {
        slot.tensor.layer = Some(number);
        let encoding = encoder.encode(&slot.tensor);
        if !slot.count(encoding) {
            put(weights, kind.layer, slot);
            slot.counts = [(encoding, 1), (encoding, 0), (encoding, 0)];
        }
        slot.weigh(&mut bytes, encoding);
    }
    bytes
}

impl Slot {
    /// Adds what it takes in one layer in this encoding.
    fn weigh(&self, bytes: &mut LayerBytes, encoding: Encoding) {
        let own = encoding.bytes(&self.tensor).saturating_mul(self.alike);
        let sum = if self.tensor.role.is_routed() {
            &mut bytes.experts
        } else {
            &mut bytes.trunk
        };
        *sum = sum.saturating_add(own);
    }

    /// Counts one more layer with this encoding; `false` when there is no room for it.
    fn count(&mut self, encoding: Encoding) -> bool {
        for (each, layers) in &mut self.counts {
            if *layers == 0 {
                *each = encoding;
            }
            if *each == encoding {
                *layers = layers.saturating_add(1);
                return true;
            }
        }
        false
    }
}

/// Adds a slot's tensors of all layers counted.
fn put(weights: &mut Weights, layer: &Layer, slot: &Slot) {
    for (encoding, layers) in slot.counts.into_iter().filter(|(_, layers)| *layers > 0) {
        let times = Times {
            tensors: layers.saturating_mul(slot.alike),
            passes: u64::from(layer.passes.0),
        };
        weights.add(slot.part, encoding, &slot.tensor, times);
        if slot.tensor.role.is_routed()
            && let Some(experts) = &layer.experts
        {
            let bytes = encoding.bytes(&slot.tensor);
            let bytes = bytes
                .saturating_mul(times.tensors)
                .saturating_mul(times.passes);
            weights.routing.add(experts, bytes);
        }
    }
}
