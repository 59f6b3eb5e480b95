//! Where the bytes go: a bar for each device and the host.

use answer::{
    Answer,
    answer::{CachePool, MemoryUse, PlaceMemory},
    text,
};

use crate::{
    glossary,
    markup::{Column, Markup},
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
    usable: f64,
    /// All there is.
    capacity: f64,
}

/// Parts side by side on a scale up to `end`, with a legend. Those who can't see it are told
/// `name` and every part.
pub(super) fn bar(
    html: &mut Markup,
    class: &str,
    parts: &[Part],
    end: f64,
    limit: Option<Limit>,
    name: &str,
) {
    let share = |value: f64| format!("{:.2}%", if end > 0.0 { value / end * 100.0 } else { 0.0 });
    let seen = || parts.iter().filter(|part| part.value > 0.0);
    let said: Vec<_> = seen()
        .map(|part| format!("{} {}", part.name, part.text))
        .collect();
    let said = format!("{name}: {}", said.join(", "));
    let rect = |html: &mut Markup, class: &str, from: f64, width: f64| {
        html.open(
            "rect",
            &[
                ("class", class),
                ("x", &share(from)),
                ("width", &share(width)),
                ("height", "100%"),
            ],
        )
        .close("rect");
    };
    html.open(
        "svg",
        &[("class", class), ("role", "img"), ("aria-label", &said)],
    );
    if let Some(limit) = limit {
        rect(html, "room", 0.0, limit.capacity);
    }
    let mut from = 0.0;
    for part in parts.iter().filter(|part| part.class != FREE) {
        rect(html, part.class, from, part.value);
        from += part.value;
    }
    if let Some(Limit { usable, capacity }) = limit {
        rect(html, "reserved", usable, (capacity - usable).max(0.0));
        let usable = share(usable);
        let line = [
            ("class", "limit"),
            ("x1", &*usable),
            ("x2", &usable),
            ("y1", "0"),
            ("y2", "100%"),
        ];
        html.open("line", &line).close("line");
    }
    html.close("svg").open("ul", &[("class", "legend")]);
    for part in seen() {
        let swatch = format!("swatch {}", part.class);
        html.open("li", &[])
            .open("span", &[("class", &swatch)])
            .close("span")
            .text(part.name)
            .text(" ")
            .element("b", "", &part.text)
            .close("li");
    }
    html.close("ul");
}

/// What rounding may leave over, in bytes.
const ROUNDED: u64 = 1024;

/// The class of what nothing is drawn for.
const FREE: &str = "free";

/// The panel without its table.
pub(super) fn memory(answer: &Answer) -> String {
    let memory = &answer.memory;
    let mut html = Markup::default();
    html.open("h2", &[("id", "memory-use")])
        .text(&format!("Memory: {}", bytes(memory.total_bytes)))
        .close("h2")
        .element("p", "aside", &finding(answer));
    if let Some(pool) = &memory.pool {
        html.open("p", &[("class", "aside"), ("id", "pool")])
            .text(&paged(pool, answer))
            .close("p");
    }
    if memory.disk_bytes > 0 {
        let disk = bytes(memory.disk_bytes);
        let said = format!(
            "{disk} of the weights find no room and stay on disk: each step reads those it needs from there."
        );
        html.element("p", "aside", &said);
    }
    for (name, held) in places(memory, true) {
        place(&mut html, &name, held);
    }
    html.take()
}

/// The table of the panel.
pub(super) fn values(answer: &Answer) -> String {
    let memory = &answer.memory;
    let places = places(memory, false);
    // Where experts lie apart from their layers, it is said of how many.
    let experts = places
        .iter()
        .any(|(_, place)| place.expert_layers != place.layers);
    let place = "memory";
    let mut columns = vec![Column::plain("Place"), Column::plain("layers")];
    if experts {
        columns.push(Column::plain("experts of"));
    }
    columns.extend([
        Column::of(glossary::WEIGHTS, place),
        Column::of(glossary::KV_CACHE, place),
        Column::of(glossary::COMPUTE_BUFFERS, place),
        Column::of(glossary::RUNTIME, place),
        Column::plain("total"),
        Column::of(glossary::USABLE, place),
        Column::plain("free"),
    ]);
    let rows: Vec<_> = places
        .into_iter()
        .map(|(name, place)| {
            let mut row = vec![name, place.layers.to_string()];
            if experts {
                row.push(format!("{} layers", place.expert_layers));
            }
            row.extend(
                [
                    place.weights_bytes,
                    place.kv_cache_bytes,
                    place.compute_bytes,
                    place.runtime_bytes,
                    place.total_bytes,
                ]
                .map(bytes),
            );
            row.push(place.usable_bytes.map(bytes).unwrap_or_default());
            row.push(match place.usable_bytes {
                None => String::new(),
                Some(usable) => usable
                    .checked_sub(place.total_bytes)
                    .map_or_else(|| format!("−{}", bytes(place.total_bytes - usable)), bytes),
            });
            row
        })
        .collect();
    let caption = format!("{} bytes in all", text::count(memory.total_bytes));
    Markup::default()
        .table(Some(&caption), &columns, &rows)
        .take()
}

