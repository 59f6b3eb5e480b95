//! The form.

use answer::Field;
use estimator::{
    engine::{Backend, Engine},
    format::WeightFormat,
    kv_cache::KvType,
};
use leptos::prelude::*;

use super::{
    fields::{self, MORE, PLACEMENT},
    own::drop_zone,
    slider::{self, slider},
    state::State,
};
use crate::{glossary::AskMeaning, marked::marked, words};

/// The whole form.
pub(super) fn form(state: State) -> AnyView {
    let more = MORE
        .into_iter()
        .map(|(heading, fields)| {
            view! {
                <fieldset>
                    <legend>{heading}</legend>
                    {several(state, fields)}
                </fieldset>
            }
            .into_any()
        })
        .collect_view();
    let placement = view! { <fieldset>{several(state, PLACEMENT)}</fieldset> }.into_any();
    let all_more = MORE.into_iter().flat_map(|(_, fields)| fields).copied();
    view! {
        <form
            class="ask"
            method="get"
            action="/"
            autocomplete="off"
            aria-label="The question"
            on:submit=move |event| {
                event.prevent_default();
                state.leave();
            }
            on:focusout=move |_| state.leave()
        >
            <fieldset>
                <legend>"Machine"</legend>
                {text(state, Field::Hardware, "field most", None)}
                {text(state, Field::Count, "field third", None)}
            </fieldset>
            <fieldset>
                <legend>"Model"</legend>
                {text(state, Field::Model, "field", None)}
                {drop_zone(state)}
                {choice(state, Field::Format, "field", formats())}
            </fieldset>
            <fieldset>
                <legend>"Use"</legend>
                {text(state, Field::Context, "field", Some(slider::CONTEXTS))}
                {text(state, Field::Concurrency, "field", Some(slider::REQUESTS))}
                {text(state, Field::Prompt, "field half", None)}
                {text(state, Field::Output, "field half", None)}
                {choice(state, Field::Engine, "field half", names(Engine::ALL.map(Engine::name)))}
                {choice(state, Field::KvType, "field half", names(KvType::ALL.map(KvType::name)))}
            </fieldset>
            {fold(state, "placement", "Placement: RAM, shares, offload", PLACEMENT.to_vec(), placement)}
            {fold(state, "more", "More settings", all_more.collect(), more.into_any())}
            <button class="do">"Estimate"</button>
            <a class="peek" href="#answer" aria-hidden="true" tabindex="-1">
                {move || state.answer(words::summary)}
            </a>
        </form>
    }
    .into_any()
}

/// Fields under a heading that is folded out once something stands in one of them.
fn fold(
    state: State,
    id: &'static str,
    heading: &'static str,
    fields: Vec<Field>,
    content: AnyView,
) -> AnyView {
    let open = Memo::new(move |before: Option<&bool>| {
        before.copied().unwrap_or_default()
            || fields
                .iter()
                .any(|field| !state.typed(*field).is_empty() || state.is_wrong(*field))
    });
    view! {
        <details class="more" id=id open=move || open.get()>
            <summary>{heading}</summary>
            {content}
        </details>
    }
    .into_any()
}

fn several(state: State, fields: &'static [Field]) -> AnyView {
    fields
        .iter()
        .map(|field| match options(*field) {
            Some(groups) => choice(state, *field, "field half", groups),
            None => text(state, *field, "field half", None),
        })
        .collect_view()
        .into_any()
}

/// The options of a field that isn't always in sight, if it is a choice.
fn options(field: Field) -> Option<Groups> {
    Some(match field {
        Field::Backend => names(Backend::ALL.map(Backend::name)),
        Field::System => names(["linux", "windows"]),
        Field::Macos => names(["recent", "older"]),
        Field::Split => names(["layer", "tensor"]),
        Field::KvUnified | Field::FlashAttention | Field::Vision | Field::Mtp => {
            names(["on", "off"])
        }
        _ => return None,
    })
}

/// An input for a text or a number, with a slider if it has stops.
fn text(state: State, field: Field, class: &'static str, stops: Option<&'static [u64]>) -> AnyView {
    let name = field.name();
    view! {
        <div class=class class:bad=move || state.is_wrong(field) hidden=move || !fields::is_shown(state, field)>
            {name_of(field)}
            <div class="pair">
                <input
                    id=name
                    name=name
                    type=if fields::list(field).is_some() { "search" } else { "text" }
                    inputmode=fields::is_number(field).then_some("decimal")
                    list=fields::list(field)
                    placeholder=move || placeholder(state, field)
                    spellcheck="false"
                    value=state.typed(field)
                    prop:value=move || state.typed(field)
                    aria-invalid=move || state.is_wrong(field).then_some("true")
                    aria-describedby=note_id(field)
                    on:input:target=move |event| state.type_into(field, event.target().value())
                    on:focus:target=move |event| {
                        // A name is replaced as a whole more often than it is mended.
                        if fields::list(field).is_some() {
                            event.target().select();
                        }
                    }
                />
                {stops.map(|stops| slider(state, field, stops))}
            </div>
            {note(state, field)}
        </div>
    }
    .into_any()
}

