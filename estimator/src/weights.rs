//! The weights of a model in a format: bytes to hold, and what a step reads of them.

mod file;
mod layers;
mod step;

pub use file::{Inventory, Stored};
pub use step::Shares;

use crate::architecture::{Architecture, Part};
use crate::format::{
    ALIGNMENT, Encoding, Extra, FormatFamily, KernelClass, ModelFacts, WeightFormat, header_bytes,
};
use crate::num;
use crate::tensor::{Role, Tensor};
use crate::units::Bytes;
use step::Routing;

/// How many encodings a model's weights can come in at once; the mixes have at most nine.
const ENCODINGS: usize = 12;

/// The weights of a model in a format, by part, by kernel class and by encoding.
///
/// The text trunk; vision towers and layers for multi-token prediction are known by count only and
/// aren't in it. Sums are whole bytes, exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    parts: [PartWeights; Part::COUNT],
    encodings: [(Encoding, Share); ENCODINGS],
    used: usize,
    tensors: u64,
    file: u64,
    routing: Routing,
    vocabulary: u64,
    tied: bool,
    layers: Vec<LayerBytes>,
}

/// What one layer's weights take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerBytes {
    /// Bytes of everything but routed experts.
    pub trunk: u64,
    /// Bytes of routed experts, which an engine can keep elsewhere.
    pub experts: u64,
}

/// So many weights in so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Weights.
    pub elements: u64,
    /// Bytes they take.
    pub bytes: u64,
}

impl Share {
    const NONE: Self = Self {
        elements: 0,
        bytes: 0,
    };

    const fn add(&mut self, other: Self) {
        self.elements = self.elements.saturating_add(other.elements);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    const fn times(self, factor: u64) -> Self {
        Self {
            elements: self.elements.saturating_mul(factor),
            bytes: self.bytes.saturating_mul(factor),
        }
    }
}

/// How often a tensor occurs.
#[derive(Debug, Clone, Copy)]
struct Times {
    /// Tensors alike.
    tensors: u64,
    /// How often a token passes through each.
    passes: u64,
}

impl Times {
    const ONCE: Self = Self {
        tensors: 1,
        passes: 1,
    };
}

/// The weights of one kernel class in a part of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    /// Bytes they take.
    pub bytes: Bytes,
    /// Weights.
    pub elements: f64,
}

/// One part's weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartWeights {
    all: Share,
    /// Bytes and weights counted as often as a token passes through their layer.
    passed: Share,
    classes: [Share; KernelClass::COUNT],
}

impl PartWeights {
    const NONE: Self = Self {
        all: Share::NONE,
        passed: Share::NONE,
        classes: [Share::NONE; KernelClass::COUNT],
    };

    /// Bytes the part takes.
    #[must_use]
    pub const fn bytes(&self) -> Bytes {
        Bytes::whole(self.all.bytes)
    }

    /// Bytes and weights of the part, as whole numbers.
    #[must_use]
    pub const fn share(&self) -> Share {
        self.all
    }

    /// How many weights the part has.
    #[must_use]
    pub const fn elements(&self) -> f64 {
        num::f(self.all.elements)
    }

    /// The kernel classes it has weights in.
    pub fn kernels(&self) -> impl Iterator<Item = (KernelClass, Slice)> {
        KernelClass::ALL
            .into_iter()
            .zip(self.classes)
            .filter(|(_, share)| share.elements > 0)
            .map(|(class, share)| {
                let slice = Slice {
                    bytes: Bytes::whole(share.bytes),
                    elements: num::f(share.elements),
                };
                (class, slice)
            })
    }

    /// How often a byte of the part is read when a step touches all of it: 1, more in looped models.
    fn passes(&self) -> f64 {
        if self.passed.bytes == self.all.bytes {
            1.0
        } else {
            num::f(self.passed.bytes) / num::f(self.all.bytes)
        }
    }
}

