//! A place where layers run, and how long its part of a step takes there.

use crate::architecture::Part;
use crate::calibration::Factors;
use crate::device::{Device, Peaks};
use crate::engine::Generation;
use crate::format::KernelClass;
use crate::memory::Load;
use crate::num;
use crate::roofline::{Rates, Work};
use crate::units::{BytesPerSecond, Flop, FlopPerSecond};
use crate::weights::Weights;

use super::time::{Overlap, StepTime};

/// A place where layers run: a device, or the host beside them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) bandwidth: BytesPerSecond,
    pub(super) peaks: &'a Peaks,
    /// Whether the rate for wide matrices may fall back to FP32.
    pub(super) plain_fp32: bool,
    /// Whether its memory is stacked.
    pub(super) stacked: bool,
    pub(super) factors: &'a Factors,
    /// Its part of the model.
    pub(super) load: Load,
}

impl<'a> Site<'a> {
    /// A device whose bandwidth is known.
    pub(super) fn device(device: &'a Device, factors: &'a Factors, load: Load) -> Option<Self> {
        Some(Self {
            bandwidth: device.bandwidth?,
            peaks: &device.peaks,
            plain_fp32: Generation::lacks_matrix_units(device),
            stacked: device.stacked_memory,
            factors,
            load,
        })
    }

    /// The same place with another part of the model.
    pub(super) const fn with(mut self, load: Load) -> Self {
        self.load = load;
        self
    }

    pub(super) fn rates(&self, kernel: KernelClass, routed: bool) -> Rates {
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

    fn attention_rates(&self) -> Rates {
        Rates {
            bandwidth: self.bandwidth * (self.factors.cache * self.stacked(self.factors.stacked)),
            compute: peak(self.peaks, KernelClass::Float16, self.plain_fp32).map(|peak| {
                peak * (self.factors.attention * self.stacked(self.factors.prefill_stacked))
            }),
        }
    }

    /// Its part of all layers' weights, for `tokens` tokens.
    pub(super) fn layers(&self, weights: &Weights, tokens: u64, overlap: Overlap) -> StepTime {
        let mut time = StepTime::default();
        let count = num::f(tokens);
        for part in Part::ALL {
            if matches!(part, Part::Embedding | Part::Output) {
                continue;
            }
            let share = self.share(part);
            if share <= 0.0 {
                continue;
            }
            let touched = weights.shares(part, tokens);
            for (kernel, slice) in weights.part(part).kernels() {
                let work = Work {
                    bytes: slice.bytes * (touched.read * share),
                    flop: Flop::new(2.0 * slice.elements * touched.worked * count * share),
                };
                let rates = self.rates(kernel, part == Part::Experts);
                time.add(rates.time(work), overlap, |time| &mut time.weights);
            }
        }
        time
    }

    /// Its part of the head, for so many rows of logits.
    pub(super) fn head(&self, weights: &Weights, logits: f64) -> StepTime {
        let mut time = StepTime::default();
        let share = self.load.head;
        for (kernel, slice) in weights.head().kernels() {
            let work = Work {
                bytes: slice.bytes * share,
                flop: Flop::new(2.0 * slice.elements * logits * share),
            };
            let rates = self.rates(kernel, false);
            time.add(rates.time(work), Overlap::Full, |time| &mut time.weights);
        }
        time
    }

    /// Its part of attention.
    pub(super) fn attention(&self, work: Work, overlap: Overlap) -> StepTime {
        let mut time = StepTime::default();
        let own = Work {
            bytes: work.bytes * self.load.cache,
            flop: work.flop * self.load.cache,
        };
        time.add(self.attention_rates().time(own), overlap, |time| {
            &mut time.cache
        });
        time
    }

    /// The share it has of a part's weights.
    pub(super) fn share(&self, part: Part) -> f64 {
        if part == Part::Experts {
            self.load.experts
        } else {
            self.load.trunk
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
