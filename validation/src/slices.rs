//! Which slices of a report a row belongs to.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use hardware_db::DeviceRecord;
use run_db::{Quality, Run};

use crate::compare::Compared;

/// Devices with runs that factors may be fitted on.
static SEEN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    run_db::runs()
        .filter(|run| run.quarantined().is_none())
        .flat_map(|run| {
            run.hardware
                .split('+')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
});

/// All rows.
pub const ALL: &str = "all";
/// Rows that may be scored: quality A or B, and not quarantined.
pub const SCORED: &str = "scored";

/// The slices of a row.
///
/// `all` has every row, `quality=…` those of a quality, `quarantined` those set aside; every other
/// slice has the rows that may be scored.
#[must_use]
pub fn of(compared: &Compared) -> Vec<String> {
    let run = &compared.run;
    let mut slices = vec![ALL.to_owned(), format!("quality={}", run.quality.name())];
    if run.quarantined().is_some() {
        if run.quality != Quality::C {
            slices.push("quarantined".to_owned());
        }
        return slices;
    }
    slices.push(SCORED.to_owned());
    let engine = match run.engine.split_once(':') {
        Some((other, _)) => other,
        None => &run.engine,
    };
    let backend = run.backend.as_deref().unwrap_or("unknown");
    slices.push(format!("engine={engine}"));
    slices.push(format!("backend={backend}"));
    slices.push(format!("engine={engine} backend={backend}"));
    slices.extend(device(run));
    slices.push(format!("model_class={}", model_class(&run.model)));
    slices.push(format!("depth={}", depth(run)));
    slices.push(format!("concurrency={}", concurrency(run)));
    let placement = run
        .placement
        .map_or("unknown", |placement| placement.name());
    slices.push(format!("placement={placement}"));
    if run
        .placement
        .is_some_and(|placement| placement.is_offload())
    {
        let host = if run.host.as_deref().and_then(crate::host::read).is_some() {
            "known"
        } else {
            "unknown"
        };
        slices.push(format!("placement={placement} host={host}"));
    }
    let parallel = run.parallel.map_or("unknown", |parallel| parallel.name());
    slices.push(format!("parallel={parallel}"));
    if let Ok(estimated) = &compared.estimate {
        slices.push(format!("basis={}", estimated.basis));
        if let Some(part) = estimated.part {
            slices.push(format!("memory={}", part.name()));
            slices.push(format!("memory={} engine={engine}", part.name()));
        }
    }
    slices
}

fn device(run: &Run) -> Vec<String> {
    let ids: Vec<&str> = run.hardware.split('+').collect();
    let records: Vec<&DeviceRecord> = ids.iter().filter_map(|id| hardware_db::get(id)).collect();
    let class = match records.as_slice() {
        _ if ids.len() > 1 => "mixed",
        [record] => kind(record),
        _ => "unknown",
    };
    let mut vendors: Vec<String> = records.iter().map(|record| record.vendor.slug()).collect();
    vendors.dedup();
    let vendor = match vendors.as_slice() {
        [vendor] => vendor,
        [] => "unknown",
        _ => "mixed",
    };
    let seen = if ids.iter().all(|id| SEEN.contains(*id)) {
        "seen"
    } else {
        "unseen"
    };
    vec![
        format!("device_class={class}"),
        format!("vendor={vendor}"),
        format!("device={seen}"),
    ]
}

const fn kind(record: &DeviceRecord) -> &'static str {
    use hardware_db::Kind;
    match record.kind {
        Kind::DiscreteGpu => "discrete-gpu",
        Kind::DatacenterGpu => "datacenter-gpu",
        Kind::AppleSilicon => "apple-silicon",
        Kind::ApuUnified => "apu-unified",
        Kind::CpuPlatform => "cpu-platform",
        Kind::Sbc => "sbc",
        Kind::Accelerator => "accelerator",
    }
}

/// `hybrid` where not every layer has softmax attention, else whether it has routed experts.
fn model_class(id: &str) -> &'static str {
    let Some(record) = model_db::get(id) else {
        return "unknown";
    };
    let architecture = record.architecture();
    if architecture.attention_layer_count() < architecture.layer_count() {
        "hybrid"
    } else if architecture.is_moe() {
        "moe"
    } else {
        "dense"
    }
}

fn depth(run: &Run) -> &'static str {
    match run.depth.or(run.prompt) {
        None => "unknown",
        Some(0..4096) => "<4K",
        Some(4096..16_384) => "4K-16K",
        Some(16_384..32_768) => "16K-32K",
        Some(_) => ">=32K",
    }
}

fn concurrency(run: &Run) -> &'static str {
    match run.concurrency {
        None => "unknown",
        Some(0 | 1) => "1",
        Some(2..=8) => "2-8",
        Some(9..=32) => "9-32",
        Some(33..=128) => "33-128",
        Some(_) => ">128",
    }
}
