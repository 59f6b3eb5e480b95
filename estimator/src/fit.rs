//! Inverse questions of memory: the largest context, and ways out when it doesn't fit.

use crate::engine::{Engine, MemoryStyle};
use crate::memory::Layout;
use crate::placement;
use crate::scenario::{MAX_CONTEXT, Scenario};

/// Contexts are counted in these steps, as llama.cpp pads them.
const STEP: u64 = 256;

/// The largest context each sequence can have in any placement the scenario allows, up to what the
/// model was made for; `None` when not even the smallest fits or the memory is unknown.
///
/// Of engines that page their cache it is that of one request, beyond which they don't start.
#[must_use]
pub fn largest_context(scenario: &Scenario<'_>, layout: &Layout<'_>) -> Option<u64> {
    let sequences = needed(scenario);
    largest_that(scenario, |context| {
        placement::possible(layout, context, sequences)
    })
}

/// Sequences that must find room for an engine to start.
const fn needed(scenario: &Scenario<'_>) -> u64 {
    match scenario.engine.memory_style() {
        MemoryStyle::Fraction => 1,
        _ => scenario.workload.concurrency,
    }
}

/// The same with everything on the devices.
#[must_use]
pub fn largest_on_devices(scenario: &Scenario<'_>) -> Option<u64> {
    let weights = scenario.weights();
    let layout = Layout::new(scenario, &weights);
    largest_that(scenario, |context| {
        on_devices(&layout, context, needed(scenario))
    })
}

/// The largest context up to the model's limit for which something holds that holds for all smaller.
fn largest_that(scenario: &Scenario<'_>, fits: impl Fn(u64) -> bool) -> Option<u64> {
    let limit = scenario
        .model
        .architecture
        .max_context
        .map_or(MAX_CONTEXT, u64::from);
    if fits(limit) {
        return Some(limit);
    }
    let (mut low, mut high) = (0_u64, limit.div_ceil(STEP));
    while high.saturating_sub(low) > 1 {
        let middle = low.midpoint(high);
        if fits(middle.saturating_mul(STEP)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low > 0).then(|| low.saturating_mul(STEP))
}

/// [`largest_context`] of a scenario by itself.
#[must_use]
pub fn largest_context_of(scenario: &Scenario<'_>) -> Option<u64> {
    let weights = scenario.weights();
    largest_context(scenario, &Layout::new(scenario, &weights))
}

/// Whether so many sequences of a context fit with everything on the devices.
fn on_devices(layout: &Layout<'_>, context: u64, sequences: u64) -> bool {
    let demand = layout.demand(context, sequences);
    layout
        .headroom(&demand, &layout.on_devices(&demand))
        .is_some_and(|headroom| headroom >= 0.0)
}

/// How many sequences of the scenario's context fit with everything on the devices, up to as many as
/// were asked for; 0 when not even one does.
#[must_use]
pub fn most_sequences(scenario: &Scenario<'_>, layout: &Layout<'_>) -> u64 {
    let fits = |sequences: u64| on_devices(layout, scenario.workload.context, sequences);
    let (mut held, mut over) = (0_u64, scenario.workload.concurrency.saturating_add(1));
    while over.saturating_sub(held) > 1 {
        let middle = held.midpoint(over);
        if fits(middle) {
            held = middle;
        } else {
            over = middle;
        }
    }
    held
}

/// What a user can change when it doesn't fit, in words.
#[must_use]
pub fn way_out(scenario: &Scenario<'_>, layout: &Layout<'_>) -> String {
    let style = scenario.engine.memory_style();
    if scenario.workload.concurrency > 1 {
        let most = most_sequences(scenario, layout);
        if most > 0 {
            return format!("set `concurrency` to {most}, the most that fit with this context");
        }
    }
    let offloads = style == MemoryStyle::LlamaCpp;
    let llama = Engine::LlamaCpp.backends(scenario.device);
    let ways = if scenario.device.is_unified() {
        "a smaller format, a shorter context, a smaller KV type or more memory"
    } else if !offloads && llama.is_empty() {
        "a smaller format, a shorter context or more devices"
    } else if !offloads {
        "a smaller format, a shorter context or more devices; llama.cpp can keep layers in the host's RAM"
    } else if scenario.host.is_none() {
        "a smaller format, a shorter context or more devices; or name a host with RAM to hold layers (`host`, `ram`)"
    } else {
        "a smaller format, a shorter context, more devices or more RAM"
    };
    format!("pick {ways}")
}
