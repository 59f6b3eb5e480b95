//! Counting weights.

use super::Architecture;
use crate::num;

/// A part of a model, as weights are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Token and position embeddings.
    Embedding,
    /// The output head, when it isn't the embedding.
    Output,
    /// Softmax attention.
    Attention,
    /// Linear attention, state space and convolution.
    Linear,
    /// The indexer of sparse attention.
    Indexer,
    /// Dense feed-forward.
    Dense,
    /// Routed experts.
    Experts,
    /// The router.
    Router,
    /// Shared experts, and projections around the routed ones.
    Shared,
    /// Norms of the layers.
    Norm,
    /// Tables read by row.
    Lookup,
    /// Anything else.
    Other,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Embedding,
        Self::Output,
        Self::Attention,
        Self::Linear,
        Self::Indexer,
        Self::Dense,
        Self::Experts,
        Self::Router,
        Self::Shared,
        Self::Norm,
        Self::Lookup,
        Self::Other,
    ];

    /// How many there are; the length of a table by part.
    pub const COUNT: usize = Self::ALL.len();

    /// Its place in [`ALL`](Self::ALL) and in a table by part.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Embedding => 0,
            Self::Output => 1,
            Self::Attention => 2,
            Self::Linear => 3,
            Self::Indexer => 4,
            Self::Dense => 5,
            Self::Experts => 6,
            Self::Router => 7,
            Self::Shared => 8,
            Self::Norm => 9,
            Self::Lookup => 10,
            Self::Other => 11,
        }
    }

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Embedding => "embeddings",
            Self::Output => "output head",
            Self::Attention => "attention",
            Self::Linear => "linear attention",
            Self::Indexer => "indexer",
            Self::Dense => "dense feed-forward",
            Self::Experts => "experts",
            Self::Router => "router",
            Self::Shared => "shared experts",
            Self::Norm => "norms",
            Self::Lookup => "lookup tables",
            Self::Other => "other",
        }
    }
}

/// Weights by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByPart([u64; 12]);

impl ByPart {
    /// How many weights the part has.
    #[must_use]
    pub fn get(&self, part: Part) -> u64 {
        Part::ALL
            .iter()
            .zip(self.0)
            .find_map(|(each, count)| (*each == part).then_some(count))
            .unwrap_or(0)
    }

    /// The parts that have any, with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (Part, u64)> {
        Part::ALL
            .into_iter()
            .zip(self.0)
            .filter(|(_, count)| *count > 0)
    }

    fn add(&mut self, part: Part, elements: u64) {
        for (each, count) in Part::ALL.iter().zip(&mut self.0) {
            if *each == part {
                *count = count.saturating_add(elements);
            }
        }
    }
}

/// How many weights a model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// All of the text trunk.
    pub total: u64,
    /// Those that work on a token: without the routed experts it doesn't visit and without tables
    /// read by row. Embedding and head count once each, as vendors mostly do.
    pub active: u64,
    /// The total by part.
    pub by_part: ByPart,
}

pub(super) fn of(architecture: &Architecture) -> Parameters {
    let mut by_part = ByPart::default();
    let mut total: u64 = 0;
    let mut active = 0.0;
    architecture.visit_parts(&mut |part, tensor| {
        let elements = tensor.elements();
        by_part.add(part, elements);
        total = total.saturating_add(elements);
        active += match part {
            Part::Lookup => 0.0,
            Part::Experts => {
                let share = tensor
                    .layer
                    .and_then(|layer| architecture.layer(layer))
                    .and_then(|layer| layer.experts)
                    .filter(|experts| experts.count > 0)
                    .map_or(1.0, |experts| {
                        experts.expected_per_token() / num::f32u(experts.count)
                    });
                num::f(elements) * share
            }
            _ => num::f(elements),
        };
    });
    Parameters {
        total,
        active: num::whole(active),
        by_part,
    }
}
