//! A well-formed device for the rules' tests, to be spoilt in one place.

use super::{Dataset, Entry};
use catalog::lint::{Finding, Rule, run};

/// A made-up device that every rule accepts.
pub(super) const DEVICE: &str = "\
name: Example 4000
vendor: NVIDIA
kind: discrete-gpu
architecture: Example
aliases: [ex4k]
released: { value: 2022-09, source: table }
memory:
  kind: GDDR6X
  sizes: { value: [24 GiB], source: table }
  bus_width: { value: 384 bit, source: table }
  data_rate: { value: 21 Gbit/s, source: table }
  bandwidth: { value: 1008 GB/s, source: [table, paper] }
compute:
  fp16: { value: 165 TFLOP/s, source: paper }
  fp8: { value: 330 TFLOP/s, source: paper }
  int8: { value: 330 TOP/s, source: paper }
power:
  board: { value: 450 W, source: table }
price:
  street:
    - { low: 2000 USD, condition: new, date: 2026-05, source: table }
sources:
  table:
    kind: table
    url: https://example.org/4000
    read: 2026-12-01
  paper:
    kind: vendor
    github: example/papers
    commit: 0123456789abcdef0123456789abcdef01234567
    path: 4000.md
    read: 2026-12-01
";

/// The findings of `rule` on one device file.
pub(super) fn on_device(rule: &Rule<Dataset>, id: &str, text: &str) -> Vec<Finding> {
    on_devices(rule, &[(id, text)])
}

/// The findings of `rule` on the well-formed device with `from` replaced by `to`.
pub(super) fn on_spoilt(rule: &Rule<Dataset>, from: &str, to: &str) -> Vec<Finding> {
    assert!(DEVICE.contains(from), "{from}");
    on_device(rule, "example-4000", &DEVICE.replacen(from, to, 1))
}

/// The findings of `rule` on the well-formed device.
pub(super) fn on_good(rule: &Rule<Dataset>) -> Vec<Finding> {
    on_device(rule, "example-4000", DEVICE)
}

/// The findings of `rule` on several device files, without its exceptions.
pub(super) fn on_devices(rule: &Rule<Dataset>, files: &[(&str, &str)]) -> Vec<Finding> {
    let mut dataset = Dataset::default();
    for &(id, text) in files {
        let file = format!("devices/nvidia/{id}.yaml");
        let entry = |text: &str| {
            (
                id.to_owned(),
                "nvidia".to_owned(),
                file.clone(),
                text.to_owned(),
            )
        };
        let (id, folder, file, text) = entry(text);
        if let Ok(device) = serde_yaml::from_str(&text) {
            dataset.devices.push(Entry {
                id: id.clone(),
                folder: folder.clone(),
                file: file.clone(),
                text: text.clone(),
                entry: device,
            });
        }
        let value = serde_yaml::from_str(&text).unwrap();
        dataset.raw.push(Entry {
            id,
            folder,
            file,
            text,
            entry: value,
        });
    }
    run(
        &[Rule {
            id: rule.id,
            about: rule.about,
            check: rule.check,
            exceptions: &[],
        }],
        &dataset,
    )
}
