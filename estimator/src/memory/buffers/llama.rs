//! What llama.cpp allocates beside weights and cache: the compute graph's buffer and logits.
//!
//! Formulas follow the graphs of `src/llama-graph.cpp` and `src/models/`, the allocator of
//! `ggml/src/ggml-alloc.c` and the scheduler of `ggml/src/ggml-backend.cpp`, all at commit
//! 0c1e57098, and are compared with the engine's own projections in
//! `tests/tests/engine_memory/`.

use crate::engine::Backend;
use crate::kv_cache::KvType;
use crate::num;
use crate::units::Bytes;
use crate::widths::{AttentionWidths, Widths};

/// Bytes of an intermediate result's element: graphs compute in 32 bit.
const RESULT: f64 = 4.0;
/// Bytes of an element of a mask, or of a copied cache, for flash attention.
const HALF: f64 = 2.0;
/// Bytes of an index.
const INDEX: f64 = 8.0;
/// Copies of each input when several devices work on different micro-batches at once
/// (`GGML_SCHED_MAX_COPIES`, `ggml/src/ggml-backend.cpp`).
pub const PIPELINE_COPIES: f64 = 4.0;

/// What decides the size of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Graph {
    /// Tokens computed at once (`--ubatch-size`).
    pub micro_batch: u64,
    /// Rows of logits reserved: one a slot in `llama-server`, the micro-batch in `llama-bench` and
    /// `llama-completion`. 0 on a device without the head.
    pub logit_rows: u64,
    /// Whether attention is computed without its score matrix (`--flash-attn`).
    pub flash_attention: bool,
    /// The number type of the cache.
    pub kv_type: KvType,
    /// Tokens of context a sequence can have.
    pub context: u64,
    /// Sequences (`--parallel`).
    pub sequences: u64,
    /// All sequences share one pool of cells (`--kv-unified`).
    pub unified: bool,
    /// Window layers keep the whole context (`--swa-full`).
    pub full_window: bool,
    /// Drafted tokens whose recurrent states are kept so that they can be taken back; 0 without
    /// speculative decoding.
    pub rollback: u64,
    /// What the devices are driven with.
    pub backend: Backend,
}

/// Where a graph, or its part, runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the CPU, which also looks the embedding up; without devices, or for the layers they don't hold.
    Cpu,
    /// On a device.
    Device,
    /// On the first of several devices that hold all layers and work on different micro-batches at once.
    PipelineFirst,
    /// On another of them.
    PipelineLater,
}

/// The stages of a graph. One buffer serves all, so it is as large as the largest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stages {
    /// The head.
    pub logits: Bytes,
    /// Attention.
    pub attention: Bytes,
    /// The feed-forward, dense or of experts.
    pub feed_forward: Bytes,
    /// A mixer with a state.
    pub mixer: Bytes,
    /// What is held beside whichever stage it is: copies of inputs.
    pub inputs: Bytes,
}

impl Stages {
    /// The buffer's size.
    #[must_use]
    pub fn peak(&self) -> Bytes {
        let stage = self.logits.max(self.attention).max(self.feed_forward);
        self.inputs + stage.max(self.mixer)
    }
}

impl Graph {
    /// The stages of the graph of a model of these widths.
    #[must_use]
    pub fn stages(&self, widths: &Widths, place: Place) -> Stages {
        let hidden = Bytes::new(widths.hidden * self.row());
        let mask = self.masks(widths);
        let pipeline = mask * (PIPELINE_COPIES - 1.0);
        let inputs = match place {
            Place::Cpu | Place::Device => Bytes::ZERO,
            Place::PipelineFirst => pipeline + hidden * PIPELINE_COPIES,
            // the stream and what is added to it come from the device before
            Place::PipelineLater => pipeline + hidden * (2.0 * widths.streams * PIPELINE_COPIES),
        };
        let looked_up_row = match place {
            Place::Cpu => Bytes::new(widths.hidden * RESULT),
            _ => Bytes::ZERO,
        };
        // Rows looked up stay in the CPU's buffer; a rotated cache orders the graph so that they don't.
        let looked_up = if place == Place::Cpu {
            hidden
        } else {
            Bytes::ZERO
        };
        let dense_looked_up = if self.kv_type.is_quantized() {
            Bytes::ZERO
        } else {
            looked_up
        };
        let feed_forward =
            (self.dense(widths) + dense_looked_up).max(self.experts(widths, place) + looked_up);
        Stages {
            logits: self.logits(widths) + looked_up_row * num::f(self.logit_rows),
            attention: self.attention(widths, place) + looked_up + mask,
            feed_forward: feed_forward + mask,
            mixer: self.mixer(widths) + looked_up + mask,
            inputs,
        }
    }

