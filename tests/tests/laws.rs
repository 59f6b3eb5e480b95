//! Laws that hold for every machine, model, format and workload of the catalogues.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests: a panic is the failure"
)]

use answer::{Field, Question, ask};
use estimator::architecture::Architecture;
use estimator::calibration::Calibration;
use estimator::device::{Device, DeviceKind, Peaks};
use estimator::engine::{Engine, Support};
use estimator::estimate::{Estimate, estimate};
use estimator::format::WeightFormat;
use estimator::kv_cache::{self, CacheRule, KvType};
use estimator::scenario::{Host, Model, Scenario, Settings, Wishes, Workload};
use estimator::units::{Bytes, BytesPerSecond};
use estimator::weights::Weights;
use hardware_db::convert::DeviceOptions;
use std::sync::Arc;

use proptest::prelude::*;

/// A set-up drawn from the catalogues, possible by construction.
#[derive(Debug, Clone)]
struct Setup {
    device: Device,
    model: String,
    architecture: Architecture,
    format: WeightFormat,
    engine: Engine,
    kv_type: KvType,
    workload: Workload,
}

impl Setup {
    fn scenario(&self) -> Scenario<'_> {
        Scenario {
            device: &self.device,
            others: &[],
            model: Model {
                name: &self.model,
                architecture: &self.architecture,
                file: None,
            },
            format: self.format,
            kv_type: self.kv_type,
            engine: self.engine,
            backend: self.engine.backends(&self.device)[0],
            workload: self.workload,
            host: None,
            wishes: Wishes::default(),
            settings: Settings::of(self.engine),
        }
    }

    fn estimate(&self) -> Estimate {
        run(&self.scenario())
    }
}

fn run(scenario: &Scenario<'_>) -> Estimate {
    let scenario = scenario.check().expect("possible by construction");
    estimate(&scenario, Calibration::priors())
}

/// Devices with a known bandwidth, given memory enough for any model so that speed is never refused.
fn device() -> impl Strategy<Value = Device> {
    let devices: Vec<Device> = hardware_db::devices()
        .iter()
        .filter_map(|record| record.device(&DeviceOptions::default()).ok())
        .filter(|device| device.bandwidth.is_some())
        .map(|device| Device {
            memory: Some(Bytes::gib(65_536.0)),
            usable: None,
            ..device
        })
        .collect();
    proptest::sample::select(devices)
}

fn setup() -> impl Strategy<Value = Setup> {
    let workload =
        (8_u32..17, 1_u64..64, 1_u64..9).prop_map(|(power, sixty_fourths, concurrency)| {
            let context = 1_u64 << power;
            let prompt = (context * sixty_fourths / 64).max(1);
            let output = (context - prompt).max(1);
            Workload {
                context,
                prompt: prompt.min(context - output).max(1),
                output,
                concurrency,
            }
        });
    (
        device(),
        0..model_db::models().len(),
        any::<proptest::sample::Index>(),
        any::<proptest::sample::Index>(),
        workload,
    )
        .prop_filter_map(
            "no engine runs the format there",
            |(device, model, format, kv_type, workload)| {
                let record = &model_db::models()[model];
                let format = *format.get(WeightFormat::all());
                let engine = Engine::usual(&format, &device);
                let runs = !matches!(engine.support(&format, &device), Support::Unsupported(_));
                runs.then(|| Setup {
                    model: record.name.clone(),
                    architecture: record.architecture(),
                    device,
                    format,
                    kv_type: *kv_type.get(engine.kv_types()),
                    engine,
                    workload,
                })
            },
        )
}

fn speed(estimate: &Estimate) -> f64 {
    estimate
        .decode
        .as_ref()
        .expect("bandwidth is known and memory ample")
        .rate
        .typical
        .get()
}

