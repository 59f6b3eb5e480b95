//! Who holds what: a model's layers placed on devices and the host.

use super::sums::{all, between, running_sums, share};
use super::{Assignment, Compute, Holding, Load, Memory, Place, assignment, buffers, tensor};
use crate::architecture::Part;
use crate::device::Device;
use crate::engine::MemoryStyle;
use crate::format::Extra;
use crate::kv_cache::Kinds;
use crate::num;
use crate::scenario::{Scenario, Split};
use crate::units::Bytes;
use crate::weights::Weights;
use crate::widths::Widths;

/// The sizes a placement is made of; made once, used for every context and split.
pub struct Layout<'a> {
    scenario: &'a Scenario<'a>,
    widths: Widths,
    kinds: Kinds,
    layers: u32,
    /// Bytes of the layers before the n-th without routed experts, and of their experts.
    trunk: Vec<f64>,
    experts: Vec<f64>,
    /// Weights of the head, with which a tied embedding is read.
    head: Bytes,
    /// Weights only looked up.
    lookup: Bytes,
    /// Layers for multi-token prediction and the vision tower, where they are loaded.
    mtp: Bytes,
    vision: Bytes,
    file: Bytes,
    /// Lookups stay with the CPU, and a tied embedding is held twice.
    lookup_on_host: bool,
    tied: bool,
    /// What a model may use of each device.
    usable: Vec<Option<Bytes>>,
}

