//! An estimate's arithmetic as data, so that every surface shows the same steps.

mod decode;
mod prefill;

use crate::calibration::Calibration;
use crate::engine::MemoryStyle;
use crate::estimate::Speed;
use crate::memory::Memory;
use crate::scenario::Scenario;
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
    let mut steps = Vec::with_capacity(64);
    explain_memory(&mut steps, scenario, weights, memory);
    let factors = calibration.factors(scenario.engine, scenario.backend);
    if let Some(speed) = decode {
        decode::explain(&mut steps, scenario, weights, memory, calibration, speed);
    }
    if let Some(speed) = prefill {
        prefill::explain(&mut steps, scenario, weights, factors, speed);
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

const INPUT: &str = "input";
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
        weights.resident().get(),
        Unit::Bytes,
        INVENTORY,
    );
    let twice = together.weights.saturating_sub(weights.resident());
    let tied = twice > Bytes::ZERO;
    if tied {
        step(
            "W_2",
            "the tied embedding again, for looking rows up on the host",
            "",
            twice.get(),
            Unit::Bytes,
            "llama.cpp keeps it there (docs/methodology/memory.md)",
        );
    }
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
        if tied {
            "W + W_2 + K + C + R"
        } else {
            "W + K + C + R"
        },
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