/// Equal but for rounding.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn more_bandwidth_is_never_slower(setup in setup(), factor in 1.0_f64..4.0) {
        let mut faster = setup.clone();
        faster.device.bandwidth = setup.device.bandwidth.map(|bandwidth| bandwidth * factor);
        let (slow, fast) = (setup.estimate(), faster.estimate());
        prop_assert!(speed(&fast) >= speed(&slow));
        if let (Ok(slow), Ok(fast)) = (&slow.prefill, &fast.prefill) {
            prop_assert!(fast.rate.typical >= slow.rate.typical);
        }
    }

    #[test]
    fn more_compute_is_never_slower(setup in setup(), factor in 1.0_f64..4.0) {
        let mut faster = setup.clone();
        let peaks = &mut faster.device.peaks;
        for peak in [&mut peaks.fp32, &mut peaks.fp16, &mut peaks.bf16, &mut peaks.fp8, &mut peaks.fp4, &mut peaks.int8] {
            *peak = peak.map(|peak| peak * factor);
        }
        let (slow, fast) = (setup.estimate(), faster.estimate());
        prop_assert!(speed(&fast) >= speed(&slow));
        if let (Ok(slow), Ok(fast)) = (&slow.prefill, &fast.prefill) {
            prop_assert!(fast.rate.typical >= slow.rate.typical);
        }
    }

    #[test]
    fn more_context_never_needs_less_memory(setup in setup(), more in 1_u64..100_000) {
        let mut longer = setup.clone();
        longer.workload.context += more;
        let total = |setup: &Setup| setup.estimate().memory.together().total().get();
        prop_assert!(total(&longer) >= total(&setup));
    }

    #[test]
    fn a_deeper_context_is_never_faster(setup in setup()) {
        let curve = setup.estimate().curve;
        prop_assert!(curve.windows(2).all(|pair| pair[0].rate.typical >= pair[1].rate.typical));
    }

    #[test]
    fn parts_sum_to_the_whole(setup in setup()) {
        let estimate = setup.estimate();
        let decode = estimate.decode.as_ref().expect("bandwidth is known");
        prop_assert!(close(decode.parts.total().get(), decode.time.typical.get()));
        let weights = Weights::of(&setup.architecture, &setup.format);
        let parts: f64 = estimator::architecture::Part::ALL.into_iter().map(|part| weights.part(part).bytes().get()).sum();
        prop_assert_eq!(parts, weights.resident().get());
        let encodings: u64 = weights.encodings().map(|(_, share)| share.bytes).sum();
        prop_assert_eq!(encodings, weights.total().bytes);
    }

    #[test]
    fn low_typical_high_stand_in_order(setup in setup()) {
        let estimate = setup.estimate();
        for speed in [estimate.decode.as_ref().ok(), estimate.prefill.as_ref().ok()].into_iter().flatten() {
            prop_assert!(speed.rate.low <= speed.rate.typical && speed.rate.typical <= speed.rate.high);
            prop_assert!(speed.time.low <= speed.time.typical && speed.time.typical <= speed.time.high);
            prop_assert!(speed.rate.low.get() > 0.0 && speed.rate.high.get().is_finite());
        }
    }

    #[test]
    fn decode_is_never_faster_than_peak_bandwidth_allows(setup in setup()) {
        let weights = Weights::of(&setup.architecture, &setup.format);
        let floor = estimator::step::decode_floor(&setup.device, &weights).expect("bandwidth is known");
        let mut alone = setup.clone();
        alone.workload.concurrency = 1;
        let decode = alone.estimate().decode.expect("bandwidth is known");
        prop_assert!(decode.time.typical >= floor);
    }

    #[test]
    fn one_more_sequence_never_lowers_the_total(setup in setup()) {
        let mut more = setup.clone();
        more.workload.concurrency += 1;
        let total = |setup: &Setup| setup.estimate().decode.expect("bandwidth is known").total.typical.get();
        prop_assert!(total(&more) >= total(&setup) * (1.0 - 1e-9));
        prop_assert!(speed(&more.estimate()) <= speed(&setup.estimate()) * (1.0 + 1e-9));
    }

    #[test]
    fn a_step_reads_at_most_what_is_resident(setup in setup(), tokens in 1_u64..5000) {
        // Looped models read their layers once a pass.
        prop_assume!(setup.architecture.layers.iter().all(|layer| layer.passes.0 == 1));
        let weights = Weights::of(&setup.architecture, &setup.format);
        // A tied embedding is read as the head, and its looked-up rows once more.
        let looked_up = weights.part_read(estimator::architecture::Part::Embedding, tokens);
        let most = (weights.resident() + looked_up).get();
        prop_assert!(weights.read(tokens).get() <= most * (1.0 + 1e-9));
        prop_assert!(weights.read(tokens) <= weights.read(tokens + 1));
    }

    #[test]
    fn more_devices_hold_less_each_and_one_request_is_no_faster(setup in setup(), count in 2_u32..9) {
        prop_assume!(matches!(setup.device.kind, DeviceKind::DiscreteGpu | DeviceKind::DataCenterGpu));
        prop_assume!(!setup.device.is_laptop());
        let one = setup.estimate();
        let others: Vec<_> = (1..count).map(|_| Arc::new(setup.device.clone())).collect();
        let several = run(&Scenario { others: &others, ..setup.scenario() });
        let fullest = |estimate: &Estimate| {
            estimate.memory.devices.iter().map(|device| device.holding.weights.get()).fold(0.0, f64::max)
        };
        prop_assert!(fullest(&several) <= fullest(&one));
        prop_assert!(speed(&several) <= speed(&one) * (1.0 + 1e-9));
        let layers: u32 = several.memory.devices.iter().map(|device| device.load.layers).sum();
        prop_assert_eq!(layers, setup.architecture.layer_count());
        prop_assert!(close(several.memory.together().weights.get(), one.memory.together().weights.get()));
    }

    #[test]
    fn layers_in_slower_ram_never_make_it_faster(setup in setup(), share in 0.1_f64..1.0) {
        prop_assume!(matches!(setup.device.kind, DeviceKind::DiscreteGpu));
        prop_assume!(matches!(setup.format, WeightFormat::Gguf(..)));
        let resident = setup.estimate();
        let held = resident.memory.devices[0].holding.total();
        let mut small = setup.clone();
        small.device.memory = Some(held * share);
        let host = Some(Host {
            ram: Bytes::gib(65_536.0),
            bandwidth: setup.device.bandwidth.map(|bandwidth| bandwidth * 0.3),
            sockets: 1,
            peaks: Peaks::UNKNOWN,
        });
        let offloaded = run(&Scenario { host, ..small.scenario() });
        if let Ok(decode) = &offloaded.decode {
            prop_assert!(decode.rate.typical.get() <= speed(&resident) * (1.0 + 1e-9));
        }
    }

    #[test]
    fn every_format_reads_back_from_its_name(index in any::<proptest::sample::Index>()) {
        let format = *index.get(WeightFormat::all());
        prop_assert_eq!(WeightFormat::parse(&format.name()).unwrap(), format);
    }

    #[test]
    fn any_text_in_any_input_is_answered_or_refused_by_name(field in 0..Field::ALL.len(), text in "\\PC{0,40}") {
        let field = Field::ALL[field];
        let question = Question::common().with(field, text.clone());
        if let Err(problems) = ask(&question) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|problem| !problem.to_string().is_empty()));
        }
    }

    #[test]
    fn kv_bytes_grow_with_the_type(setup in setup()) {
        let bytes = |kv_type| {
            kv_cache::cache_bytes(&setup.architecture, &CacheRule::Exact, setup.workload.context, 1, kv_type).attention
        };
        let f16 = bytes(KvType::F16).get();
        prop_assert!(close(bytes(KvType::Q8_0).get(), f16 * 34.0 / 64.0));
        prop_assert!(close(bytes(KvType::Q4_0).get(), f16 * 18.0 / 64.0));
    }
}

