//! The weight tensors of an architecture, in the shapes of a GGUF file.
//!
//! Shapes and groupings follow llama.cpp's `convert_hf_to_gguf.py` and `src/llama-model.cpp`.

mod counted;

pub(super) use counted::visit_all_counted;

use super::{
    Architecture, Attention, AttentionKind, CacheOwner, Dense, Experts, Gate, Indexer, Linear, Part,
};
use crate::tensor::{Role, Tensor};

/// Takes tensors of one layer and hands them on with the layer's number.
struct Layer<'visit, V: FnMut(Part, Tensor)> {
    visit: &'visit mut V,
    layer: Option<u32>,
}

impl<V: FnMut(Part, Tensor)> Layer<'_, V> {
    fn stack(&mut self, part: Part, role: Role, [row, rows, stack]: [u64; 3]) {
        if row > 0 && rows > 0 && stack > 0 {
            (self.visit)(
                part,
                Tensor {
                    role,
                    layer: self.layer,
                    row,
                    rows,
                    stack,
                },
            );
        }
    }

    fn matrix(&mut self, part: Part, role: Role, row: u64, rows: u64) {
        self.stack(part, role, [row, rows, 1]);
    }

    /// A norm, a bias or another vector.
    fn vector(&mut self, part: Part, elements: u64) {
        self.stack(part, Role::Norm, [elements, 1, 1]);
    }

    fn small(&mut self, row: u64, rows: u64) {
        self.stack(Part::Linear, Role::LinearSmall, [row, rows, 1]);
    }

    fn projection(&mut self, row: u64, rows: u64) {
        self.matrix(Part::Linear, Role::LinearProjection, row, rows);
    }
}

pub(super) fn visit(architecture: &Architecture, visit: &mut impl FnMut(Part, Tensor)) {
    visit_outside(architecture, visit);
    for (number, layer) in (0_u32..).zip(&architecture.layers) {
        visit_layer(architecture, number, layer, visit);
    }
    visit_all_counted(architecture, visit);
}

/// The tensors outside the layers.
pub(super) fn visit_outside(architecture: &Architecture, visit: &mut impl FnMut(Part, Tensor)) {
    let hidden = u64::from(architecture.hidden);
    let mut outside = Layer { visit, layer: None };
    outside.matrix(
        Part::Embedding,
        Role::TokenEmbedding,
        hidden,
        u64::from(architecture.vocabulary),
    );
    outside.matrix(
        Part::Embedding,
        Role::PositionEmbedding,
        hidden,
        u64::from(architecture.positions),
    );
    for _ in 0..architecture.norms {
        outside.vector(Part::Norm, hidden);
    }
    let output = u64::from(architecture.output_vocabulary);
    if !architecture.tied_embeddings {
        outside.matrix(Part::Output, Role::Output, hidden, output);
    }
    if architecture.output_bias {
        outside.vector(Part::Output, output);
    }
}

/// The tensors of one layer whose shapes are known.
pub(super) fn visit_layer(
    architecture: &Architecture,
    number: u32,
    layer: &super::Layer,
    visit: &mut impl FnMut(Part, Tensor),
) {
    let hidden = u64::from(architecture.hidden);
    let mut to = Layer {
        visit,
        layer: Some(number),
    };
    for _ in 0..layer.norms {
        to.vector(Part::Norm, hidden);
    }
    if let Some(attention) = &layer.attention {
        visit_attention(attention, hidden, &mut to);
    }
    if let Some(linear) = &layer.linear {
        visit_linear(linear, hidden, &mut to);
    }
    if let Some(dense) = &layer.dense {
        visit_dense(dense, hidden, &mut to);
    }
    if let Some(experts) = &layer.experts {
        visit_experts(experts, hidden, &mut to);
    }
}

