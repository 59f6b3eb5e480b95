//! A model's layers, those with the same cache taken together.

use super::{
    CacheBytes, CacheRule, KvType, layer_attention_flop, layer_cache_bytes, layer_read_bytes,
};
use crate::architecture::{Architecture, Layer};
use crate::units::{Bytes, Flop};

/// The kinds of layers a model has, as far as its cache goes, and how many of each.
///
/// Models repeat two or three kinds many times, and an estimate asks for their cache at a dozen
/// contexts; sums are the same as over the layers one by one, since counts of bytes are exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Kinds(Vec<(Layer, f64)>);

impl Kinds {
    /// The kinds of a model's layers.
    #[must_use]
    pub fn of(architecture: &Architecture) -> Self {
        let mut kinds: Vec<(Layer, f64)> = Vec::with_capacity(4);
        for layer in &architecture.layers {
            match kinds.iter_mut().find(|(kind, _)| alike(kind, layer)) {
                Some((_, count)) => *count += 1.0,
                None => kinds.push((*layer, 1.0)),
            }
        }
        Self(kinds)
    }

    /// What each layer sets aside, in order, added up: the n-th entry is of the layers before the n-th.
    #[must_use]
    pub fn running_cache_bytes(
        &self,
        architecture: &Architecture,
        rule: &CacheRule,
        context: u64,
        sequences: u32,
        kv_type: KvType,
    ) -> Vec<f64> {
        let each: Vec<f64> = self
            .0
            .iter()
            .map(|(kind, _)| {
                layer_cache_bytes(kind, rule, context, sequences, kv_type)
                    .total()
                    .get()
            })
            .collect();
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(architecture.layers.len().saturating_add(1));
        sums.push(sum);
        let mut last = 0;
        for layer in &architecture.layers {
            // Neighbours are mostly alike or take turns, so the last kind is tried first.
            if !self.0.get(last).is_some_and(|(kind, _)| alike(kind, layer)) {
                last = self
                    .0
                    .iter()
                    .position(|(kind, _)| alike(kind, layer))
                    .unwrap_or(last);
            }
            sum += each.get(last).copied().unwrap_or(0.0);
            sums.push(sum);
        }
        sums
    }

    /// [`super::cache_bytes`].
    #[must_use]
    pub fn cache_bytes(
        &self,
        rule: &CacheRule,
        context: u64,
        sequences: u32,
        kv_type: KvType,
    ) -> CacheBytes {
        self.0
            .iter()
            .fold(CacheBytes::default(), |total, (layer, count)| {
                let bytes = layer_cache_bytes(layer, rule, context, sequences, kv_type);
                CacheBytes {
                    attention: total.attention + bytes.attention * *count,
                    state: total.state + bytes.state * *count,
                    indexer: total.indexer + bytes.indexer * *count,
                }
            })
    }

    /// [`super::read_bytes_per_token_step`].
    #[must_use]
    pub fn read_bytes(&self, depth: u64, kv_type: KvType) -> Bytes {
        self.0
            .iter()
            .map(|(layer, count)| layer_read_bytes(layer, depth, kv_type) * *count)
            .sum()
    }

    /// [`super::attention_flop`], counting only pairs a token may look at.
    #[must_use]
    pub fn attention_flop(&self, depth: u64, new_tokens: u64) -> Flop {
        self.0
            .iter()
            .map(|(layer, count)| layer_attention_flop(layer, depth, new_tokens, true) * *count)
            .sum()
    }
}

/// Whether two layers keep the same of a token.
fn alike(one: &Layer, other: &Layer) -> bool {
    one.attention == other.attention && one.linear == other.linear && one.passes == other.passes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::examples;
    use crate::kv_cache::{attention_flop, cache_bytes, read_bytes_per_token_step};

    #[test]
    fn kinds_sum_to_the_same_as_layers_one_by_one() {
        for model in [
            examples::llama_8b(),
            examples::gpt_oss(36, 128),
            examples::deepseek_v3(),
        ] {
            let kinds = Kinds::of(&model);
            assert!(kinds.0.len() <= 2);
            for context in [1, 100, 5000, 131_072] {
                let rule = CacheRule::LLAMA_CPP;
                assert_eq!(
                    kinds.cache_bytes(&rule, context, 3, KvType::Q8_0),
                    cache_bytes(&model, &rule, context, 3, KvType::Q8_0)
                );
                assert_eq!(
                    kinds.read_bytes(context, KvType::F16),
                    read_bytes_per_token_step(&model, context, KvType::F16)
                );
                let (one, all) = (
                    kinds.attention_flop(0, context),
                    attention_flop(&model, 0, context, true),
                );
                assert!((one.get() / all.get() - 1.0).abs() < 1e-12);
            }
        }
    }
}
