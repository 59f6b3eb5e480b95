//! Sums over a model's layers: what those before the n-th take.

use crate::num;
use crate::units::Bytes;
use crate::weights::Weights;

/// Bytes of the layers before each, without experts and of experts. What belongs to no layer (final
/// norm, weights known by count) is spread over all.
pub(super) fn running_sums(weights: &Weights, all: Bytes) -> (Vec<f64>, Vec<f64>) {
    let layers = weights.layers();
    let in_layers: f64 = layers
        .iter()
        .map(|layer| num::f(layer.trunk) + num::f(layer.experts))
        .sum();
    let extra = (all.get() - in_layers).max(0.0) / num::f32u(num::count(layers.len()).max(1));
    let (mut trunk, mut experts) = (0.0, 0.0);
    let mut sums = (vec![0.0], vec![0.0]);
    for layer in layers {
        trunk += num::f(layer.trunk) + extra;
        experts += num::f(layer.experts);
        sums.0.push(trunk);
        sums.1.push(experts);
    }
    sums
}

/// What the layers from the one to before the other take.
pub(super) fn between(sums: &[f64], from: u32, to: u32) -> f64 {
    let at = |index: u32| {
        usize::try_from(index)
            .ok()
            .and_then(|index| sums.get(index))
            .copied()
            .unwrap_or(0.0)
    };
    at(to) - at(from)
}

/// What all layers take.
pub(super) fn all(sums: &[f64]) -> f64 {
    sums.last().copied().unwrap_or(0.0)
}

/// The share a part has of all; 0 where there is nothing.
pub(super) fn share(part: f64, sums: &[f64]) -> f64 {
    let all = all(sums);
    if all > 0.0 { part / all } else { 0.0 }
}
