//! Changes worth trying, by kind.

use estimator::error::Field;
use estimator::fit;
use estimator::format::WeightFormat;
use estimator::kv_cache::KvType;
use estimator::scenario::MAX_COUNT;
use estimator::units::Bytes;
use estimator::weights::Weights;

use super::{Candidate, Cost};
use crate::question::Question;
use crate::resolve::Resolved;
use crate::tables::ladder;
use crate::text;

/// Hosts as examples where none was named, with the RAM they are tried with, in GB: a desktop, and a
/// server with twelve channels.
const EXAMPLE_HOSTS: [(&str, &[u32]); 2] = [
    ("desktop-ddr5-5600-dual", &[32, 64, 96, 128, 192]),
    ("epyc-9654", &[384, 512, 768, 1024]),
];

/// A disk as an example where none was named, in GB/s: an NVMe drive on PCIe 4.
const EXAMPLE_SSD: &str = "7";

/// So many times more devices are tried.
const MORE_DEVICES: u32 = 3;

fn candidate(
    question: &Question,
    cost: Cost,
    field: Field,
    value: impl Into<String>,
    change: impl Into<String>,
) -> Candidate {
    Candidate {
        cost,
        field,
        asked: question.clone(),
        question: question.clone().with(field, value),
        change: change.into(),
    }
}

/// The device for the model alone.
pub(super) fn freed(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let held = resolved.settings.reserve;
    if held <= Bytes::ZERO {
        return Vec::new();
    }
    let change = format!(
        "free the {} that something else holds, such as a desktop",
        text::memory(held.get())
    );
    vec![candidate(
        question,
        Cost::Nothing,
        Field::Reserve,
        "0",
        change,
    )]
}

/// No more slots than requests.
pub(super) fn slots(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let requests = resolved.workload.concurrency;
    if resolved
        .settings
        .slots
        .is_none_or(|slots| slots <= requests)
    {
        return Vec::new();
    }
    let change = format!("start the server with {requests} slots, as many as requests");
    vec![candidate(
        question,
        Cost::Nothing,
        Field::Slots,
        requests.to_string(),
        change,
    )]
}

/// Smaller types of the cache.
pub(super) fn cache(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let now = resolved.kv_type.bits();
    resolved
        .engine
        .kv_types()
        .iter()
        .filter(|kind| matches!(kind, KvType::Q8_0 | KvType::Fp8 | KvType::Q4_0))
        .filter(|kind| kind.bits() < now)
        .map(|kind| {
            let cost = if *kind == KvType::Q4_0 {
                Cost::Precision
            } else {
                Cost::CachePrecision
            };
            let change = format!("keep the KV cache in {}", kind.name());
            candidate(question, cost, Field::KvType, kind.name(), change)
        })
        .collect()
}

/// The longest context that fits.
pub(super) fn context(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let needed = resolved.workload.prompt + resolved.workload.output;
    fit::largest_on_devices(&resolved.scenario())
        .filter(|longest| *longest >= needed)
        .map(|longest| {
            let change = format!("shorten the context to {} tokens", text::count(longest));
            candidate(
                question,
                Cost::Context,
                Field::Context,
                longest.to_string(),
                change,
            )
        })
        .into_iter()
        .collect()
}

/// Smaller formats, the most precise first.
pub(super) fn formats(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let bytes = |format: &WeightFormat| Weights::of(&resolved.architecture, format).file().get();
    let now = bytes(&resolved.format);
    let mut smaller: Vec<_> = ladder(resolved)
        .into_iter()
        .map(|format| (bytes(&format), format))
        .filter(|(size, _)| *size < now)
        .collect();
    smaller.sort_by(|a, b| b.0.total_cmp(&a.0));
    smaller
        .into_iter()
        .map(|(_, format)| {
            let change = format!("take the weights in {}", format.name());
            candidate(
                question,
                Cost::Precision,
                Field::Format,
                format.name(),
                change,
            )
        })
        .collect()
}

/// A host's RAM, where none was named, or more of it.
pub(super) fn offload(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let held = resolved.host.map_or(Bytes::ZERO, |host| host.ram);
    if resolved.device.is_unified() {
        return Vec::new();
    }
    let what = if resolved.architecture.is_moe() {
        "experts"
    } else {
        "layers"
    };
    let mut candidates = Vec::new();
    for (host, sizes) in EXAMPLE_HOSTS {
        for ram in sizes.iter().filter(|ram| {
            let ram = Bytes::gib(f64::from(**ram));
            // RAM without a host is enough where it is named with one.
            ram > held || ram >= held && question.get(Field::Host).is_none()
        }) {
            let named = question.get(Field::Host);
            let example = match named {
                Some(_) => String::new(),
                None => format!(", for example {host}"),
            };
            let change = format!("keep {what} in {ram} GB of the host's RAM{example}");
            let field = Field::Ram;
            let mut way = candidate(question, Cost::Speed, field, ram.to_string(), change);
            if named.is_none() {
                way.question.set(Field::Host, host);
            }
            candidates.push(way);
        }
    }
    candidates
}

/// A disk, where RAM is too small and none was named.
pub(super) fn disk(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let unified = resolved.device.is_unified();
    if resolved.settings.ssd.is_some() || !unified && resolved.host.is_none() {
        return Vec::new();
    }
    let change = format!("leave weights on a disk read at {EXAMPLE_SSD} GB/s");
    vec![candidate(
        question,
        Cost::Much,
        Field::Ssd,
        EXAMPLE_SSD,
        change,
    )]
}

/// A smaller format and a smaller type of the cache, where neither alone is enough.
pub(super) fn both(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    let kinds = resolved.engine.kv_types();
    let smaller = |kind: &&KvType| {
        matches!(kind, KvType::Q8_0 | KvType::Fp8) && kind.bits() < resolved.kv_type.bits()
    };
    let Some(kind) = kinds.iter().find(smaller) else {
        return Vec::new();
    };
    formats(question, resolved)
        .into_iter()
        .map(|mut way| {
            way.question.set(Field::KvType, kind.name());
            way.change = format!("{}, and keep the KV cache in {}", way.change, kind.name());
            way
        })
        .collect()
}

/// More devices of the same kind.
pub(super) fn devices(question: &Question, resolved: &Resolved) -> Vec<Candidate> {
    if !resolved
        .others
        .iter()
        .all(|other| other.id == resolved.device.id)
    {
        return Vec::new();
    }
    let now = resolved.scenario().count();
    // One more, up to four times as many.
    (now + 1..=now.saturating_mul(1 + MORE_DEVICES).min(MAX_COUNT))
        .map(|count| {
            let change = format!("take {}", text::several(count, &resolved.device.name));
            candidate(
                question,
                Cost::Money,
                Field::Count,
                count.to_string(),
                change,
            )
        })
        .collect()
}
