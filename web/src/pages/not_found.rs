//! What an unknown address gets.

use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_meta::Title;

use super::set_status;

/// Answers with status 404 and the way back.
#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    set_status(StatusCode::NOT_FOUND);
    view! {
        <Title text="Not found · Bandwise"/>
        <h1>"There is no such page"</h1>
        <p class="lead">
            <a href="/">"To the estimate"</a>
            ", to "
            <a href="/hardware">"all hardware"</a>
            " or to "
            <a href="/models">"all models"</a>
            "."
        </p>
    }
}

/// Answers with status 404 for an entry of a catalogue, and names those that look alike.
pub(super) fn no_entry(
    catalogue: &'static str,
    what: &str,
    text: &str,
    nearest: Vec<String>,
) -> AnyView {
    set_status(StatusCode::NOT_FOUND);
    let near = nearest
        .into_iter()
        .map(|id| view! { <li><a href=format!("/{catalogue}/{id}")>{id.clone()}</a></li> })
        .collect_view();
    let said = format!("There is no {what} of this name");
    view! {
        <Title text=format!("{said} · Bandwise")/>
        <h1>{said.clone()}</h1>
        <p class="lead">"Nothing is called "<code>{text.to_owned()}</code>". These look alike:"</p>
        <ul>{near}</ul>
        <p><a href=format!("/{catalogue}")>"All of them"</a></p>
    }
    .into_any()
}