#[test]
fn hostile_numbers_are_refused_not_computed() {
    for field in [
        Field::Context,
        Field::Prompt,
        Field::Output,
        Field::Concurrency,
        Field::Count,
        Field::Ubatch,
    ] {
        for text in [
            "0",
            "-1",
            "NaN",
            "inf",
            "1e9",
            "99999999999999999999999",
            "18446744073709551615",
            "1.5",
        ] {
            let problems = ask(&Question::common().with(field, text)).expect_err(text);
            assert!(
                problems
                    .iter()
                    .any(|problem| problem.field == field || problem.field == Field::Context),
                "{text}"
            );
        }
    }
    for field in [
        Field::Ram,
        Field::Memory,
        Field::MemoryFraction,
        Field::Power,
        Field::PeakTflops,
    ] {
        for text in [
            "0",
            "-1",
            "NaN",
            "inf",
            "1e9",
            "9999999999999999999999999999999999999999",
        ] {
            let problems = ask(&Question::common().with(field, text)).expect_err(text);
            assert!(
                problems.iter().any(|problem| problem.field == field),
                "{field} {text}"
            );
        }
    }
}

#[test]
fn bandwidth_of_the_roofline_is_never_a_zero_speed() {
    for record in hardware_db::devices() {
        let Ok(device) = record.device(&DeviceOptions::default()) else {
            continue;
        };
        assert!(
            device
                .bandwidth
                .is_none_or(|bandwidth| bandwidth > BytesPerSecond::ZERO),
            "{}",
            record.id
        );
    }
}
