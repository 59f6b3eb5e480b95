//! The widths that decide how much room intermediate results need.

use crate::architecture::{Architecture, AttentionKind};
use crate::num::f32u;

/// The widest of each kind over a model's layers, in elements.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Widths {
    /// Inner width of the dense feed-forward.
    pub dense: f64,
    /// Inner width of a routed expert.
    pub expert: f64,
    /// Routed experts a token visits.
    pub experts_used: f64,
    /// Combined inner width of the shared experts.
    pub shared: f64,
    /// Keys and values of a token in one layer.
    pub cache: f64,
}

impl Widths {
    /// The widths of a model.
    #[must_use]
    pub fn of(architecture: &Architecture) -> Self {
        architecture
            .layers
            .iter()
            .fold(Self::default(), |widths, layer| {
                let dense = layer.dense.map_or(0.0, |dense| f32u(dense.width));
                let (expert, used, shared) = layer.experts.map_or((0.0, 0.0, 0.0), |experts| {
                    (
                        f32u(experts.width),
                        f32u(experts.per_token),
                        f32u(experts.shared_width),
                    )
                });
                let cache = layer
                    .attention
                    .map_or(0.0, |attention| match attention.kind {
                        AttentionKind::Grouped {
                            kv_heads,
                            head_dim,
                            v_head_dim,
                            ..
                        } => f32u(kv_heads) * (f32u(head_dim) + f32u(v_head_dim)),
                        AttentionKind::Latent {
                            kv_rank, rope_dim, ..
                        } => f32u(kv_rank) + f32u(rope_dim),
                        AttentionKind::SharedVector { head_dim, .. } => f32u(head_dim),
                    });
                Self {
                    dense: widths.dense.max(dense),
                    expert: widths.expert.max(expert),
                    experts_used: widths.experts_used.max(used),
                    shared: widths.shared.max(shared),
                    cache: widths.cache.max(cache),
                }
            })
    }
}
