//! An estimate: the answer in a sentence, then where it comes from.

use answer::answer::{Interval, PlaceMemory, Refused};
use answer::{Answer, text};

use crate::print::{Page, Style, Table, Tone, bytes};

/// Width of the longest bar in the table of speeds over context.
const BAR: f64 = 24.0;

/// The answer as a page of text.
pub(crate) fn estimate(answer: &Answer, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(Tone::of_verdict(&answer.fit.verdict), &answer.headline());
    page.table(memory(answer));
    let places = places(answer);
    if !places.is_empty() {
        page.table(places);
    }
    let speeds = speeds(answer);
    if !speeds.is_empty() {
        page.table(speeds);
    }
    if !answer.curve.is_empty() {
        page.table(curve(answer));
    }
    page.list("Ways out, cheapest first", ways(answer));
    page.list("Not answered", refusals(answer));
    page.list(
        "Warnings",
        answer.warnings.iter().map(|warning| warning.text.clone()),
    );
    page.list("Assumed", answer.inputs.assumed.iter().cloned());
    page.pair("page", &answer.permalink);
    page.finish()
}

/// What isn't answered and why, each reason once, with its hint in a line of its own.
pub(super) fn refusals(answer: &Answer) -> Vec<String> {
    let mut reasons: Vec<(&Refused, Vec<&str>)> = Vec::new();
    for refusal in &answer.refusals {
        let same = |other: &Refused| other.missing == refusal.missing && other.hint == refusal.hint;
        match reasons.iter_mut().find(|(known, _)| same(known)) {
            Some((_, parts)) => parts.push(&refusal.part),
            None => reasons.push((refusal, vec![&refusal.part])),
        }
    }
    let line = |(refusal, parts): &(&Refused, Vec<&str>)| match &refusal.hint {
        Some(hint) => format!("{}: {}\nhint: {hint}", parts.join(", "), refusal.missing),
        None => format!("{}: {}", parts.join(", "), refusal.missing),
    };
    reasons.iter().map(line).collect()
}

/// What to change so that it fits, each with what it costs and the flag to type.
fn ways(answer: &Answer) -> impl Iterator<Item = String> {
    answer.ways.iter().map(|way| {
        let flags: Vec<_> = way
            .set
            .iter()
            .map(|set| format!("--{} {}", set.field, set.value))
            .collect();
        format!("{} (`{}`)\ncosts {}", way.change, flags.join(" "), way.cost)
    })
}

fn memory(answer: &Answer) -> Table {
    let memory = &answer.memory;
    let mut table = Table::new(["memory", ">size", "remark"]);
    table.row([
        "weights",
        &bytes(memory.weights_bytes),
        &format!("{} as a file", bytes(memory.file_bytes)),
    ]);
    let sequences = match answer.inputs.slots {
        1 => String::new(),
        many if answer.inputs.kv_unified => format!(", shared by {many} slots"),
        many => format!(
            ", {} for each of {many}",
            bytes(memory.kv_cache_per_sequence_bytes)
        ),
    };
    let tokens = text::tokens(answer.inputs.context);
    table.row([
        "KV cache",
        &bytes(memory.kv_cache_bytes),
        &format!("{tokens} tokens in {}{sequences}", answer.inputs.kv_type),
    ]);
    table.row(["compute buffers", &bytes(memory.compute_bytes), ""]);
    table.row(["runtime", &bytes(memory.runtime_bytes), ""]);
    let capacity = match memory.capacity_bytes {
        Some(capacity) if memory.host.total_bytes > 0 => format!(
            "with the host's; {} on {}",
            bytes(capacity),
            if memory.devices.len() > 1 {
                "the devices"
            } else {
                "the device"
            }
        ),
        Some(capacity) => format!("of {}", bytes(capacity)),
        None => "of an unknown amount".to_owned(),
    };
    table.row(["total", &bytes(memory.total_bytes), &capacity]);
    if let Some(left) = answer.fit.headroom_bytes {
        let several = memory.devices.len() > 1;
        let (name, remark) = match &*answer.fit.verdict {
            "needs_offload" if memory.host.layers == 0 && memory.host.expert_layers > 0 => {
                ("left to the host", "experts in its RAM")
            }
            "needs_offload" => ("left to the host", "layers in its RAM"),
            "does_not_fit" if several => ("missing", "on all devices together"),
            "does_not_fit" => ("missing", ""),
            _ if several => ("left", "on the fullest device"),
            _ => ("left", ""),
        };
        let disk = memory.disk_bytes;
        let elsewhere = &*answer.fit.verdict == "needs_offload";
        let left = left
            .unsigned_abs()
            .saturating_sub(if elsewhere { disk } else { 0 });
        if !elsewhere || left > 0 {
            table.row([name, &bytes(left), remark]);
        }
        if disk > 0 {
            table.row([
                "left on disk",
                &bytes(disk),
                "weights read from there at each step",
            ]);
        }
    }
    if let Some(pool) = &memory.pool {
        let remark = format!(
            "{} tokens, {} requests of {tokens} at once",
            text::tokens(pool.tokens),
            text::digits(pool.requests)
        );
        table.row(["KV cache pool", &bytes(pool.bytes), &remark]);
    }
    if let Some(context) = answer.fit.largest_context {
        let unit = match answer.inputs.concurrency {
            1 => "tokens",
            _ if memory.pool.is_some() => "tokens for one request",
            _ if answer.inputs.kv_unified => "tokens, shared",
            _ => "tokens for each sequence",
        };
        table.row(["largest context", &text::tokens(context), unit]);
    }
    table
}

