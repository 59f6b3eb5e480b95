//! Where every byte goes: weights, KV cache, compute buffers and runtime, for each device and the host.

use crate::scenario::Split;
use crate::units::Bytes;

mod assignment;
pub mod buffers;
mod layout;
mod shares;
mod sums;
mod tensor;

pub use assignment::{Assignment, in_proportion};
pub use buffers::{Compute, cache_rule, driver_share, runtime};
pub use layout::{Demand, Layout};

/// What one device or the host holds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Holding {
    /// Weights.
    pub weights: Bytes,
    /// KV cache and recurrent state.
    pub kv_cache: Bytes,
    /// Buffers for intermediate results.
    pub compute: Bytes,
    /// The driver's context, kernels and pools.
    pub runtime: Bytes,
}

impl Holding {
    /// Everything it holds.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.weights + self.kv_cache + self.compute + self.runtime
    }
}

/// A place's part of the model's work, as shares of the whole model's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Layers whose attention and norms are there.
    pub layers: u32,
    /// Layers whose routed experts are there.
    pub expert_layers: u32,
    /// Of the layers' bytes without routed experts.
    pub trunk: f64,
    /// Of the routed experts' bytes.
    pub experts: f64,
    /// Of the cache.
    pub cache: f64,
    /// Of the head.
    pub head: f64,
}

impl Load {
    /// No part.
    pub const NONE: Self = Self {
        layers: 0,
        expert_layers: 0,
        trunk: 0.0,
        experts: 0.0,
        cache: 0.0,
        head: 0.0,
    };
}

/// A device or the host: its memory in use, what it has, and its part of the work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// What it holds.
    pub holding: Holding,
    /// Its part of the work.
    pub load: Load,
    /// All its memory; `None` is unknown.
    pub capacity: Option<Bytes>,
    /// The part a model may use, after the engine's fraction and what something else holds.
    pub usable: Option<Bytes>,
}

impl Place {
    /// What is left, negative when it doesn't fit, in bytes; `None` when the memory is unknown.
    #[must_use]
    pub fn headroom(&self) -> Option<f64> {
        self.usable
            .map(|usable| usable.get() - self.holding.total().get())
    }
}

/// What an engine that pages its cache has for it, after everything else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// Bytes on all devices together.
    pub bytes: Bytes,
    /// Tokens they hold: the engine's "KV cache size".
    pub tokens: f64,
    /// Requests of the full context they hold: the engine's "maximum concurrency".
    pub requests: f64,
}

/// The memory of a whole set-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Each device.
    pub devices: Vec<Place>,
    /// What lies in the host's RAM beside them.
    pub host: Place,
    /// How the devices share the model.
    pub split: Split,
    /// Size of the weights as one file.
    pub file: Bytes,
    /// Size of the KV cache of one sequence.
    pub cache_of_one: Bytes,
    /// What is left for the cache, where the engine takes all memory and pages it.
    pub pool: Option<Pool>,
    /// Weights that stay on disk and are read from there.
    pub disk: Bytes,
    /// Sequences that run at once; the others wait.
    pub running: u64,
}

impl Memory {
    /// What devices and host hold together.
    #[must_use]
    pub fn together(&self) -> Holding {
        self.devices
            .iter()
            .fold(self.host.holding, |sum, device| Holding {
                weights: sum.weights + device.holding.weights,
                kv_cache: sum.kv_cache + device.holding.kv_cache,
                compute: sum.compute + device.holding.compute,
                runtime: sum.runtime + device.holding.runtime,
            })
    }

    /// Whether layers or experts lie in the host's RAM.
    #[must_use]
    pub const fn offloads(&self) -> bool {
        self.host.load.layers > 0 || self.host.load.expert_layers > 0
    }
}

/// Whether it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// It fits, with this left on the fullest device.
    Fits(Bytes),
    /// It fits, with less left than an engine keeps as its margin.
    Tight(Bytes),
    /// It runs with this much in the host's RAM or on its disk.
    NeedsOffload(Bytes),
    /// It doesn't fit; this much is missing.
    DoesNotFit(Bytes),
}

impl Verdict {
    /// The word used on every surface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fits(_) => "fits",
            Self::Tight(_) => "tight",
            Self::NeedsOffload(_) => "needs_offload",
            Self::DoesNotFit(_) => "does_not_fit",
        }
    }

    /// Whether everything lies on the devices.
    #[must_use]
    pub const fn fits(self) -> bool {
        matches!(self, Self::Fits(_) | Self::Tight(_))
    }
}
