//! `/what-runs`: every model a machine runs.

use answer::{
    Field, Question,
    tables::{self, RunList, RunRow},
    text,
};
use axum::http::StatusCode;
use estimator::num;
use leptos::prelude::*;
use leptos_meta::Title;

use super::{
    asked::{self, Input, Proposals},
    set_status,
    table::{self, Column, Order},
};
use crate::words::bytes;

const COLUMNS: &[Column] = &[
    Column::text("name", "Model"),
    Column::number("parameters", "Parameters"),
    Column::number("active", "Active"),
    Column::text("format", "Best format that fits"),
    Column::number("memory", "Memory"),
    Column::number("speed", "Decode"),
    Column::number("ttft", "TTFT"),
    Column::number("context", "Largest context"),
];

/// Inputs this page asks for.
const INPUTS: [Input; 4] = [
    (Field::Hardware, "Hardware", "such as RTX 4090"),
    (Field::Count, "How many", "1"),
    (Field::Context, "Context", "8192"),
    (Field::Concurrency, "Requests at once", "1"),
];

/// The models a machine runs, each in the best format that fits.
#[component]
pub(crate) fn WhatRunsPage() -> impl IntoView {
    let (mut question, strange) = asked::asked(&["sort"]);
    if question.is_empty() {
        let common = Question::common();
        question.set(
            Field::Hardware,
            common.get(Field::Hardware).unwrap_or_default(),
        );
    }
    let (found, problems) = match tables::what_runs(&question) {
        Ok(list) => (Some(list), Vec::new()),
        Err(problems) => {
            set_status(StatusCode::UNPROCESSABLE_ENTITY);
            (None, problems)
        }
    };
    let title = match &found {
        Some(list) => format!("What runs on {}", list.hardware),
        None => "What runs on it".to_owned(),
    };
    view! {
        <Title text=format!("{title} · Bandwise")/>
        <h1>{title.clone()}</h1>
        <p class="lead">
            {found.as_ref().map(|list| format!("{} models run: {}.", list.rows.len(), list.rule))}
            {found.as_ref().filter(|list| list.too_large > 0).map(|list| format!(" {} are too large.", list.too_large))}
        </p>
        {asked::strangers(strange)}
        <form class="filter" method="get" action="/what-runs">
            {asked::inputs(&question, &problems, &INPUTS)}
            {table::sort_by(COLUMNS)}
            <button class="do">"Show"</button>
        </form>
        <Proposals/>
        {found.map(|list| rows(list, &question))}
    }
}

fn rows(list: RunList, question: &Question) -> AnyView {
    let mut rows = list.rows;
    let order = Order::asked(COLUMNS, "parameters");
    match order.key() {
        "name" => order.sort(&mut rows, |row| row.name.to_lowercase()),
        "active" => order.sort(&mut rows, |row| row.active_parameters),
        "format" => order.sort(&mut rows, |row| row.format.clone()),
        "memory" => order.sort(&mut rows, |row| row.total_bytes),
        "speed" => order.sort(&mut rows, |row| row.tok_s.map(|speed| speed.typical)),
        "ttft" => order.sort(&mut rows, |row| row.ttft_s),
        "context" => order.sort(&mut rows, |row| row.largest_context),
        _ => order.sort(&mut rows, |row| row.parameters),
    }
    let lines = rows.iter().map(|row| line(row, question)).collect_view();
    view! {
        <div class="scroll">
            <table class="cards">
                <caption>{format!("With {} tokens of context", text::tokens(list.context))}</caption>
                {table::head(COLUMNS, &order)}
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn line(row: &RunRow, question: &Question) -> AnyView {
    let estimate = question
        .clone()
        .with(Field::Model, row.model.clone())
        .with(Field::Format, row.format.clone())
        .permalink();
    let parameters = |count: u64| text::parameters(num::f(count));
    let active =
        (row.active_parameters != row.parameters).then(|| parameters(row.active_parameters));
    let speed = row
        .tok_s
        .map(|speed| format!("{} tok/s", text::span(speed.low, speed.high)));
    view! {
        <tr>
            <th scope="row"><a href=estimate>{row.name.clone()}</a></th>
            <td class="number" data-label="parameters">{parameters(row.parameters)}</td>
            <td class="number" data-label="active">{active}</td>
            <td data-label="format">{row.format.clone()}</td>
            <td class="number" data-label="memory">{bytes(row.total_bytes)}</td>
            <td class="number" data-label="decode">{speed}</td>
            <td class="number" data-label="TTFT">{row.ttft_s.map(text::time)}</td>
            <td class="number" data-label="context">{row.largest_context.map(text::tokens)}</td>
        </tr>
    }
    .into_any()
}
