//! `/models` and `/models/{id}`.

use std::collections::BTreeSet;

use answer::{
    formats::{self, Asked, FormatRow},
    text,
};
use estimator::num;
use leptos::prelude::*;
use leptos_meta::Title;

use super::{
    last_part, not_found, parameter, sheet,
    table::{self, Column, Order},
};
use crate::{
    api::near_models,
    catalogue::{
        matches,
        model::{self, ModelLine, ModelPage as Page},
    },
    glossary::{self, Defined},
    words::bytes,
};

const COLUMNS: &[Column] = &[
    Column::text("name", "Name"),
    Column::text("maker", "Maker"),
    Column::number("parameters", "Parameters"),
    Column::number("active", "Active"),
    Column::number("size", "Q4_K_M file"),
    Column::number("cache", "KV cache, 8K"),
    Column::number("context", "Longest context"),
    Column::number("released", "Released"),
];

const DENSE: &str = "dense";
const EXPERTS: &str = "mixture of experts";

/// Every model, filtered and sorted as the address says.
#[component]
pub(crate) fn ListPage() -> impl IntoView {
    let (words, maker, kind) = (parameter("q"), parameter("maker"), parameter("kind"));
    let all = model::lines();
    let mut lines: Vec<_> = all
        .iter()
        .filter(|line| {
            matches(
                &words,
                [line.id.as_str(), &line.name, &line.vendor, &line.family],
            )
        })
        .filter(|line| maker.is_empty() || line.vendor == maker)
        .filter(|line| kind.is_empty() || (kind == EXPERTS) == line.mixture_of_experts)
        .collect();
    let order = Order::asked(COLUMNS, "released");
    match order.key() {
        "maker" => order.sort(&mut lines, |line| {
            (line.vendor.to_lowercase(), line.name.to_lowercase())
        }),
        "released" => order.sort(&mut lines, |line| line.released.clone()),
        "parameters" => order.sort(&mut lines, |line| line.parameters),
        "active" => order.sort(&mut lines, |line| line.active_parameters),
        "size" => order.sort(&mut lines, |line| line.q4_k_m_bytes),
        "cache" => order.sort(&mut lines, |line| line.kv_cache_8k_bytes),
        "context" => order.sort(&mut lines, |line| line.max_context),
        _ => order.sort(&mut lines, |line| line.name.to_lowercase()),
    }
    let makers: BTreeSet<_> = all.iter().map(|line| line.vendor.as_str()).collect();
    let found = format!("{} of {} models", lines.len(), all.len());
    let rows = lines.iter().map(|line| row(line)).collect_view();
    view! {
        <Title text="Models · Bandwise"/>
        <h1>"Models"</h1>
        <p class="lead">"Sizes and caches are counted from each model’s architecture, tensor by tensor."</p>
        <form class="filter" method="get" action="/models" role="search">
            {table::search("Search", "such as qwen3 30b, gpt-oss, llama 70b")}
            {table::choice("maker", "Maker", "any maker", makers)}
            {table::choice("kind", "Kind", "any kind", [DENSE, EXPERTS])}
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
        {lines.is_empty().then(|| view! { <p>"Nothing fits all of that. "<a href="/models">"Show everything"</a></p> })}
    }
}

fn row(line: &ModelLine) -> AnyView {
    let active = line
        .mixture_of_experts
        .then(|| parameters(line.active_parameters));
    view! {
        <tr>
            <th scope="row"><a href=format!("/models/{}", line.id)>{line.name.clone()}</a></th>
            <td>{line.vendor.clone()}</td>
            <td class="number" data-label="parameters">{parameters(line.parameters)}</td>
            <td class="number" data-label="active">{active}</td>
            <td class="number" data-label="Q4_K_M">{bytes(line.q4_k_m_bytes)}</td>
            <td class="number" data-label="KV, 8K">{bytes(line.kv_cache_8k_bytes)}</td>
            <td class="number" data-label="context">{line.max_context.map(|limit| text::tokens(u64::from(limit)))}</td>
            <td class="number" data-label="released">{line.released.clone()}</td>
        </tr>
    }
    .into_any()
}

fn parameters(count: u64) -> String {
    text::parameters(num::f(count))
}

