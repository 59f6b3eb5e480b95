//! The facts of a device.

use std::fmt::Display;

use catalog::{Capacity, Money, Source};
use hardware_db::provenance::{Provenance, SourceId};
use hardware_db::spec::{Compute, Isa};
use hardware_db::{DeviceRecord, Rate};

use super::{FactSheet, sheet};

type Sheet<'a> = sheet::Sheet<'a, Provenance>;

/// All that is known of a device.
#[must_use]
pub fn device(record: &DeviceRecord) -> FactSheet {
    let none = Provenance::default();
    let provenance = hardware_db::provenance(&record.id).unwrap_or(&none);
    let mut sheet = Sheet::new(provenance);
    sheet.plain("about", "maker", record.vendor.name());
    sheet.plain("about", "kind", record.kind.words());
    sheet.plain("about", "architecture", &record.architecture);
    sheet.figure("about", "released", "released", record.released);
    sheet.remark(provenance.release_note.as_deref());
    if !provenance.sources_of("see_also").is_empty() {
        sheet.figure(
            "about",
            "see also",
            "see_also",
            Some("the sources named here"),
        );
    }
    memory(&mut sheet, record);
    compute(&mut sheet, record);
    others(&mut sheet, record);
    for (at, measured) in provenance.measured.iter().enumerate() {
        sheet.cited(
            "measured",
            &measured.what,
            &format!("measured.{at}"),
            &measured.value,
            &found(&measured.sources),
        );
    }
    prices(&mut sheet);
    FactSheet {
        id: record.id.clone(),
        name: record.name.clone(),
        aliases: record.aliases.clone(),
        page: format!("/hardware/{}", record.id),
        notes: provenance.notes.clone(),
        sources: sheet.source_lines(),
        facts: sheet.facts,
    }
}

fn memory(sheet: &mut Sheet<'_>, record: &DeviceRecord) {
    let memory = &record.memory;
    if let Some(kind) = &memory.kind {
        sheet.plain("memory", "technology", kind);
    }
    sheet.figure("memory", "sizes", "memory.sizes", listed(&memory.sizes));
    sheet.known(
        "memory",
        "reported by the driver",
        "memory.reported",
        memory.reported,
    );
    sheet.known("memory", "largest size", "memory.largest", memory.largest);
    sheet.known("memory", "bus width", "memory.bus_width", memory.bus_width);
    sheet.known(
        "memory",
        "data rate of a pin",
        "memory.data_rate",
        memory.data_rate,
    );
    sheet.remark(
        sheet
            .provenance
            .data_rate_note
            .as_deref()
            .filter(|_| memory.data_rate.is_some()),
    );
    sheet.figure("memory", "bandwidth", "memory.bandwidth", memory.bandwidth);
    sheet.known(
        "memory",
        "bandwidth as the maker rounds it",
        "memory.quoted_bandwidth",
        memory.quoted_bandwidth,
    );
    sheet.known(
        "memory",
        "64-bit channels",
        "memory.channels",
        memory.channels,
    );
    let modules = memory.module_speed.map(|speed| format!("{speed} MT/s"));
    sheet.known(
        "memory",
        "speed of the modules",
        "memory.module_speed",
        modules,
    );
    for (at, option) in memory.options.iter().enumerate() {
        let what = format!("bandwidth with {}", option.name);
        sheet.known(
            "memory",
            &what,
            &format!("memory.options.{at}.bandwidth"),
            Some(option.bandwidth),
        );
    }
    let on_package = memory
        .on_package
        .as_ref()
        .map(|(kind, size)| format!("{size} {kind}"));
    sheet.known(
        "memory",
        "on the package",
        "memory.on_package.capacity",
        on_package,
    );
    usable(sheet, record);
}

fn usable(sheet: &mut Sheet<'_>, record: &DeviceRecord) {
    let usable = &record.usable;
    let mut add = |system: &str, of: Capacity, share: Capacity| {
        sheet.known(
            "memory",
            &format!("usable by the GPU of {of}{system}"),
            "usable",
            Some(share),
        );
    };
    for (size, recent, older) in &usable.apple {
        if let Some(recent) = recent {
            add(", recent macOS", *size, *recent);
        }
        if let Some(older) = older {
            add(", older macOS", *size, *older);
        }
    }
    for (system, shares) in [
        (" on Windows", &usable.windows),
        (" on Linux", &usable.linux),
        ("", &usable.any),
    ] {
        for (size, share) in shares {
            add(system, *size, *share);
        }
    }
    let provenance = sheet.provenance;
    for (what, rule) in [
        ("what limits the GPU's share", &provenance.usable_about),
        ("rule of older macOS", &provenance.usable_older_rule),
    ] {
        sheet.known("memory", what, "usable", rule.as_ref());
    }
}

