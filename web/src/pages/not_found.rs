//! What an unknown address gets.

use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_meta::Title;

/// Answers with status 404 and the way back.
#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::NOT_FOUND);
    }
    view! {
        <Title text="Not found · Bandwise"/>
        <h1>"There is no such page"</h1>
        <p>
            <a href="/">"To the estimate"</a>
        </p>
    }
}
