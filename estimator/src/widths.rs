//! The widths that decide how much room intermediate results need.

use crate::architecture::{Architecture, Attention, AttentionKind, Gate, Layer, Linear, Span};
use crate::num::f32u;

/// The widest of each kind over a model's layers, in elements a token.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Widths {
    /// The residual stream.
    pub hidden: f64,
    /// Residual streams side by side: 1, or those of hyper-connections.
    pub streams: f64,
    /// Logits of a token.
    pub vocabulary: f64,
    /// Inner width of the dense feed-forward.
    pub dense: f64,
    /// Results of that width that are held at once: gate, up and their product, or two without a gate.
    pub dense_results: f64,
    /// Inner width of a routed expert.
    pub expert: f64,
    /// Routed experts a token visits.
    pub experts_used: f64,
    /// Combined inner width of the shared experts.
    pub shared: f64,
    /// Keys and values of a token in one layer.
    pub cache: f64,
    /// Attention over the whole context.
    pub full: AttentionWidths,
    /// Attention over a window.
    pub window: AttentionWidths,
    /// The mixer with a state.
    pub linear: LinearWidths,
    /// Bytes that the largest image takes in the vision tower, in vLLM; 0 without one or where it
    /// isn't known.
    pub image: f64,
}

/// The widths of attention.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AttentionWidths {
    /// Query heads; 0 where there is no such attention.
    pub heads: f64,
    /// All heads' queries, as attention works on them.
    pub query: f64,
    /// All heads' results, as attention gives them.
    pub output: f64,
    /// A token's keys.
    pub key: f64,
    /// A token's values; 0 where they are part of the keys.
    pub value: f64,
    /// A head's width.
    pub head: f64,
    /// Queries before they are brought to the latent's width; 0 without a latent.
    pub raw_query: f64,
    /// The gate on the result.
    pub gate: f64,
    /// Tokens of the window; 0 without one.
    pub window: u32,
    /// Whether keys and values are one latent.
    pub latent: bool,
    /// The indexer that chooses what attention looks at.
    pub index: IndexWidths,
}

/// The widths of an indexer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IndexWidths {
    /// Its heads; 0 where there is none.
    pub heads: f64,
    /// All its heads' queries.
    pub query: f64,
    /// Tokens it scores as one.
    pub rate: f64,
}

/// The widths of a mixer with a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LinearWidths {
    /// What goes through its convolution.
    pub convolved: f64,
    /// Its values, which are also its results and its gate.
    pub value: f64,
    /// Keys of all heads, repeated for each head of values.
    pub key: f64,
    /// A sequence's state.
    pub state: f64,
    /// Inputs of the convolution kept of each channel.
    pub kernel: f64,
}

impl Widths {
    /// The widths of a model.
    #[must_use]
    pub fn of(architecture: &Architecture) -> Self {
        let start = Self {
            hidden: f32u(architecture.hidden),
            streams: streams(&architecture.family),
            image: image(architecture),
            vocabulary: f32u(architecture.output_vocabulary),
            ..Self::default()
        };
        architecture
            .layers
            .iter()
            .fold(start, |widths, layer| widths.with(layer))
    }

    fn with(mut self, layer: &Layer) -> Self {
        if let Some(dense) = layer.dense {
            self.dense = self.dense.max(f32u(dense.width));
            let results = if dense.gated { 3.0 } else { 2.0 };
            self.dense_results = self.dense_results.max(results);
        }
        if let Some(experts) = layer.experts {
            self.expert = self.expert.max(f32u(experts.width));
            self.experts_used = self.experts_used.max(f32u(experts.per_token));
            self.shared = self.shared.max(f32u(experts.shared_width));
        }
        if let Some(attention) = layer.attention.filter(|own| own.span != Span::Cross) {
            let own = AttentionWidths::of(&attention);
            self.cache = self.cache.max(own.key + own.value);
            match attention.span {
                Span::Sliding { .. } | Span::Chunked { .. } => self.window = self.window.max(own),
                _ => self.full = self.full.max(own),
            }
        }
        if let Some(linear) = layer.linear {
            self.linear = self.linear.max(LinearWidths::of(&linear));
        }
        self
    }
}

