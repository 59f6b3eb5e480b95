//! Which type each tensor of a GGUF file gets.

use super::block::BlockType;
use super::facts::{ModelFacts, QuantFamily};
use super::gguf::{GgufType, Imatrix};
use crate::tensor::{Role, Tensor};

/// What the quantizer takes a tensor for, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Category {
    Embedding,
    Output,
    Value,
    Key,
    Query,
    AttentionOutput,
    Gate,
    Up,
    Down,
    Other,
}

const fn category(role: Role) -> Category {
    match role {
        Role::TokenEmbedding | Role::Lookup => Category::Embedding,
        Role::Output => Category::Output,
        Role::AttentionV | Role::AttentionQkv => Category::Value,
        Role::AttentionK => Category::Key,
        Role::AttentionQ => Category::Query,
        Role::AttentionOutput => Category::AttentionOutput,
        Role::FfnGate | Role::ExpertGate | Role::SharedGate => Category::Gate,
        Role::FfnUp | Role::ExpertUp | Role::SharedUp => Category::Up,
        Role::FfnDown | Role::ExpertDown | Role::SharedDown => Category::Down,
        _ => Category::Other,
    }
}

/// Assigns types the way the quantizer does.
///
/// The rules speak of "the i-th value projection" and "the i-th down projection", so the tensors
/// have to come in a file's order: layer by layer, in a layer the routed experts before the shared.
#[derive(Debug, Clone)]
pub struct Assigner {
    kind: GgufType,
    imatrix: bool,
    facts: ModelFacts,
    gqa_4: bool,
    eight_experts: bool,
    values: u32,
    downs: u32,
    gates: u32,
    ups: u32,
}

/// The next number of a count that starts at 0.
const fn next(count: &mut u32) -> u32 {
    let now = *count;
    *count = now.saturating_add(1);
    now
}

/// The layers the `_M` mixes give more bits: the first and last eighth, and every third between.
const fn more_bits(layer: u32, layers: u32) -> bool {
    let eighth = layers / 8;
    layer < eighth || layer >= layers.saturating_mul(7) / 8 || (layer - eighth) % 3 == 2
}

impl Assigner {
    /// For one pass over the tensors of a model.
    #[must_use]
    pub const fn new(kind: GgufType, imatrix: Imatrix, facts: ModelFacts) -> Self {
        Self {
            kind,
            imatrix: matches!(imatrix, Imatrix::With),
            gqa_4: facts.gqa() >= 4,
            eight_experts: facts.experts == 8,
            facts,
            values: 0,
            downs: 0,
            gates: 0,
            ups: 0,
        }
    }

    /// Whether the type of such tensors depends on which layer they are in, or which of their kind.
    ///
    /// The others may be assigned in any order, and once for all.
    #[must_use]
    pub const fn depends_on_layer(&self, role: Role) -> bool {
        match category(role) {
            Category::Value => matches!(
                self.kind,
                GgufType::Q3_K_M | GgufType::Q4_K_M | GgufType::Q4_K_S | GgufType::Q5_K_M
            ),
            Category::Down => !matches!(
                self.kind,
                GgufType::F32
                    | GgufType::F16
                    | GgufType::BF16
                    | GgufType::Q8_0
                    | GgufType::Q6_K
                    | GgufType::Q5_1
                    | GgufType::Q5_K_S
                    | GgufType::Q4_1
                    | GgufType::MXFP4_MOE
                    | GgufType::Q3_K_L
                    | GgufType::Q3_K_S
                    | GgufType::Q2_K
                    | GgufType::TQ2_0
                    | GgufType::TQ1_0
            ),
            Category::Gate | Category::Up => matches!(self.kind, GgufType::IQ3_XS),
            _ => false,
        }
    }

    /// The type of the next tensor.
    pub const fn assign(&mut self, tensor: &Tensor) -> BlockType {
        let default = self.kind.default_type();
        if tensor.role.is_kept_in_f32() || matches!(tensor.role, Role::PositionEmbedding) {
            return BlockType::F32;
        }
        if !default.is_quantized() {
            return default;
        }
        if matches!(tensor.role, Role::Kept) {
            return BlockType::BF16;
        }
        fall_back(self.wanted(tensor, default), tensor.row)
    }

    /// The type before the shape is looked at.
    const fn wanted(&mut self, tensor: &Tensor, default: BlockType) -> BlockType {
        let category = category(tensor.role);
        if matches!(category, Category::Output)
            || (self.facts.tied_embeddings && matches!(category, Category::Embedding))
        {
            return self.head(tensor, default);
        }
        if matches!(self.kind, GgufType::MXFP4_MOE) {
            return if tensor.stack > 1 {
                BlockType::MXFP4
            } else {
                BlockType::Q8_0
            };
        }
        if matches!(category, Category::Embedding) {
            return self.embedding(default);
        }
        match self.kind {
            GgufType::IQ2_XXS
            | GgufType::IQ2_XS
            | GgufType::IQ2_S
            | GgufType::IQ2_M
            | GgufType::IQ1_S
            | GgufType::IQ1_M => return self.lowest(category, default),
            _ => {}
        }
        match category {
            Category::Value => self.value(default),
            Category::Key | Category::Query => self.key_or_query(category, default),
            Category::Down => self.down(tensor, default),
            Category::AttentionOutput => self.attention_output(default),
            Category::Gate => {
                let ordinal = next(&mut self.gates);
                let layer = self.layer(tensor, ordinal);
                self.gate_or_up(layer, default)
            }
            Category::Up => {
                let ordinal = next(&mut self.ups);
                let layer = self.layer(tensor, ordinal);
                self.gate_or_up(layer, default)
            }
            Category::Embedding | Category::Output | Category::Other => default,
        }
    }

