//! What a step touches of the weights.

use super::Weights;
use crate::architecture::{Experts, Part};
use crate::num;
use crate::units::Bytes;

/// Which share of a part a step touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// Of its bytes, read once for all tokens of the step. Above 1 in models that loop over layers.
    pub read: f64,
    /// Of its weights, multiplied with each token. Above 1 in models that loop over layers.
    pub worked: f64,
}

/// How many different routings a model's layers may have; more share the last.
const GROUPS: usize = 3;

/// Routed experts by how they are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Routing {
    groups: [Group; GROUPS],
}

/// Layers that choose alike.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Group {
    /// Experts with weights.
    count: u32,
    /// Chance that a token visits a given expert.
    chance: f64,
    /// Bytes of such layers' experts, as often as a token passes through.
    bytes: u64,
}

impl Routing {
    pub(super) fn add(&mut self, experts: &Experts, bytes: u64) {
        let count = experts.count;
        let chance = experts.expected_per_token() / num::f32u(count.max(1));
        let mut groups = self.groups.iter_mut();
        let last = groups.next_back();
        let chosen = groups
            .find(|group| group.count == 0 || (group.count == count && group.chance == chance))
            .or(last);
        if let Some(group) = chosen {
            group.count = count;
            group.chance = chance.min(1.0);
            group.bytes = group.bytes.saturating_add(bytes);
        }
    }

    /// The share of all experts that `tokens` visit together, and that one visits.
    fn shares(&self, tokens: u64) -> Shares {
        let (mut all, mut read, mut worked) = (0.0, 0.0, 0.0);
        for group in &self.groups {
            let bytes = num::f(group.bytes);
            all += bytes;
            read += bytes * (1.0 - num::power(1.0 - group.chance, tokens));
            worked += bytes * group.chance;
        }
        if all > 0.0 {
            Shares {
                read: read / all,
                worked: worked / all,
            }
        } else {
            Shares {
                read: 1.0,
                worked: 1.0,
            }
        }
    }
}

impl Weights {
    /// Which share of a part a step of `tokens` tokens touches.
    ///
    /// Of routed experts, those that at least one token chose: of `E` experts with `k` chosen a
    /// token, `1 − (1 − k/E)^tokens` on average. That takes tokens to choose independently and all
    /// experts to be equally likely; real routers are uneven and neighbouring tokens alike, so it is
    /// an upper estimate for batches between a few and about `E/k` tokens.
    ///
    /// Of embeddings and tables, a row for each token, and no arithmetic; a table's rows are taken
    /// to be as many as the vocabulary's. The head is what [`head`](Weights::head) says, read in
    /// full where logits are wanted, and not counted here when it is the embedding.
    #[must_use]
    pub fn shares(&self, part: Part, tokens: u64) -> Shares {
        match part {
            Part::Embedding | Part::Lookup => Shares {
                read: (num::f(tokens) / num::f(self.vocabulary.max(1))).min(1.0),
                worked: 0.0,
            },
            Part::Experts => {
                let shares = self.routing.shares(tokens);
                let passes = self.part(part).passes();
                Shares {
                    read: shares.read * passes,
                    worked: shares.worked * passes,
                }
            }
            _ => {
                let passes = self.part(part).passes();
                Shares {
                    read: passes,
                    worked: passes,
                }
            }
        }
    }

    /// Bytes of a part that a step of `tokens` tokens reads.
    #[must_use]
    pub fn part_read(&self, part: Part, tokens: u64) -> Bytes {
        self.part(part).bytes() * self.shares(part, tokens).read
    }

    /// Bytes a step of `tokens` tokens reads, with logits for at least one of them.
    ///
    /// A tied embedding is read in full as the head; the rows looked up are in that.
    #[must_use]
    pub fn read(&self, tokens: u64) -> Bytes {
        let parts = Part::ALL
            .into_iter()
            .filter(|part| match part {
                Part::Output => false,
                Part::Embedding => !self.is_tied(),
                _ => true,
            })
            .map(|part| self.part_read(part, tokens));
        parts.sum::<Bytes>() + self.head().bytes()
    }

    /// Bytes of the layers alone that a step of `tokens` tokens reads: embedding and head aside.
    #[must_use]
    pub fn trunk_read(&self, tokens: u64) -> Bytes {
        let parts = Part::ALL
            .into_iter()
            .filter(|part| !matches!(part, Part::Embedding | Part::Output));
        parts.map(|part| self.part_read(part, tokens)).sum()
    }

    /// Weights multiplied with each token in a step, the head's aside: two operations each.
    #[must_use]
    pub fn worked(&self) -> f64 {
        Part::ALL
            .into_iter()
            .filter(|part| *part != Part::Output)
            .map(|part| self.part(part).elements() * self.shares(part, 1).worked)
            .sum()
    }
}
