//! An estimate's arithmetic as data, so that every surface shows the same steps.

use crate::architecture::Part;
use crate::calibration::{Calibration, Factors};
use crate::engine::{Generation, MemoryStyle};
use crate::estimate::Speed;
use crate::kv_cache;
use crate::memory::Memory;
use crate::num;
use crate::scenario::Scenario;
use crate::step;
use crate::units::{Bytes, Seconds};
use crate::weights::Weights;

/// What a step's value is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Bytes a second.
    BytesPerSecond,
    /// Operations a second.
    FlopPerSecond,
    /// Operations.
    Flop,
    /// Seconds.
    Seconds,
    /// Tokens a second.
    TokensPerSecond,
    /// A share or factor.
    Ratio,
    /// A count.
    Count,
}

impl Unit {
    /// The symbol of the unit; empty for shares and counts.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Bytes => "B",
            Self::BytesPerSecond => "B/s",
            Self::FlopPerSecond => "FLOP/s",
            Self::Flop => "FLOP",
            Self::Seconds => "s",
            Self::TokensPerSecond => "tok/s",
            Self::Ratio | Self::Count => "",
        }
    }
}

/// One step of the arithmetic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Which part of the answer it belongs to: `memory`, `decode`, `prefill`.
    pub part: &'static str,
    /// The symbol other steps' formulas use.
    pub symbol: &'static str,
    /// What it is, in words.
    pub what: &'static str,
    /// How it comes from the steps before; empty for a fact or a factor.
    pub formula: &'static str,
    /// The value, in the base unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
    /// Where the formula or the factor comes from.
    pub source: &'static str,
}

/// The arithmetic of an estimate, in the order one would do it by hand.
#[must_use]
pub fn steps(
    scenario: &Scenario<'_>,
    weights: &Weights,
    memory: &Memory,
    calibration: &Calibration,
    decode: Option<&Speed>,
    prefill: Option<&Speed>,
    ttft: Option<Seconds>,
) -> Vec<Step> {
    let mut steps = Vec::with_capacity(32);
    explain_memory(&mut steps, scenario, weights, memory);
    let factors = calibration.factors(scenario.engine, scenario.backend);
    if let Some(speed) = decode {
        explain_decode(&mut steps, scenario, weights, factors, speed);
    }
    if let Some(speed) = prefill {
        explain_prefill(&mut steps, scenario, weights, factors, speed);
    }
    if let Some(ttft) = ttft {
        let source = "definition: the prompt is read, then one step yields a token";
        steps.push(Step::of(
            "prefill",
            "TTFT",
            "time to the first token",
            "t_prefill + t",
            ttft.get(),
            Unit::Seconds,
            source,
        ));
    }
    steps
}

impl Step {
    const fn of(
        part: &'static str,
        symbol: &'static str,
        what: &'static str,
        formula: &'static str,
        value: f64,
        unit: Unit,
        source: &'static str,
    ) -> Self {
        Self {
            part,
            symbol,
            what,
            formula,
            value,
            unit,
            source,
        }
    }
}

const SUM: &str = "sum of the lines above";
const SPEC: &str = "the device's catalogue page";
const INVENTORY: &str = "tensor list of the architecture × the format's rule for each tensor (docs/methodology/weights.md)";
const CACHE: &str = "cache geometry of each layer (docs/methodology/kv-cache.md)";
const PRIOR: &str = "class factor from published runs (docs/methodology/priors.md)";
const ROOFLINE: &str =
    "roofline (Williams et al. 2009): the longer of moving and computing, operator by operator";

