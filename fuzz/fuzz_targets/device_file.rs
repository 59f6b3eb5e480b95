//! A device file is read or refused, and every rule of the lint copes with what was read.

#![no_main]

use catalog::lint::run;
use hardware_db::{
    lint::{Dataset, Entry, rules},
    record::device::DeviceEntry,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(entry) = serde_yaml::from_str::<DeviceEntry>(text) else {
        return;
    };
    let written = serde_yaml::to_string(&entry).expect("YAML");
    let again: DeviceEntry = serde_yaml::from_str(&written).expect("its own YAML");
    assert_eq!(again, entry, "{written}");

    let mut dataset = Dataset::default();
    if let Ok(raw) = serde_yaml::from_str(text) {
        dataset.raw.push(file(text, raw));
    }
    dataset.devices.push(file(text, entry));
    for finding in run(&rules(), &dataset) {
        assert!(!finding.to_string().is_empty());
    }
});

fn file<T>(text: &str, entry: T) -> Entry<T> {
    Entry {
        id: "device".to_owned(),
        folder: "maker".to_owned(),
        file: "hardware-db/data/devices/maker/device.yaml".to_owned(),
        text: text.to_owned(),
        entry,
    }
}
