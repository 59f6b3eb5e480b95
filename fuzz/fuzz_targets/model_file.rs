//! A model file is read or refused, every rule of the lint copes with what was read, and so does
//! the estimator.

#![no_main]

use std::sync::LazyLock;

use catalog::lint::run;
use estimator::{
    calibration::Calibration,
    device::Device,
    engine::{Backend, Engine},
    estimate::estimate,
    format::{GgufType, WeightFormat},
    kv_cache::KvType,
    scenario::{Model, Scenario, Settings, Wishes, Workload},
};
use hardware_db::DeviceOptions;
use libfuzzer_sys::fuzz_target;
use model_db::{
    lint::{Dataset, Entry, rules},
    record::ModelEntry,
};

static DEVICE: LazyLock<Device> = LazyLock::new(|| {
    let device = hardware_db::get("rtx-4090").expect("in the catalogue");
    device
        .device(&DeviceOptions::default())
        .expect("no options")
});

fuzz_target!(|text: &str| {
    let Ok(entry) = serde_yaml::from_str::<ModelEntry>(text) else {
        return;
    };
    let written = serde_yaml::to_string(&entry).expect("YAML");
    let again: ModelEntry = serde_yaml::from_str(&written).expect("its own YAML");
    assert_eq!(again, entry, "{written}");

    let readable = entry.architecture.checked_layers().is_ok();
    let record = entry.spec("model", "family");
    let dataset = Dataset {
        models: vec![Entry {
            id: "model".to_owned(),
            folder: "family".to_owned(),
            file: "model-db/data/models/family/model.yaml".to_owned(),
            text: text.to_owned(),
            entry,
        }],
    };
    let findings = run(&rules(), &dataset);
    // The build refuses a layout that can't be read, and the lint whatever is wrong.
    if !readable || !findings.is_empty() {
        return;
    }
    let engine = Engine::LlamaCpp;
    let architecture = record.architecture();
    let scenario = Scenario {
        device: &DEVICE,
        others: &[],
        model: Model {
            name: "model",
            architecture: &architecture,
            file: None,
        },
        format: WeightFormat::gguf(GgufType::Q4_K_M),
        kv_type: KvType::default(),
        engine,
        backend: Backend::Cuda,
        workload: Workload {
            context: 4096,
            prompt: 512,
            output: 256,
            concurrency: 2,
        },
        host: None,
        wishes: Wishes::default(),
        settings: Settings::of(engine),
    };
    if scenario.check().is_ok() {
        let estimate = estimate(&scenario, Calibration::priors());
        for step in &estimate.steps {
            assert!(step.value.is_finite(), "{step:?}");
        }
    }
});