    /// The layer the feed-forward rules go by: the tensor's own in a MoE, else which of its kind it is.
    const fn layer(&self, tensor: &Tensor, ordinal: u32) -> u32 {
        match tensor.layer {
            Some(layer) if self.facts.experts > 1 => layer,
            _ => ordinal,
        }
    }

    const fn head(&self, tensor: &Tensor, default: BlockType) -> BlockType {
        if matches!(self.kind, GgufType::MXFP4_MOE)
            || matches!(self.facts.family, QuantFamily::Falcon)
            || !default.divides(tensor.row)
        {
            return BlockType::Q8_0;
        }
        match self.kind {
            GgufType::IQ2_XXS
            | GgufType::IQ2_XS
            | GgufType::IQ2_S
            | GgufType::IQ2_M
            | GgufType::IQ3_XXS
            | GgufType::IQ1_S
            | GgufType::IQ1_M => BlockType::Q5_K,
            GgufType::Q8_0 => BlockType::Q8_0,
            _ => BlockType::Q6_K,
        }
    }

    const fn embedding(&self, default: BlockType) -> BlockType {
        match self.kind {
            GgufType::IQ2_XXS | GgufType::IQ2_XS | GgufType::IQ1_S | GgufType::IQ1_M => {
                BlockType::Q2_K
            }
            GgufType::IQ2_S | GgufType::IQ2_M | GgufType::IQ3_XXS => BlockType::IQ3_S,
            GgufType::TQ1_0 | GgufType::TQ2_0 => BlockType::Q4_K,
            _ => default,
        }
    }

    /// The rules of the file types of 2 bits and fewer.
    const fn lowest(&mut self, category: Category, default: BlockType) -> BlockType {
        let raised = matches!(self.kind, GgufType::IQ2_S | GgufType::IQ2_M);
        let better = if raised {
            BlockType::IQ3_S
        } else {
            BlockType::Q2_K
        };
        match category {
            Category::Value => {
                if self.gqa_4 || self.facts.experts >= 4 {
                    BlockType::Q4_K
                } else {
                    better
                }
            }
            Category::Key if self.eight_experts => BlockType::Q4_K,
            // Counted over all down projections, routed and shared, unlike in the larger types.
            Category::Down if next(&mut self.downs) < self.facts.layers / 8 => better,
            Category::AttentionOutput if self.eight_experts => BlockType::Q5_K,
            Category::AttentionOutput if raised => BlockType::IQ3_S,
            Category::AttentionOutput if matches!(self.kind, GgufType::IQ1_S | GgufType::IQ1_M) => {
                BlockType::IQ2_XXS
            }
            _ => default,
        }
    }

    const fn value(&mut self, default: BlockType) -> BlockType {
        let index = next(&mut self.values);
        if self.eight_experts {
            return BlockType::Q8_0;
        }
        let chosen = match self.kind {
            GgufType::Q2_K if self.gqa_4 => BlockType::Q4_K,
            GgufType::Q2_K => BlockType::Q3_K,
            GgufType::Q2_K_S | GgufType::IQ3_XXS | GgufType::IQ3_XS | GgufType::IQ3_S
                if self.gqa_4 =>
            {
                BlockType::Q4_K
            }
            GgufType::IQ3_XXS if !self.imatrix => BlockType::IQ3_S,
            GgufType::IQ3_M => BlockType::Q4_K,
            GgufType::Q3_K_M if index < 2 => BlockType::Q5_K,
            GgufType::Q3_K_M => BlockType::Q4_K,
            GgufType::Q3_K_L => BlockType::Q5_K,
            GgufType::IQ4_NL | GgufType::IQ4_XS if self.gqa_4 => BlockType::Q5_K,
            GgufType::Q4_K_M | GgufType::Q5_K_M if more_bits(index, self.facts.value_tensors) => {
                BlockType::Q6_K
            }
            GgufType::Q4_K_S if index < 4 => BlockType::Q5_K,
            _ => default,
        };
        if self.facts.is_seventy() && matches!(chosen, BlockType::Q3_K | BlockType::Q4_K) {
            return BlockType::Q5_K;
        }
        chosen
    }

    const fn key_or_query(&self, category: Category, default: BlockType) -> BlockType {
        if self.eight_experts && matches!(category, Category::Key) {
            return BlockType::Q8_0;
        }
        match self.kind {
            GgufType::IQ3_XS => BlockType::IQ3_XXS,
            GgufType::IQ3_XXS => BlockType::IQ2_S,
            _ => default,
        }
    }

