//! A fact sheet: every figure with its sources.

use answer::facts::{Fact, FactSheet, SourceLine};
use leptos::prelude::*;

use crate::marked::marked;

/// Facts by group, notes and sources.
pub(super) fn sheet(sheet: &FactSheet) -> AnyView {
    let mut groups: Vec<(&'static str, Vec<&Fact>)> = Vec::new();
    for fact in &sheet.facts {
        match groups.iter_mut().find(|(group, _)| *group == fact.group) {
            Some((_, facts)) => facts.push(fact),
            None => groups.push((fact.group, vec![fact])),
        }
    }
    let groups = groups
        .into_iter()
        .map(|(group, facts)| table(group, &facts))
        .collect_view();
    let notes = sheet
        .notes
        .iter()
        .map(|note| view! { <li>{marked(note)}</li> })
        .collect_view();
    let aliases = (!sheet.aliases.is_empty()).then(|| {
        view! { <p class="aside">"Also found as "{sheet.aliases.join(", ")}"."</p> }
    });
    view! {
        <div class="facts">
            <div class="panel stack">{groups}</div>
            <div class="stack">
                {(!sheet.notes.is_empty()).then(|| view! {
                    <section class="panel stack">
                        <h2>"What to mind"</h2>
                        <ul class="plain-list">{notes}</ul>
                    </section>
                })}
                {(!sheet.sources.is_empty()).then(|| sources(&sheet.sources))}
                {aliases}
            </div>
        </div>
    }
    .into_any()
}

fn table(group: &'static str, facts: &[&Fact]) -> AnyView {
    let rows = facts.iter().map(|fact| row(fact)).collect_view();
    view! {
        <section>
            <h2 class="group">{capital(group)}</h2>
            <table class="facts-table">
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
    .into_any()
}

fn row(fact: &Fact) -> AnyView {
    let value = match &fact.value {
        Some(value) => view! { <b>{value.clone()}</b> }.into_any(),
        None => view! { <span class="unknown-value">"unknown"</span> }.into_any(),
    };
    let note = fact
        .note
        .as_ref()
        .map(|note| view! { <p class="aside">{note.clone()}</p> });
    view! {
        <tr>
            <th scope="row">{fact.what.clone()}</th>
            <td>
                {value}
                {references(&fact.sources)}
                {note}
            </td>
        </tr>
    }
    .into_any()
}

/// Small numbers that lead to the sources.
fn references(positions: &[usize]) -> AnyView {
    positions
        .iter()
        .map(|position| {
            let number = position + 1;
            view! {
                <a class="reference" href=format!("#source-{number}") aria-label=format!("source {number}")>{number}</a>
            }
        })
        .collect_view()
        .into_any()
}

fn sources(sources: &[SourceLine]) -> AnyView {
    let items = sources
        .iter()
        .enumerate()
        .map(|(index, source)| {
            let text = source.text.clone();
            let title = match &source.link {
                Some(link) => view! { <a href=link.clone() rel="noreferrer">{text}</a> }.into_any(),
                None => text.into_any(),
            };
            let note = source.note.as_ref().map(|note| format!("; {note}"));
            view! {
                <li id=format!("source-{}", index + 1)>
                    {title}
                    <span class="aside">" ("{source.kind}", read "{source.read.clone()}{note}")"</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="panel stack">
            <h2>"Sources"</h2>
            <ol class="sources">{items}</ol>
        </section>
    }
    .into_any()
}

/// With a capital first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
