//! `/fit`: which formats and contexts of a model fit a machine.

use answer::{
    Field, Question,
    tables::{self, FitCell, FitRow, FitTable},
    text,
};
use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};

use super::{
    asked::{self, Input, Proposals},
    set_status,
    table::{self, Column, Order},
};
use crate::{
    glossary::{self, Defined},
    words::bytes,
};

/// Inputs this page asks for.
const INPUTS: [Input; 7] = [
    (Field::Hardware, "Hardware", "such as RTX 4090"),
    (Field::Count, "How many", "1"),
    (Field::Model, "Model", "such as Llama 3.1 8B"),
    (Field::Context, "Context", "all usual ones"),
    (Field::Concurrency, "Requests at once", "1"),
    (Field::KvType, "KV cache type", "f16"),
    (Field::Engine, "Engine", "the usual one"),
];

/// What the formats can be sorted by.
const COLUMNS: &[Column] = &[
    Column::number("file", "File"),
    Column::text("format", "Format"),
    Column::number("largest", "Largest context"),
];

/// Formats × contexts of a model on a machine.
#[component]
pub(crate) fn FitPage() -> impl IntoView {
    let (mut question, strange) = asked::asked(&["sort"]);
    let common = Question::common();
    if question.is_empty() {
        for field in [Field::Hardware, Field::Model] {
            question.set(field, common.get(field).unwrap_or_default());
        }
    }
    let (found, problems) = match tables::fit_table(&question) {
        Ok(table) => (Some(table), Vec::new()),
        Err(problems) => {
            set_status(StatusCode::UNPROCESSABLE_ENTITY);
            (None, problems)
        }
    };
    let title = match &found {
        Some(table) => format!("What fits of {} on {}", table.model, table.hardware),
        None => "What fits".to_owned(),
    };
    view! {
        <Title text=format!("{title} · Bandwise")/>
        <Meta
            name="description"
            content="Every weight format at every context: what fits, how fast it is, and the largest context by type of the KV cache."
        />
        <h1>{title.clone()}</h1>
        <p class="lead">{found.as_ref().map(finding)}</p>
        {asked::strangers(strange)}
        <form class="filter" method="get" action="/fit">
            {asked::inputs(&question, &problems, &INPUTS)}
            {table::sort_by(COLUMNS)}
            <button class="do">"Show"</button>
        </form>
        <Proposals/>
        {found.map(|table| tables_of(table, &question))}
    }
}

/// The best format by context, as a sentence.
fn finding(table: &FitTable) -> String {
    // Contexts in a row whose best format is the same.
    let mut spans: Vec<(&Option<String>, u64)> = Vec::new();
    for (best, context) in table.best.iter().zip(&table.contexts) {
        match spans.last_mut() {
            Some((known, last)) if *known == best => *last = *context,
            _ => spans.push((best, *context)),
        }
    }
    let only = spans.len() == 1;
    let told: Vec<_> = spans
        .into_iter()
        .map(|(best, last)| match best {
            Some(format) => format!("{format} up to {} tokens of context", text::tokens(last)),
            None if only => "none in any format listed".to_owned(),
            None => "none beyond".to_owned(),
        })
        .collect();
    format!("The most precise that fits: {}.", told.join(", "))
}

fn tables_of(mut table: FitTable, question: &Question) -> AnyView {
    let order = Order::asked(COLUMNS, "file");
    match order.key() {
        "format" => order.sort(&mut table.rows, |row| row.format.clone()),
        "largest" => order.sort(&mut table.rows, |row| row.largest_context),
        _ => order.sort(&mut table.rows, |row| row.file_bytes),
    }
    if table.rows.is_empty() {
        return view! { <p>"No format that people download runs on this hardware with this engine."</p> }
            .into_any();
    }
    view! {
        <div class="stack">
            {speeds(&table, question)}
            {contexts(&table, question)}
            <p class="row">
                <a href=question.permalink()>"The estimate for one of them"</a>
                <a href=json(question) rel="nofollow">"JSON"</a>
            </p>
        </div>
    }
    .into_any()
}

fn json(question: &Question) -> String {
    let permalink = question.permalink();
    let query = permalink.split_once('?').map_or("", |(_, query)| query);
    format!("/api/v1/fit?{query}")
}

/// What the marks of the table mean.
fn legend() -> AnyView {
    view! {
                    <caption>
                        "Decode in tok/s of one request with the context full, and memory in all. "
                        <span class="row legend">
                            <span>"✓ fits"</span>
                            <span>"≈ fits with little to spare"</span>
                            <span>"⇄ with "<Defined entry=glossary::OFFLOAD place="fit"/></span>
                            <span>"✕ doesn’t fit"</span>
                            <span><span class="swatch best"></span>"the most precise that fits"</span>
                        </span>
                    </caption>
    }
    .into_any()
}

