//! The one entry point: does it fit, how fast, and why.

use crate::basis::{Basis, Bound};
use crate::calibration::Calibration;
use crate::device::DeviceKind;
use crate::error::{Field, Part, Refusal};
use crate::explain::{self, Step};
use crate::fit;
use crate::memory::{Layout, Memory, Verdict};
use crate::num;
use crate::placement;
use crate::range::Range;
use crate::scenario::Scenario;
use crate::step::{self, StepTime, Steps};
use crate::units::{Seconds, TokensPerSecond};
use crate::warning::{self, Warning};

/// The version of the method; changes whenever the same input gives another answer.
pub const METHODOLOGY: &str = "2026.12-2";

/// A speed: of writing or of reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Time of one step: of a token of every sequence, or of the whole prompt.
    pub time: Range<Seconds>,
    /// Tokens a second of one request.
    pub rate: Range<TokensPerSecond>,
    /// Tokens a second of all requests.
    pub total: Range<TokensPerSecond>,
    /// Where the typical time goes.
    pub parts: StepTime,
    /// What most of it goes to.
    pub bound: Bound,
    /// What the estimate rests on.
    pub basis: Basis,
    /// Measured runs behind the factors.
    pub runs: u32,
}

/// The decode speed at one depth of context.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Tokens already in the context.
    pub context: u64,
    /// Tokens a second of one request.
    pub rate: Range<TokensPerSecond>,
}

/// The answer to a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Where every byte goes.
    pub memory: Memory,
    /// Whether it fits, or what must be known to say.
    pub verdict: Result<Verdict, Refusal>,
    /// Speed of writing.
    pub decode: Result<Speed, Refusal>,
    /// Speed of reading the prompt.
    pub prefill: Result<Speed, Refusal>,
    /// Time to the first token: the prompt and one step.
    pub ttft: Option<Range<Seconds>>,
    /// Decode speed over the context; empty when decode is refused.
    pub curve: Vec<CurvePoint>,
    /// The largest context that fits for each sequence, by the model's limit and the memory.
    pub largest_context: Option<u64>,
    /// What the user should know beside the numbers.
    pub warnings: Vec<Warning>,
    /// The arithmetic.
    pub steps: Vec<Step>,
}

/// Estimates a checked scenario. Takes no time worth mentioning: some ten microseconds.
#[must_use]
pub fn estimate(scenario: &Scenario<'_>, calibration: &Calibration) -> Estimate {
    let weights = scenario.weights();
    let layout = Layout::new(scenario, &weights);
    let (memory, verdict) = placement::choose(&layout, &weights, calibration);
    let steps = runnable(scenario, &layout, verdict)
        .and_then(|()| Steps::new(scenario, &weights, layout.kinds(), &memory, calibration));
    let factors = calibration.factors(scenario.engine, scenario.backend);
    let trust = step::trust(scenario, &memory, calibration);

    let written = |steps: &Steps<'_>, depth: f64| {
        speed(
            steps.decode(depth),
            1.0,
            steps.running(),
            trust.spread,
            trust.basis,
            trust.runs,
        )
        // Not even the luckiest run moves weights faster than the memory does.
        .no_faster_than(steps.floor())
    };
    let decode = steps
        .as_ref()
        .map_err(Clone::clone)
        .map(|steps| written(steps, scenario.decode_depth()));
    let prefill = steps
        .as_ref()
        .map_err(|refusal| Refusal {
            part: Part::Prefill,
            ..refusal.clone()
        })
        .and_then(|steps| steps.prefill(scenario.workload.prompt))
        .map(|parts| {
            let basis = if scenario.devices().any(|device| device.peaks.assumed) {
                Basis::Assumed
            } else if factors.prefill_runs == 0 {
                Basis::Roofline
            } else {
                factors.basis
            };
            speed(
                parts,
                num::f(scenario.workload.prompt),
                1.0,
                factors.prefill_spread,
                basis,
                factors.prefill_runs,
            )
        });
    let ttft = match (&prefill, &decode) {
        (Ok(prefill), Ok(decode)) => Some(Range {
            low: prefill.time.low + decode.time.low,
            typical: prefill.time.typical + decode.time.typical,
            high: prefill.time.high + decode.time.high,
        }),
        _ => None,
    };
    let curve = steps.as_ref().map_or_else(
        |_| Vec::new(),
        |steps| {
            curve_depths(full(scenario))
                .map(|context| CurvePoint {
                    context,
                    rate: written(&steps.of_those_that_run(&memory, context), num::f(context)).rate,
                })
                .collect()
        },
    );
    let explained = explain::steps(
        scenario,
        &weights,
        &memory,
        calibration,
        decode.as_ref().ok(),
        prefill.as_ref().ok(),
        ttft.map(|range| range.typical),
    );
    Estimate {
        largest_context: fit::largest_context(scenario, &layout),
        warnings: warning::of(scenario, &memory, verdict),
        verdict: verdict.ok_or_else(|| unknown_memory(scenario)),
        memory,
        decode,
        prefill,
        ttft,
        curve,
        steps: explained,
    }
}

/// Whether the set-up runs at all; speed of one that doesn't fit would be a fantasy.
fn runnable(
    scenario: &Scenario<'_>,
    layout: &Layout<'_>,
    verdict: Option<Verdict>,
) -> Result<(), Refusal> {
    match verdict {
        Some(Verdict::DoesNotFit(missing)) => Err(Refusal {
            part: Part::Decode,
            missing: format!("it doesn't fit: {:.1} GiB short", missing.to_gib()),
            hint: Some(fit::way_out(scenario, layout)),
        }),
        _ => Ok(()),
    }
}