fn explain_memory(
    steps: &mut Vec<Step>,
    scenario: &Scenario<'_>,
    weights: &Weights,
    memory: &Memory,
) {
    let mut step = |symbol, what, formula, value, unit, source| {
        steps.push(Step::of(
            "memory", symbol, what, formula, value, unit, source,
        ));
    };
    let together = memory.together();
    step(
        "N",
        "parameters",
        "",
        weights.elements(),
        Unit::Count,
        INVENTORY,
    );
    step(
        "W",
        "weights",
        "N × bits of each tensor ÷ 8",
        together.weights.get(),
        Unit::Bytes,
        INVENTORY,
    );
    step(
        "K",
        "KV cache and state",
        "sequences × context × bytes a token, layer by layer",
        together.kv_cache.get(),
        Unit::Bytes,
        CACHE,
    );
    let buffers = match scenario.engine.memory_style() {
        MemoryStyle::LlamaCpp => "llama.cpp's graph allocator (docs/methodology/memory.md)",
        _ => "activations of one batch (docs/methodology/memory.md)",
    };
    step(
        "C",
        "compute buffers",
        "",
        together.compute.get(),
        Unit::Bytes,
        buffers,
    );
    let runtime = "driver context and kernels (llama.cpp pull request 15860 for CUDA)";
    step(
        "R",
        "runtime",
        "",
        together.runtime.get(),
        Unit::Bytes,
        runtime,
    );
    step(
        "M",
        "memory in all",
        "W + K + C + R",
        together.total().get(),
        Unit::Bytes,
        SUM,
    );
    if let Some(usable) = memory
        .devices
        .iter()
        .filter_map(|device| device.usable)
        .reduce(Bytes::min)
    {
        step(
            "M_max",
            "usable on a device",
            "",
            usable.get(),
            Unit::Bytes,
            SPEC,
        );
    }
}

fn explain_decode(
    steps: &mut Vec<Step>,
    scenario: &Scenario<'_>,
    weights: &Weights,
    factors: &Factors,
    speed: &Speed,
) {
    let mut step = |symbol, what, formula, value, unit, source| {
        steps.push(Step::of(
            "decode", symbol, what, formula, value, unit, source,
        ));
    };
    let architecture = scenario.model.architecture;
    let sequences = scenario.workload.concurrency;
    let class = weights.main_class();
    step(
        "B",
        "sequences in a step",
        "",
        num::f(sequences),
        Unit::Count,
        "input",
    );
    if architecture.is_moe() {
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
        "share of it that weight kernels reach",
        "",
        factors.weights.of(class),
        Unit::Ratio,
        PRIOR,
    );
    if architecture.is_moe() {
        step(
            "u_e",
            "times that for routed experts",
            "",
            factors.experts,
            Unit::Ratio,
            PRIOR,
        );
    }
    step(
        "t_w",
        "reading the weights",
        "A ÷ (BW × u_w)",
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
        "input",
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
        "k ÷ (BW × u_k)",
        speed.parts.cache.get(),
        Unit::Seconds,
        ROOFLINE,
    );
    if speed.parts.compute > Seconds::ZERO {
        step(
            "t_c",
            "arithmetic, where it takes longer",
            "FLOP ÷ (F × u_f)",
            speed.parts.compute.get(),
            Unit::Seconds,
            ROOFLINE,
        );
    }
    step(
        "t_layer",
        "launches of a layer; half as much again for experts or a linear mixer",
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
    step(
        "t_o",
        "overhead",
        "layers × t_layer + t_token",
        speed.parts.overhead.get(),
        Unit::Seconds,
        SUM,
    );
    if speed.parts.link > Seconds::ZERO {
        step(
            "t_l",
            "between devices",
            "",
            speed.parts.link.get(),
            Unit::Seconds,
            "an assumption until fitted",
        );
    }
    step(
        "t",
        "a step",
        "t_w + t_k + t_c + t_o + t_l",
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
}

fn explain_prefill(
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
    let class = weights.main_class();
    step(
        "P",
        "prompt",
        "",
        num::f(scenario.workload.prompt),
        Unit::Count,
        "input",
    );
    let plain = Generation::lacks_matrix_units(scenario.device);
    if let Some(peak) = step::peak(&scenario.device.peaks, class, plain) {
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
        "share of it that prefill reaches",
        "",
        factors.prefill.of(class),
        Unit::Ratio,
        PRIOR,
    );
    step(
        "t_pc",
        "arithmetic, where it takes longer",
        "2 × weights a token visits × P ÷ (F × u_f), and attention",
        speed.parts.compute.get(),
        Unit::Seconds,
        ROOFLINE,
    );
    step(
        "t_pm",
        "moving weights and cache, where that takes longer",
        "once a micro-batch",
        (speed.parts.weights + speed.parts.cache).get(),
        Unit::Seconds,
        ROOFLINE,
    );
    step(
        "t_po",
        "overhead",
        "micro-batches × layers × t_pl",
        (speed.parts.overhead + speed.parts.link).get(),
        Unit::Seconds,
        PRIOR,
    );
    step(
        "t_prefill",
        "reading the prompt",
        "t_pc + t_pm + t_po",
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
