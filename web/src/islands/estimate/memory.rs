//! Where the bytes go: a bar for each device and the host.

use answer::{Answer, answer::PlaceMemory};
use leptos::prelude::*;

use crate::{
    glossary::{self, Defined},
    words::bytes,
};

/// A part of a bar.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The class that colours it.
    pub(super) class: &'static str,
    /// What it is.
    pub(super) name: &'static str,
    /// Its size.
    pub(super) value: f64,
    /// Its size in words.
    pub(super) text: String,
}

/// Where a bar ends: at what may be used, and at all there is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// What may be used.
    pub(super) usable: f64,
    /// All there is.
    pub(super) capacity: f64,
}

/// Parts side by side on a scale up to `end`, with a legend.
pub(super) fn bar(
    class: &'static str,
    parts: &[Part],
    end: f64,
    limit: Option<Limit>,
    name: &str,
) -> AnyView {
    let share = |value: f64| format!("{:.2}%", if end > 0.0 { value / end * 100.0 } else { 0.0 });
    let mut from = 0.0;
    let mut rects = Vec::new();
    let mut said = format!("{name}: ");
    for part in parts {
        rects.push(view! { <rect class=part.class x=share(from) width=share(part.value) height="100%"></rect> });
        from += part.value;
        if part.value > 0.0 {
            said.push_str(&format!("{} {}, ", part.name, part.text));
        }
    }
    let room = limit.map(|limit| view! { <rect class="room" x="0" width=share(limit.capacity) height="100%"></rect> });
    let limit = limit.map(|Limit { usable, capacity }| {
        view! {
            <rect class="reserved" x=share(usable) width=share((capacity - usable).max(0.0)) height="100%"></rect>
            <line class="limit" x1=share(usable) x2=share(usable) y1="0" y2="100%"></line>
        }
    });
    let legend = parts
        .iter()
        .filter(|part| part.value > 0.0)
        .map(|part| {
            let swatch = format!("swatch {}", part.class);
            view! {
                <li>
                    <span class=swatch></span>
                    {part.name}
                    " "
                    <b>{part.text.clone()}</b>
                </li>
            }
        })
        .collect_view();
    view! {
        <svg class=class role="img" aria-label=said.trim_end_matches(", ").to_owned()>
            {room}
            {rects}
            {limit}
        </svg>
        <ul class="legend">{legend}</ul>
    }
    .into_any()
}

/// The panel.
pub(super) fn memory(answer: &Answer) -> AnyView {
    let memory = &answer.memory;
    // One scale for all bars.
    let all = || memory.devices.iter().chain([&memory.host]);
    let end = all()
        .map(|place| {
            place
                .capacity_bytes
                .unwrap_or_default()
                .max(place.total_bytes)
        })
        .max()
        .unwrap_or(1);
    let devices = alike(&memory.devices)
        .into_iter()
        .map(|(device, count)| {
            let name = match count {
                1 => device.name.clone(),
                count => format!("each of {count} × {}", device.name),
            };
            place(device, name, end)
        })
        .collect_view();
    let host =
        (memory.host.total_bytes > 0).then(|| place(&memory.host, "host RAM".to_owned(), end));
    let rows: Vec<_> = memory
        .devices
        .iter()
        .chain((memory.host.total_bytes > 0).then_some(&memory.host))
        .map(row)
        .collect();
    view! {
        <section class="panel" aria-labelledby="memory-use">
            <h2 id="memory-use">"Memory: "{bytes(memory.total_bytes)}</h2>
            <p class="aside">{finding(answer)}</p>
            {devices}
            {host}
            <details class="small">
                <summary>"Show values"</summary>
                <div class="scroll">
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">"Place"</th>
                                <th scope="col" class="number">"Layers"</th>
                                <th scope="col" class="number">
                                    <Defined entry=glossary::WEIGHTS place="memory"/>
                                </th>
                                <th scope="col" class="number">
                                    <Defined entry=glossary::KV_CACHE place="memory"/>
                                </th>
                                <th scope="col" class="number">
                                    <Defined entry=glossary::COMPUTE_BUFFERS place="memory"/>
                                </th>
                                <th scope="col" class="number">
                                    <Defined entry=glossary::RUNTIME place="memory"/>
                                </th>
                                <th scope="col" class="number">"total"</th>
                                <th scope="col" class="number">
                                    <Defined entry=glossary::USABLE place="memory" text="usable"/>
                                </th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        </section>
    }
    .into_any()
}

/// Neighbours that hold the same, and how many of them there are.
fn alike(devices: &[PlaceMemory]) -> Vec<(&PlaceMemory, usize)> {
    let mut groups: Vec<(&PlaceMemory, usize)> = Vec::new();
    for device in devices {
        match groups.last_mut() {
            Some((known, count)) if *known == device => *count += 1,
            _ => groups.push((device, 1)),
        }
    }
    groups
}

fn finding(answer: &Answer) -> String {
    let memory = &answer.memory;
    let file = format!("The weights are {} as a file", bytes(memory.file_bytes));
    let cache = bytes(memory.kv_cache_per_sequence_bytes);
    match answer.fit.largest_context {
        Some(largest) if answer.inputs.concurrency == 1 => format!(
            "{file}; the KV cache takes {cache}. Up to {} tokens of context fit.",
            answer::text::tokens(largest)
        ),
        Some(largest) => format!(
            "{file}; the KV cache takes {cache} for each request. Up to {} tokens of context fit for each.",
            answer::text::tokens(largest)
        ),
        None => format!("{file}; the KV cache takes {cache} for each request."),
    }
}

#[expect(clippy::cast_precision_loss, reason = "drawn to a thousandth")]
fn place(place: &PlaceMemory, name: String, end: u64) -> AnyView {
    let part = |class, name, value: u64| Part {
        class,
        name,
        value: value as f64,
        text: bytes(value),
    };
    let parts = [
        part("weights", "weights", place.weights_bytes),
        part("kv-cache", "KV cache", place.kv_cache_bytes),
        part("compute", "compute buffers", place.compute_bytes),
        part("runtime", "runtime", place.runtime_bytes),
    ];
    let of = match (place.capacity_bytes, place.usable_bytes) {
        (Some(capacity), Some(usable)) if bytes(usable) != bytes(capacity) => {
            format!(
                "{} of {} usable, {} in all",
                bytes(place.total_bytes),
                bytes(usable),
                bytes(capacity)
            )
        }
        (Some(capacity), _) => format!("{} of {}", bytes(place.total_bytes), bytes(capacity)),
        (None, _) => bytes(place.total_bytes),
    };
    let said = format!("{name}, {of}");
    let limit = place.usable_bytes.map(|usable| Limit {
        usable: usable as f64,
        capacity: place.capacity_bytes.unwrap_or(usable) as f64,
    });
    view! {
        <div class="place">
            <p class="place-name">
                <span>{name}</span>
                <span>{of}</span>
            </p>
            {bar("bar", &parts, end as f64, limit, &said)}
        </div>
    }
    .into_any()
}

fn row(place: &PlaceMemory) -> AnyView {
    let cell = |value: u64| view! { <td class="number">{bytes(value)}</td> };
    view! {
        <tr>
            <th scope="row">{place.name.clone()}</th>
            <td class="number">{place.layers}</td>
            {cell(place.weights_bytes)}
            {cell(place.kv_cache_bytes)}
            {cell(place.compute_bytes)}
            {cell(place.runtime_bytes)}
            {cell(place.total_bytes)}
            <td class="number">{place.usable_bytes.map(bytes)}</td>
        </tr>
    }
    .into_any()
}