impl Weights {
    /// The weights of a model in a format.
    #[must_use]
    pub fn of(architecture: &Architecture, format: &WeightFormat) -> Self {
        let facts = ModelFacts::of(architecture);
        let mut encoder = format.encoder(&facts);
        let mut weights = Self::empty(architecture);
        architecture.visit_outside(&mut |part, tensor| {
            let encoding = encoder.encode(&tensor);
            weights.add(part, encoding, &tensor, Times::ONCE);
        });
        layers::add(&mut weights, architecture, &mut encoder);
        if weights.tied && format.unties_embeddings() {
            let head = Tensor {
                role: Role::Output,
                layer: None,
                row: u64::from(architecture.hidden),
                rows: u64::from(architecture.output_vocabulary),
                stack: 1,
            };
            let encoding = encoder.encode(&head);
            weights.add(Part::Output, encoding, &head, Times::ONCE);
            weights.tied = false;
        }
        if format.family() == FormatFamily::Gguf {
            let (family, vocabulary) = (&architecture.family, architecture.vocabulary);
            let header = header_bytes(family, vocabulary, weights.tensors);
            let extra = Extra::of(architecture, *format).file;
            weights.file = weights.file.saturating_add(header).saturating_add(extra);
        }
        weights
    }

    /// Adds so many tensors alike.
    fn add(&mut self, part: Part, encoding: Encoding, tensor: &Tensor, times: Times) {
        let one = encoding.bytes(tensor);
        let share = Share {
            elements: tensor.elements(),
            bytes: one,
        }
        .times(times.tensors);
        self.tensors = self.tensors.saturating_add(times.tensors);
        let padded = num::round_up(one, ALIGNMENT).saturating_mul(times.tensors);
        self.file = self.file.saturating_add(padded);
        self.add_share(part, encoding, share, times.passes);
    }

    /// One part's weights. A tied embedding is in [`Part::Embedding`], once.
    #[must_use]
    pub fn part(&self, part: Part) -> PartWeights {
        self.parts
            .get(part.index())
            .copied()
            .unwrap_or(PartWeights::NONE)
    }

    /// What a step reads in full as the output head: the head, or the embedding where they are one.
    #[must_use]
    pub fn head(&self) -> PartWeights {
        self.part(if self.tied {
            Part::Embedding
        } else {
            Part::Output
        })
    }

    /// Whether the head is the embedding, stored once. EXL2 and EXL3 store tied ones apart.
    #[must_use]
    pub const fn is_tied(&self) -> bool {
        self.tied
    }

    /// Each layer's bytes, in order. Weights known by count only are in no layer.
    #[must_use]
    pub fn layers(&self) -> &[LayerBytes] {
        &self.layers
    }

    /// All bytes of the tensors: what has to be held somewhere.
    #[must_use]
    pub fn resident(&self) -> Bytes {
        Bytes::whole(self.total().bytes)
    }

    /// How many weights there are.
    #[must_use]
    pub fn elements(&self) -> f64 {
        num::f(self.total().elements)
    }

    /// Weights and bytes of all tensors, as whole numbers.
    #[must_use]
    pub fn total(&self) -> Share {
        let mut total = Share::NONE;
        for part in &self.parts {
            total.add(part.all);
        }
        total
    }

    /// Bits a weight on average, over the whole model.
    #[must_use]
    pub fn bits_per_weight(&self) -> f64 {
        let total = self.total();
        num::f(total.bytes) * 8.0 / num::f(total.elements.max(1))
    }

    /// Size of the weights as one file.
    ///
    /// A GGUF has each tensor padded to 32 bytes, a header, estimated by [`header_bytes`], and
    /// what isn't of the trunk but in the file ([`Extra`]); the header of safetensors files is under 0.1 % and left out.
    #[must_use]
    pub const fn file(&self) -> Bytes {
        Bytes::whole(self.file)
    }

    /// How many tensors there are, stacks counted once.
    #[must_use]
    pub const fn tensors(&self) -> u64 {
        self.tensors
    }

    /// Weights and bytes by encoding, in the order first met.
    pub fn encodings(&self) -> impl Iterator<Item = (Encoding, Share)> {
        self.encodings.iter().take(self.used).copied()
    }

    /// The kernel class most of the bytes are in, embeddings aside.
    #[must_use]
    pub fn main_class(&self) -> KernelClass {
        let mut bytes = [0_u64; KernelClass::COUNT];
        for part in Part::ALL {
            if matches!(part, Part::Embedding | Part::Output | Part::Lookup) {
                continue;
            }
            for (sum, share) in bytes.iter_mut().zip(self.part(part).classes) {
                *sum = sum.saturating_add(share.bytes);
            }
        }
        KernelClass::ALL
            .into_iter()
            .zip(bytes)
            .fold((KernelClass::Float16, 0), |most, next| {
                if next.1 > most.1 { next } else { most }
            })
            .0
    }
}

#[cfg(test)]
mod tests;
