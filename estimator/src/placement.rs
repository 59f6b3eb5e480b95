//! Where everything goes: the fastest placement that fits.
//!
//! Engines with a host beside their devices can keep whole layers or only experts in its RAM. Of the
//! placements that fit, the one whose decode step takes least time is chosen, so the same step-time
//! function decides that later gives the speed.

use crate::calibration::Calibration;
use crate::engine::{Engine, MemoryStyle};
use crate::memory::{Assignment, Demand, Layout, Memory, Place, Pool, Verdict};
use crate::num;
use crate::scenario::Scenario;
use crate::step::Steps;
use crate::units::Bytes;
use crate::weights::Weights;

/// A set-up's memory and whether it fits; no verdict when a device's memory is unknown.
#[must_use]
pub fn choose(
    layout: &Layout<'_>,
    weights: &Weights,
    calibration: &Calibration,
) -> (Memory, Option<Verdict>) {
    let scenario = layout.scenario();
    let demand = layout.demand(scenario.workload.context, scenario.workload.concurrency);
    let resident = layout.on_devices(&demand);
    if scenario.engine.memory_style() == MemoryStyle::Fraction {
        return paged(layout, &demand, &resident);
    }
    let wished = wished(scenario, layout, &demand);
    if wished.is_none() {
        let Some(worst) = layout.headroom(&demand, &resident) else {
            return (layout.place(&demand, &resident), None);
        };
        if worst >= 0.0 {
            let verdict = fits(scenario, layout, Bytes::new(worst));
            return (layout.place(&demand, &resident), Some(verdict));
        }
    }
    let candidates = wished.unwrap_or_else(|| offloads(layout, &demand));
    let fastest = candidates
        .iter()
        .filter_map(|assignment| offloaded(layout, &demand, assignment))
        .map(|memory| {
            let steps = Steps::new(scenario, weights, layout.kinds(), &memory, calibration);
            let time = steps.map_or(f64::INFINITY, |steps| {
                steps.decode(scenario.decode_depth()).total().get()
            });
            (memory, time)
        })
        // Of placements whose speed isn't known, the last: experts move before layers.
        .reduce(|best, next| if next.1 <= best.1 { next } else { best });
    if let Some((memory, _)) = fastest {
        let verdict = if memory.offloads() || memory.disk > Bytes::ZERO {
            let moved = if memory.offloads() {
                moved(&memory, layout, &demand, &resident)
            } else {
                memory.disk
            };
            Verdict::NeedsOffload(moved)
        } else {
            let left = memory
                .devices
                .iter()
                .filter_map(Place::headroom)
                .fold(f64::INFINITY, f64::min);
            fits(scenario, layout, Bytes::new(left))
        };
        return (memory, Some(verdict));
    }
    // What RAM alone is short of, where the devices would have room.
    let short_of_ram = candidates
        .iter()
        .map(|assignment| {
            let memory = layout.place(&demand, assignment);
            let held = memory.host.holding.total();
            let ram = memory.host.usable.unwrap_or(Bytes::ZERO);
            (memory, held.saturating_sub(ram))
        })
        .filter(|(memory, short)| memory.offloads() && *short > Bytes::ZERO)
        .reduce(|best, next| if next.1 < best.1 { next } else { best });
    if let Some((memory, short)) = short_of_ram {
        return (memory, Some(Verdict::DoesNotFit(short)));
    }
    let memory = layout.place(&demand, &resident);
    let missing = missing(&memory);
    (memory, Some(Verdict::DoesNotFit(missing)))
}

/// Whether a context fits for so many sequences in any placement the scenario allows.
#[must_use]
pub fn possible(layout: &Layout<'_>, context: u64, sequences: u64) -> bool {
    let scenario = layout.scenario();
    let demand = layout.demand(context, sequences);
    let placed = |assignment: &Assignment| offloaded(layout, &demand, assignment).is_some();
    match wished(scenario, layout, &demand) {
        Some(wished) => wished.iter().any(placed),
        None => {
            let resident = layout.on_devices(&demand);
            let fits = layout.headroom(&demand, &resident);
            fits.is_some_and(|left| left >= 0.0) || offloads(layout, &demand).iter().any(placed)
        }
    }
}

/// What is missing on the devices together.
fn missing(memory: &Memory) -> Bytes {
    memory
        .devices
        .iter()
        .filter_map(Place::headroom)
        .map(|headroom| Bytes::new((-headroom).max(0.0)))
        .sum()
}

/// What lies on the host that would lie on the devices if they had room.
fn moved(memory: &Memory, layout: &Layout<'_>, demand: &Demand, resident: &Assignment) -> Bytes {
    let there = layout.place(demand, resident).host.holding;
    let host = memory.host.holding;
    (host.weights + memory.disk + host.kv_cache).saturating_sub(there.weights + there.kv_cache)
}

