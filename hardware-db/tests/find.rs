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
    for (text, id, size) in [
        ("m3 ultra 80 512gb", "m3-ultra-80c", "512gb"),
        ("m4 max 128", "m4-max-40c", "128"),
        ("m4 max 128 GiB", "m4-max-40c", "128 GiB"),
        ("epyc 9654 384 GB", "epyc-9654", "384 GB"),
    ] {
        let found = find_with_rest(text).unwrap();
        assert_eq!((found.entry.id.as_str(), found.rest), (id, size), "{text}");
    }
    assert!(find("m4 max 128gb").is_err(), "a size is no name");
}

#[test]
fn a_number_no_device_has_is_no_memory_size() {
    for text in [
        "ryzen 3600",
        "ryzen 5600",
        "ryzen 9 7900",
        "epyc 7702",
        "xeon gold 6248",
        "core i9 14900",
        "gtx 970",
        "m7",
        "m7 64gb",
        "apple 64",
        "nvidia rx 7900",
        "rtx 4090 x",
        "m4 max 129",
    ] {
        let found = find_with_rest(text);
        assert!(
            found.is_err(),
            "{text}: {:?}",
            found.map(|found| &found.entry.id)
        );
    }
}

#[test]
fn a_short_name_means_the_usual_device_and_tells_the_others() {
    for (text, id, others) in [
        (
            "7900",
            "rx-7900-xtx",
            &["rx-7900m", "rx-7900-xt", "rx-7900-gre"][..],
        ),
        (
            "rtx 6000",
            "rtx-6000-ada",
            &["quadro-rtx-6000", "rtx-pro-6000-blackwell-workstation"],
        ),
        ("spark", "dgx-spark-gb10", &["rtx-spark-n1x"]),
        ("4090", "rtx-4090", &[]),
        ("dgx spark", "dgx-spark-gb10", &[]),
        ("m3 ultra 80", "m3-ultra-80c", &[]),
    ] {
        let found = find_with_rest(text).unwrap();
        let also: Vec<_> = found.also.iter().map(|device| device.id.as_str()).collect();
        assert_eq!((found.entry.id.as_str(), &also[..]), (id, others), "{text}");
    }
    let tpu = find_with_rest("tpu").unwrap();
    assert!(
        tpu.entry.id.starts_with("tpu-") && tpu.also.len() > 3,
        "{tpu:?}"
    );
}