fn visit_attention<V: FnMut(Part, Tensor)>(
    attention: &Attention,
    hidden: u64,
    to: &mut Layer<'_, V>,
) {
    const PART: Part = Part::Attention;
    let heads = u64::from(attention.heads);
    let output_width = match attention.kind {
        AttentionKind::Grouped {
            kv_heads,
            head_dim,
            v_head_dim,
            k_equals_v,
        } => {
            let q = heads * u64::from(head_dim);
            let (k, v) = match attention.cache {
                CacheOwner::Own => (
                    u64::from(kv_heads) * u64::from(head_dim),
                    if k_equals_v {
                        0
                    } else {
                        u64::from(kv_heads) * u64::from(v_head_dim)
                    },
                ),
                CacheOwner::Earlier => (0, 0),
            };
            if attention.fused_qkv {
                to.matrix(PART, Role::AttentionQkv, hidden, q + k + v);
            } else {
                to.matrix(PART, Role::AttentionQ, hidden, q);
                to.matrix(PART, Role::AttentionK, hidden, k);
                to.matrix(PART, Role::AttentionV, hidden, v);
            }
            if attention.qkv_bias {
                if attention.fused_qkv {
                    to.vector(PART, q + k + v);
                } else {
                    to.vector(PART, q);
                    to.vector(PART, k);
                    to.vector(PART, v);
                }
            }
            let output_width = heads * u64::from(v_head_dim);
            to.matrix(PART, Role::AttentionOutput, output_width, hidden);
            output_width
        }
        AttentionKind::Latent {
            q_rank,
            kv_rank,
            rope_dim,
            nope_dim,
            v_head_dim,
        } => {
            let head = u64::from(rope_dim) + u64::from(nope_dim);
            let [kv_rank, nope, v] = [kv_rank, nope_dim, v_head_dim].map(u64::from);
            match q_rank.map(u64::from) {
                Some(rank) => {
                    to.matrix(PART, Role::MlaQA, hidden, rank);
                    to.matrix(PART, Role::MlaQB, rank, heads * head);
                }
                None => to.matrix(PART, Role::AttentionQ, hidden, heads * head),
            }
            to.matrix(PART, Role::MlaKvA, hidden, kv_rank + u64::from(rope_dim));
            to.stack(PART, Role::MlaKB, [nope, kv_rank, heads]);
            to.stack(PART, Role::MlaVB, [kv_rank, v, heads]);
            to.matrix(PART, Role::AttentionOutput, heads * v, hidden);
            heads * v
        }
        AttentionKind::SharedVector {
            head_dim,
            q_rank,
            o_rank,
            o_groups,
        } => {
            let width = u64::from(head_dim);
            let [q_rank, o_rank, groups] = [q_rank, o_rank, o_groups].map(u64::from);
            to.matrix(PART, Role::MlaQA, hidden, q_rank);
            to.matrix(PART, Role::MlaQB, q_rank, heads * width);
            to.matrix(PART, Role::MlaKvA, hidden, width);
            if let Some(group) = (heads * width).checked_div(groups) {
                to.stack(PART, Role::Other, [group, o_rank, groups]);
            }
            to.matrix(PART, Role::AttentionOutput, groups * o_rank, hidden);
            heads * width
        }
    };
    if attention.output_bias {
        to.vector(PART, hidden);
    }
    match attention.gate {
        Gate::None => {}
        Gate::PerHead => to.matrix(PART, Role::AttentionGate, hidden, heads),
        Gate::PerElement => to.matrix(PART, Role::AttentionGate, hidden, output_width),
    }
    for vector in [attention.q_norm, attention.k_norm, attention.small] {
        to.vector(PART, u64::from(vector));
    }
    if let Some(indexer) = &attention.indexer {
        visit_indexer(indexer, hidden, to);
    }
}

fn visit_indexer<V: FnMut(Part, Tensor)>(indexer: &Indexer, hidden: u64, to: &mut Layer<'_, V>) {
    const PART: Part = Part::Indexer;
    if !(indexer.own && indexer.shaped) {
        return;
    }
    let [heads, head_dim, kv_heads] =
        [indexer.heads, indexer.head_dim, indexer.kv_heads].map(u64::from);
    let key = kv_heads * head_dim;
    to.matrix(
        PART,
        Role::Indexer,
        u64::from(indexer.q_input),
        heads * head_dim,
    );
    to.matrix(PART, Role::Indexer, hidden, key);
    to.matrix(PART, Role::Indexer, hidden, heads);
    // the key's norm, weight and bias
    to.vector(PART, key);
    to.vector(PART, key);
}