/// Formats × contexts.
fn speeds(table: &FitTable, question: &Question) -> AnyView {
    let order = Order::asked(COLUMNS, "file");
    let head = table
        .contexts
        .iter()
        .map(|context| view! { <th scope="col" class="number">{text::tokens(*context)}</th> })
        .collect_view()
        .into_any();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            let cells = row
                .cells
                .iter()
                .zip(&table.best)
                .map(|(cell, best)| {
                    let is_best = best.as_deref() == Some(&*row.format);
                    self::cell(cell, is_best, row, question)
                })
                .collect_view()
                .into_any();
            view! {
                <tr>
                    <th scope="row">{row.format.clone()}</th>
                    <td class="number" data-label="file">{bytes(row.file_bytes)}</td>
                    {cells}
                </tr>
            }
        })
        .collect_view()
        .into_any();
    let best = table
        .best
        .iter()
        .zip(&table.contexts)
        .map(|(best, context)| {
            let label = format!("at {}", text::tokens(*context));
            let best = best.clone().unwrap_or_else(|| "none".to_owned());
            view! { <td class="number" data-label=label><b>{best}</b></td> }
        })
        .collect_view()
        .into_any();
    view! {
        <section class="panel" aria-labelledby="by-context">
            <h2 id="by-context">"Speed by context"</h2>
            <div class="scroll">
                <table class="cards fit">
                    {legend()}
                    <thead>
                        <tr>
                            {table::heading(&COLUMNS[1], &order)}
                            {table::heading(&COLUMNS[0], &order)}
                            {head}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                    <tfoot>
                        <tr>
                            <th scope="row">"Most precise that fits"</th>
                            <td></td>
                            {best}
                        </tr>
                    </tfoot>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn cell(cell: &FitCell, best: bool, row: &FitRow, question: &Question) -> AnyView {
    let estimate = question
        .clone()
        .with(Field::Format, row.format.clone())
        .with(Field::Context, cell.context.to_string())
        .permalink();
    let (mark, said) = match &*cell.verdict {
        "fits" => ("✓", "fits"),
        "tight" => ("≈", "fits with little to spare"),
        "needs_offload" => ("⇄", "needs offload"),
        "does_not_fit" => ("✕", "doesn’t fit"),
        _ => ("?", "not known"),
    };
    let class = format!("number cell {}", cell.verdict);
    let label = format!("at {}", text::tokens(cell.context));
    let speed = cell.tok_s.map(text::digits);
    view! {
        <td class=class class:best=best data-label=label>
            <a href=estimate>
                <span aria-hidden="true">{mark}</span>
                <span class="hidden-label">{said}{speed.is_some().then_some(",")}</span>
                " "
                {speed}
            </a>
            <span class="memory">{bytes(cell.total_bytes)}</span>
        </td>
    }
    .into_any()
}

/// Formats × types of the cache.
fn contexts(table: &FitTable, question: &Question) -> AnyView {
    let order = Order::asked(COLUMNS, "file");
    let head = table
        .kv_types
        .iter()
        .map(|kind| view! { <th scope="col" class="number">{kind.clone()}</th> })
        .collect_view()
        .into_any();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            let cells = row
                .largest_by_kv_type
                .iter()
                .zip(&table.kv_types)
                .map(|(largest, kind)| {
                    let link = largest.map(|largest| {
                        let estimate = question
                            .clone()
                            .with(Field::Format, row.format.clone())
                            .with(Field::KvType, kind.clone())
                            .with(Field::Context, largest.to_string())
                            .permalink();
                        view! { <a href=estimate>{text::count(largest)}</a> }
                    });
                    view! {
                        <td class="number" data-label=kind.clone()>
                            {match link {
                                Some(link) => link.into_any(),
                                None => "none".into_any(),
                            }}
                        </td>
                    }
                })
                .collect_view()
                .into_any();
            view! {
                <tr>
                    <th scope="row">{row.format.clone()}</th>
                    {cells}
                    <td data-label="engine">{row.engine.clone()}</td>
                </tr>
            }
        })
        .collect_view()
        .into_any();
    view! {
        <section class="panel" aria-labelledby="by-type">
            <h2 id="by-type">"Largest context by type of the KV cache"</h2>
            <div class="scroll">
                <table class="cards">
                    <caption>
                        "Tokens for each request that fit, with weights in RAM where a host is named. Smaller types of the "
                        <Defined entry=glossary::KV_CACHE place="fit"/>
                        " keep less precision."
                    </caption>
                    <thead>
                        <tr>
                            {table::heading(&COLUMNS[1], &order)}
                            {head}
                            <th scope="col">"Engine"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}
