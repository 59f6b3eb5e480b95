//! Records become devices of the estimator, with each option a buyer has.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that can't set up fails"
)]

use bandwise_hardware_db::convert::{DeviceOptionError, DeviceOptions, MacOs, OperatingSystem};
use bandwise_hardware_db::{Kind, devices, get};
use catalog::{Capacity, Power};
use estimator::device::Device;

fn size(text: &str) -> Option<Capacity> {
    Some(text.parse().unwrap())
}

fn watts(text: &str) -> Option<Power> {
    Some(text.parse().unwrap())
}

fn convert(id: &str, options: &DeviceOptions) -> Result<Device, DeviceOptionError> {
    get(id).unwrap_or_else(|| panic!("no {id}")).device(options)
}

fn device(id: &str, options: &DeviceOptions) -> Device {
    convert(id, options).unwrap_or_else(|error| panic!("{id}: {error}"))
}

fn gib(bytes: Option<estimator::units::Bytes>) -> f64 {
    bytes.unwrap().to_gib()
}

#[test]
fn every_device_converts_with_its_defaults() {
    for record in devices() {
        let device = record.device(&DeviceOptions::default()).unwrap();
        assert_eq!(device.id, record.id);
        if let (Some(memory), Some(usable)) = (device.memory, device.usable) {
            assert!(usable <= memory, "{}", record.id);
            assert!(usable.to_gib() > 0.5 * memory.to_gib(), "{}", record.id);
        }
        if record.kind != Kind::CpuPlatform && !record.memory.sizes.is_empty() {
            assert!(device.memory.is_some(), "{}", record.id);
        }
    }
}

#[test]
fn a_4090_is_24_gib_at_1008_gb_a_second() {
    let device = device("rtx-4090", &DeviceOptions::default());
    assert!((gib(device.memory) - 24.0).abs() < 1e-9);
    assert!((device.usable.unwrap().get() - 24564.0 * 1_048_576.0).abs() < 1.0);
    assert!((device.bandwidth.unwrap().to_gb_per_s() - 1008.0).abs() < 1e-9);
    assert!((device.peaks.fp16.unwrap().to_tera() - 165.2).abs() < 1e-9);
    assert!(!device.peaks.assumed);
    assert!((device.links.pcie.unwrap().to_gb_per_s() - 31.5).abs() < 0.1);
    assert_eq!(device.links.peer, None);
}

#[test]
fn only_hbm_is_stacked() {
    let stacked = |id| device(id, &DeviceOptions::default()).stacked_memory;
    assert!(stacked("h100-sxm5-80gb") && stacked("mi300x") && stacked("titan-v"));
    assert!(!stacked("rtx-4090") && !stacked("m3-ultra-80c") && !stacked("epyc-9654"));
}

#[test]
fn nvlink_is_counted_in_one_direction() {
    let device = device("h100-sxm5-80gb", &DeviceOptions::default());
    assert!((device.links.peer.unwrap().to_gb_per_s() - 450.0).abs() < 1e-9);
}

#[test]
fn ecc_takes_a_sixteenth_of_gddr6_but_nothing_of_hbm() {
    for id in ["a10", "a10g", "l4", "l40s", "a40", "t4", "a2", "a16"] {
        let device = device(id, &DeviceOptions::default());
        let share = gib(device.usable) / gib(device.memory);
        assert!((share - 0.9375).abs() < 0.001, "{id}: {share}");
    }
    let device = device("a100-sxm4-80gb", &DeviceOptions::default());
    assert_eq!(device.usable, device.memory);
}

#[test]
fn the_largest_memory_sold_is_the_default_and_others_are_chosen() {
    assert!((gib(device("m3-ultra-80c", &DeviceOptions::default()).memory) - 512.0).abs() < 1e-9);
    let options = DeviceOptions {
        memory: size("96 GiB"),
        ..DeviceOptions::default()
    };
    assert!((gib(device("m3-ultra-80c", &options).memory) - 96.0).abs() < 1e-9);
}

#[test]
fn a_memory_size_that_is_not_sold_is_refused_with_those_that_are() {
    let options = DeviceOptions {
        memory: size("48 GiB"),
        ..DeviceOptions::default()
    };
    let error = convert("rtx-4090", &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`rtx-4090` is not sold with `48 GiB` of memory"
    );
    assert_eq!(error.hint(), "it is sold with `24 GiB`");
    assert_eq!(error.option(), "memory");
}

#[test]
fn apple_memory_depends_on_size_and_macos() {
    let usable = |memory, macos| {
        let options = DeviceOptions {
            memory: size(memory),
            macos: Some(macos),
            ..DeviceOptions::default()
        };
        gib(device("m4-10c", &options).usable)
    };
    assert!((usable("16 GiB", MacOs::Recent) - 11.84).abs() < 0.01);
    assert!((usable("16 GiB", MacOs::Older) - 10.67).abs() < 0.01);
    // Neither generation was read at 512 GB, so three quarters.
    let ultra = device("m3-ultra-80c", &DeviceOptions::default());
    assert!((gib(ultra.usable) - 384.0).abs() < 1e-6);
}