    /// The host's buffer beside devices that hold all layers: inputs, looked-up rows and the masks.
    #[must_use]
    pub fn inputs_on_host(&self, widths: &Widths, pipelined: bool) -> Bytes {
        let hidden = Bytes::new(widths.hidden * self.row());
        if pipelined {
            self.masks(widths) * PIPELINE_COPIES + hidden * (PIPELINE_COPIES + 1.0)
        } else {
            self.masks(widths) + hidden * 2.0
        }
    }

    /// The host's buffer when it computes experts for devices that hold the rest.
    #[must_use]
    pub fn experts_on_host(&self, widths: &Widths) -> Bytes {
        let inner = widths.experts_used * widths.expert;
        let each = widths.experts_used * widths.hidden + 3.0 * inner + widths.hidden;
        self.masks(widths) + Bytes::new(each * self.row())
    }

    /// The buffer of the context that drafts by multi-token prediction: one layer with full attention
    /// and a cache of its own in 16 bit, so the mask is there for attention only. It lies where the
    /// head is; on devices in turns its inputs are there four times.
    #[must_use]
    pub fn draft(&self, widths: &Widths, pipelined: bool) -> Bytes {
        let own = Self {
            kv_type: KvType::F16,
            ..*self
        };
        let alone = Widths {
            window: AttentionWidths::default(),
            ..*widths
        };
        let mask = own.masks(&alone);
        let hidden = Bytes::new(widths.hidden * own.row());
        let feed_forward = own.dense(widths).max(own.experts(widths, Place::Device));
        if pipelined {
            return mask * PIPELINE_COPIES + hidden * (2.0 * PIPELINE_COPIES) + feed_forward;
        }
        let written = Bytes::new((widths.full.key + widths.full.value) * own.row());
        let attention = own.attention(&alone, Place::Device) + mask;
        own.logits(widths)
            .max(attention)
            .max(feed_forward + written * 2.0)
    }

    /// Bytes of a result of width 1.
    const fn row(&self) -> f64 {
        RESULT * num::f(self.micro_batch)
    }

    /// Cells one sequence's attention looks at: its own, or the shared pool.
    fn cells(&self, window: u32) -> f64 {
        let (pool, sharing) = if self.unified {
            (self.context.saturating_mul(self.sequences), self.sequences)
        } else {
            (self.context, 1)
        };
        let pool = num::round_up(pool, 256);
        let cells = if window == 0 || self.full_window {
            pool
        } else {
            let kept = u64::from(window)
                .saturating_mul(sharing)
                .saturating_add(self.micro_batch);
            num::round_up(pool.min(kept), 256)
        };
        num::f(cells)
    }

    /// Pools of cells.
    const fn pools(&self) -> f64 {
        if self.unified {
            1.0
        } else {
            num::f(self.sequences)
        }
    }

    /// What full and window attention get as inputs, which are there through the whole graph: masks,
    /// in which a micro-batch's tokens are shared out among the pools (`[cells, tokens / pools, 1,
    /// pools]`), and without flash attention a 64-bit index for each value written, as values are
    /// then kept transposed.
    fn masks(&self, widths: &Widths) -> Bytes {
        let tokens = num::f(self.micro_batch);
        let each = |attention: &AttentionWidths| {
            if attention.heads <= 0.0 {
                return 0.0;
            }
            let cells = self.cells(attention.window);
            // an indexer has a mask of its own, of what it scores
            let index = if attention.index.heads <= 0.0 {
                0.0
            } else if attention.index.rate > 1.0 {
                RESULT / attention.index.rate
            } else {
                HALF
            };
            let masks = cells * tokens * index;
            if self.flash_attention {
                masks + cells * tokens * HALF
            } else {
                masks + cells * tokens * RESULT + attention.value * tokens * INDEX
            }
        };
        Bytes::new(each(&widths.full) + each(&widths.window))
    }