    const fn down(&mut self, tensor: &Tensor, default: BlockType) -> BlockType {
        let ordinal = next(&mut self.downs);
        let layer = self.layer(tensor, ordinal);
        let layers = self.facts.layers;
        let falcon = matches!(self.facts.family, QuantFamily::Falcon);
        let first_eighth = layer < layers / 8;
        let first_sixteenth = layer < layers / 16;
        let more = more_bits(layer, layers);
        match self.kind {
            GgufType::Q2_K => BlockType::Q3_K,
            GgufType::Q2_K_S if first_eighth => BlockType::Q4_K,
            GgufType::IQ3_XXS if !self.imatrix && first_eighth => BlockType::Q4_K,
            GgufType::IQ3_XXS if !self.imatrix => BlockType::Q3_K,
            GgufType::Q3_K_M if first_sixteenth => BlockType::Q5_K,
            GgufType::Q3_K_M if !falcon || more => BlockType::Q4_K,
            GgufType::IQ3_M if first_eighth || (self.eight_experts && more) => BlockType::Q4_K,
            GgufType::Q3_K_L if falcon => BlockType::Q4_K,
            GgufType::Q3_K_L => BlockType::Q5_K,
            GgufType::Q4_K_M if falcon => {
                if first_sixteenth {
                    BlockType::Q6_K
                } else if more {
                    BlockType::Q5_K
                } else {
                    BlockType::Q4_K
                }
            }
            GgufType::Q4_K_M | GgufType::Q5_K_M if more => BlockType::Q6_K,
            GgufType::IQ4_NL | GgufType::IQ4_XS if first_eighth && !self.imatrix => BlockType::Q5_K,
            GgufType::Q4_K_S if first_eighth && !falcon => BlockType::Q5_K,
            GgufType::Q4_0 if first_eighth && self.imatrix => BlockType::Q4_1,
            GgufType::Q5_0 if first_eighth && self.imatrix => BlockType::Q5_1,
            _ => default,
        }
    }

    const fn attention_output(&self, default: BlockType) -> BlockType {
        if matches!(self.facts.family, QuantFamily::Falcon) {
            return match self.kind {
                GgufType::Q3_K_L => BlockType::Q4_K,
                _ => default,
            };
        }
        if self.eight_experts {
            return match self.kind {
                GgufType::Q2_K
                | GgufType::IQ3_XS
                | GgufType::IQ3_XXS
                | GgufType::IQ3_S
                | GgufType::IQ3_M
                | GgufType::Q3_K_S
                | GgufType::Q3_K_M
                | GgufType::IQ4_NL
                | GgufType::IQ4_XS
                | GgufType::Q4_K_S
                | GgufType::Q4_K_M => BlockType::Q5_K,
                _ => default,
            };
        }
        match self.kind {
            GgufType::Q2_K => BlockType::Q3_K,
            GgufType::IQ3_XXS => BlockType::IQ3_S,
            GgufType::Q3_K_M | GgufType::IQ3_M => BlockType::Q4_K,
            GgufType::Q3_K_L => BlockType::Q5_K,
            _ => default,
        }
    }

    const fn gate_or_up(&self, layer: u32, default: BlockType) -> BlockType {
        let layers = self.facts.layers;
        match self.kind {
            GgufType::IQ3_XS if layer >= layers / 8 && layer < layers.saturating_mul(7) / 8 => {
                BlockType::IQ3_XXS
            }
            _ => default,
        }
    }
}

/// A type whose blocks fit rows of this length: the wanted one, or the nearest of blocks of 32, or F16.
///
/// The quantizer stops at a type of 32 that doesn't fit; here that too becomes F16.
pub(super) const fn fall_back(wanted: BlockType, row: u64) -> BlockType {
    if wanted.divides(row) {
        return wanted;
    }
    let smaller = match wanted {
        BlockType::IQ1_S
        | BlockType::IQ1_M
        | BlockType::IQ2_XXS
        | BlockType::IQ2_XS
        | BlockType::IQ2_S
        | BlockType::IQ3_XXS
        | BlockType::IQ3_S
        | BlockType::IQ4_XS
        | BlockType::IQ1_KT
        | BlockType::IQ2_KT
        | BlockType::IQ2_KS
        | BlockType::IQ2_K
        | BlockType::IQ2_KL
        | BlockType::IQ3_KT
        | BlockType::IQ3_KS
        | BlockType::IQ3_K
        | BlockType::IQ4_KT
        | BlockType::IQ4_KSS
        | BlockType::IQ4_KS => BlockType::IQ4_NL,
        BlockType::Q2_K | BlockType::Q3_K | BlockType::TQ1_0 | BlockType::TQ2_0 => BlockType::Q4_0,
        BlockType::Q4_K | BlockType::IQ4_K => BlockType::Q5_0,
        BlockType::Q5_K | BlockType::IQ5_K | BlockType::IQ5_KS => BlockType::Q5_1,
        BlockType::Q6_K | BlockType::IQ6_K => BlockType::Q8_0,
        other => other,
    };
    if smaller.divides(row) {
        smaller
    } else {
        BlockType::F16
    }
}