#[test]
fn a_shared_memory_limit_depends_on_the_system() {
    let usable = |system| {
        let options = DeviceOptions {
            system,
            ..DeviceOptions::default()
        };
        device("ryzen-ai-max-plus-395", &options)
            .usable
            .map(|bytes| bytes.to_gib().round())
    };
    assert_eq!(usable(None), Some(124.0));
    assert_eq!(usable(Some(OperatingSystem::Linux)), Some(124.0));
    assert_eq!(usable(Some(OperatingSystem::Windows)), Some(96.0));
    // The share of a Radeon 780M was not read.
    assert_eq!(
        device("ryzen-7-7840hs-780m", &DeviceOptions::default()).usable,
        None
    );
}

#[test]
fn options_of_other_kinds_are_refused() {
    let options = DeviceOptions {
        macos: Some(MacOs::Older),
        ..DeviceOptions::default()
    };
    let error = convert("rtx-4090", &options).unwrap_err();
    assert_eq!(
        (error.option(), error.hint().as_str()),
        ("macos", "only Apple chips have this option")
    );
    let options = DeviceOptions {
        system: Some(OperatingSystem::Windows),
        ..DeviceOptions::default()
    };
    assert_eq!(convert("m4-10c", &options).unwrap_err().option(), "system");
}

#[test]
fn a_laptop_at_a_lower_power_limit_computes_slower() {
    let full = device("rtx-5090-laptop", &DeviceOptions::default());
    let options = DeviceOptions {
        power_limit: watts("95 W"),
        ..DeviceOptions::default()
    };
    let low = device("rtx-5090-laptop", &options);
    let ratio = low.peaks.fp16.unwrap().to_tera() / full.peaks.fp16.unwrap().to_tera();
    assert!((ratio - 1597.0 / 2160.0).abs() < 1e-9, "{ratio}");
    assert_eq!(low.bandwidth, full.bandwidth);
    assert!((low.power.unwrap().get() - 95.0).abs() < 1e-9);
}

#[test]
fn a_power_limit_outside_the_range_is_refused() {
    for limit in ["94 W", "151 W"] {
        let options = DeviceOptions {
            power_limit: watts(limit),
            ..DeviceOptions::default()
        };
        let error = convert("rtx-5090-laptop", &options).unwrap_err();
        assert_eq!(error.hint(), "its makers set limits from `95 W` to `150 W`");
    }
    let options = DeviceOptions {
        power_limit: watts("500 W"),
        ..DeviceOptions::default()
    };
    assert_eq!(
        convert("rtx-4090", &options).unwrap_err().hint(),
        "its board allows up to `450 W`"
    );
    let options = DeviceOptions {
        power_limit: watts("300 W"),
        ..DeviceOptions::default()
    };
    assert!((device("rtx-4090", &options).power.unwrap().get() - 300.0).abs() < 1e-9);
}

#[test]
fn a_slower_memory_option_has_its_own_bandwidth() {
    let options = DeviceOptions {
        memory_option: Some("ddr5-5600 dual channel".into()),
        ..DeviceOptions::default()
    };
    let device = device("ryzen-7-7840hs-780m", &options);
    assert!((device.bandwidth.unwrap().to_gb_per_s() - 89.6).abs() < 1e-9);
    let options = DeviceOptions {
        memory_option: Some("DDR3".into()),
        ..DeviceOptions::default()
    };
    let error = convert("ryzen-7-7840hs-780m", &options).unwrap_err();
    assert!(error.hint().contains("LPDDR5X-7500"), "{}", error.hint());
}

#[test]
fn a_cpu_platform_has_the_ram_the_buyer_chose() {
    assert_eq!(device("epyc-9654", &DeviceOptions::default()).memory, None);
    let options = DeviceOptions {
        ram: size("384 GiB"),
        ..DeviceOptions::default()
    };
    assert!((gib(device("epyc-9654", &options).memory) - 384.0).abs() < 1e-9);
    // The same option beside a card means the host's memory.
    assert!((gib(device("rtx-4090", &options).memory) - 24.0).abs() < 1e-9);
}

#[test]
fn what_is_not_known_stays_unknown_and_assumptions_are_marked() {
    let device_of = |id| device(id, &DeviceOptions::default());
    assert_eq!(device_of("orange-pi-5").bandwidth, None);
    assert_eq!(device_of("core-ultra-x9-388h").bandwidth, None);
    assert_eq!(device_of("epyc-9654").peaks.fp16, None);
    let m5 = device_of("m5-ultra-80c");
    assert!(m5.peaks.assumed && m5.peaks.fp16.is_some());
}
