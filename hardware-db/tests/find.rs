//! People find devices by the names they use.

use bandwise_hardware_db::{devices, find, find_with_rest, get};

#[test]
fn the_blob_holds_every_file() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/devices");
    let files = catalog::files::read_yaml(&root).unwrap();
    assert_eq!(devices().len(), files.len());
    for file in files {
        let device = get(&file.id).unwrap_or_else(|| panic!("{} is not embedded", file.id));
        assert_eq!(
            file.folder,
            device.vendor.slug(),
            "{} lies in the wrong folder",
            file.id
        );
    }
}

#[test]
fn names_people_use_resolve() {
    for (text, id) in [
        ("4090", "rtx-4090"),
        ("RTX 4090", "rtx-4090"),
        ("rtx4090", "rtx-4090"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("4090 laptop", "rtx-4090-laptop"),
        ("4090 D", "rtx-4090-d"),
        ("5090", "rtx-5090"),
        ("3060", "rtx-3060-12gb"),
        ("nvidia rtx 3060", "rtx-3060-12gb"),
        ("rtx 3060 8gb", "rtx-3060-8gb"),
        ("5060 ti 16gb", "rtx-5060-ti-16gb"),
        ("4060 ti 8", "rtx-4060-ti-8gb"),
        ("rtx 4070 ti", "rtx-4070-ti"),
        ("rtx pro 6000", "rtx-pro-6000-blackwell-workstation"),
        ("RTX 6000 Ada", "rtx-6000-ada"),
        ("a6000", "rtx-a6000"),
        ("a100", "a100-sxm4-80gb"),
        ("A100 40GB", "a100-sxm4-40gb"),
        ("A100-PCIE-40GB", "a100-pcie-40gb"),
        ("h100", "h100-sxm5-80gb"),
        ("H100 PCIe", "h100-pcie-80gb"),
        ("H100 NVL", "h100-nvl-94gb"),
        ("h200", "h200-sxm-141gb"),
        ("b200", "b200-sxm-180gb"),
        ("Tesla T4", "t4"),
        ("p40", "tesla-p40"),
        ("v100", "v100-sxm2"),
        ("7900 xtx", "rx-7900-xtx"),
        ("Radeon RX 7900 XTX", "rx-7900-xtx"),
        ("7900xt", "rx-7900-xt"),
        ("mi300x", "mi300x"),
        ("m3 ultra 80", "m3-ultra-80c"),
        ("M3 Ultra 80-core", "m3-ultra-80c"),
        ("m3 ultra 60", "m3-ultra-60c"),
        ("mac studio m3 ultra", "m3-ultra-80c"),
        ("Apple M4 Max", "m4-max-40c"),
        ("m4 max 32", "m4-max-32c"),
        ("m1", "m1-8c"),
        ("strix halo", "ryzen-ai-max-plus-395"),
        ("Ryzen AI Max+ 395", "ryzen-ai-max-plus-395"),
        ("framework desktop", "ryzen-ai-max-plus-395"),
        ("dgx spark", "dgx-spark-gb10"),
        ("GB10", "dgx-spark-gb10"),
        ("jetson orin nano", "jetson-orin-nano-8gb"),
        ("epyc 9654", "epyc-9654"),
        ("9950x", "ryzen-9-9950x"),
        ("ddr5-6000", "desktop-ddr5-6000-dual"),
        ("raspberry pi 5", "raspberry-pi-5"),
        ("arc b580", "arc-b580"),
    ] {
        assert_eq!(
            find(text).map(|device| device.id.as_str()),
            Ok(id),
            "{text}"
        );
    }
}

#[test]
fn every_device_is_found_by_its_id_name_and_aliases() {
    for device in devices() {
        let names = [&device.id, &device.name]
            .into_iter()
            .chain(&device.aliases);
        for name in names {
            assert_eq!(find(name).map(|found| &found.id), Ok(&device.id), "{name}");
        }
    }
}

#[test]
fn a_slip_is_answered_with_the_nearest_names() {
    let error = find("rtx4900").unwrap_err();
    assert_eq!(
        error.nearest.first().map(String::as_str),
        Some("rtx-4090"),
        "{error:?}"
    );
    assert_eq!(error.to_string(), "unknown device `rtx4900`");
}

#[test]
fn a_memory_size_after_the_name_is_given_back() {
    let (device, rest) = find_with_rest("m3 ultra 80 512gb").unwrap();
    assert_eq!((device.id.as_str(), rest), ("m3-ultra-80c", "512gb"));
}