/// One model.
#[component]
pub(crate) fn ModelPage() -> impl IntoView {
    let id = last_part();
    let Some(record) = model_db::get(&id) else {
        return not_found::no_entry("models", "model", &id, near_models(&id));
    };
    let page = Page::of(record);
    let active = (page.active_parameters != page.parameters)
        .then(|| format!(", {} on a token", parameters(page.active_parameters)));
    let about = format!(
        "{}, {} parameters",
        record.vendor,
        parameters(page.parameters)
    );
    view! {
        <Title text=format!("{} · Bandwise", page.sheet.name)/>
        <p class="crumbs"><a href="/models">"Models"</a>" › "{about}{active}</p>
        <h1>{page.sheet.name.clone()}</h1>
        <p class="row lead">
            <a class="do" href=format!("/?model={id}")>"Estimate it on a machine"</a>
            <a class="do plain" href=format!("/api/v1/models/{id}")>"JSON"</a>
        </p>
        <div class="halves">
            {sizes(&page)}
            {caches(&page)}
        </div>
        {every_format(&id)}
        {sheet::sheet(&page.sheet)}
    }
    .into_any()
}

/// The model in every format there is, folded in: there are many.
fn every_format(id: &str) -> AnyView {
    let asked = Asked {
        model: Some(id),
        family: Some("all"),
        format: None,
    };
    let Ok(list) = formats::formats(&asked) else {
        return ().into_any();
    };
    let rows = list
        .formats
        .iter()
        .map(|row| format_row(id, row))
        .collect_view()
        .into_any();
    let caption = format!(
        "{} formats of {} weights. Files made without layers for multi-token prediction are smaller.",
        list.formats.len(),
        parameters(list.parameters)
    );
    view! {
        <section class="panel formats" aria-labelledby="formats">
            <h2 class="group" id="formats">"Every format"</h2>
            <details class="small">
                <summary>"Show files, bits a weight, and the types of the tensors"</summary>
                <div class="scroll">
                    <table class="cards">
                        <caption>{caption}</caption>
                        <thead>
                            <tr>
                                <th scope="col">"Format"</th>
                                <th scope="col">"Family"</th>
                                <th scope="col" class="number">"File"</th>
                                <th scope="col" class="number">"Bits a weight"</th>
                                <th scope="col">"Tensors by type"</th>
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

fn format_row(id: &str, row: &FormatRow) -> AnyView {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("model", id)
        .append_pair("format", &row.input)
        .finish();
    let mut types: Vec<_> = row.bytes_by_type.iter().collect();
    types.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let types: Vec<_> = types
        .into_iter()
        .map(|(kind, count)| format!("{kind} {}", bytes(*count)))
        .collect();
    let about = row.approximation.as_ref().map(|about| {
        let said = match about.files {
            0 => format!("approximate: {}", about.remark),
            files => format!(
                "approximate: {files} published files lie within {} % of it; {}",
                text::digits(about.percent),
                about.remark
            ),
        };
        view! { <span class="aside">" "{said}</span> }
    });
    view! {
        <tr>
            <th scope="row"><a href=format!("/?{query}")>{row.format.clone()}</a></th>
            <td data-label="family">{row.family.clone()}</td>
            <td class="number" data-label="file">{bytes(row.file_bytes)}</td>
            <td class="number" data-label="bits a weight">{text::digits(row.bits_per_weight)}</td>
            <td data-label="types">{types.join(" · ")}{about}</td>
        </tr>
    }
    .into_any()
}

fn sizes(page: &Page) -> AnyView {
    let id = &page.sheet.id;
    let rows = page
        .sizes
        .iter()
        .map(|size| {
            let link = format!("/?model={id}&format={}", size.format);
            view! {
                <tr>
                    <th scope="row"><a href=link>{size.format.clone()}</a></th>
                    <td class="number">{bytes(size.file_bytes)}</td>
                    <td class="number">{text::digits(size.bits_per_weight)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="panel">
            <h2 class="group">"Size of the weights"</h2>
            <table>
                <thead>
                    <tr>
                        <th scope="col"><Defined entry=glossary::FORMAT place="model"/></th>
                        <th scope="col" class="number">"File"</th>
                        <th scope="col" class="number">"Bits a weight"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
    .into_any()
}

fn caches(page: &Page) -> AnyView {
    let rows = page
        .caches
        .iter()
        .map(|cache| {
            view! {
                <tr>
                    <th scope="row">{text::tokens(cache.context)}</th>
                    <td class="number">{bytes(cache.f16_bytes)}</td>
                    <td class="number">{bytes(cache.q8_0_bytes)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="panel">
            <h2 class="group"><Defined entry=glossary::KV_CACHE place="model"/></h2>
            <table>
                <caption>"One request, with the state of linear layers, before an engine pads it"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Tokens of context"</th>
                        <th scope="col" class="number">"f16"</th>
                        <th scope="col" class="number">"q8_0"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
    .into_any()
}
