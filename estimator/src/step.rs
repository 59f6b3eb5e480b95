//! How long one step takes: the roofline of each part of the model, the cache, launches and links.

use crate::architecture::{Architecture, Part};
use crate::calibration::{Calibration, Factors};
use crate::device::{Device, Peaks};
use crate::engine::{Backend, Generation};
use crate::error::{Part as Answer, Refusal};
use crate::format::KernelClass;
use crate::kv_cache::Kinds;
use crate::memory::Memory;
use crate::num;
use crate::roofline::{Rates, Work};
use crate::scenario::Scenario;
use crate::units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};
use crate::weights::Weights;

mod time;

use time::Overlap;
pub use time::StepTime;

/// Handing activations from one device to the next in a layer split: a copy of a few kilobytes and
/// a synchronisation. An assumption until fitted; decode of small models over many cards shows it.
const HOP: Seconds = Seconds::us(50.0);

/// A place where layers run: the devices, or the host beside them.
#[derive(Debug, Clone, Copy)]
struct Site<'a> {
    bandwidth: BytesPerSecond,
    peaks: &'a Peaks,
    /// Whether the rate for wide matrices may fall back to FP32.
    plain_fp32: bool,
    /// Whether its memory is stacked.
    stacked: bool,
    factors: &'a Factors,
}

impl Site<'_> {
    fn rates(&self, kernel: KernelClass, routed: bool) -> Rates {
        let factors = self.factors;
        let experts = if routed { factors.experts } else { 1.0 };
        let prefill_experts = if routed { factors.prefill_experts } else { 1.0 };
        Rates {
            bandwidth: self.bandwidth
                * (factors.weights.of(kernel) * experts * self.stacked(factors.stacked)),
            compute: peak(self.peaks, kernel, self.plain_fp32).map(|peak| {
                peak * (factors.prefill.of(kernel)
                    * prefill_experts
                    * self.stacked(factors.prefill_stacked))
            }),
        }
    }

    const fn stacked(&self, factor: f64) -> f64 {
        if self.stacked { factor } else { 1.0 }
    }

    fn attention(&self) -> Rates {
        Rates {
            bandwidth: self.bandwidth * (self.factors.cache * self.stacked(self.factors.stacked)),
            compute: peak(self.peaks, KernelClass::Float16, self.plain_fp32).map(|peak| {
                peak * (self.factors.attention * self.stacked(self.factors.prefill_stacked))
            }),
        }
    }
}

/// The peak a matrix product of this kind of weights runs at: the native type's where the device has it, else 16 bit.
///
/// FP32 stands in only for devices whose generation has no matrix units; elsewhere an unpublished
/// 16-bit rate stays unknown, since guessing it from another type would be wrong by factors.
#[must_use]
pub fn peak(peaks: &Peaks, kernel: KernelClass, plain_fp32: bool) -> Option<FlopPerSecond> {
    let wide = || {
        peaks
            .fp16
            .or(peaks.bf16)
            .or(if plain_fp32 { peaks.fp32 } else { None })
    };
    match kernel {
        KernelClass::Fp8 => peaks.fp8.or_else(wide),
        KernelClass::Nvfp4 => peaks.fp4.or_else(wide),
        KernelClass::Int8 => peaks.int8.or_else(wide),
        _ => wide(),
    }
}

/// What a scenario's steps are computed from; made once, used at every depth.
pub struct Steps<'a> {
    scenario: &'a Scenario<'a>,
    weights: &'a Weights,
    kinds: &'a Kinds,
    device: Site<'a>,
    host: Option<Site<'a>>,
    device_share: f64,
    head_on_device: bool,
    hops: f64,
    weights_time: StepTime,
}

