//! A GGUF header written for each model of the catalogue, as the engine's converter names things,
//! reads back as that model.

#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod support;

use bandwise_model_file::{Progress, gguf};
use estimator::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Dense, Experts, Gate, Layer, Linear, Span,
};
use support::Gguf;

/// Half-precision floats: what a size takes is of no matter here.
const F16: u32 = 1;

/// Writes the tensors of one layer.
struct Writer<'a> {
    file: &'a mut Gguf,
    number: usize,
    hidden: u64,
}

impl Writer<'_> {
    fn put(&mut self, stem: &str, sizes: &[u32]) {
        let sizes: Vec<u64> = sizes.iter().map(|size| u64::from(*size)).collect();
        let name = format!("blk.{}.{stem}", self.number);
        self.file.tensor(&name, &sizes, F16);
    }

    fn hidden(&self) -> u32 {
        u32::try_from(self.hidden).expect("a width")
    }

    fn attention(&mut self, attention: &Attention) {
        let (hidden, heads) = (self.hidden(), attention.heads);
        let out = match attention.kind {
            AttentionKind::Grouped {
                kv_heads,
                head_dim,
                v_head_dim,
                k_equals_v,
            } => {
                let out = heads * v_head_dim;
                if attention.fused_qkv {
                    let rows = heads * head_dim + kv_heads * (head_dim + v_head_dim);
                    self.put("attn_qkv.weight", &[hidden, rows]);
                    if attention.qkv_bias {
                        self.put("attn_qkv.bias", &[rows]);
                    }
                } else {
                    // as Qwen's are: the gate lies in the query
                    let gated = attention.gate == Gate::PerElement && v_head_dim == head_dim;
                    let times = if gated { 2 } else { 1 };
                    self.put("attn_q.weight", &[hidden, times * heads * head_dim]);
                    if attention.cache == CacheOwner::Own {
                        self.put("attn_k.weight", &[hidden, kv_heads * head_dim]);
                        if !k_equals_v {
                            self.put("attn_v.weight", &[hidden, kv_heads * v_head_dim]);
                        }
                    }
                    if attention.qkv_bias {
                        self.put("attn_q.bias", &[heads * head_dim]);
                        self.put("attn_k.bias", &[kv_heads * head_dim]);
                        self.put("attn_v.bias", &[kv_heads * v_head_dim]);
                    }
                }
                self.norm("attn_q_norm.weight", attention.q_norm);
                self.norm("attn_k_norm.weight", attention.k_norm);
                out
            }
            AttentionKind::Latent {
                q_rank,
                kv_rank,
                rope_dim,
                nope_dim,
                v_head_dim,
            } => {
                let query = heads * (rope_dim + nope_dim);
                match q_rank {
                    Some(rank) => {
                        self.put("attn_q_a.weight", &[hidden, rank]);
                        self.put("attn_q_b.weight", &[rank, query]);
                    }
                    None => self.put("attn_q.weight", &[hidden, query]),
                }
                self.put("attn_kv_a_mqa.weight", &[hidden, kv_rank + rope_dim]);
                self.put("attn_k_b.weight", &[nope_dim, kv_rank, heads]);
                self.put("attn_v_b.weight", &[kv_rank, v_head_dim, heads]);
                self.norm("attn_q_a_norm.weight", attention.q_norm);
                self.norm("attn_kv_a_norm.weight", attention.k_norm);
                if attention.gate == Gate::PerElement {
                    self.put("attn_gate.weight", &[hidden, heads * v_head_dim]);
                }
                heads * v_head_dim
            }
            AttentionKind::SharedVector { .. } => 0,
        };
        if attention.gate == Gate::PerHead {
            self.put("attn_gate.weight", &[hidden, heads]);
        }
        self.put("attn_output.weight", &[out, hidden]);
        if attention.output_bias {
            self.put("attn_output.bias", &[hidden]);
        }
        if attention.small > 0 {
            self.put("attn_sinks.weight", &[attention.small]);
        }
    }

    fn norm(&mut self, stem: &str, width: u32) {
        if width > 0 {
            self.put(stem, &[width]);
        }
    }

    fn linear(&mut self, linear: &Linear) {
        let hidden = self.hidden();
        match *linear {
            Linear::GatedDeltaNet {
                k_heads,
                v_heads,
                k_head_dim,
                v_head_dim,
                kernel,
            } => {
                let (key, value) = (k_heads * k_head_dim, v_heads * v_head_dim);
                self.put("attn_qkv.weight", &[hidden, 2 * key + value]);
                self.put("attn_gate.weight", &[hidden, value]);
                self.put("ssm_alpha.weight", &[hidden, v_heads]);
                self.put("ssm_beta.weight", &[hidden, v_heads]);
                self.put("ssm_conv1d.weight", &[kernel, 2 * key + value]);
                self.put("ssm_a", &[v_heads]);
                self.put("ssm_dt.bias", &[v_heads]);
                self.put("ssm_norm.weight", &[v_head_dim]);
                self.put("ssm_out.weight", &[value, hidden]);
            }
            Linear::Kda {
                heads,
                head_dim,
                kernel,
                ..
            } => {
                let width = heads * head_dim;
                for part in ["q", "k", "v"] {
                    self.put(&format!("attn_{part}.weight"), &[hidden, width]);
                    self.put(&format!("ssm_conv1d_{part}.weight"), &[kernel, width]);
                }
                for part in ["f", "g"] {
                    self.put(&format!("ssm_{part}_a.weight"), &[hidden, head_dim]);
                    self.put(&format!("ssm_{part}_b.weight"), &[head_dim, width]);
                }
                self.put("ssm_beta.weight", &[hidden, heads]);
                self.put("ssm_a", &[1, heads]);
                self.put("ssm_dt.bias", &[width]);
                self.put("ssm_norm.weight", &[head_dim]);
                self.put("attn_output.weight", &[width, hidden]);
            }
            Linear::Mamba1 {
                inner,
                state,
                dt_rank,
                kernel,
                inner_norms,
            } => {
                self.put("ssm_in.weight", &[hidden, 2 * inner]);
                self.put("ssm_conv1d.weight", &[kernel, inner]);
                self.put("ssm_conv1d.bias", &[inner]);
                self.put("ssm_x.weight", &[inner, dt_rank + 2 * state]);
                self.put("ssm_dt.weight", &[dt_rank, inner]);
                self.put("ssm_dt.bias", &[inner]);
                self.put("ssm_a", &[state, inner]);
                self.put("ssm_d", &[inner]);
                if inner_norms {
                    self.put("ssm_dt_norm.weight", &[dt_rank]);
                    self.put("ssm_b_norm.weight", &[state]);
                    self.put("ssm_c_norm.weight", &[state]);
                }
                self.put("ssm_out.weight", &[inner, hidden]);
            }
            Linear::Mamba2 {
                heads,
                head_dim,
                state,
                groups,
                kernel,
                norm,
            } => {
                let inner = heads * head_dim;
                let convolved = inner + 2 * groups * state;
                self.put("ssm_in.weight", &[hidden, inner + convolved + heads]);
                self.put("ssm_conv1d.weight", &[kernel, convolved]);
                self.put("ssm_conv1d.bias", &[convolved]);
                self.put("ssm_a", &[1, heads]);
                self.put("ssm_d", &[1, heads]);
                self.put("ssm_dt.bias", &[heads]);
                if norm {
                    self.put("ssm_norm.weight", &[inner / groups, groups]);
                }
                self.put("ssm_out.weight", &[inner, hidden]);
            }
            Linear::ShortConv { channels, kernel } => {
                self.put("shortconv.in_proj.weight", &[hidden, 3 * channels]);
                self.put("shortconv.conv.weight", &[kernel, channels]);
                self.put("shortconv.out_proj.weight", &[channels, hidden]);
            }
            Linear::Lightning { .. } => {}
        }
    }

    fn dense(&mut self, dense: &Dense) {
        let (hidden, width) = (self.hidden(), dense.width);
        if dense.gated && !dense.fused {
            self.put("ffn_gate.weight", &[hidden, width]);
        }
        let up = if dense.fused { 2 * width } else { width };
        self.put("ffn_up.weight", &[hidden, up]);
        self.put("ffn_down.weight", &[width, hidden]);
        if dense.bias {
            self.put("ffn_up.bias", &[up]);
            self.put("ffn_down.bias", &[hidden]);
        }
    }

    fn experts(&mut self, experts: &Experts) {
        let (count, width) = (experts.count, experts.width);
        let inside = experts.latent.unwrap_or(self.hidden());
        let hidden = self.hidden();
        self.put("ffn_gate_inp.weight", &[hidden, count]);
        if experts.router_small > 0 {
            self.put("exp_probs_b.bias", &[experts.router_small]);
        }
        if experts.latent.is_some() {
            self.put("ffn_latent_down.weight", &[hidden, inside]);
            self.put("ffn_latent_up.weight", &[inside, hidden]);
        }
        if experts.gated {
            self.put("ffn_gate_exps.weight", &[inside, width, count]);
        }
        self.put("ffn_up_exps.weight", &[inside, width, count]);
        self.put("ffn_down_exps.weight", &[width, inside, count]);
        if experts.bias {
            if experts.gated {
                self.put("ffn_gate_exps.bias", &[width, count]);
            }
            self.put("ffn_up_exps.bias", &[width, count]);
            self.put("ffn_down_exps.bias", &[inside, count]);
        }
        let shared = experts.shared_width;
        if shared > 0 {
            if experts.gated {
                self.put("ffn_gate_shexp.weight", &[hidden, shared]);
            }
            self.put("ffn_up_shexp.weight", &[hidden, shared]);
            self.put("ffn_down_shexp.weight", &[shared, hidden]);
            if experts.shared_gate {
                self.put("ffn_gate_inp_shexp.weight", &[hidden]);
            }
        }
    }

    fn layer(&mut self, layer: &Layer) {
        let norms = [
            "attn_norm.weight",
            "ffn_norm.weight",
            "post_attention_norm.weight",
            "post_ffw_norm.weight",
            "attn_norm.bias",
            "ffn_norm.bias",
            "layer_output_norm.weight",
        ];
        let hidden = self.hidden();
        for stem in norms
            .iter()
            .take(usize::try_from(layer.norms).expect("a number"))
        {
            self.put(stem, &[hidden]);
        }
        if let Some(attention) = &layer.attention {
            self.attention(attention);
        }
        if let Some(linear) = &layer.linear {
            self.linear(linear);
        }
        if let Some(dense) = &layer.dense {
            self.dense(dense);
        }
        if let Some(experts) = &layer.experts {
            self.experts(experts);
        }
    }
}