/// What of a set-up's memory depends on the context and the sequences.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// KV cache and state of the layers before the n-th, of all sequences.
    cache: Vec<f64>,
    /// Buffers for intermediate results.
    compute: Compute,
    /// Cache of the layers for multi-token prediction, where they are loaded.
    draft: Bytes,
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
        let (trunk, experts) =
            running_sums(weights, weights.resident().saturating_sub(head + lookup));
        let settings = &scenario.settings;
        let average = weights.bits_per_weight() / 8.0;
        Self {
            scenario,
            widths: Widths::of(architecture),
            kinds: Kinds::of(architecture),
            layers: architecture.layer_count(),
            trunk,
            experts,
            head,
            lookup,
            mtp: if settings.mtp {
                // By tensor where the file holds them, else by what a weight takes on average.
                let held = Extra::of(architecture, scenario.format).prediction.bytes;
                let parameters = num::f(architecture.mtp_parameters);
                Bytes::new(num::f(held)).max(if held > 0 {
                    Bytes::ZERO
                } else {
                    Bytes::new(parameters * average)
                })
            } else {
                Bytes::ZERO
            },
            vision: if settings.vision {
                Bytes::new(num::f(architecture.vision_parameters) * VISION_BYTES)
            } else {
                Bytes::ZERO
            },
            file: weights.file(),
            lookup_on_host: scenario.engine.memory_style() == MemoryStyle::LlamaCpp
                && !scenario.device.is_unified(),
            tied,
            usable: scenario
                .devices()
                .map(|device| usable(scenario, device))
                .collect(),
        }
    }

    /// What a model may use of each device: after the engine's fraction and what something else holds.
    #[must_use]
    pub fn usable(&self) -> &[Option<Bytes>] {
        &self.usable
    }

    /// The least of these; `None` when one is unknown.
    #[must_use]
    pub fn least_usable(&self) -> Option<Bytes> {
        self.usable
            .iter()
            .copied()
            .reduce(|least, next| Some(least?.min(next?)))
            .flatten()
    }

    /// The kinds of layers, as far as their cache goes.
    #[must_use]
    pub const fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The scenario it is of.
    #[must_use]
    pub const fn scenario(&self) -> &'a Scenario<'a> {
        self.scenario
    }

    /// How many layers the model has.
    #[must_use]
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// What a context needs for so many sequences.
    #[must_use]
    pub fn demand(&self, context: u64, sequences: u64) -> Demand {
        let scenario = self.scenario;
        let slots = scenario.settings.slots.unwrap_or(0).max(sequences);
        // Slots of one cache have the context together, others each for itself.
        let context = if scenario.settings.unified {
            context.div_ceil(slots.max(1))
        } else {
            context
        };
        Demand {
            cache: self.kinds.running_cache_bytes(
                scenario.model.architecture,
                &buffers::cache_rule(scenario),
                context,
                u32::try_from(slots).unwrap_or(u32::MAX),
                scenario.kv_type,
            ),
            compute: buffers::compute(scenario, &self.widths, context, slots),
            draft: buffers::draft_cache(scenario, context, slots),
        }
    }

    /// Everything on the devices, by the engine's rule or, where that overfills one, by what fits
    /// best.
    #[must_use]
    pub fn on_devices(&self, demand: &Demand) -> Assignment {
        self.assign(demand, 0, 0)
    }

    /// The same with so many first layers, and so many first layers' experts, on the host.
    #[must_use]
    pub fn assign(&self, demand: &Demand, host_layers: u32, host_experts: u32) -> Assignment {
        let host_layers = host_layers.min(self.layers);
        let host_experts = host_experts.clamp(host_layers, self.layers);
        let with = |ends| Assignment {
            host_layers,
            host_experts: if self.experts.last().is_some_and(|all| *all > 0.0) {
                host_experts
            } else {
                host_layers
            },
            ends,
        };
        let wished = self.scenario.wishes.shares;
        let shares: Vec<f64> = if wished.is_empty() {
            let equal = self.scenario.engine.memory_style() != MemoryStyle::LlamaCpp;
            self.usable
                .iter()
                .map(|usable| match usable {
                    Some(usable) if !equal => usable.get(),
                    _ => 1.0,
                })
                .collect()
        } else {
            wished.to_vec()
        };
        let usual = with(assignment::in_proportion(host_layers, self.layers, &shares));
        let llama = self.scenario.engine.memory_style() == MemoryStyle::LlamaCpp;
        if self.usable.len() < 2 || !wished.is_empty() || !llama {
            return usual;
        }
        match self.headroom(demand, &usual) {
            Some(left) if left < 0.0 => self.balanced(demand, usual),
            _ => usual,
        }
    }

    /// The assignment that leaves the fullest device the most room; the one given if none is better.
    fn balanced(&self, demand: &Demand, usual: Assignment) -> Assignment {
        let Some(start) = self.headroom(demand, &usual) else {
            return usual;
        };
        let most = self
            .usable
            .iter()
            .flatten()
            .fold(0.0, |most: f64, usable| most.max(usable.get()));
        let mut best = usual.clone();
        let (mut low, mut high) = (start, most);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            match self.filled(demand, &usual, middle) {
                Some(found) => {
                    best = found;
                    low = middle;
                }
                None => high = middle,
            }
        }
        best
    }

    /// Fills the devices one after another so that each keeps this much free; `None` when the layers
    /// don't go in.
    fn filled(&self, demand: &Demand, of: &Assignment, free: f64) -> Option<Assignment> {
        let mut trial = of.clone();
        let mut start = of.host_layers;
        for index in 0..self.usable.len() {
            let limit = self.usable.get(index).copied().flatten()?.get() - free;
            let mut end = start;
            while end < self.layers {
                *trial.ends.get_mut(index)? = end.saturating_add(1);
                if self.device(demand, &trial, index).0.total().get() > limit {
                    break;
                }
                end = end.saturating_add(1);
            }
            for later in trial.ends.iter_mut().skip(index) {
                *later = end;
            }
            start = end;
        }
        let fits = start >= self.layers && self.headroom(demand, &trial)? >= free;
        fits.then_some(trial)
    }

    /// The least left on any device, in bytes; negative when short, `None` when a memory is unknown.
    #[must_use]
    pub fn headroom(&self, demand: &Demand, assignment: &Assignment) -> Option<f64> {
        let mut least = f64::INFINITY;
        for (index, usable) in self.usable.iter().enumerate() {
            let held = self.device(demand, assignment, index).0.total();
            least = least.min((*usable)?.get() - held.get());
        }
        Some(least)
    }

    /// The set-up so assigned.
    #[must_use]
    pub fn place(&self, demand: &Demand, assignment: &Assignment) -> Memory {
        let devices: Vec<_> = self
            .scenario
            .devices()
            .enumerate()
            .map(|(index, device)| {
                let (holding, load) = self.device(demand, assignment, index);
                Place {
                    holding,
                    load,
                    capacity: device.memory,
                    usable: self.usable.get(index).copied().flatten(),
                }
            })
            .collect();
        Memory {
            devices,
            host: self.host(demand, assignment),
            split: self.scenario.wishes.split,
            file: self.file,
            cache_of_one: self.cache_of_one(),
            pool: None,
            disk: Bytes::ZERO,
            running: self.scenario.workload.concurrency,
        }
    }

    /// The cache of one sequence of the scenario's context.
    #[must_use]
    pub fn cache_of_one(&self) -> Bytes {
        self.kinds
            .cache_bytes(
                &buffers::cache_rule(self.scenario),
                self.scenario.workload.context,
                1,
                self.scenario.kv_type,
            )
            .total()
    }

    /// What the `index`-th device holds, and its part of the work.
    fn device(&self, demand: &Demand, assignment: &Assignment, index: usize) -> (Holding, Load) {
        if self.is_tensor_parallel() {
            return self.rank(demand);
        }
        let (start, end) = assignment.range(index);
        let experts_from = start.max(assignment.host_experts).min(end);
        let last = index.saturating_add(1) == self.usable.len();
        let has_head = last && !self.head_on_host(assignment);
        if start == end && !has_head && index > 0 {
            return (Holding::default(), Load::NONE);
        }
        let trunk = between(&self.trunk, start, end);
        let experts = between(&self.experts, experts_from, end);
        let cache = between(&demand.cache, start, end);
        let mut holding = Holding {
            weights: Bytes::new(trunk + experts),
            kv_cache: Bytes::new(cache),
            compute: self.compute(demand, assignment, index),
            runtime: self.runtime(index),
        };
        if has_head {
            holding.weights += self.head + self.mtp;
            holding.kv_cache += demand.draft;
            if self.scenario.settings.mtp {
                holding.compute += if self.takes_turns(assignment) {
                    demand.compute.draft_turns
                } else {
                    demand.compute.draft
                };
            }
        }
        if index == 0 {
            holding.weights += self.vision;
            if !self.lookup_on_host {
                holding.weights += self.lookup;
            }
        }
        let load = Load {
            layers: end.saturating_sub(start),
            expert_layers: end.saturating_sub(experts_from),
            trunk: share(trunk, &self.trunk),
            experts: share(experts, &self.experts),
            cache: share(cache, &demand.cache),
            head: if has_head { 1.0 } else { 0.0 },
        };
        (holding, load)
    }

    /// Whether several devices hold all of the model and work on different micro-batches at once
    /// (`src/llama-context.cpp`, `pipeline_parallel`).
    fn takes_turns(&self, assignment: &Assignment) -> bool {
        self.usable.len() > 1 && assignment.host_layers == 0 && assignment.host_experts == 0
    }

    /// The `index`-th device's buffers for intermediate results.
    fn compute(&self, demand: &Demand, assignment: &Assignment, index: usize) -> Bytes {
        match (self.takes_turns(assignment), index) {
            (false, _) => demand.compute.device,
            (true, 0) => demand.compute.first,
            (true, _) => demand.compute.later,
        }
    }

    /// What the driver takes on the `index`-th device.
    fn runtime(&self, index: usize) -> Bytes {
        self.scenario
            .devices()
            .nth(index)
            .map_or(Bytes::ZERO, |device| {
                buffers::runtime(self.scenario, device)
            })
    }

    /// What each of the devices holds that share every layer.
    fn rank(&self, demand: &Demand) -> (Holding, Load) {
        let count = num::f32u(self.scenario.count());
        let weights = Bytes::new(all(&self.trunk) + all(&self.experts)) + self.head + self.mtp;
        let lookup = if self.lookup_on_host {
            Bytes::ZERO
        } else {
            self.lookup
        };
        let architecture = self.scenario.model.architecture;
        let cache = tensor::cache_share(architecture, &demand.cache, self.scenario.count());
        let holding = Holding {
            weights: (weights + lookup + self.vision) / count,
            kv_cache: Bytes::new(all(&demand.cache) * cache) + demand.draft * cache,
            compute: demand.compute.device,
            runtime: self.runtime(0),
        };
        let load = Load {
            layers: self.layers,
            expert_layers: self.layers,
            trunk: 1.0 / count,
            experts: 1.0 / count,
            cache,
            head: 1.0 / count,
        };
        (holding, load)
    }

    /// Whether the host computes the head.
    fn head_on_host(&self, assignment: &Assignment) -> bool {
        let layers = assignment.host_layers;
        layers >= self.layers || layers > 0 && !assignment::output_goes_first(self.scenario.engine)
    }

    /// What the host holds beside the devices.
    fn host(&self, demand: &Demand, assignment: &Assignment) -> Place {
        let (layers, expert_layers) = (assignment.host_layers, assignment.host_experts);
        let head = self.head_on_host(assignment);
        let trunk = between(&self.trunk, 0, layers);
        let experts = between(&self.experts, 0, expert_layers);
        let cache = between(&demand.cache, 0, layers);
        let mut holding = Holding {
            weights: Bytes::new(trunk + experts),
            kv_cache: Bytes::new(cache),
            ..Holding::default()
        };
        if self.lookup_on_host {
            holding.weights += self.lookup;
            if self.tied && !head {
                holding.weights += self.head;
            }
        }
        if head {
            holding.weights += self.head + self.mtp;
            holding.kv_cache += demand.draft;
        }
        holding.compute = if layers > 0 {
            demand.compute.layers
        } else if expert_layers > 0 {
            demand.compute.experts
        } else if self.takes_turns(assignment) {
            demand.compute.beside_turns
        } else {
            demand.compute.beside
        };
        Place {
            holding,
            load: Load {
                layers,
                expert_layers,
                trunk: share(trunk, &self.trunk),
                experts: share(experts, &self.experts),
                cache: share(cache, &demand.cache),
                head: if head { 1.0 } else { 0.0 },
            },
            capacity: self.scenario.host.map(|host| host.ram),
            usable: self.scenario.host.map(|host| host.ram),
        }
    }

    /// Whether all devices share every layer.
    #[must_use]
    pub fn is_tensor_parallel(&self) -> bool {
        self.scenario.wishes.split == Split::Tensor && self.scenario.count() > 1
    }
}

/// A vision tower is kept in 16 bit whatever the text's format: llama.cpp's `mmproj` files are F16
/// or BF16 (`tools/mtmd`), and quantized checkpoints leave the tower out of quantization.
const VISION_BYTES: f64 = 2.0;

/// So often is the room left by a balanced assignment halved: to a few kilobytes.
const HALVINGS: u32 = 24;

/// What a model may use of a device.
fn usable(scenario: &Scenario<'_>, device: &Device) -> Option<Bytes> {
    let memory = device.usable.or(device.memory)?;
    let seen = if device.is_unified() {
        memory
    } else {
        memory.saturating_sub(buffers::driver_share(scenario.backend))
    };
    let settings = &scenario.settings;
    Some((seen * settings.memory_fraction).min(seen.saturating_sub(settings.reserve)))
}