fn unknown_memory(scenario: &Scenario<'_>) -> Refusal {
    let device = scenario
        .devices()
        .find(|device| device.usable.or(device.memory).is_none())
        .unwrap_or(scenario.device);
    let name = &device.name;
    let (missing, field) = match device.kind {
        DeviceKind::Cpu => (
            format!("how much RAM {name} has is the buyer's choice"),
            Field::Ram,
        ),
        _ => (
            format!("{name} is sold with different amounts of memory"),
            Field::Memory,
        ),
    };
    Refusal {
        part: Part::Fit,
        missing,
        hint: Some(format!("say how much with `{field}`")),
    }
}

/// The most tokens one sequence can have while the others have as many.
const fn full(scenario: &Scenario<'_>) -> u64 {
    let workload = scenario.workload;
    if scenario.settings.unified {
        match workload.context.checked_div(workload.concurrency) {
            Some(share) => share,
            None => workload.context,
        }
    } else {
        workload.context
    }
}

/// Depths at which the curve is drawn: from empty to full, closer where speed changes fastest.
fn curve_depths(context: u64) -> impl Iterator<Item = u64> {
    [0_u64, 1, 2, 4, 8, 12, 16]
        .into_iter()
        .map(move |sixteenths| {
            context
                .saturating_mul(sixteenths)
                .checked_div(16)
                .unwrap_or(0)
        })
}

impl Speed {
    /// The same with the fast end held to what physics allows a step.
    fn no_faster_than(mut self, floor: Seconds) -> Self {
        let low = self.time.low.max(floor).min(self.time.typical);
        let slower = self.time.low.ratio(low).unwrap_or(1.0);
        self.time.low = low;
        self.rate.high = self.rate.high * slower;
        self.total.high = self.total.high * slower;
        self
    }
}

/// A speed with its interval, from the time of one step that yields `tokens` for each of `sequences`.
fn speed(
    parts: StepTime,
    tokens: f64,
    sequences: f64,
    spread: (f64, f64),
    basis: Basis,
    runs: u32,
) -> Speed {
    let typical = parts.total();
    // The spread is of speed: measured over estimated.
    let time = Range {
        low: typical / spread.1,
        typical,
        high: typical / spread.0,
    };
    let rate = time.map_reversed(|time| time.speed(tokens).unwrap_or(TokensPerSecond::ZERO));
    Speed {
        time,
        rate,
        total: rate.map(|rate| rate * sequences),
        parts,
        bound: parts.bound(),
        basis,
        runs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::examples;
    use crate::device::{Device, DeviceKind, Links, Peaks, Vendor};
    use crate::engine::{Backend, Engine};
    use crate::format::{GgufType, WeightFormat};
    use crate::kv_cache::KvType;
    use crate::scenario::{Model, Settings, Wishes, Workload};
    use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

    fn rtx_4090() -> Device {
        Device {
            id: "rtx-4090".to_owned(),
            name: "GeForce RTX 4090".to_owned(),
            kind: DeviceKind::DiscreteGpu,
            vendor: Vendor::Nvidia,
            architecture: "Ada".to_owned(),
            memory: Some(Bytes::gib(24.0)),
            usable: None,
            stacked_memory: false,
            bandwidth: Some(BytesPerSecond::gb_per_s(1008.0)),
            peaks: Peaks {
                fp16: Some(FlopPerSecond::tera(165.2)),
                ..Peaks::UNKNOWN
            },
            links: Links::default(),
            power: None,
            cores: None,
        }
    }

    #[test]
    fn llama_8b_on_an_rtx_4090_decodes_near_the_measured_128_tokens_a_second() {
        let device = rtx_4090();
        let architecture = examples::llama_8b();
        let engine = Engine::LlamaCpp;
        let scenario = Scenario {
            device: &device,
            others: &[],
            model: Model {
                name: "Llama 3.1 8B",
                architecture: &architecture,
                file: None,
            },
            format: WeightFormat::gguf(GgufType::Q4_K_M),
            kv_type: KvType::F16,
            engine,
            backend: Backend::Cuda,
            workload: Workload {
                context: 4096,
                prompt: 512,
                output: 256,
                concurrency: 1,
            },
            host: None,
            wishes: Wishes::default(),
            settings: Settings::of(engine),
        }
        .check()
        .unwrap();
        let estimate = estimate(&scenario, Calibration::priors());
        assert_eq!(estimate.memory.together().kv_cache, Bytes::gib(0.5));
        assert!(
            (estimate.memory.file.to_gib() / 4.58 - 1.0).abs() < 0.005,
            "{}",
            estimate.memory.file.to_gib()
        );
        let total = estimate.memory.together().total().to_gib();
        assert!((5.3..6.2).contains(&total), "{total}");
        assert!(matches!(estimate.verdict, Ok(Verdict::Fits(_))));
        let decode = estimate.decode.unwrap();
        assert!(
            (100.0..150.0).contains(&decode.rate.typical.get()),
            "{decode:?}"
        );
        assert_eq!(decode.bound, Bound::Bandwidth);
        let prefill = estimate.prefill.unwrap();
        assert!(prefill.rate.typical.get() > 3000.0, "{prefill:?}");
        assert!(estimate.largest_context.unwrap() >= 131_072);
        assert!(
            estimate
                .curve
                .windows(2)
                .all(|pair| pair[0].rate.typical >= pair[1].rate.typical)
        );
    }
}