/// Whether a GGUF file can hold it as the reader understands it.
fn fits(architecture: &Architecture) -> bool {
    architecture.counted.is_empty()
        && architecture.layers.iter().all(|layer| {
            let attention = layer.attention.is_none_or(|attention| {
                !matches!(attention.kind, AttentionKind::SharedVector { .. })
                    && matches!(attention.span, Span::Full | Span::Sliding { .. })
                    && attention.indexer.is_none()
                    && (attention.small == 0 || attention.small == attention.heads)
            });
            let linear = !matches!(layer.linear, Some(Linear::Lightning { .. }));
            let low_rank = !matches!(
                layer.linear,
                Some(
                    Linear::Kda {
                        full_rank_decay: true,
                        ..
                    } | Linear::Kda {
                        full_rank_gate: true,
                        ..
                    }
                )
            );
            let plain = layer.experts.is_none_or(|experts| experts.zero_count == 0);
            attention && linear && low_rank && plain && layer.norms <= 7 && layer.passes.0 == 1
        })
}

/// A header for a model.
fn written(architecture: &Architecture) -> Gguf {
    // the one architecture whose files say which layers slide
    let name = "gemma4";
    let mut file = Gguf::new(name);
    let key = |key: &str| format!("{name}.{key}");
    let layers = &architecture.layers;
    file.number(&key("block_count"), architecture.layer_count());
    file.number(&key("embedding_length"), architecture.hidden);
    if let Some(context) = architecture.max_context {
        file.number(&key("context_length"), context);
    }
    let numbers = |of: &dyn Fn(&Layer) -> u32| -> Vec<u8> {
        layers
            .iter()
            .flat_map(|layer| of(layer).to_le_bytes())
            .collect()
    };
    let count = u64::from(architecture.layer_count());
    let heads = numbers(&|layer| layer.attention.map_or(0, |attention| attention.heads));
    file.list(&key("attention.head_count"), support::U32, count, &heads);
    let kv_heads = numbers(
        &|layer| match layer.attention.map(|attention| attention.kind) {
            Some(AttentionKind::Grouped { kv_heads, .. }) => kv_heads,
            Some(_) => 1,
            None => 0,
        },
    );
    file.list(
        &key("attention.head_count_kv"),
        support::U32,
        count,
        &kv_heads,
    );
    let slides: Vec<u8> = layers
        .iter()
        .map(|layer| {
            let span = layer.attention.map(|attention| attention.span);
            u8::from(matches!(span, Some(Span::Sliding { .. })))
        })
        .collect();
    file.list(&key("attention.sliding_window_pattern"), 7, count, &slides);
    for layer in layers {
        if let Some(Span::Sliding { window }) = layer.attention.map(|attention| attention.span) {
            file.set(&key("attention.sliding_window"), window);
        }
        if let Some(experts) = layer.experts {
            file.set(&key("expert_count"), experts.count);
            file.set(&key("expert_used_count"), experts.per_token);
        }
        match layer.linear {
            Some(Linear::GatedDeltaNet {
                k_heads,
                v_heads,
                k_head_dim,
                ..
            }) => {
                file.set(&key("ssm.group_count"), k_heads);
                file.set(&key("ssm.time_step_rank"), v_heads);
                file.set(&key("ssm.state_size"), k_head_dim);
            }
            Some(Linear::Kda { head_dim, .. }) => file.set(&key("kda.head_dim"), head_dim),
            Some(Linear::Mamba2 { state, .. }) => file.set(&key("ssm.state_size"), state),
            _ => {}
        }
    }
    let shared = layers
        .iter()
        .filter_map(|layer| layer.attention)
        .filter(|attention| attention.cache == CacheOwner::Earlier)
        .count();
    file.number(
        &key("attention.shared_kv_layers"),
        u32::try_from(shared).expect("a number"),
    );
    let hidden = u64::from(architecture.hidden);
    file.tensor(
        "token_embd.weight",
        &[hidden, u64::from(architecture.vocabulary)],
        F16,
    );
    if architecture.positions > 0 {
        file.tensor(
            "position_embd.weight",
            &[hidden, u64::from(architecture.positions)],
            F16,
        );
    }
    let norms = [
        "output_norm.weight",
        "output_norm.bias",
        "token_embd_norm.weight",
        "token_embd_norm.bias",
    ];
    for stem in norms
        .iter()
        .take(usize::try_from(architecture.norms).expect("a number"))
    {
        file.tensor(stem, &[hidden], F16);
    }
    let rows = u64::from(architecture.output_vocabulary);
    if !architecture.tied_embeddings {
        file.tensor("output.weight", &[hidden, rows], F16);
    }
    if architecture.output_bias {
        file.tensor("output.bias", &[rows], F16);
    }
    for (number, layer) in layers.iter().enumerate() {
        let mut writer = Writer {
            file: &mut file,
            number,
            hidden,
        };
        writer.layer(layer);
    }
    file
}