fn compute(sheet: &mut Sheet<'_>, record: &DeviceRecord) {
    if record.compute.0.is_empty() {
        sheet.figure("compute", "dense peak", "compute", None::<&str>);
    }
    rates(sheet, &record.compute, "", |rate| {
        format!("compute.{}", rate.key())
    });
    if let Some(basis) = &sheet.provenance.compute_basis {
        sheet.plain("compute", "basis", basis);
    }
    if let Some(estimate) = &record.estimate {
        rates(sheet, &estimate.compute, ", estimated", |_| {
            "estimate".to_owned()
        });
        sheet.known(
            "compute",
            "memory bandwidth, estimated",
            "estimate",
            estimate.bandwidth,
        );
        sheet.plain("compute", "basis of the estimate", &estimate.basis);
    }
}

fn rates(sheet: &mut Sheet<'_>, compute: &Compute, suffix: &str, key: impl Fn(Rate) -> String) {
    for (rate, peak) in &compute.0 {
        let what = format!("{}{suffix}", rate.words());
        sheet.known(
            "compute",
            &what,
            &key(*rate),
            Some(peak.text(rate.is_integer())),
        );
    }
}

fn others(sheet: &mut Sheet<'_>, record: &DeviceRecord) {
    let power = &record.power;
    sheet.figure("power", "board or package", "power.board", power.board);
    let range = power.range.map(|[low, high]| format!("{low} to {high}"));
    sheet.known("power", "limits makers set", "power.range", range);
    for (at, (limit, clock)) in power.points.iter().enumerate() {
        sheet.known(
            "power",
            &format!("boost clock at {limit}"),
            &format!("power.points.{at}"),
            Some(clock),
        );
    }
    sheet.known(
        "power",
        "estimate by others",
        "power.estimate",
        power.estimate,
    );
    sheet.known("links", "PCIe", "link.pcie", record.pcie);
    sheet.known(
        "links",
        "NVLink, both directions",
        "link.nvlink",
        record.nvlink,
    );
    sheet.known("caches", "level 2", "cache.l2", record.l2);
    sheet.known(
        "caches",
        "last level",
        "cache.last_level",
        record.last_level_cache,
    );
    sheet.known("cores", "CPU", "cores.cpu", listed(&record.cpu_cores));
    sheet.known("cores", "GPU", "cores.gpu", record.gpu_cores);
    let isa: Vec<&str> = record.isa.iter().map(|isa: &Isa| isa.name()).collect();
    sheet.known("cores", "instructions", "cores.isa", listed(&isa));
}

fn prices(sheet: &mut Sheet<'_>) {
    let provenance = sheet.provenance;
    if let Some((price, note)) = &provenance.launch {
        sheet.known("prices", "at launch", "price.launch", Some(price));
        sheet.remark(note.as_deref());
    }
    for (at, (size, price)) in provenance.launch_by_size.iter().enumerate() {
        let what = format!("at launch with {size}");
        sheet.known(
            "prices",
            &what,
            &format!("price.launch_by_size.{at}"),
            Some(price),
        );
    }
    for (at, machine) in provenance.machines.iter().enumerate() {
        let what = format!(
            "{}, {} and {} of storage",
            machine.machine, machine.memory, machine.storage
        );
        let value = format!("{} on {}", machine.price, machine.date);
        sheet.cited(
            "prices",
            &what,
            &format!("price.machines.{at}"),
            &value,
            &found(&machine.sources),
        );
    }
    for (at, street) in provenance.street.iter().enumerate() {
        let value = format!("{} on {}", span(street.low, street.high), street.date);
        let what = format!("asked, {}", street.condition);
        sheet.cited(
            "prices",
            &what,
            &format!("price.street.{at}"),
            &value,
            &found(&street.sources),
        );
        sheet.remark(street.date_note.as_deref());
    }
}

fn found(ids: &[SourceId]) -> Vec<&'static Source> {
    ids.iter()
        .filter_map(|id| hardware_db::source(*id))
        .collect()
}

fn span(low: Money, high: Option<Money>) -> String {
    high.map_or_else(
        || low.to_string(),
        |high| format!("{} to {high}", low.amount()),
    )
}

fn listed<T: Display>(values: &[T]) -> Option<String> {
    let texts: Vec<String> = values.iter().map(T::to_string).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_every_device_is_shown_with_its_sources() {
        for record in hardware_db::devices() {
            let sheet = device(record);
            let provenance = hardware_db::provenance(&record.id).unwrap();
            for (key, sources) in &provenance.figures {
                let key = hardware_db::key(*key);
                let fact = sheet.facts.iter().find(|fact| fact.key == key);
                let fact = fact.unwrap_or_else(|| panic!("{}: `{key}` is not shown", record.id));
                assert!(!fact.sources.is_empty(), "{}: {key}", record.id);
                assert!(fact.sources.len() <= sources.len(), "{}: {key}", record.id);
            }
            for (key, why) in &provenance.unknown {
                let key = hardware_db::key(*key);
                let said = sheet
                    .facts
                    .iter()
                    .any(|fact| fact.key == key && fact.note.as_deref() == Some(why));
                assert!(
                    said,
                    "{}: `{key}` is unknown and that is not said",
                    record.id
                );
            }
            assert!(
                sheet
                    .facts
                    .iter()
                    .flat_map(|fact| &fact.sources)
                    .all(|at| *at < sheet.sources.len())
            );
        }
    }
}
