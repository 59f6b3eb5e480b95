//! How long one step takes: the roofline of each part of the model, the cache, launches and links.

use crate::architecture::{Architecture, Part};
use crate::basis::Basis;
use crate::calibration::Calibration;
use crate::device::Device;
use crate::engine::{Backend, MemoryStyle};
use crate::error::{Part as Answer, Refusal};
use crate::format::KernelClass;
use crate::kv_cache::Kinds;
use crate::memory::{Load, Memory};
use crate::num;
use crate::roofline::Work;
use crate::scenario::{Scenario, Split};
use crate::units::{Bytes, BytesPerSecond, Seconds};
use crate::weights::Weights;

mod links;
mod site;
mod time;

use site::Site;
pub use site::peak;
use time::Overlap;
pub use time::StepTime;

/// What a scenario's steps are computed from; made once, used at every depth.
#[derive(Clone)]
pub struct Steps<'a> {
    scenario: &'a Scenario<'a>,
    weights: &'a Weights,
    kinds: &'a Kinds,
    devices: Vec<Site<'a>>,
    host: Option<Site<'a>>,
    /// Layers whose experts alone are on the host.
    turns: f64,
    /// Of the weights where some are left on disk, the share that is.
    on_disk: f64,
    running: u64,
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
        let factors = calibration.factors(scenario.engine, scenario.backend);
        let mut devices = Vec::with_capacity(memory.devices.len());
        for (device, place) in scenario.devices().zip(&memory.devices) {
            if place.load.layers == 0 && place.load.head <= 0.0 && !devices.is_empty() {
                continue;
            }
            devices.push(
                Site::device(device, factors, place.load)
                    .ok_or_else(|| unknown_bandwidth(device))?,
            );
        }
        let host = if memory.offloads() {
            let host = scenario.host.as_ref();
            Some(Site {
                bandwidth: host_bandwidth(scenario, memory).ok_or_else(unknown_host)?,
                peaks: host.map_or(const { &crate::device::Peaks::UNKNOWN }, |host| &host.peaks),
                plain_fp32: true,
                stacked: false,
                factors: calibration.factors(scenario.engine, Backend::Cpu),
                load: memory.host.load,
            })
        } else {
            None
        };
        let disk_of = if memory.offloads() {
            memory.host.holding.weights
        } else {
            memory
                .devices
                .first()
                .map_or(Bytes::ZERO, |device| device.holding.weights)
        };
        let load = memory.host.load;
        let mut steps = Self {
            scenario,
            weights,
            kinds,
            devices,
            host,
            turns: num::f32u(load.expert_layers.saturating_sub(load.layers)),
            on_disk: memory.disk.ratio(disk_of + memory.disk).unwrap_or(0.0),
            running: memory.running,
            weights_time: StepTime::default(),
        };
        steps.weights_time = steps.decode_weights();
        Ok(steps)
    }

    /// Sequences in a step.
    #[must_use]
    pub const fn running(&self) -> f64 {
        num::f(self.running)
    }

    /// The steps of as many sequences as an engine's pages hold at `depth` tokens each: fewer than run
    /// at the question's own, where that is shorter.
    #[must_use]
    pub fn of_those_that_run(&self, memory: &Memory, depth: u64) -> Self {
        let mut steps = self.clone();
        let held = memory
            .pool
            .filter(|pool| depth > 0 && pool.tokens.is_finite())
            .map(|pool| num::floor(pool.tokens / num::f(depth)).max(1));
        if let Some(held) = held.filter(|held| *held < self.running) {
            steps.running = held;
            steps.weights_time = steps.decode_weights();
        }
        steps
    }

    /// One decode step with every sequence at `depth` tokens.
    #[must_use]
    pub fn decode(&self, depth: f64) -> StepTime {
        let depth = num::whole(depth);
        let work = Work {
            bytes: self.kinds.read_bytes(depth, self.scenario.kv_type) * self.running(),
            flop: self.kinds.attention_flop(depth, 1) * self.running(),
        };
        self.weights_time
            .plus(self.all(|site| site.attention(work, Overlap::Full)))
    }

    /// The least a decode step can take: what each place reads over its full peak.
    #[must_use]
    pub fn floor(&self) -> Seconds {
        let times = self.devices.iter().chain(&self.host).map(|site| {
            let parts: Bytes = Part::ALL
                .into_iter()
                .filter(|part| !matches!(part, Part::Embedding | Part::Output))
                .map(|part| self.weights.part_read(part, self.running) * site.share(part))
                .sum();
            (parts + self.weights.head().bytes() * site.load.head) / site.bandwidth
        });
        if self.in_parallel() {
            times.fold(Seconds::ZERO, Seconds::max)
        } else {
            times.sum()
        }
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
        let blind = self
            .scenario
            .devices()
            .zip(&self.devices)
            .find(|(_, site)| peak(site.peaks, KernelClass::Float16, site.plain_fp32).is_none());
        if let Some((device, _)) = blind {
            return Err(refuse(
                format!("no 16-bit compute rate of {} is published", device.name),
                "give the rate you know with `peak-tflops`",
            ));
        }
        let batch = self.scenario.settings.ubatch.max(1).min(prompt);
        let full = num::f(prompt.checked_div(batch).unwrap_or(0));
        let rest = prompt.checked_rem(batch).unwrap_or(0);
        let batches = num::f(prompt.div_ceil(batch.max(1)));
        let stages: Vec<StepTime> = self
            .prefill_sites()
            .iter()
            .map(|site| {
                let mut time = self.micro_batch(site, batch).times(full);
                if rest > 0 {
                    time = time.plus(self.micro_batch(site, rest));
                }
                time.plus(self.prompt_attention(site, prompt, batches))
            })
            .collect();
        let mut time = self.together(&stages, batches);
        // The prompt's last row goes through the head once.
        time = time.plus(self.all(|site| site.head(self.weights, 1.0)));
        time.link += links::hops(self.scenario, self.devices.len()) * batches;
        time.link += links::reduces(self.scenario, num::f(batch)) * full;
        if rest > 0 {
            time.link += links::reduces(self.scenario, num::f(rest));
        }
        if let Some(host) = &self.host {
            let pcie = self.scenario.device.links.pcie.ok_or_else(|| {
                refuse(
                    format!(
                        "the host link of {} is unknown, and weights in RAM are read over it",
                        self.scenario.device.name
                    ),
                    "pick a format or context that fits the device",
                )
            })?;
            time.link += self.host_weights(host, batch) * batches / (pcie * links::PCIE_SHARE);
        }
        time.link += self.disk_reads(batch) * batches;
        Ok(time)
    }

    /// The devices as they work on a prompt: what lies on the host is copied to the first and
    /// computed there (llama.cpp, `ggml_backend_sched`, op offload).
    fn prefill_sites(&self) -> Vec<Site<'a>> {
        let mut sites = self.devices.clone();
        if let (Some(first), Some(host)) = (sites.first_mut(), &self.host) {
            let (own, lent) = (first.load, host.load);
            *first = first.with(Load {
                layers: own.layers.saturating_add(lent.layers),
                expert_layers: own.expert_layers.saturating_add(lent.expert_layers),
                trunk: own.trunk + lent.trunk,
                experts: own.experts + lent.experts,
                cache: own.cache + lent.cache,
                head: own.head,
            });
        }
        sites
    }

    /// The stages of several devices put together. Those that share layers work at once. Those that
    /// take turns overlap micro-batches where the engine pipelines them: then the slowest stage
    /// rules, and the others add their first batch.
    fn together(&self, stages: &[StepTime], batches: f64) -> StepTime {
        let sum = || {
            stages
                .iter()
                .copied()
                .fold(StepTime::default(), StepTime::plus)
        };
        let slowest = || {
            stages
                .iter()
                .copied()
                .fold(StepTime::default(), StepTime::slower)
        };
        if self.in_parallel() {
            slowest()
        } else if stages.len() > 1 && self.pipelines() && batches > 1.0 {
            let slowest = slowest();
            let first = sum().times(1.0 / batches);
            slowest.times(1.0 - 1.0 / batches).plus(first)
        } else {
            sum()
        }
    }

    /// Whether the devices share every layer.
    fn in_parallel(&self) -> bool {
        self.scenario.wishes.split == Split::Tensor && self.devices.len() > 1
    }

    /// Whether micro-batches of one prompt overlap over the devices: llama.cpp does so when all
    /// layers are on devices that copy without waiting (`src/llama-context.cpp`,
    /// `pipeline_parallel`); engines with pipeline parallelism do.
    fn pipelines(&self) -> bool {
        let able = match self.scenario.engine.memory_style() {
            MemoryStyle::LlamaCpp => {
                matches!(self.scenario.backend, Backend::Cuda | Backend::Rocm)
            }
            MemoryStyle::Fraction => true,
            MemoryStyle::Mlx | MemoryStyle::Resident => false,
        };
        able && self.host.is_none()
    }

    /// A part of the step on every device and the host: one after another, or all at once.
    fn all(&self, of: impl Fn(&Site<'_>) -> StepTime) -> StepTime {
        let start = StepTime::default();
        let mut time = if self.in_parallel() {
            self.devices.iter().map(&of).fold(start, StepTime::slower)
        } else {
            self.devices.iter().map(&of).fold(start, StepTime::plus)
        };
        if let (Some(host), Some(device)) = (&self.host, self.devices.first()) {
            // A host's compute rate is often unknown: it is taken to be no faster than the device.
            let there = of(&device.with(host.load));
            time = time.plus(of(host).slower(there));
        }
        time
    }

    /// One decode step's weights: every layer where it lies, and the head.
    fn decode_weights(&self) -> StepTime {
        let architecture = self.scenario.model.architecture;
        let mut time = self.all(|site| {
            let mut time = site.layers(self.weights, self.running, Overlap::Full);
            time.overhead += site.factors.layer * site_launches(architecture, &site.load);
            time.plus(site.head(self.weights, self.running()))
        });
        if let Some(factors) = self.devices.first().map(|site| site.factors) {
            time.overhead += factors.token + factors.sequence * (self.running() - 1.0);
        }
        time.link += links::hops(self.scenario, self.devices.len());
        time.link += links::TURN * (2.0 * self.turns);
        time.link += links::reduces(self.scenario, self.running());
        time.link += self.disk_reads(self.running);
        time
    }

    /// Reading, for one step of so many tokens, what was left on disk.
    ///
    /// What RAM keeps of the mapped file is taken to be hit in proportion; experts are hit more
    /// evenly than that says, a dense model read front to back less.
    fn disk_reads(&self, tokens: u64) -> Seconds {
        let Some(ssd) = self.scenario.settings.ssd else {
            return Seconds::ZERO;
        };
        if self.on_disk <= 0.0 {
            return Seconds::ZERO;
        }
        let Some(site) = self.host.as_ref().or_else(|| self.devices.first()) else {
            return Seconds::ZERO;
        };
        self.host_weights(site, tokens) * self.on_disk / ssd
    }

    /// Weights of a place's layers that a step of so many tokens reads.
    fn host_weights(&self, site: &Site<'_>, tokens: u64) -> Bytes {
        Part::ALL
            .into_iter()
            .filter(|part| !matches!(part, Part::Embedding | Part::Output | Part::Lookup))
            .map(|part| self.weights.part_read(part, tokens) * site.share(part))
            .sum()
    }

    /// One prefill micro-batch's weights in a place.
    fn micro_batch(&self, site: &Site<'_>, tokens: u64) -> StepTime {
        let mut time = site.layers(self.weights, tokens, Overlap::None);
        time.overhead += site.factors.prefill_layer * num::f32u(site.load.layers);
        time
    }

    /// Attention of a whole prompt: each token with all before it, the cache read once a micro-batch.
    fn prompt_attention(&self, site: &Site<'_>, prompt: u64, batches: f64) -> StepTime {
        let middle = num::whole(num::f(prompt) / 2.0);
        let work = Work {
            bytes: self.kinds.read_bytes(middle, self.scenario.kv_type) * batches,
            flop: self.kinds.attention_flop(0, prompt),
        };
        site.attention(work, Overlap::None)
    }
}