/// Each place that holds something, and what it is called; with `together`, neighbours that hold
/// the same once.
fn places(memory: &MemoryUse, together: bool) -> Vec<(String, &PlaceMemory)> {
    let several = memory.devices.len() > 1;
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(device) = memory.devices.get(at) {
        let alike = memory
            .devices
            .iter()
            .skip(at)
            .take_while(|next| together && *next == device)
            .count()
            .max(1);
        let name = if alike > 1 {
            format!("each of {alike} × {}", device.name)
        } else if several {
            format!("{}: {}", at + 1, device.name)
        } else {
            device.name.clone()
        };
        places.push((name, device));
        at += alike;
    }
    if memory.host.total_bytes > 0 {
        places.push(("host RAM".to_owned(), &memory.host));
    }
    places
}

fn finding(answer: &Answer) -> String {
    let memory = &answer.memory;
    let file = format!("The weights are {} as a file", bytes(memory.file_bytes));
    let cache = bytes(memory.kv_cache_per_sequence_bytes);
    let each = if answer.inputs.concurrency > 1 {
        " for each request"
    } else {
        ""
    };
    match answer.fit.largest_context {
        Some(largest) => {
            let each_fit = if each.is_empty() { "" } else { " for each" };
            format!(
                "{file}; the KV cache takes {cache}{each}. Up to {} tokens of context fit{each_fit}.",
                text::tokens(largest)
            )
        }
        None => format!("{file}; the KV cache takes {cache}{each}."),
    }
}

/// What an engine that takes all memory keeps for the cache, and what that holds.
fn paged(pool: &CachePool, answer: &Answer) -> String {
    let waiting = answer.inputs.concurrency.saturating_sub(pool.running);
    let wait = match waiting {
        0 => String::new(),
        waiting => format!(
            " Of {} requests at once {} run and {waiting} wait.",
            answer.inputs.concurrency, pool.running
        ),
    };
    format!(
        "The engine takes all it may and keeps {} of that as pages of the cache: room for {} tokens, or {} requests of {} tokens.{wait}",
        bytes(pool.bytes),
        text::count(pool.tokens),
        text::digits(pool.requests),
        text::tokens(answer.inputs.context),
    )
}

#[expect(clippy::cast_precision_loss, reason = "drawn to a thousandth")]
fn place(html: &mut Markup, name: &str, place: &PlaceMemory) {
    let part = |class, name, value: u64| Part {
        class,
        name,
        value: value as f64,
        text: bytes(value),
    };
    let total = place.total_bytes;
    let free = place
        .usable_bytes
        .map(|usable| usable.saturating_sub(total))
        .filter(|free| *free > ROUNDED)
        .unwrap_or_default();
    let parts = [
        part("weights", "weights", place.weights_bytes),
        part("kv-cache", "KV cache", place.kv_cache_bytes),
        part("compute", "compute buffers", place.compute_bytes),
        part("runtime", "runtime", place.runtime_bytes),
        part(FREE, "free", free),
    ];
    let of = match (place.capacity_bytes, place.usable_bytes) {
        (Some(capacity), Some(usable)) if bytes(usable) != bytes(capacity) => {
            format!(
                "{} of {} usable, {} in all",
                bytes(total),
                bytes(usable),
                bytes(capacity)
            )
        }
        (Some(capacity), _) => format!("{} of {}", bytes(total), bytes(capacity)),
        (None, _) => bytes(total),
    };
    let limit = place.usable_bytes.map(|usable| Limit {
        usable: usable as f64,
        capacity: place.capacity_bytes.unwrap_or(usable) as f64,
    });
    // Each place has a scale of its own: all its memory, or what it would take.
    let end = place.capacity_bytes.unwrap_or_default().max(total);
    html.open("div", &[("class", "place")])
        .open("p", &[("class", "place-name")])
        .element("span", "", name)
        .element("span", "", &of)
        .close("p");
    bar(
        html,
        "bar",
        &parts,
        end as f64,
        limit,
        &format!("{name}, {of}"),
    );
    html.close("div");
}