impl<'a> Steps<'a> {
    /// Prepares the steps of a placed scenario.
    ///
    /// # Errors
    /// A [`Refusal`] of decode when a bandwidth it needs is unknown.
    pub fn new(
        scenario: &'a Scenario<'a>,
        weights: &'a Weights,
        kinds: &'a Kinds,
        memory: &Memory,
        calibration: &'a Calibration,
    ) -> Result<Self, Refusal> {
        let device = Site {
            bandwidth: scenario.device.bandwidth.ok_or_else(|| Refusal {
                part: Answer::Decode,
                missing: format!(
                    "the memory bandwidth of {} is unknown",
                    scenario.device.name
                ),
                hint: Some(
                    "pick a memory option whose bandwidth is known, or another device".to_owned(),
                ),
            })?,
            peaks: &scenario.device.peaks,
            plain_fp32: Generation::lacks_matrix_units(scenario.device),
            stacked: scenario.device.stacked_memory,
            factors: calibration.factors(scenario.engine, scenario.backend),
        };
        let host = match (memory.host_layers, scenario.host) {
            (0, _) => None,
            (_, host) => Some(Site {
                bandwidth: host
                    .and_then(|host| host.bandwidth)
                    .ok_or_else(|| Refusal {
                        part: Answer::Decode,
                        missing: "layers lie in the host's RAM, and its bandwidth isn't known"
                            .to_owned(),
                        hint: Some(
                            "name the host, as in `host` = `desktop-ddr5-5600-dual`".to_owned(),
                        ),
                    })?,
                peaks: const { &Peaks::UNKNOWN },
                plain_fp32: false,
                stacked: false,
                factors: calibration.factors(scenario.engine, Backend::Cpu),
            }),
        };
        let mut steps = Self {
            scenario,
            weights,
            kinds,
            device,
            host,
            device_share: memory.device_share(),
            head_on_device: memory.host_layers == 0,
            hops: num::f32u(scenario.count.saturating_sub(1)),
            weights_time: StepTime::default(),
        };
        steps.weights_time = steps.decode_weights();
        Ok(steps)
    }

    /// One decode step with every sequence at `depth` tokens.
    #[must_use]
    pub fn decode(&self, depth: f64) -> StepTime {
        self.weights_time
            .plus(self.attention(depth, 1, self.scenario.sequences()))
    }

    /// Reading a prompt of `prompt` tokens into an empty context, in micro-batches.
    ///
    /// # Errors
    /// A [`Refusal`] when the compute rate it needs is unknown.
    pub fn prefill(&self, prompt: u64) -> Result<StepTime, Refusal> {
        let refuse = |missing: String, hint: &str| Refusal {
            part: Answer::Prefill,
            missing,
            hint: Some(hint.to_owned()),
        };
        if peak(
            self.device.peaks,
            KernelClass::Float16,
            self.device.plain_fp32,
        )
        .is_none()
        {
            return Err(refuse(
                format!(
                    "no 16-bit compute rate of {} is published",
                    self.scenario.device.name
                ),
                "give the rate you know with `peak-tflops`",
            ));
        }
        let batch = self.scenario.settings.ubatch.max(1).min(prompt);
        let full = prompt.checked_div(batch).unwrap_or(0);
        let rest = prompt.checked_rem(batch).unwrap_or(0);
        let mut time = self.micro_batch(batch).times(num::f(full));
        if rest > 0 {
            time = time.plus(self.micro_batch(rest));
        }
        time = time.plus(self.prompt_attention(prompt, batch));
        // The prompt's last row goes through the head once.
        time = time.plus(self.head(1.0));
        if self.host.is_some() {
            let streamed = self.stream(full.saturating_add(u64::from(rest > 0)));
            time.link += streamed.ok_or_else(|| {
                refuse(
                    format!(
                        "the host link of {} is unknown, and layers in RAM are read over it",
                        self.scenario.device.name
                    ),
                    "pick a format or context that fits the device",
                )
            })?;
        }
        Ok(time)
    }

    /// Weights of the host's layers, copied to the device for each micro-batch: llama.cpp computes
    /// large batches there (`ggml_backend_sched`, op offload).
    fn stream(&self, batches: u64) -> Option<Seconds> {
        let pcie = self.scenario.device.links.pcie?;
        let trunk = self.trunk_bytes();
        Some(trunk * (1.0 - self.device_share) * num::f(batches) / pcie)
    }

    fn trunk_bytes(&self) -> Bytes {
        Part::ALL
            .into_iter()
            .filter(|part| !matches!(part, Part::Embedding | Part::Output | Part::Lookup))
            .map(|part| self.weights.part(part).bytes())
            .sum()
    }