    fn logits(&self, widths: &Widths) -> Bytes {
        Bytes::new((widths.vocabulary + widths.hidden) * num::f(self.logit_rows) * RESULT)
    }

    fn attention(&self, widths: &Widths, place: Place) -> Bytes {
        let larger = |attention: &AttentionWidths| {
            if attention.heads <= 0.0 {
                return Bytes::ZERO;
            }
            let usual = if self.flash_attention {
                self.flash(attention, widths, place)
            } else {
                self.scores(attention, widths)
            };
            if attention.index.heads > 0.0 {
                usual.max(self.index(attention, widths, place))
            } else {
                usual
            }
        };
        larger(&widths.full).max(larger(&widths.window))
    }

    /// What attention has at hand beside scores or a copied cache, in elements a token.
    fn at_hand(attention: &AttentionWidths, widths: &Widths) -> f64 {
        let hidden = if widths.streams > 1.0 {
            // all streams: as they came, normed, and what opens them
            (1.0 + 1.5 * widths.streams) * widths.hidden
        } else {
            widths.hidden
        };
        if attention.latent {
            2.0 * attention.query + attention.raw_query + 3.0 * hidden
        } else {
            2.0 * attention.query + 2.0 * hidden + attention.gate
        }
    }

    /// Attention that holds the scores of all heads.
    fn scores(&self, attention: &AttentionWidths, widths: &Widths) -> Bytes {
        let cells = self.cells(attention.window);
        let scores = attention.heads * cells * self.row();
        let at_hand = Self::at_hand(attention, widths);
        if attention.latent {
            // Values are a part of the latents and are copied into the order the product wants.
            let values = cells * self.pools() * (attention.output / attention.heads) * RESULT;
            let copied = values + attention.query * self.row();
            return Bytes::new(scores + copied.max(at_hand * self.row()));
        }
        Bytes::new(scores + at_hand * self.row())
    }

    /// Attention while it chooses which tokens it looks at: a score of every token it could look at
    /// in 32 bit, queries of its own, and room that is not used again. An indexer that scores blocks
    /// of tokens has a score for each head, and masks made of what it chose
    /// (`src/models/qwen4exp.cpp`, `src/models/deepseek32.cpp`).
    fn index(&self, attention: &AttentionWidths, widths: &Widths, place: Place) -> Bytes {
        let index = attention.index;
        let cells = self.cells(attention.window);
        let (scores, apart, copied) = if index.rate > 1.0 {
            let scores = RESULT * index.heads / index.rate + RESULT + HALF;
            (scores, 2.0 * attention.gate, 0.0)
        } else {
            let copied = if place != Place::Cpu && self.copies_cache() {
                cells * self.pools() * (attention.key + attention.value) * HALF
            } else {
                0.0
            };
            (RESULT, attention.output + attention.raw_query, copied)
        };
        let each = Self::at_hand(attention, widths) + apart + 2.0 * index.query;
        let all = if self.flash_attention {
            0.0
        } else {
            attention.heads * cells * self.row()
        };
        let pairs = cells * num::f(self.micro_batch);
        Bytes::new(all + pairs * scores + each * self.row() + copied)
    }

