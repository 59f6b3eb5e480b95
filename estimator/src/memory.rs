//! Where every byte goes: weights, KV cache, compute buffers and runtime, for each device and the host.

use crate::engine::MemoryStyle;
use crate::num;
use crate::scenario::Scenario;
use crate::units::Bytes;

mod buffers;
mod layout;

pub use buffers::{cache_rule, compute_buffer, driver_share, runtime};
pub use layout::Layout;

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

/// One device's memory in use, and what it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceMemory {
    /// What it holds.
    pub holding: Holding,
    /// Layers it holds.
    pub layers: u32,
    /// All its memory; `None` is unknown.
    pub capacity: Option<Bytes>,
    /// The part a model may use, after the engine's fraction and what something else holds.
    pub usable: Option<Bytes>,
}

impl DeviceMemory {
    /// What is left, negative when it doesn't fit, in bytes; `None` when the memory is unknown.
    #[must_use]
    pub fn headroom(&self) -> Option<f64> {
        self.usable
            .map(|usable| usable.get() - self.holding.total().get())
    }
}

/// The memory of a whole set-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Each device.
    pub devices: Vec<DeviceMemory>,
    /// What lies in the host's RAM beside them.
    pub host: Holding,
    /// Layers in the host's RAM.
    pub host_layers: u32,
    /// Size of the weights as one file.
    pub file: Bytes,
    /// Size of the KV cache of one sequence.
    pub cache_of_one: Bytes,
}

impl Memory {
    /// What devices and host hold together.
    #[must_use]
    pub fn together(&self) -> Holding {
        self.devices.iter().fold(self.host, |sum, device| Holding {
            weights: sum.weights + device.holding.weights,
            kv_cache: sum.kv_cache + device.holding.kv_cache,
            compute: sum.compute + device.holding.compute,
            runtime: sum.runtime + device.holding.runtime,
        })
    }

    /// The share of layers on devices.
    #[must_use]
    pub fn device_share(&self) -> f64 {
        let on_devices: u32 = self.devices.iter().map(|device| device.layers).sum();
        let all = on_devices.saturating_add(self.host_layers);
        if all == 0 {
            1.0
        } else {
            num::f32u(on_devices) / num::f32u(all)
        }
    }
}

/// Whether it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// It fits, with this left on the fullest device.
    Fits(Bytes),
    /// It fits, with less left than an engine keeps as its margin.
    Tight(Bytes),
    /// It runs with this much in the host's RAM.
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

/// Less headroom than this on a device is tight: the margin llama.cpp's `--fit` keeps a device by
/// default, or a sixteenth of a small device. Where an operating system shares the memory and its
/// part isn't known, 4 GiB or a quarter: an assumption.
fn margin(scenario: &Scenario<'_>, usable: Bytes) -> Bytes {
    if scenario.shares_memory_unaccounted() {
        Bytes::gib(4.0).min(usable / 4.0)
    } else {
        Bytes::gib(1.0).min(usable / 16.0)
    }
}

/// The memory of a set-up and whether it fits; no verdict when the device's memory is unknown.
#[must_use]
pub fn of(scenario: &Scenario<'_>, layout: &Layout<'_>) -> (Memory, Option<Verdict>) {
    let demand = layout.demand(scenario.workload.context);
    let all = scenario.model.architecture.layer_count();
    let resident = || layout.spread(&demand, all);
    let Some(worst) = layout.headroom(&demand, all) else {
        return (resident(), None);
    };
    if worst >= 0.0 {
        let left = Bytes::new(worst);
        let tight = layout
            .usable()
            .is_some_and(|usable| left < margin(scenario, usable));
        let verdict = if tight {
            Verdict::Tight(left)
        } else {
            Verdict::Fits(left)
        };
        return (resident(), Some(verdict));
    }
    if let Some(held) = layers_held(scenario, layout, &demand) {
        let memory = layout.spread(&demand, held);
        let moved = memory.host.weights + memory.host.kv_cache;
        if scenario
            .host
            .is_some_and(|host| memory.host.total() <= host.ram)
        {
            return (memory, Some(Verdict::NeedsOffload(moved)));
        }
    }
    let memory = resident();
    let missing = memory
        .devices
        .iter()
        .filter_map(DeviceMemory::headroom)
        .map(|headroom| Bytes::new((-headroom).max(0.0)))
        .sum();
    (memory, Some(Verdict::DoesNotFit(missing)))
}

/// The most layers the devices can hold when the rest lies in RAM, if the engine splits so.
fn layers_held(scenario: &Scenario<'_>, layout: &Layout<'_>, demand: &Demand) -> Option<u32> {
    scenario.host?;
    if scenario.device.is_unified() || scenario.engine.memory_style() != MemoryStyle::LlamaCpp {
        return None;
    }
    let fits = |layers: u32| {
        layout
            .headroom(demand, layers)
            .is_some_and(|headroom| headroom >= 0.0)
    };
    if !fits(0) {
        return None;
    }
    // Memory on the devices grows with the layers they hold, so the limit is found by halving.
    let (mut held, mut over) = (0_u32, scenario.model.architecture.layer_count());
    while over.saturating_sub(held) > 1 {
        let middle = held.midpoint(over);
        if fits(middle) {
            held = middle;
        } else {
            over = middle;
        }
    }
    Some(held)
}

/// What of a set-up's memory depends on the context.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// KV cache and state of all sequences.
    pub cache: Bytes,
    /// Buffers for intermediate results, on each device.
    pub compute: Bytes,
}
