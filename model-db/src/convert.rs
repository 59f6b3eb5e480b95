//! From a record to what the estimator takes.

use estimator::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Counted, Dense, Experts, Gate, Indexer,
    Layer, Linear, Part, Passes, Span,
};

use crate::entry::{
    ArchitectureEntry, AttentionEntry, FeedForwardEntry, GateName, IndexerEntry, LinearEntry,
    LinearKind, PartName,
};
use crate::layout::expand;
use crate::spec::ModelRecord;

impl ModelRecord {
    /// What it is made of.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        Architecture {
            max_context: self.max_context,
            vision_parameters: self.vision_parameters,
            mtp_layers: self.mtp_layers,
            mtp_parameters: self.mtp_parameters,
            ..architecture(&self.architecture)
        }
    }
}

/// The text trunk a file describes.
#[must_use]
pub fn architecture(entry: &ArchitectureEntry) -> Architecture {
    let mut layers =
        expand(&entry.layout, &mut |names| Ok(layer(entry, names))).unwrap_or_default(); // the build script has read it already
    if let Some(repeated) = entry.repeated {
        for (number, layer) in (0_u32..).zip(&mut layers) {
            if (repeated.first..=repeated.last).contains(&number) {
                layer.passes = Passes(repeated.passes);
            }
        }
    }
    Architecture {
        family: entry.family.clone(),
        hidden: entry.hidden,
        vocabulary: entry.vocabulary,
        output_vocabulary: entry.output_vocabulary.unwrap_or(entry.vocabulary),
        tied_embeddings: entry.tied_embeddings,
        output_bias: entry.output_bias,
        positions: entry.positions,
        norms: entry.norms,
        layers,
        counted: entry
            .counted
            .iter()
            .map(|(part, elements)| Counted {
                part: self::part(*part),
                elements: *elements,
            })
            .collect(),
        max_context: None,
        vision_parameters: 0,
        mtp_layers: 0,
        mtp_parameters: 0,
    }
}

fn layer(entry: &ArchitectureEntry, names: &mut dyn Iterator<Item = &str>) -> Layer {
    let mut layer = Layer::default();
    for name in names {
        if let Some(part) = entry.attention.get(name) {
            layer.attention = Some(attention(part));
            layer.norms += part.norms;
        }
        if let Some(part) = entry.linear.get(name) {
            layer.linear = Some(linear(part));
            layer.norms += part.norms;
        }
        if let Some(part) = entry.feed_forward.get(name) {
            if part.experts > 0 {
                layer.experts = Some(experts(part));
            } else {
                layer.dense = Some(dense(part));
            }
            layer.norms += part.norms;
        }
    }
    layer
}

fn attention(entry: &AttentionEntry) -> Attention {
    let kind = match (entry.latent, entry.shared_vector) {
        (Some(latent), _) => AttentionKind::Latent {
            q_rank: latent.q_rank,
            kv_rank: latent.kv_rank,
            rope_dim: latent.rope,
            nope_dim: latent.nope,
            v_head_dim: latent.value,
        },
        (None, Some(vector)) => AttentionKind::SharedVector {
            head_dim: vector.width,
            q_rank: vector.q_rank,
            o_rank: vector.o_rank,
            o_groups: vector.o_groups,
        },
        (None, None) => AttentionKind::Grouped {
            kv_heads: entry.kv_heads,
            head_dim: entry.head_dim,
            v_head_dim: entry.v_head_dim.unwrap_or(entry.head_dim),
            k_equals_v: entry.k_equals_v,
        },
    };
    let span = if entry.cross {
        Span::Cross
    } else if let Some(compress) = entry.compress {
        Span::Compressed {
            window: compress.window,
            rate: compress.rate,
        }
    } else if let Some(window) = entry.window {
        Span::Sliding { window }
    } else if let Some(size) = entry.chunk {
        Span::Chunked { size }
    } else {
        Span::Full
    };
    Attention {
        heads: entry.heads,
        kind,
        span,
        cache: if entry.shares_cache {
            CacheOwner::Earlier
        } else {
            CacheOwner::Own
        },
        gate: match entry.gate {
            None => Gate::None,
            Some(GateName::Head) => Gate::PerHead,
            Some(GateName::Element) => Gate::PerElement,
        },
        qkv_bias: entry.qkv_bias,
        output_bias: entry.output_bias,
        fused_qkv: entry.fused_qkv,
        q_norm: entry.q_norm,
        k_norm: entry.k_norm,
        small: entry.small,
        indexer: entry.indexer.map(indexer),
    }
}

const fn indexer(entry: IndexerEntry) -> Indexer {
    Indexer {
        heads: entry.heads,
        head_dim: entry.head_dim,
        kv_heads: 1,
        q_input: entry.q_input,
        topk: entry.topk,
        rate: entry.rate,
        own: entry.own,
        shaped: !entry.counted,
    }
}

const fn linear(entry: &LinearEntry) -> Linear {
    let &LinearEntry {
        heads,
        head_dim,
        state,
        groups,
        kernel,
        ..
    } = entry;
    match entry.kind {
        LinearKind::GatedDeltanet => Linear::GatedDeltaNet {
            k_heads: entry.k_heads,
            v_heads: entry.v_heads,
            k_head_dim: entry.k_head_dim,
            v_head_dim: entry.v_head_dim,
            kernel,
        },
        LinearKind::Kda => Linear::Kda {
            heads,
            head_dim,
            kernel,
            full_rank_decay: entry.full_rank_decay,
            full_rank_gate: entry.full_rank_gate,
        },
        LinearKind::Lightning => Linear::Lightning { heads, head_dim },
        LinearKind::Mamba1 => Linear::Mamba1 {
            inner: entry.inner,
            state,
            dt_rank: entry.dt_rank,
            kernel,
            inner_norms: entry.inner_norms,
        },
        LinearKind::Mamba2 => Linear::Mamba2 {
            heads,
            head_dim,
            state,
            groups,
            kernel,
            norm: entry.norm,
        },
        LinearKind::ShortConv => Linear::ShortConv {
            channels: entry.channels,
            kernel,
        },
    }
}

const fn dense(entry: &FeedForwardEntry) -> Dense {
    Dense {
        width: entry.width,
        gated: entry.gated,
        bias: entry.bias,
        fused: entry.fused,
    }
}

const fn experts(entry: &FeedForwardEntry) -> Experts {
    Experts {
        count: entry.experts,
        per_token: entry.active,
        width: entry.width,
        gated: entry.gated,
        bias: entry.bias,
        latent: entry.latent,
        shared_width: entry.shared,
        shared_gate: entry.shared_gate,
        zero_count: entry.zero,
        router_small: entry.router_small,
    }
}

/// The estimator's name of a part.
#[must_use]
pub const fn part(name: PartName) -> Part {
    match name {
        PartName::Embedding => Part::Embedding,
        PartName::Output => Part::Output,
        PartName::Attention => Part::Attention,
        PartName::Linear => Part::Linear,
        PartName::Indexer => Part::Indexer,
        PartName::Dense => Part::Dense,
        PartName::Experts => Part::Experts,
        PartName::Router => Part::Router,
        PartName::Shared => Part::Shared,
        PartName::Norm => Part::Norm,
        PartName::Lookup => Part::Lookup,
        PartName::Other => Part::Other,
    }
}
