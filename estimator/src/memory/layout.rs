//! Who holds what: a model's parts placed on devices and the host.

use super::{Demand, DeviceMemory, Holding, Memory, buffers};
use crate::architecture::Part;
use crate::engine::MemoryStyle;
use crate::kv_cache::Kinds;
use crate::num;
use crate::scenario::Scenario;
use crate::units::Bytes;
use crate::weights::Weights;
use crate::widths::Widths;

/// The sizes a placement is made of; made once, used for every context and split.
pub struct Layout<'a> {
    scenario: &'a Scenario<'a>,
    widths: Widths,
    kinds: Kinds,
    layers: u32,
    /// Weights of the layers.
    trunk: Bytes,
    /// Weights of the head, with which a tied embedding is read.
    head: Bytes,
    /// Weights only looked up.
    lookup: Bytes,
    /// Logits of the last token of each sequence.
    output: Bytes,
    runtime: Bytes,
    file: Bytes,
    /// Lookups stay with the CPU, and a tied embedding is held twice.
    lookup_on_host: bool,
    tied: bool,
    usable: Option<Bytes>,
}

impl<'a> Layout<'a> {
    /// The sizes of a scenario with these weights.
    #[must_use]
    pub fn new(scenario: &'a Scenario<'a>, weights: &Weights) -> Self {
        let architecture = scenario.model.architecture;
        let tied = weights.is_tied();
        let head = weights.head().bytes();
        let embedding = if tied {
            Bytes::ZERO
        } else {
            weights.part(Part::Embedding).bytes()
        };
        let lookup = weights.part(Part::Lookup).bytes() + embedding;
        let available = scenario.device.usable.or(scenario.device.memory);
        let settings = &scenario.settings;
        Self {
            scenario,
            widths: Widths::of(architecture),
            kinds: Kinds::of(architecture),
            layers: architecture.layer_count().max(1),
            trunk: weights.resident().saturating_sub(head + lookup),
            head,
            lookup,
            output: Bytes::new(
                num::f32u(architecture.output_vocabulary) * scenario.sequences() * 4.0,
            ),
            runtime: buffers::runtime(scenario.backend),
            file: weights.file(),
            lookup_on_host: scenario.engine.memory_style() == MemoryStyle::LlamaCpp
                && !scenario.device.is_unified(),
            tied,
            usable: available.map(|memory| {
                let seen = if scenario.device.is_unified() {
                    memory
                } else {
                    memory.saturating_sub(buffers::driver_share(scenario.backend))
                };
                (seen * settings.memory_fraction).saturating_sub(settings.reserve)
            }),
        }
    }

    /// What a model may use of one device: after the engine's fraction and what something else holds.
    #[must_use]
    pub const fn usable(&self) -> Option<Bytes> {
        self.usable
    }

    /// The kinds of layers, as far as their cache goes.
    #[must_use]
    pub const fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// What a context needs for the scenario's sequences.
    #[must_use]
    pub fn demand(&self, context: u64) -> Demand {
        self.demand_of(context, self.scenario.workload.concurrency)
    }

    /// What a context needs for so many sequences.
    #[must_use]
    pub fn demand_of(&self, context: u64, sequences: u64) -> Demand {
        Demand {
            cache: self.cache(context, sequences),
            compute: buffers::compute_buffer(self.scenario, &self.widths, context, sequences),
        }
    }

    fn cache(&self, context: u64, sequences: u64) -> Bytes {
        self.kinds
            .cache_bytes(
                &buffers::cache_rule(self.scenario),
                context,
                u32::try_from(sequences).unwrap_or(u32::MAX),
                self.scenario.kv_type,
            )
            .total()
    }

    /// The least left on any device that shares `on_devices` layers; negative when short, `None`
    /// when the memory is unknown.
    #[must_use]
    pub fn headroom(&self, demand: &Demand, on_devices: u32) -> Option<f64> {
        let usable = self.usable?;
        let fullest = (0..self.count())
            .map(|index| self.device(demand, on_devices, index).0.total())
            .fold(Bytes::ZERO, Bytes::max);
        Some(usable.get() - fullest.get())
    }

    /// The set-up with this many layers on the devices, the rest on the host.
    #[must_use]
    pub fn spread(&self, demand: &Demand, on_devices: u32) -> Memory {
        let on_devices = on_devices.min(self.layers);
        let devices = (0..self.count())
            .map(|index| {
                let (holding, layers) = self.device(demand, on_devices, index);
                DeviceMemory {
                    holding,
                    layers,
                    capacity: self.scenario.device.memory,
                    usable: self.usable,
                }
            })
            .collect();
        let host_layers = self.layers.saturating_sub(on_devices);
        let mut host = Holding {
            weights: self.trunk * self.share(host_layers),
            kv_cache: demand.cache * self.share(host_layers),
            ..Holding::default()
        };
        if self.lookup_on_host {
            host.weights += self.lookup;
            if self.tied && host_layers == 0 {
                host.weights += self.head;
            }
        }
        if host_layers > 0 {
            host.weights += self.head;
            host.compute += self.output;
        }
        Memory {
            devices,
            host,
            host_layers,
            file: self.file,
            cache_of_one: self.cache(self.scenario.workload.context, 1),
        }
    }

    /// What the `index`-th device holds, and how many layers of it.
    fn device(&self, demand: &Demand, on_devices: u32, index: u32) -> (Holding, u32) {
        let layers = even_share(on_devices, self.count(), index);
        let mut holding = Holding {
            weights: self.trunk * self.share(layers),
            kv_cache: demand.cache * self.share(layers),
            compute: demand.compute,
            runtime: self.runtime,
        };
        // llama.cpp moves the head to a device only after all layers (`-ngl` above their number).
        if index.saturating_add(1) == self.count() && on_devices >= self.layers {
            holding.weights += self.head;
            holding.compute += self.output;
        }
        if index == 0 && !self.lookup_on_host {
            holding.weights += self.lookup;
        }
        (holding, layers)
    }

    fn count(&self) -> u32 {
        self.scenario.count.max(1)
    }

    fn share(&self, layers: u32) -> f64 {
        num::f32u(layers) / num::f32u(self.layers)
    }
}

/// How many of `total` things the `index`-th of `count` gets when they are shared evenly.
fn even_share(total: u32, count: u32, index: u32) -> u32 {
    let base = total.checked_div(count).unwrap_or(0);
    let extra = total.checked_rem(count).unwrap_or(0);
    base.saturating_add(u32::from(index < extra))
}