impl AttentionWidths {
    fn of(attention: &Attention) -> Self {
        let heads = f32u(attention.heads);
        let (head, output, key, value, raw_query) = match attention.kind {
            AttentionKind::Grouped {
                kv_heads,
                head_dim,
                v_head_dim,
                ..
            } => {
                let (kv, k, v) = (f32u(kv_heads), f32u(head_dim), f32u(v_head_dim));
                (k, heads * v, kv * k, kv * v, 0.0)
            }
            AttentionKind::Latent {
                kv_rank,
                rope_dim,
                nope_dim,
                ..
            } => {
                let width = f32u(kv_rank) + f32u(rope_dim);
                let raw = heads * (f32u(nope_dim) + f32u(rope_dim));
                (width, heads * f32u(kv_rank), width, 0.0, raw)
            }
            AttentionKind::SharedVector { head_dim, .. } => {
                let width = f32u(head_dim);
                (width, heads * width, width, 0.0, heads * width)
            }
        };
        let window = match attention.span {
            Span::Sliding { window } | Span::Chunked { size: window } => window,
            _ => 0,
        };
        Self {
            heads,
            query: heads * head,
            output,
            key,
            value,
            head,
            raw_query,
            gate: match attention.gate {
                Gate::PerElement => output,
                Gate::PerHead => heads,
                Gate::None => 0.0,
            },
            window,
            latent: raw_query > 0.0,
            index: attention
                .indexer
                .map_or(IndexWidths::default(), |indexer| IndexWidths {
                    heads: f32u(indexer.heads),
                    query: f32u(indexer.heads) * f32u(indexer.head_dim),
                    rate: f32u(indexer.rate.max(1)),
                }),
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            heads: self.heads.max(other.heads),
            query: self.query.max(other.query),
            output: self.output.max(other.output),
            key: self.key.max(other.key),
            value: self.value.max(other.value),
            head: self.head.max(other.head),
            raw_query: self.raw_query.max(other.raw_query),
            gate: self.gate.max(other.gate),
            window: self.window.max(other.window),
            latent: self.latent || other.latent,
            index: if self.index.heads >= other.index.heads {
                self.index
            } else {
                other.index
            },
        }
    }
}

impl LinearWidths {
    fn of(linear: &Linear) -> Self {
        let kernel_of = |kernel: u32| f32u(kernel.saturating_sub(1));
        match *linear {
            Linear::GatedDeltaNet {
                k_heads,
                v_heads,
                k_head_dim,
                v_head_dim,
                kernel,
            } => {
                let value = f32u(v_heads) * f32u(v_head_dim);
                Self {
                    convolved: 2.0 * f32u(k_heads) * f32u(k_head_dim) + value,
                    value,
                    key: f32u(v_heads) * f32u(k_head_dim),
                    state: value * f32u(k_head_dim),
                    kernel: kernel_of(kernel),
                }
            }
            Linear::Kda {
                heads,
                head_dim,
                kernel,
                ..
            } => {
                let value = f32u(heads) * f32u(head_dim);
                Self {
                    convolved: 3.0 * value,
                    value,
                    key: value,
                    state: value * f32u(head_dim),
                    kernel: kernel_of(kernel),
                }
            }
            Linear::Lightning { heads, head_dim } => {
                let value = f32u(heads) * f32u(head_dim);
                Self {
                    convolved: 0.0,
                    value,
                    key: value,
                    state: value * f32u(head_dim),
                    kernel: 0.0,
                }
            }
            Linear::Mamba1 {
                inner,
                state,
                kernel,
                ..
            } => Self {
                convolved: f32u(inner),
                value: f32u(inner),
                key: f32u(state),
                state: f32u(inner) * f32u(state),
                kernel: kernel_of(kernel),
            },
            Linear::Mamba2 {
                heads,
                head_dim,
                state,
                groups,
                kernel,
                ..
            } => {
                let inner = f32u(heads) * f32u(head_dim);
                let keys = f32u(groups) * f32u(state);
                Self {
                    convolved: inner + 2.0 * keys,
                    value: inner,
                    key: keys,
                    state: inner * f32u(state),
                    kernel: kernel_of(kernel),
                }
            }
            Linear::ShortConv { channels, kernel } => Self {
                convolved: f32u(channels),
                value: f32u(channels),
                key: 0.0,
                state: 0.0,
                kernel: kernel_of(kernel),
            },
        }
    }

    const fn max(self, other: Self) -> Self {
        Self {
            convolved: self.convolved.max(other.convolved),
            value: self.value.max(other.value),
            key: self.key.max(other.key),
            state: self.state.max(other.state),
            kernel: self.kernel.max(other.kernel),
        }
    }
}

/// Streams of families with hyper-connections: four unless a config says otherwise (`hc_count` in
/// transformers' `configuration_qwen4_exp.py`, `hc_mult` of DeepSeek V4).
fn streams(family: &str) -> f64 {
    match family {
        "qwen4_exp" | "deepseek_v4" => 4.0,
        _ => 1.0,
    }
}

/// Qwen2.5-VL's tower takes 2.5 GiB, the same for the 72B on four ranks (vLLM issue 16570: 2.51) as
/// for a 7B with such a tower on one (MiMo-VL: 2.49, llm-d-planner's report on vLLM 0.19); text alone
/// takes less in both.
fn image(architecture: &Architecture) -> f64 {
    let known = architecture.family == "qwen2_5_vl" && architecture.vision_parameters > 0;
    if known { 2.5 * 1_073_741_824.0 } else { 0.0 }
}