    /// One decode step's weights: every layer where it lies, and the head.
    fn decode_weights(&self) -> StepTime {
        let sequences = self.scenario.workload.concurrency;
        let on = |site: &Site<'_>| {
            let mut time = self.layers(site, sequences, Overlap::Full);
            time.overhead += site.factors.layer * launches(self.scenario.model.architecture);
            time
        };
        let mut time = on(&self.device).times(self.device_share);
        if let Some(host) = &self.host {
            time = time.plus(
                on(host)
                    .slower(on(&self.device))
                    .times(1.0 - self.device_share),
            );
        }
        time = time.plus(self.head(self.scenario.sequences()));
        let factors = self.device.factors;
        time.overhead += factors.token + factors.sequence * (self.scenario.sequences() - 1.0);
        time.link += HOP * self.hops;
        time
    }

    /// One prefill micro-batch's weights: every layer on the devices, whose compute a batch needs.
    fn micro_batch(&self, tokens: u64) -> StepTime {
        let mut time = self.layers(&self.device, tokens, Overlap::None);
        time.overhead += self.device.factors.prefill_layer
            * num::f32u(self.scenario.model.architecture.layer_count());
        time.link += HOP * self.hops;
        time
    }

    fn layers(&self, site: &Site<'_>, tokens: u64, overlap: Overlap) -> StepTime {
        let mut time = StepTime::default();
        let count = num::f(tokens);
        for part in Part::ALL {
            if matches!(part, Part::Embedding | Part::Output) {
                continue;
            }
            let weights = self.weights.part(part);
            let shares = self.weights.shares(part, tokens);
            for (kernel, slice) in weights.kernels() {
                let work = Work {
                    bytes: slice.bytes * shares.read,
                    flop: Flop::new(2.0 * slice.elements * shares.worked * count),
                };
                let rates = site.rates(kernel, part == Part::Experts);
                time.add(rates.time(work), overlap, |time| &mut time.weights);
            }
        }
        time
    }

    fn head(&self, logits: f64) -> StepTime {
        let site = match &self.host {
            Some(host) if !self.head_on_device => host,
            _ => &self.device,
        };
        let mut time = StepTime::default();
        for (kernel, slice) in self.weights.head().kernels() {
            let work = Work {
                bytes: slice.bytes,
                flop: Flop::new(2.0 * slice.elements * logits),
            };
            time.add(
                site.rates(kernel, false).time(work),
                Overlap::Full,
                |time| &mut time.weights,
            );
        }
        time
    }

    /// Attention of one decode step for `sequences` sequences at `depth`.
    fn attention(&self, depth: f64, tokens: u64, sequences: f64) -> StepTime {
        let depth = num::whole(depth);
        let work = Work {
            bytes: self.kinds.read_bytes(depth, self.scenario.kv_type) * sequences,
            flop: self.kinds.attention_flop(depth, tokens) * sequences,
        };
        self.spread_attention(work)
    }

    /// Attention of a whole prompt: each token with all before it, the cache read once a micro-batch.
    fn prompt_attention(&self, prompt: u64, batch: u64) -> StepTime {
        let batches = num::f(prompt.div_ceil(batch.max(1)));
        let middle = num::whole(num::f(prompt) / 2.0);
        let work = Work {
            bytes: self.kinds.read_bytes(middle, self.scenario.kv_type) * batches,
            flop: self.kinds.attention_flop(0, prompt),
        };
        let mut time = StepTime::default();
        time.add(self.device.attention().time(work), Overlap::None, |time| {
            &mut time.cache
        });
        time
    }

    fn spread_attention(&self, work: Work) -> StepTime {
        let on = |site: &Site<'_>| {
            let mut time = StepTime::default();
            time.add(site.attention().time(work), Overlap::Full, |time| {
                &mut time.cache
            });
            time
        };
        let mut all = on(&self.device).times(self.device_share);
        if let Some(host) = &self.host {
            all = all.plus(
                on(host)
                    .slower(on(&self.device))
                    .times(1.0 - self.device_share),
            );
        }
        all
    }
}

/// Layers as launches count: experts and linear mixers take half as many again.
#[must_use]
pub fn launches(architecture: &Architecture) -> f64 {
    architecture
        .layers
        .iter()
        .map(|layer| {
            let half = |has: bool| if has { 0.5 } else { 0.0 };
            (1.0 + half(layer.experts.is_some()) + half(layer.linear.is_some()))
                * num::f32u(layer.passes.0)
        })
        .sum()
}

/// The least a decode step can take on a device: what its layers must read over the full peak.
///
/// No measured run without speculation can be faster; run-db's lint uses it.
#[must_use]
pub fn decode_floor(device: &Device, weights: &Weights) -> Option<Seconds> {
    Some(weights.read(1) / device.bandwidth?)
}
