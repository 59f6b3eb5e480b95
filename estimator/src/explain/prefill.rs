//! The arithmetic of a prefill.

use super::{CACHE, INPUT, INVENTORY, PRIOR, ROOFLINE, SPEC, SUM, Step, Unit};
use crate::architecture::Part;
use crate::calibration::Factors;
use crate::engine::Generation;
use crate::estimate::Speed;
use crate::format::KernelClass;
use crate::kv_cache;
use crate::num;
use crate::scenario::Scenario;
use crate::step;
use crate::units::{Bytes, Seconds};
use crate::weights::Weights;

/// In prefill the little time that moving takes is added, not hidden.
const BOTH: &str = "moving and computing, operator by operator; in prefill both count (docs/methodology/step-time.md)";

pub(super) fn explain(
    steps: &mut Vec<Step>,
    scenario: &Scenario<'_>,
    weights: &Weights,
    factors: &Factors,
    speed: &Speed,
) {
    let mut step = |symbol, what, formula, value, unit, source| {
        steps.push(Step::of(
            "prefill", symbol, what, formula, value, unit, source,
        ));
    };
    let architecture = scenario.model.architecture;
    let class = weights.main_class();
    let experts = architecture.is_moe();
    let stacked = scenario.device.stacked_memory;
    let spread = scenario.count() > 1;
    let prompt = scenario.workload.prompt;
    let batch = scenario.settings.ubatch.max(1).min(prompt);
    let batches = num::f(prompt.div_ceil(batch));
    let full = num::f(prompt.checked_div(batch).unwrap_or(0));
    let rest = prompt.checked_rem(batch).unwrap_or(0);
    step("P", "prompt", "", num::f(prompt), Unit::Count, INPUT);
    step(
        "m",
        "micro-batches",
        "prompt ÷ tokens of a micro-batch, rounded up",
        batches,
        Unit::Count,
        INPUT,
    );
    step(
        "N_a",
        "weights that work on a token",
        "",
        weights.worked(),
        Unit::Count,
        INVENTORY,
    );
    if experts {
        let routed = weights.part(Part::Experts).elements();
        step(
            "N_e",
            "of these, in routed experts",
            "",
            routed * weights.shares(Part::Experts, 1).worked,
            Unit::Count,
            INVENTORY,
        );
    }
    let plain = Generation::lacks_matrix_units(scenario.device);
    let peaks = &scenario.device.peaks;
    let peak = step::peak(peaks, class, plain);
    let wide = step::peak(peaks, KernelClass::Float16, plain);
    if let Some(peak) = peak {
        step(
            "F",
            "peak compute",
            "",
            peak.get(),
            Unit::FlopPerSecond,
            SPEC,
        );
    }
    step(
        "u_f",
        "share of it that products with most of these weights reach",
        "",
        factors.prefill.of(class),
        Unit::Ratio,
        PRIOR,
    );
    if experts {
        step(
            "u_fe",
            "times that for routed experts",
            "",
            factors.prefill_experts,
            Unit::Ratio,
            PRIOR,
        );
    }
    if stacked {
        step(
            "s_p",
            "times every compute share on devices with stacked memory",
            "",
            factors.prefill_stacked,
            Unit::Ratio,
            PRIOR,
        );
    }
    step(
        "G",
        "operations of attention",
        "",
        kv_cache::attention_flop(architecture, 0, prompt, true).get(),
        Unit::Flop,
        CACHE,
    );
    if let Some(wide) = wide {
        step(
            "F_a",
            "peak compute of attention, 16 bit",
            "",
            wide.get(),
            Unit::FlopPerSecond,
            SPEC,
        );
    }
    step(
        "u_a",
        "share of it that attention reaches",
        "",
        factors.attention,
        Unit::Ratio,
        PRIOR,
    );
    step(
        "t_pc",
        "arithmetic",
        match (experts, stacked) {
            _ if spread => {
                "each device its layers; micro-batches overlap where the engine pipelines them"
            }
            (false, false) => "2 × N_a × P ÷ (F × u_f) + G ÷ (F_a × u_a)",
            (false, true) => "(2 × N_a × P ÷ (F × u_f) + G ÷ (F_a × u_a)) ÷ s_p",
            (true, false) => "2 × (N_a − N_e + N_e ÷ u_fe) × P ÷ (F × u_f) + G ÷ (F_a × u_a)",
            (true, true) => {
                "(2 × (N_a − N_e + N_e ÷ u_fe) × P ÷ (F × u_f) + G ÷ (F_a × u_a)) ÷ s_p"
            }
        },
        speed.parts.compute.get(),
        Unit::Seconds,
        BOTH,
    );
    let last = if rest > 0 {
        weights.trunk_read(rest)
    } else {
        Bytes::ZERO
    };
    let read = weights.trunk_read(batch) * full + last + weights.head().bytes();
    step(
        "A_p",
        "weights read: the layers once a micro-batch, the head once",
        "",
        read.get(),
        Unit::Bytes,
        INVENTORY,
    );
    step(
        "t_pm",
        "moving weights and cache",
        match (experts, stacked) {
            _ if spread => "each device its part of A_p, overlapping likewise",
            (false, false) => "A_p ÷ (BW × u_w), and the cache once a micro-batch",
            (false, true) => "A_p ÷ (BW × u_w × s), and the cache once a micro-batch",
            (true, false) => "A_p ÷ (BW × u_w), experts ÷ u_e, and the cache once a micro-batch",
            (true, true) => "A_p ÷ (BW × u_w × s), experts ÷ u_e, and the cache once a micro-batch",
        },
        (speed.parts.weights + speed.parts.cache).get(),
        Unit::Seconds,
        ROOFLINE,
    );
    step(
        "L",
        "layers",
        "",
        num::f32u(architecture.layer_count()),
        Unit::Count,
        "the model's catalogue page",
    );
    step(
        "t_pl",
        "what a layer of a micro-batch costs besides",
        "",
        factors.prefill_layer.get(),
        Unit::Seconds,
        PRIOR,
    );
    step(
        "t_po",
        "overhead",
        if spread {
            "m × L × t_pl, overlapping likewise"
        } else {
            "m × L × t_pl"
        },
        speed.parts.overhead.get(),
        Unit::Seconds,
        SUM,
    );
    let links = speed.parts.link > Seconds::ZERO;
    if links {
        step(
            "t_pi",
            "between devices, from the host's RAM and from disk",
            "",
            speed.parts.link.get(),
            Unit::Seconds,
            "0.8 of the host link's nominal rate; hand-overs by an assumption until fitted",
        );
    }
    step(
        "t_prefill",
        "reading the prompt",
        if links {
            "t_pc + t_pm + t_po + t_pi"
        } else {
            "t_pc + t_pm + t_po"
        },
        speed.time.typical.get(),
        Unit::Seconds,
        SUM,
    );
    step(
        "v_p",
        "prefill speed",
        "P ÷ t_prefill",
        speed.rate.typical.get(),
        Unit::TokensPerSecond,
        "definition",
    );
}
