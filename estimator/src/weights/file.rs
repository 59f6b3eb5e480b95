//! The weights a file really has: where its tensors are known, they win over any rule.

use super::{LayerBytes, PartWeights, Share, Times, Weights};
use crate::architecture::{Architecture, Part};
use crate::format::Encoding;

/// Tensors of a file that are alike in what matters here, counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// The part of the model they belong to.
    pub part: Part,
    /// Their layer, from 0; none for embeddings, the head, and what belongs to no layer.
    pub layer: Option<u32>,
    /// Whether a token visits only its chosen experts' share of them.
    pub routed: bool,
    /// How their numbers are stored.
    pub encoding: Encoding,
    /// Their weights and bytes, scales and zero points included, padding not.
    pub share: Share,
    /// How many tensors they are.
    pub tensors: u64,
}

/// What a file holds, tensor by tensor, with alike ones together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inventory {
    /// The text trunk.
    pub trunk: Vec<Stored>,
    /// Layers for multi-token prediction, which not every engine loads.
    pub mtp: Share,
    /// Vision and audio towers.
    pub vision: Share,
    /// Bytes of the file, or of all its parts.
    pub file: u64,
}

impl Inventory {
    /// Weights and bytes of the text trunk.
    #[must_use]
    pub fn total(&self) -> Share {
        let mut total = Share::NONE;
        for stored in &self.trunk {
            total.add(stored.share);
        }
        total
    }

    /// Weights and bytes of one part of the text trunk.
    #[must_use]
    pub fn part(&self, part: Part) -> Share {
        let mut total = Share::NONE;
        for stored in self.trunk.iter().filter(|stored| stored.part == part) {
            total.add(stored.share);
        }
        total
    }

    /// Counts a tensor of the text trunk, together with those alike.
    pub fn add(&mut self, tensor: Stored) {
        // files list a layer's tensors together, so those alike are near the end
        let alike = self.trunk.iter_mut().rev().take(32).find(|stored| {
            stored.part == tensor.part
                && stored.layer == tensor.layer
                && stored.routed == tensor.routed
                && stored.encoding == tensor.encoding
        });
        match alike {
            Some(stored) => {
                stored.share.add(tensor.share);
                stored.tensors = stored.tensors.saturating_add(tensor.tensors);
            }
            None => self.trunk.push(tensor),
        }
    }
}

impl Share {
    /// Adds what another has.
    pub const fn count(&mut self, other: Self) {
        self.add(other);
    }
}

impl Weights {
    /// The weights a file has. The architecture says which experts a token visits, how often a
    /// token passes through a layer, and whether the head is the embedding.
    ///
    /// Routed tensors of a layer without experts count as visited always.
    #[must_use]
    pub fn from_inventory(architecture: &Architecture, inventory: &Inventory) -> Self {
        let mut weights = Self::empty(architecture);
        weights.file = inventory.file;
        weights
            .layers
            .resize(architecture.layers.len(), LayerBytes::default());
        for stored in &inventory.trunk {
            let layer = stored.layer.and_then(|layer| architecture.layer(layer));
            let times = Times {
                tensors: stored.tensors,
                passes: layer.map_or(1, |layer| u64::from(layer.passes.0)),
            };
            weights.tensors = weights.tensors.saturating_add(stored.tensors);
            weights.add_share(stored.part, stored.encoding, stored.share, times.passes);
            let experts = layer
                .and_then(|layer| layer.experts)
                .filter(|_| stored.routed);
            if let Some(experts) = &experts {
                let bytes = stored.share.bytes.saturating_mul(times.passes);
                weights.routing.add(experts, bytes);
            }
            let bytes = stored
                .layer
                .and_then(|layer| usize::try_from(layer).ok())
                .and_then(|layer| weights.layers.get_mut(layer));
            if let Some(bytes) = bytes {
                let sum = if experts.is_some() {
                    &mut bytes.experts
                } else {
                    &mut bytes.trunk
                };
                *sum = sum.saturating_add(stored.share.bytes);
            }
        }
        weights
    }

    /// No weights yet.
    pub(super) fn empty(architecture: &Architecture) -> Self {
        Self {
            parts: [PartWeights::NONE; Part::COUNT],
            encodings: [(Encoding::F32, Share::NONE); super::ENCODINGS],
            used: 0,
            tensors: 0,
            file: 0,
            routing: super::Routing::default(),
            vocabulary: u64::from(architecture.vocabulary),
            tied: architecture.tied_embeddings,
            layers: Vec::with_capacity(architecture.layers.len()),
        }
    }

    /// Adds weights of one part and encoding, through which a token passes so many times.
    pub(super) fn add_share(&mut self, part: Part, encoding: Encoding, share: Share, passes: u64) {
        if let Some(weights) = self.parts.get_mut(part.index()) {
            weights.all.add(share);
            weights.passed.add(share.times(passes));
            let class: Option<&mut Share> = weights.classes.get_mut(encoding.kernel().index());
            if let Some(class) = class {
                class.add(share);
            }
        }
        for (index, (each, sum)) in self.encodings.iter_mut().enumerate() {
            if index == self.used {
                *each = encoding;
                self.used = index.saturating_add(1);
            }
            if *each == encoding {
                sum.add(share);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::examples;
    use crate::format::{GgufType, ModelFacts, WeightFormat};

    #[test]
    fn a_file_as_the_rules_make_it_has_the_weights_the_rules_give() {
        for architecture in [examples::llama_8b(), examples::qwen3_30b_a3b()] {
            let format = WeightFormat::gguf(GgufType::Q4_K_M);
            let mut encoder = format.encoder(&ModelFacts::of(&architecture));
            let mut inventory = Inventory::default();
            architecture.visit_parts(&mut |part, tensor| {
                let encoding = encoder.encode(&tensor);
                inventory.add(Stored {
                    part,
                    layer: tensor.layer,
                    routed: tensor.role.is_routed(),
                    encoding,
                    share: Share {
                        elements: tensor.elements(),
                        bytes: encoding.bytes(&tensor),
                    },
                    tensors: 1,
                });
            });
            let ruled = Weights::of(&architecture, &format);
            let counted = Weights::from_inventory(&architecture, &inventory);
            assert_eq!(counted.total(), ruled.total());
            assert_eq!(counted.total(), inventory.total());
            assert_eq!(counted.layers(), ruled.layers());
            assert_eq!(counted.tensors(), ruled.tensors());
            for part in Part::ALL {
                assert_eq!(counted.part(part), ruled.part(part));
                assert_eq!(counted.shares(part, 8), ruled.shares(part, 8));
                assert_eq!(inventory.part(part), ruled.part(part).share());
            }
        }
    }
}