#[test]
fn a_models_header_reads_back_as_the_model() {
    let mut tried = 0;
    for record in model_db::models() {
        let known = record.architecture();
        if !fits(&known) {
            continue;
        }
        tried += 1;
        let bytes = written(&known).bytes();
        let Progress::Done(header) = gguf::read(&bytes, None).expect(&record.id) else {
            panic!("{} needs more", record.id);
        };
        let read = gguf::model(&header, None).expect(&record.id).architecture;
        for (number, (read, known)) in read.layers.iter().zip(&known.layers).enumerate() {
            assert_eq!(read, known, "{}, layer {number}", record.id);
        }
        assert_eq!(read.parameters(), known.parameters(), "{}", record.id);
    }
    assert!(tried > 300, "{tried} models");
}

/// Seeds for `fuzz/`: one small header of each make, cut to two layers.
///
/// `BANDWISE_WRITE=1 cargo test -p bandwise-model-file --test catalogue` writes them anew.
#[test]
fn the_seeds_of_the_fuzz_target_are_headers_that_can_be_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/gguf_header");
    let seeds = [
        ("llama", "llama-3.1-8b", 2),
        ("gpt-oss", "gpt-oss-20b", 2),
        ("deepseek", "deepseek-v3", 4),
        ("qwen3-next", "qwen3-next-80b-a3b", 4),
        ("gemma-3", "gemma-3-270m", 6),
        ("phi", "phi-4", 1),
        ("nemotron", "nemotron-3-super-120b-a12b", 4),
        ("lfm2", "lfm2-1.2b", 3),
        ("mamba", "mamba-130m", 1),
        ("kimi-linear", "kimi-linear-48b-a3b", 4),
    ];
    for (name, id, layers) in seeds {
        let mut known = model_db::get(id).expect(id).architecture();
        known.layers.truncate(layers);
        let bytes = written(&known).bytes();
        let path = format!("{folder}/{name}");
        if std::env::var_os("BANDWISE_WRITE").is_some() {
            std::fs::write(&path, &bytes).expect("a seed");
        }
        assert_eq!(std::fs::read(&path).expect(name), bytes, "{name}");
        assert!(matches!(gguf::read(&bytes, None), Ok(Progress::Done(_))));
    }
}