/// Options under a heading; no heading where there is but one group.
type Groups = Vec<(&'static str, Vec<String>)>;

/// A choice from a list; the first is to leave it open.
fn choice(state: State, field: Field, class: &'static str, groups: Groups) -> AnyView {
    let name = field.name();
    let first = canonical(field, &state.typed(field));
    let known = first.is_empty() || groups.iter().any(|(_, names)| names.contains(&first));
    let stranger = (!known).then(|| option(first.clone(), &first));
    let options = groups
        .into_iter()
        .map(|(heading, names)| {
            let options = names
                .into_iter()
                .map(|name| option(name, &first))
                .collect_view();
            if heading.is_empty() {
                options.into_any()
            } else {
                view! { <optgroup label=heading>{options}</optgroup> }.into_any()
            }
        })
        .collect_view();
    view! {
        <div class=class class:bad=move || state.is_wrong(field) hidden=move || !fields::is_shown(state, field)>
            {name_of(field)}
            <select
                id=name
                name=name
                prop:value=move || canonical(field, &state.typed(field))
                aria-invalid=move || state.is_wrong(field).then_some("true")
                aria-describedby=note_id(field)
                on:change:target=move |event| state.set(field, event.target().value())
            >
                <option value="">{move || usual(state, field)}</option>
                {stranger}
                {options}
            </select>
            {note(state, field)}
        </div>
    }
    .into_any()
}

fn option(name: String, chosen: &str) -> AnyView {
    let selected = name == chosen;
    let value = name.clone();
    view! { <option value=value selected=selected>{name}</option> }.into_any()
}

fn name_of(field: Field) -> AnyView {
    view! {
        <div class="name">
            <label for=field.name()>{fields::label(field)}</label>
            {fields::meaning(field).map(|entry| view! { <AskMeaning entry/> })}
        </div>
    }
    .into_any()
}

fn note_id(field: Field) -> String {
    format!("note-{}", field.name())
}

/// The line under a field: what is wrong with it, else what was understood.
fn note(state: State, field: Field) -> AnyView {
    let said = move || match state.problem(field) {
        Some(problem) => {
            let hint = problem
                .hint
                .map(|hint| view! { <span class="hint">{marked(&hint)}</span> });
            view! { {marked(&problem.problem)} {hint} }.into_any()
        }
        None => understood(state, field).into_any(),
    };
    view! { <p class="note" id=note_id(field)>{said}</p> }.into_any()
}

fn understood(state: State, field: Field) -> Option<String> {
    match field {
        Field::Hardware => state.answer(|answer| match answer.inputs.devices.len() {
            1 => answer.inputs.hardware_name.clone(),
            _ => answer.inputs.machine.clone(),
        }),
        Field::Model => state.answer(|answer| answer.inputs.model_name.clone()),
        Field::Context => state
            .answer(|answer| answer.fit.largest_context)?
            .map(|largest| format!("up to {} fit", answer::text::tokens(largest))),
        _ => None,
    }
}

/// What an empty field stands for.
fn placeholder(state: State, field: Field) -> String {
    let default = state.answer(|answer| {
        let inputs = &answer.inputs;
        Some(match field {
            Field::Count => u64::from(inputs.count),
            Field::Context => inputs.context,
            Field::Prompt => inputs.prompt,
            Field::Output => inputs.output,
            Field::Concurrency => inputs.concurrency,
            Field::Ubatch => inputs.ubatch,
            _ => return None,
        })
    });
    match default.flatten() {
        Some(number) => number.to_string(),
        None => fields::example(field).to_owned(),
    }
}

/// The first option of a choice: what is taken when none is made.
fn usual(state: State, field: Field) -> String {
    let taken = state
        .answer(|answer| {
            let inputs = &answer.inputs;
            match field {
                Field::Format => inputs.format.clone(),
                Field::KvType => inputs.kv_type.clone(),
                Field::Engine => inputs.engine.clone(),
                Field::Backend => inputs.backend.clone(),
                Field::Split => inputs.split.to_string(),
                _ => String::new(),
            }
        })
        .filter(|taken| !taken.is_empty() && state.typed(field).is_empty());
    match taken {
        Some(taken) => format!("auto: {taken}"),
        None => "auto".to_owned(),
    }
}

/// A typed name as the options spell it; what isn't understood stays as typed.
fn canonical(field: Field, typed: &str) -> String {
    let known = match field {
        Field::Format => WeightFormat::parse(typed).ok().map(WeightFormat::name),
        Field::KvType => KvType::parse(typed).ok().map(|kind| kind.name().to_owned()),
        Field::Engine => Engine::parse(typed).map(|engine| engine.name().to_owned()),
        Field::Backend => Backend::parse(typed).map(|backend| backend.name().to_owned()),
        Field::KvUnified | Field::FlashAttention | Field::Vision | Field::Mtp => {
            Some(match &*typed.to_lowercase() {
                "true" | "yes" | "1" => "on".to_owned(),
                "false" | "no" | "0" => "off".to_owned(),
                other => other.to_owned(),
            })
        }
        _ => None,
    };
    known.unwrap_or_else(|| typed.to_owned())
}

fn names<const N: usize>(names: [&'static str; N]) -> Groups {
    vec![("", names.into_iter().map(str::to_owned).collect())]
}

/// Every weight format, family by family.
fn formats() -> Groups {
    let mut groups = Groups::new();
    for format in WeightFormat::all() {
        let family = format.family().name();
        match groups.iter_mut().find(|(heading, _)| *heading == family) {
            Some((_, names)) => names.push(format.name()),
            None => groups.push((family, vec![format.name()])),
        }
    }
    groups
}
