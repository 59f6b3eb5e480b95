//! The arithmetic of a decode step.

use super::{CACHE, INPUT, INVENTORY, PRIOR, ROOFLINE, SPEC, SUM, Step, Unit};
use crate::architecture::Part;
use crate::calibration::Calibration;
use crate::engine::Backend;
use crate::estimate::Speed;
use crate::kv_cache;
use crate::memory::Memory;
use crate::num;
use crate::scenario::{Scenario, Split};
use crate::step;
use crate::units::{Bytes, Seconds};
use crate::weights::Weights;

pub(super) fn explain(
    steps: &mut Vec<Step>,
    scenario: &Scenario<'_>,
    weights: &Weights,
    memory: &Memory,
    calibration: &Calibration,
    speed: &Speed,
) {
    let mut step = |symbol, what, formula, value, unit, source| {
        steps.push(Step::of(
            "decode", symbol, what, formula, value, unit, source,
        ));
    };
    let architecture = scenario.model.architecture;
    let factors = calibration.factors(scenario.engine, scenario.backend);
    let sequences = memory.running;
    let class = weights.main_class();
    let experts = architecture.is_moe();
    let stacked = scenario.device.stacked_memory;
    let spilled = memory.offloads();
    let spread =
        scenario.is_mixed() || scenario.wishes.split == Split::Tensor && scenario.count() > 1;
    step(
        "B",
        "sequences in a step",
        "",
        num::f(sequences),
        Unit::Count,
        INPUT,
    );
    if experts {
        step(
            "e",
            "share of the routed experts a step touches",
            "1 − (1 − k/E)^B",
            weights.shares(Part::Experts, sequences).read,
            Unit::Ratio,
            "expected distinct experts when tokens choose independently",
        );
    }
    step(
        "A",
        "weights read in a step",
        "all but rows not looked up; routed experts × e",
        weights.read(sequences).get(),
        Unit::Bytes,
        INVENTORY,
    );
    if experts {
        step(
            "A_e",
            "of these, routed experts",
            "",
            weights.part_read(Part::Experts, sequences).get(),
            Unit::Bytes,
            INVENTORY,
        );
    }
    if spilled {
        let load = memory.host.load;
        let layers: Bytes = Part::ALL
            .into_iter()
            .filter(|part| !matches!(part, Part::Embedding | Part::Output))
            .map(|part| {
                let share = if part == Part::Experts {
                    load.experts
                } else {
                    load.trunk
                };
                weights.part_read(part, sequences) * share
            })
            .sum();
        step(
            "A_h",
            "of these, read from the host's RAM",
            "",
            (layers + weights.head().bytes() * load.head).get(),
            Unit::Bytes,
            INVENTORY,
        );
    }
    if let Some(bandwidth) = scenario.device.bandwidth {
        step(
            "BW",
            "peak memory bandwidth",
            "",
            bandwidth.get(),
            Unit::BytesPerSecond,
            SPEC,
        );
    }
    step(
        "u_w",
        "share of it that kernels of most of these weights reach",
        "",
        factors.weights.of(class),
        Unit::Ratio,
        PRIOR,
    );
    if experts {
        step(
            "u_e",
            "times that for routed experts",
            "",
            factors.experts,
            Unit::Ratio,
            PRIOR,
        );
    }
    if stacked {
        step(
            "s",
            "times every share on stacked memory",
            "",
            factors.stacked,
            Unit::Ratio,
            PRIOR,
        );
    }
    if let (true, Some(bandwidth)) = (spilled, step::host_bandwidth(scenario, memory)) {
        let host = calibration.factors(scenario.engine, Backend::Cpu);
        step(
            "BW_h",
            "peak bandwidth of the host's RAM",
            "",
            bandwidth.get(),
            Unit::BytesPerSecond,
            SPEC,
        );
        step(
            "u_h",
            "share of it that the CPU's kernels reach",
            "",
            host.weights.of(class),
            Unit::Ratio,
            PRIOR,
        );
    }
    step(
        "t_w",
        "reading the weights",
        match (spilled, experts, stacked) {
            _ if spread => "each device its part of A at its own rate",
            (true, false, _) => "(A − A_h) ÷ (BW × u_w) + A_h ÷ (BW_h × u_h)",
            (true, true, _) => {
                "(A − A_h) ÷ (BW × u_w), experts ÷ u_e, + A_h ÷ (BW_h × u_h), layer by layer"
            }
            (false, false, false) => "A ÷ (BW × u_w)",
            (false, false, true) => "A ÷ (BW × u_w × s)",
            (false, true, false) => "(A − A_e + A_e ÷ u_e) ÷ (BW × u_w)",
            (false, true, true) => "(A − A_e + A_e ÷ u_e) ÷ (BW × u_w × s)",
        },
        speed.parts.weights.get(),
        Unit::Seconds,
        ROOFLINE,
    );
    let depth = num::whole(scenario.decode_depth());
    step(
        "d",
        "tokens in the context",
        "prompt + output ÷ 2",
        num::f(depth),
        Unit::Count,
        INPUT,
    );
    step(
        "k",
        "cache and state read in a step",
        "B × bytes at depth d",
        (kv_cache::read_bytes_per_token_step(architecture, depth, scenario.kv_type)
            * num::f(sequences))
        .get(),
        Unit::Bytes,
        CACHE,
    );
    step(
        "u_k",
        "share of bandwidth that attention reaches",
        "",
        factors.cache,
        Unit::Ratio,
        PRIOR,
    );
    step(
        "t_k",
        "reading the cache",
        match (spilled, stacked) {
            _ if spread => "each device its part of k at its own rate",
            (true, _) => "k ÷ (BW × u_k) for layers here, and at the CPU's rate for those in RAM",
            (false, false) => "k ÷ (BW × u_k)",
            (false, true) => "k ÷ (BW × u_k × s)",
        },
        speed.parts.cache.get(),
        Unit::Seconds,
        ROOFLINE,
    );
    let computes = speed.parts.compute > Seconds::ZERO;
    if computes {
        step(
            "t_c",
            "arithmetic, where it takes longer than reading",
            "FLOP ÷ (F × u_f)",
            speed.parts.compute.get(),
            Unit::Seconds,
            ROOFLINE,
        );
    }
    step(
        "n",
        "layers; those with experts or a linear mixer count half as much again",
        "",
        step::launches(architecture),
        Unit::Count,
        "the model's catalogue page",
    );
    step(
        "t_layer",
        "launches of a layer",
        "",
        factors.layer.get(),
        Unit::Seconds,
        PRIOR,
    );
    step(
        "t_token",
        "sampling and host",
        "",
        factors.token.get(),
        Unit::Seconds,
        PRIOR,
    );
    let several = sequences > 1;
    if several {
        step(
            "t_seq",
            "the same for each further sequence",
            "",
            factors.sequence.get(),
            Unit::Seconds,
            PRIOR,
        );
    }
    step(
        "t_o",
        "overhead",
        match (spilled, several) {
            _ if spread => "the same sum; devices that share layers launch at once",
            (true, _) => "the same sum, layers in RAM at the CPU's t_layer",
            (false, false) => "n × t_layer + t_token",
            (false, true) => "n × t_layer + t_token + (B − 1) × t_seq",
        },
        speed.parts.overhead.get(),
        Unit::Seconds,
        SUM,
    );
    let links = speed.parts.link > Seconds::ZERO;
    if links {
        step(
            "t_l",
            "between devices, to the host and back, and from disk",
            "",
            speed.parts.link.get(),
            Unit::Seconds,
            "an assumption until fitted",
        );
    }
    step(
        "t",
        "a step",
        match (computes, links) {
            (false, false) => "t_w + t_k + t_o",
            (true, false) => "t_w + t_k + t_c + t_o",
            (false, true) => "t_w + t_k + t_o + t_l",
            (true, true) => "t_w + t_k + t_c + t_o + t_l",
        },
        speed.time.typical.get(),
        Unit::Seconds,
        SUM,
    );
    step(
        "v",
        "decode speed of one request",
        "1 ÷ t",
        speed.rate.typical.get(),
        Unit::TokensPerSecond,
        "definition",
    );
    if several {
        step(
            "v_all",
            "decode speed of all requests",
            "B ÷ t",
            speed.total.typical.get(),
            Unit::TokensPerSecond,
            "definition",
        );
    }
}