fn unknown_bandwidth(device: &Device) -> Refusal {
    Refusal {
        part: Answer::Decode,
        missing: format!("the memory bandwidth of {} is unknown", device.name),
        hint: Some("pick a memory option whose bandwidth is known, or another device".to_owned()),
    }
}

fn unknown_host() -> Refusal {
    Refusal {
        part: Answer::Decode,
        missing: "weights lie in the host's RAM, and its bandwidth isn't known".to_owned(),
        hint: Some("name the host, as in `host` = `desktop-ddr5-5600-dual`".to_owned()),
    }
}

/// The bandwidth of the host's RAM that the scenario's engine sees; `None` when it isn't known.
#[must_use]
pub fn host_bandwidth(scenario: &Scenario<'_>, memory: &Memory) -> Option<BytesPerSecond> {
    let weights = memory.host.holding.weights;
    links::host_bandwidth(scenario.engine, scenario.host.as_ref()?, weights)
}

/// What the speed of a set-up rests on and how far runs were off: of all places that work, the
/// weakest and the widest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trust {
    /// Decode speed of runs over the model's: the slowest tenth and the fastest.
    pub spread: (f64, f64),
    /// What it rests on.
    pub basis: Basis,
    /// Runs behind it.
    pub runs: u32,
}

/// The trust in a decode speed.
#[must_use]
pub fn trust(scenario: &Scenario<'_>, memory: &Memory, calibration: &Calibration) -> Trust {
    let of = |backend| {
        let factors = calibration.factors(scenario.engine, backend);
        Trust {
            spread: factors.decode_spread,
            basis: factors.basis,
            runs: factors.decode_runs,
        }
    };
    let device = of(scenario.backend);
    if !memory.offloads() {
        return device;
    }
    let host = of(Backend::Cpu);
    Trust {
        spread: (
            device.spread.0.min(host.spread.0),
            device.spread.1.max(host.spread.1),
        ),
        basis: device.basis.max(host.basis),
        runs: device.runs.min(host.runs),
    }
}