    /// Flash attention. Prefill kernels make a 16-bit copy of a layer's cache in another type.
    fn flash(&self, attention: &AttentionWidths, widths: &Widths, place: Place) -> Bytes {
        let at_hand = Self::at_hand(attention, widths);
        let copied = place != Place::Cpu && self.copies_cache();
        if !copied {
            return Bytes::new(at_hand * self.row());
        }
        let cells = self.cells(attention.window) * self.pools();
        let copy = cells * (attention.key + attention.value) * HALF;
        let at_hand = at_hand * self.row();
        if attention.latent {
            // The result and the copy go where queries were, if they fit there.
            let result = attention.output * self.row() + copy;
            let room = (attention.query + attention.raw_query) * self.row();
            let apart = if result > room { result } else { 0.0 };
            return Bytes::new(at_hand + apart);
        }
        // The query's gate comes with it in one product.
        Bytes::new(at_hand + 2.0 * attention.gate * self.row() + copy)
    }

    /// Whether prefill kernels work on a 16-bit copy of a layer's cache, which counts as part of
    /// the buffer: CUDA and ROCm (`ggml-cuda/fattn.cu`, `ggml_cuda_flash_attn_ext_get_alloc_size`),
    /// SYCL (`ggml-sycl/fattn.cpp`) and Metal (`ggml-metal.cpp`, `extra_kv_f16`); Vulkan and the
    /// CPU unpack while they read.
    fn copies_cache(&self) -> bool {
        let converted = self.kv_type.is_quantized() || self.kv_type == KvType::F32;
        converted && !matches!(self.backend, Backend::Vulkan | Backend::Cpu)
    }

    /// What lies below the feed-forward in the buffer: the stream, its norm, and what queries left.
    fn below(widths: &Widths) -> f64 {
        let attention = if widths.full.heads > 0.0 {
            widths.full
        } else {
            widths.window
        };
        let left = if attention.gate > 0.0 {
            0.0
        } else if attention.latent {
            widths.hidden
        } else {
            attention.query
        };
        if widths.streams > 1.0 {
            // all streams, as they came and as they go on
            return (2.0 * widths.streams + 3.0) * widths.hidden;
        }
        2.0 * widths.hidden + left
    }

    fn dense(&self, widths: &Widths) -> Bytes {
        if widths.dense <= 0.0 {
            return Bytes::ZERO;
        }
        let inner = widths.dense_results * widths.dense;
        Bytes::new((inner + Self::below(widths)) * self.row())
    }

    /// Experts hold gate, up and their product for each expert visited, then each expert's result.
    fn experts(&self, widths: &Widths, place: Place) -> Bytes {
        let inner = widths.experts_used * widths.expert;
        if inner <= 0.0 {
            return Bytes::ZERO;
        }
        let (left, hidden) = (Self::below(widths), widths.hidden);
        let gated = 3.0 * inner + left;
        let results = widths.experts_used * hidden;
        // Results go where gate and up were, if they fit there; else behind the product, and gate
        // or up may have found room where queries were. On the CPU they don't go there when there
        // are shared experts.
        let apart = place == Place::Cpu && widths.shared > 0.0;
        let held = if results <= 2.0 * inner && !apart {
            gated
        } else {
            let queries = if widths.streams > 1.0 {
                0.0
            } else {
                left - 2.0 * hidden
            };
            let fitting =
                [inner, 2.0 * inner].map(|width| if width <= queries { inner } else { 0.0 });
            gated + results - fitting.iter().sum::<f64>()
        };
        Bytes::new(held.max(left + 3.0 * widths.shared + hidden) * self.row())
    }

    fn mixer(&self, widths: &Widths) -> Bytes {
        let linear = widths.linear;
        if linear.value <= 0.0 {
            return Bytes::ZERO;
        }
        let each = 2.0 * linear.convolved + linear.value + 2.0 * widths.hidden;
        // States are gathered and written anew, one more for each token that can be taken back.
        let states = 2.0 + num::f(self.rollback);
        let kept = 2.0 * linear.kernel * linear.convolved + states * linear.state;
        Bytes::new(each * self.row() + kept * num::f(self.sequences) * RESULT)
    }
}

/// Logits handed out: those rows of every sequence, in 32 bit. They lie in the host's memory, pinned
/// where there is a GPU.
#[must_use]
pub fn output_buffer(vocabulary: u32, rows: u64) -> Bytes {
    Bytes::new(num::f32u(vocabulary) * num::f(rows) * RESULT)
}
