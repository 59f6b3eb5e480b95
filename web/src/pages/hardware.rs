//! `/hardware` and `/hardware/{id}`.

use std::collections::BTreeSet;

use answer::{facts, text};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{
    last_part, not_found, parameter, sheet,
    table::{self, Column, Order},
};
use crate::{
    api::near_devices,
    catalogue::{device::DeviceLine, matches},
};

const COLUMNS: &[Column] = &[
    Column::text("name", "Name"),
    Column::text("vendor", "Vendor"),
    Column::text("kind", "Kind"),
    Column::number("memory", "Memory"),
    Column::number("bandwidth", "Bandwidth"),
    Column::number("fp16", "FP16"),
    Column::number("power", "Power"),
    Column::number("released", "Released"),
];

/// Every device, filtered and sorted as the address says.
#[component]
pub(crate) fn ListPage() -> impl IntoView {
    let (words, vendor, kind) = (parameter("q"), parameter("vendor"), parameter("kind"));
    let all = hardware_db::devices();
    let mut lines: Vec<_> = all
        .iter()
        .filter(|device| {
            matches(
                &words,
                [&device.id, &device.name, &device.architecture]
                    .into_iter()
                    .chain(&device.aliases)
                    .map(String::as_str),
            )
        })
        .map(DeviceLine::from)
        .filter(|line| vendor.is_empty() || line.vendor == vendor)
        .filter(|line| kind.is_empty() || line.kind == kind)
        .collect();
    let order = Order::asked(COLUMNS, "released");
    sort(&order, &mut lines);
    let vendors: BTreeSet<_> = all.iter().map(|device| device.vendor.name()).collect();
    let kinds: BTreeSet<_> = all.iter().map(|device| device.kind.words()).collect();
    let found = format!("{} of {} devices", lines.len(), all.len());
    let rows = lines.iter().map(row).collect_view();
    view! {
        <Title text="Hardware · Bandwise"/>
        <h1>"Hardware"</h1>
        <p class="lead">"Every figure with its source. Memory and bandwidth decide most of what a machine does with a model."</p>
        <form class="filter" method="get" action="/hardware" role="search">
            {table::search("Search", "such as 4090, strix halo, m3 ultra")}
            {table::choice("vendor", "Vendor", "any vendor", vendors)}
            {table::choice("kind", "Kind", "any kind", kinds)}
            {table::sort_by(COLUMNS)}
            <button class="do">"Filter"</button>
        </form>
        <div class="scroll">
            <table class="cards">
                <caption>{found}</caption>
                {table::head(COLUMNS, &order)}
                <tbody>{rows}</tbody>
            </table>
        </div>
        {lines.is_empty().then(|| view! { <p>"Nothing fits all of that. "<a href="/hardware">"Show everything"</a></p> })}
    }
}

fn sort(order: &Order, lines: &mut [DeviceLine]) {
    let number = |value: Option<f64>| value.unwrap_or(-1.0);
    match order.key() {
        "vendor" => order.sort(lines, |line| (line.vendor, line.name.clone())),
        "kind" => order.sort(lines, |line| (line.kind, line.name.clone())),
        "memory" => order.sort(lines, |line| number(line.memory_bytes.last().copied())),
        "bandwidth" => order.sort(lines, |line| number(line.bandwidth_bytes_per_second)),
        "fp16" => order.sort(lines, |line| number(line.fp16_per_second)),
        "power" => order.sort(lines, |line| number(line.power_watts)),
        "released" => order.sort(lines, |line| line.released.clone()),
        _ => order.sort(lines, |line| line.name.to_lowercase()),
    }
}

fn row(line: &DeviceLine) -> AnyView {
    let memory = match line.memory_bytes.as_slice() {
        [] => String::new(),
        [one] => text::memory(*one),
        [first, .., last] => format!("{} to {}", text::memory(*first), text::memory(*last)),
    };
    let scaled = |value: Option<f64>, by: f64, unit: &str| {
        value
            .map(|value| format!("{} {unit}", text::digits(value / by)))
            .unwrap_or_default()
    };
    view! {
        <tr>
            <th scope="row"><a href=format!("/hardware/{}", line.id)>{line.name.clone()}</a></th>
            <td>{line.vendor}</td>
            <td>{line.kind}</td>
            <td class="number" data-label="memory">{memory}</td>
            <td class="number" data-label="bandwidth">{scaled(line.bandwidth_bytes_per_second, 1e9, "GB/s")}</td>
            <td class="number" data-label="FP16">{scaled(line.fp16_per_second, 1e12, "TFLOP/s")}</td>
            <td class="number" data-label="power">{scaled(line.power_watts, 1.0, "W")}</td>
            <td class="number" data-label="released">{line.released.clone()}</td>
        </tr>
    }
    .into_any()
}

/// One device.
#[component]
pub(crate) fn DevicePage() -> impl IntoView {
    let id = last_part();
    let Some(device) = hardware_db::get(&id) else {
        return not_found::no_entry("hardware", "device", &id, near_devices(&id));
    };
    let sheet = facts::device(device);
    let (vendor, kind) = (device.vendor.name(), device.kind.words());
    let about = match kind.starts_with(vendor) {
        true => format!("{kind}, {}", device.architecture),
        false => format!("{vendor} {kind}, {}", device.architecture),
    };
    view! {
        <Title text=format!("{} · Bandwise", sheet.name)/>
        <p class="crumbs"><a href="/hardware">"Hardware"</a>" › "{about}</p>
        <h1>{sheet.name.clone()}</h1>
        <p class="row lead">
            <a class="do" href=format!("/?hardware={id}")>"Estimate a model on it"</a>
            <a class="do plain" href=format!("/what-runs?hardware={id}")>"What runs on it"</a>
            <a class="do plain" href=format!("/api/v1/hardware/{id}")>"JSON"</a>
        </p>
        {sheet::sheet(&sheet)}
    }
    .into_any()
}