/// Layers as launches count: experts and linear mixers take half as many again.
#[must_use]
pub fn launches(architecture: &Architecture) -> f64 {
    let (trunk, experts) = launch_parts(architecture);
    trunk + experts
}

/// The launches of layers without experts, and of experts.
fn launch_parts(architecture: &Architecture) -> (f64, f64) {
    let half = |has: bool| if has { 0.5 } else { 0.0 };
    architecture
        .layers
        .iter()
        .fold((0.0, 0.0), |(trunk, experts), layer| {
            let passes = num::f32u(layer.passes.0);
            (
                trunk + (1.0 + half(layer.linear.is_some())) * passes,
                experts + half(layer.experts.is_some()) * passes,
            )
        })
}

/// A place's part of the launches.
fn site_launches(architecture: &Architecture, load: &Load) -> f64 {
    let (trunk, experts) = launch_parts(architecture);
    let all = num::f32u(architecture.layer_count().max(1));
    trunk * num::f32u(load.layers) / all + experts * num::f32u(load.expert_layers) / all
}

/// The least a decode step can take on a device: what its layers must read over the full peak.
///
/// No measured run without speculation can be faster; run-db's lint uses it.
#[must_use]
pub fn decode_floor(device: &Device, weights: &Weights) -> Option<Seconds> {
    Some(weights.read(1) / device.bandwidth?)
}