fn fits(scenario: &Scenario<'_>, layout: &Layout<'_>, left: Bytes) -> Verdict {
    let tight = layout
        .least_usable()
        .is_some_and(|usable| left < margin(scenario, usable));
    if tight {
        Verdict::Tight(left)
    } else {
        Verdict::Fits(left)
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

/// The placement the user asked for; `None` when nothing was said about the host.
fn wished(
    scenario: &Scenario<'_>,
    layout: &Layout<'_>,
    demand: &Demand,
) -> Option<Vec<Assignment>> {
    let wishes = scenario.wishes;
    let layers = layout.layers();
    let fixed = wishes
        .device_layers
        .map(|wanted| layers.saturating_sub(wanted));
    let everything =
        scenario.engine == Engine::KTransformers && scenario.model.architecture.is_moe();
    let experts = wishes
        .host_experts
        .or_else(|| (everything && scenario.host.is_some()).then_some(layers));
    if fixed.is_none() && experts.is_none() {
        return None;
    }
    let experts = experts.unwrap_or(0);
    let host = match fixed {
        Some(host) => Some(host),
        None => least(layers, |host| fits_with(layout, demand, host, experts)),
    };
    Some(
        host.filter(|host| fits_with(layout, demand, *host, experts))
            .map(|host| layout.assign(demand, host, experts))
            .into_iter()
            .collect(),
    )
}

/// The placements with something on the host that leave the most on the devices.
fn offloads(layout: &Layout<'_>, demand: &Demand) -> Vec<Assignment> {
    let scenario = layout.scenario();
    if scenario.engine.memory_style() != MemoryStyle::LlamaCpp {
        return Vec::new();
    }
    if scenario.device.is_unified() {
        // Nothing can move, but weights that find no room are read from disk again and again.
        return match scenario.settings.ssd {
            Some(_) => vec![layout.on_devices(demand)],
            None => Vec::new(),
        };
    }
    if scenario.host.is_none() || layout.is_tensor_parallel() {
        return Vec::new();
    }
    let layers = layout.layers();
    let mut found = Vec::with_capacity(2);
    let whole = least(layers, |host| fits_with(layout, demand, host, 0));
    found.extend(whole.map(|host| layout.assign(demand, host, 0)));
    if scenario.model.architecture.is_moe() {
        let experts = least(layers, |experts| fits_with(layout, demand, 0, experts));
        match experts {
            Some(experts) => found.push(layout.assign(demand, 0, experts)),
            None => {
                let host = least(layers, |host| fits_with(layout, demand, host, layers));
                found.extend(host.map(|host| layout.assign(demand, host, layers)));
            }
        }
    }
    found
}

fn fits_with(layout: &Layout<'_>, demand: &Demand, host: u32, experts: u32) -> bool {
    layout
        .headroom(demand, &layout.assign(demand, host, experts))
        .is_some_and(|headroom| headroom >= 0.0)
}

/// The least number up to `most` that fits; memory on the devices shrinks as it grows.
fn least(most: u32, fits: impl Fn(u32) -> bool) -> Option<u32> {
    if !fits(most) {
        return None;
    }
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low.midpoint(high);
        if fits(middle) {
            high = middle;
        } else {
            low = middle.saturating_add(1);
        }
    }
    Some(high)
}

/// The memory of an assignment if the host can hold its part, with what stays on disk.
fn offloaded(layout: &Layout<'_>, demand: &Demand, assignment: &Assignment) -> Option<Memory> {
    let mut memory = layout.place(demand, assignment);
    let unified = layout.scenario().device.is_unified();
    let (place, capacity) = if unified {
        let device = memory.devices.first()?;
        (device.holding, device.usable?)
    } else {
        (
            memory.host.holding,
            memory.host.usable.unwrap_or(Bytes::ZERO),
        )
    };
    // Looked-up rows lie with a host that needn't be named.
    let over = if unified || memory.offloads() {
        place.total().saturating_sub(capacity)
    } else {
        Bytes::ZERO
    };
    if over > Bytes::ZERO {
        let on_disk = layout.scenario().settings.ssd.is_some() && over <= place.weights;
        if !on_disk {
            return None;
        }
        memory.disk = over;
        // What stays on disk is in no memory.
        let place = if unified {
            memory.devices.first_mut()?
        } else {
            &mut memory.host
        };
        place.holding.weights = place.holding.weights.saturating_sub(over);
    }
    Some(memory)
}

/// The memory of an engine that takes its fraction and pages what is left as cache.
fn paged(layout: &Layout<'_>, demand: &Demand, resident: &Assignment) -> (Memory, Option<Verdict>) {
    let workload = layout.scenario().workload;
    let memory = layout.place(demand, resident);
    let one = layout.place(&layout.demand(workload.context, 1), resident);
    // What a request holds while it runs: pages are taken as they fill.
    let filled = workload.prompt.saturating_add(workload.output);
    let active = layout.place(&layout.demand(filled, 1), resident);
    // Each device's room beside everything but the cache, in requests.
    let (mut requests, mut running) = (f64::INFINITY, f64::INFINITY);
    let (mut room, mut short) = (Bytes::ZERO, Bytes::ZERO);
    let mut memory = memory;
    for ((device, of_one), of_active) in memory
        .devices
        .iter_mut()
        .zip(&one.devices)
        .zip(&active.devices)
    {
        let Some(usable) = device.usable else {
            return (memory, None);
        };
        let rest = device
            .holding
            .total()
            .saturating_sub(device.holding.kv_cache);
        let own = usable.saturating_sub(rest);
        room += own;
        for (least, held) in [
            (&mut requests, of_one.holding.kv_cache),
            (&mut running, of_active.holding.kv_cache),
        ] {
            if let Some(times) = own.ratio(held) {
                *least = least.min(times);
            }
        }
        short += (rest + of_one.holding.kv_cache).saturating_sub(usable);
        device.holding.kv_cache = device.holding.kv_cache.min(own);
    }
    if short > Bytes::ZERO {
        return (one, Some(Verdict::DoesNotFit(short)));
    }
    memory.running = num::floor(running).clamp(1, workload.concurrency);
    memory.pool = Some(Pool {
        // Of unequal devices the fullest decides, and the others' room beyond it is of no use.
        bytes: if requests.is_finite() {
            one.together().kv_cache * requests
        } else {
            room
        },
        tokens: requests * num::f(workload.context),
        requests,
    });
    let left = memory
        .devices
        .iter()
        .filter_map(Place::headroom)
        .fold(f64::INFINITY, f64::min);
    (memory, Some(Verdict::Fits(Bytes::new(left.max(0.0)))))
}
