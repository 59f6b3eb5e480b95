//! Inverse questions of memory: the largest context, and ways out when it doesn't fit.

use crate::engine::{Engine, MemoryStyle};
use crate::memory::Layout;
use crate::scenario::{MAX_CONTEXT, Scenario};

/// Contexts are counted in these steps, as llama.cpp pads them.
const STEP: u64 = 256;

/// The largest context each sequence can have with everything on the devices, up to what the model
/// was made for; `None` when not even the smallest fits or the memory is unknown.
#[must_use]
pub fn largest_context(scenario: &Scenario<'_>, layout: &Layout<'_>) -> Option<u64> {
    let architecture = scenario.model.architecture;
    let limit = architecture.max_context.map_or(MAX_CONTEXT, u64::from);
    let fits = |context: u64| {
        let demand = layout.demand(context);
        layout
            .headroom(&demand, architecture.layer_count())
            .is_some_and(|headroom| headroom >= 0.0)
    };
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

/// What a user can change when it doesn't fit, in words.
#[must_use]
pub fn way_out(scenario: &Scenario<'_>) -> String {
    let offloads = scenario.engine.memory_style() == MemoryStyle::LlamaCpp;
    if scenario.device.is_unified() {
        "pick a smaller format, a shorter context, a smaller KV type or more memory".to_owned()
    } else if !offloads && Engine::LlamaCpp.backends(scenario.device).is_empty() {
        "pick a smaller format, a shorter context or more devices".to_owned()
    } else if !offloads {
        "pick a smaller format, a shorter context or more devices; llama.cpp can keep layers in the host's RAM".to_owned()
    } else if scenario.host.is_none() {
        "pick a smaller format, a shorter context or more devices; or name a host with RAM to hold layers (`host`, `ram`)"
            .to_owned()
    } else {
        "pick a smaller format, a shorter context, more devices or more RAM".to_owned()
    }
}
