//! How a recipe with a name of its own gives tensors their types.

use super::assign::{Assigner, fall_back};
use super::block::BlockType;
use super::facts::ModelFacts;
use super::gguf::{GgufType, Imatrix};
use crate::tensor::{Role, Tensor};

/// A rule for every tensor of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Plan {
    /// A plain mix with embedding and head in a type of their own.
    Ends { base: GgufType, ends: BlockType },
    /// Of sixteen layers so many are of another mix; embedding and head of the base.
    Blend {
        base: GgufType,
        other: GgufType,
        sixteenths: u32,
    },
    /// A type for each kind of tensor.
    Classes(Classes),
}

/// A type for each kind of tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Classes {
    pub(super) head: BlockType,
    pub(super) embedding: BlockType,
    /// Tables of which rows are looked up.
    pub(super) lookup: BlockType,
    /// Queries, attention's output, and mixers.
    pub(super) wide: BlockType,
    /// Keys and values.
    pub(super) narrow: BlockType,
    /// Shared experts.
    pub(super) shared: BlockType,
    /// Gate and up of the feed-forward, routed or dense.
    pub(super) gate_up: BlockType,
    /// Down of the feed-forward.
    pub(super) down: BlockType,
}

/// Gives tensors their types by a plan, in a file's order.
#[derive(Debug, Clone)]
pub(super) struct Planner {
    plan: Plan,
    base: Assigner,
    other: Assigner,
}

impl Planner {
    pub(super) const fn new(plan: Plan, facts: ModelFacts) -> Self {
        let (base, other) = match plan {
            Plan::Ends { base, .. } => (base, base),
            Plan::Blend { base, other, .. } => (base, other),
            Plan::Classes(_) => (GgufType::F16, GgufType::F16),
        };
        // The vendors quantize with an importance matrix.
        Self {
            plan,
            base: Assigner::new(base, Imatrix::With, facts),
            other: Assigner::new(other, Imatrix::With, facts),
        }
    }

    /// Whether this tensor's type depends on which layer it is in.
    pub(super) const fn depends_on_layer(&self, role: Role) -> bool {
        match self.plan {
            Plan::Ends { .. } => self.base.depends_on_layer(role),
            Plan::Blend { .. } => true,
            Plan::Classes(_) => false,
        }
    }

    /// The type of the next tensor.
    pub(super) const fn assign(&mut self, tensor: &Tensor) -> BlockType {
        // Both count the tensors they are asked for, so both are asked for each.
        let base = self.base.assign(tensor);
        let other = self.other.assign(tensor);
        match self.plan {
            Plan::Ends { ends, .. } => match tensor.role {
                Role::TokenEmbedding | Role::Lookup | Role::Output => fall_back(ends, tensor.row),
                _ => base,
            },
            Plan::Blend { sixteenths, .. } => match tensor.layer {
                Some(layer) if takes_turn(layer, sixteenths) => other,
                _ => base,
            },
            Plan::Classes(classes) => match base {
                BlockType::F32 => base,
                _ => classes.assign(tensor),
            },
        }
    }
}

/// Whether a layer is one of the so many in sixteen, spread evenly.
const fn takes_turn(layer: u32, sixteenths: u32) -> bool {
    let place = layer % 16;
    (place + 1) * sixteenths / 16 > place * sixteenths / 16
}

impl Classes {
    const fn assign(&self, tensor: &Tensor) -> BlockType {
        let wanted = match tensor.role {
            Role::Kept => return BlockType::BF16,
            Role::Output => self.head,
            Role::TokenEmbedding => self.embedding,
            Role::Lookup => self.lookup,
            Role::AttentionK | Role::AttentionV | Role::AttentionQkv => self.narrow,
            Role::SharedGate | Role::SharedUp | Role::SharedDown => self.shared,
            Role::FfnGate | Role::FfnUp | Role::ExpertGate | Role::ExpertUp => self.gate_up,
            Role::FfnDown | Role::ExpertDown => self.down,
            _ => self.wide,
        };
        fall_back(wanted, tensor.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_as_many_as_asked_for_and_spread() {
        for sixteenths in 0..=16 {
            let turns: Vec<u32> = (0..16).filter(|l| takes_turn(*l, sixteenths)).collect();
            assert_eq!(u32::try_from(turns.len()), Ok(sixteenths));
        }
        let four: Vec<u32> = (0..32).filter(|l| takes_turn(*l, 4)).collect();
        assert_eq!(four, [3, 7, 11, 15, 19, 23, 27, 31]);
    }
}