fn visit_linear<V: FnMut(Part, Tensor)>(linear: &Linear, hidden: u64, to: &mut Layer<'_, V>) {
    const PART: Part = Part::Linear;
    match *linear {
        Linear::GatedDeltaNet {
            k_heads,
            v_heads,
            k_head_dim,
            v_head_dim,
            kernel,
        } => {
            let key = u64::from(k_heads) * u64::from(k_head_dim);
            let heads = u64::from(v_heads);
            let value = heads * u64::from(v_head_dim);
            to.matrix(PART, Role::AttentionQkv, hidden, 2 * key + value);
            to.matrix(PART, Role::AttentionGate, hidden, value);
            to.projection(hidden, 2 * heads);
            to.small(u64::from(kernel), 2 * key + value);
            to.small(heads, 1);
            to.small(heads, 1);
            to.small(u64::from(v_head_dim), 1);
            to.projection(value, hidden);
        }
        Linear::Kda {
            heads,
            head_dim,
            kernel,
            full_rank_decay,
            full_rank_gate,
        } => {
            let [heads, head_dim, kernel] = [heads, head_dim, kernel].map(u64::from);
            let width = heads * head_dim;
            for role in [Role::AttentionQ, Role::AttentionK, Role::AttentionV] {
                to.matrix(PART, role, hidden, width);
                to.small(kernel, width);
            }
            for full_rank in [full_rank_decay, full_rank_gate] {
                if full_rank {
                    to.projection(hidden, width);
                } else {
                    to.projection(hidden, head_dim);
                    to.projection(head_dim, width);
                }
            }
            to.projection(hidden, heads);
            to.small(heads, 1);
            to.small(width, 1);
            to.small(head_dim, 1);
            to.matrix(PART, Role::AttentionOutput, width, hidden);
        }
        Linear::Lightning { heads, head_dim } => {
            let width = u64::from(heads) * u64::from(head_dim);
            to.matrix(PART, Role::AttentionQkv, hidden, 3 * width);
            to.matrix(PART, Role::AttentionGate, hidden, width);
            to.small(width, 1);
            to.matrix(PART, Role::AttentionOutput, width, hidden);
        }
        Linear::Mamba1 {
            inner,
            state,
            dt_rank,
            kernel,
            inner_norms,
        } => {
            let [inner, state, rank, kernel] = [inner, state, dt_rank, kernel].map(u64::from);
            to.projection(hidden, 2 * inner);
            to.small(kernel, inner);
            to.small(inner, 1);
            to.projection(inner, rank + 2 * state);
            to.projection(rank, inner);
            to.small(inner, 1);
            to.small(state, inner);
            to.small(inner, 1);
            if inner_norms {
                to.small(rank, 1);
                to.small(state, 1);
                to.small(state, 1);
            }
            to.projection(inner, hidden);
        }
        Linear::Mamba2 {
            heads,
            head_dim,
            state,
            groups,
            kernel,
            norm,
        } => {
            let [heads, head_dim, state, groups, kernel] =
                [heads, head_dim, state, groups, kernel].map(u64::from);
            let inner = heads * head_dim;
            let convolved = inner + 2 * groups * state;
            to.projection(hidden, inner + convolved + heads);
            to.small(kernel, convolved);
            to.small(convolved, 1);
            for _ in 0..3 {
                to.small(heads, 1);
            }
            if norm {
                to.small(inner, 1);
            }
            to.projection(inner, hidden);
        }
        Linear::ShortConv { channels, kernel } => {
            let channels = u64::from(channels);
            to.projection(hidden, 3 * channels);
            to.small(u64::from(kernel), channels);
            to.projection(channels, hidden);
        }
    }
}

fn visit_dense<V: FnMut(Part, Tensor)>(dense: &Dense, hidden: u64, to: &mut Layer<'_, V>) {
    const PART: Part = Part::Dense;
    let width = u64::from(dense.width);
    let up = match (dense.gated, dense.fused) {
        (true, true) => 2 * width,
        (true, false) => {
            to.matrix(PART, Role::FfnGate, hidden, width);
            if dense.bias {
                to.vector(PART, width);
            }
            width
        }
        (false, _) => width,
    };
    to.matrix(PART, Role::FfnUp, hidden, up);
    to.matrix(PART, Role::FfnDown, width, hidden);
    if dense.bias {
        to.vector(PART, up);
        to.vector(PART, hidden);
    }
}

fn visit_experts<V: FnMut(Part, Tensor)>(experts: &Experts, hidden: u64, to: &mut Layer<'_, V>) {
    let count = u64::from(experts.count);
    let width = u64::from(experts.width);
    let inside = experts.latent.map_or(hidden, u64::from);

    to.matrix(
        Part::Router,
        Role::Router,
        hidden,
        count + u64::from(experts.zero_count),
    );
    to.vector(Part::Router, u64::from(experts.router_small));

    if experts.latent.is_some() {
        to.matrix(Part::Shared, Role::Other, hidden, inside);
        to.matrix(Part::Shared, Role::Other, inside, hidden);
    }
    if experts.gated {
        to.stack(Part::Experts, Role::ExpertGate, [inside, width, count]);
    }
    to.stack(Part::Experts, Role::ExpertUp, [inside, width, count]);
    to.stack(Part::Experts, Role::ExpertDown, [width, inside, count]);
    if experts.bias {
        if experts.gated {
            to.matrix(Part::Experts, Role::ExpertBias, width, count);
        }
        to.matrix(Part::Experts, Role::ExpertBias, width, count);
        to.matrix(Part::Experts, Role::ExpertBias, inside, count);
    }

    let shared = u64::from(experts.shared_width);
    if shared > 0 {
        if experts.gated {
            to.matrix(Part::Shared, Role::SharedGate, hidden, shared);
        }
        to.matrix(Part::Shared, Role::SharedUp, hidden, shared);
        to.matrix(Part::Shared, Role::SharedDown, shared, hidden);
        if experts.shared_gate {
            to.vector(Part::Shared, hidden);
        }
    }
}