/// What each device and the host hold, where there is more than one place.
fn places(answer: &Answer) -> Table {
    let host = &answer.memory.host;
    let devices = &answer.memory.devices;
    // Experts have a column where they lie apart from their layers.
    let apart = host.expert_layers > host.layers;
    let mut columns = vec!["=place", ">layers"];
    columns.extend(apart.then_some(">experts of"));
    columns.extend([
        ">weights",
        ">KV cache",
        ">compute",
        ">runtime",
        ">total",
        ">usable",
    ]);
    let mut table = Table::new(columns);
    if devices.len() < 2 && host.total_bytes == 0 {
        return table;
    }
    let mut add = |name: &str, place: &PlaceMemory| {
        let mut row = vec![name.to_owned(), place.layers.to_string()];
        row.extend(apart.then(|| place.expert_layers.to_string()));
        row.extend([
            bytes(place.weights_bytes),
            bytes(place.kv_cache_bytes),
            bytes(place.compute_bytes),
            bytes(place.runtime_bytes),
            bytes(place.total_bytes),
            place
                .usable_bytes
                .or(place.capacity_bytes)
                .map(bytes)
                .unwrap_or_default(),
        ]);
        table.row(row);
    };
    let mixed = answer.inputs.hardware.contains('+');
    for (at, device) in devices.iter().enumerate() {
        let name = match devices.len() {
            1 => "device".to_owned(),
            _ if mixed => device.name.clone(),
            _ => format!("device {}", at + 1),
        };
        add(&name, device);
    }
    if host.total_bytes > 0 {
        add("host", host);
    }
    table
}

fn speeds(answer: &Answer) -> Table {
    let mut table = Table::new(["speed", ">low", ">typical", ">high", "bound", "basis"]);
    let mut add = |name: &str, values: [String; 3], bound: &str, basis: String| {
        let [low, typical, high] = values;
        table.row([name.to_owned(), low, typical, high, bound.to_owned(), basis]);
    };
    if let Some(decode) = &answer.decode {
        let basis = basis(&decode.basis, decode.runs);
        let many = answer.inputs.concurrency > 1;
        add(
            if many { "decode, each" } else { "decode" },
            rate(decode.tok_s),
            &decode.bound,
            basis.clone(),
        );
        if many {
            add(
                "decode, all",
                rate(decode.total_tok_s),
                &decode.bound,
                basis.clone(),
            );
        }
        let per_token = Interval {
            low: decode.tpot_ms.low / 1e3,
            typical: decode.tpot_ms.typical / 1e3,
            high: decode.tpot_ms.high / 1e3,
        };
        add("TPOT", time(per_token), "", String::new());
    }
    if let Some(prefill) = &answer.prefill {
        add(
            "prefill",
            rate(prefill.tok_s),
            &prefill.bound,
            basis(&prefill.basis, prefill.runs),
        );
    }
    if let Some(ttft) = answer.ttft_s {
        add(
            "TTFT",
            time(ttft),
            "",
            format!("{} tokens of prompt", text::tokens(answer.inputs.prompt)),
        );
    }
    table
}

fn rate(interval: Interval) -> [String; 3] {
    [interval.low, interval.typical, interval.high]
        .map(|value| format!("{} tok/s", text::digits(value)))
}

fn time(interval: Interval) -> [String; 3] {
    [interval.low, interval.typical, interval.high].map(text::time)
}

fn basis(name: &str, runs: u32) -> String {
    match runs {
        0 => name.to_owned(),
        1 => format!("{name}, 1 run"),
        many => format!("{name}, {many} runs"),
    }
}

fn curve(answer: &Answer) -> Table {
    let mut table = Table::new([">context", ">tok/s", ">range", ""]);
    let fastest = answer
        .curve
        .iter()
        .map(|point| point.tok_s)
        .fold(0.0, f64::max);
    for point in &answer.curve {
        table.row([
            text::tokens(point.context),
            text::digits(point.tok_s),
            text::span(point.low, point.high),
            bar(point.tok_s, fastest),
        ]);
    }
    table
}

fn bar(value: f64, longest: f64) -> String {
    let length = if longest > 0.0 {
        (value / longest * BAR).round()
    } else {
        0.0
    };
    (0_u8..)
        .map(f64::from)
        .take_while(|at| *at < length)
        .map(|_| '█')
        .collect()
}
