//! The pages: rendered on the server only, one file a page.
//!
//! To add one: write `pages/<name>.rs` with a component, declare it here and
//! give it a `<Route>` in [`App`].

use axum::http::{HeaderValue, StatusCode, header::LOCATION, request::Parts};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_meta::provide_meta_context;
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

mod api;
mod asked;
mod fit;
mod frame;
mod glossary;
mod hardware;
mod home;
mod models;
mod not_found;
mod sheet;
mod shell;
mod table;
mod what_runs;

pub(crate) use shell::shell;

/// All routes, and what surrounds every page.
///
/// Every route has [`SsrMode::Async`]: the page is whole before its first byte
/// is sent, so a component can still set status and headers.
#[component]
pub(crate) fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <frame::Header/>
            <main id="main" tabindex="-1">
                <Routes fallback=not_found::NotFoundPage>
                    <Route path=path!("/") view=home::HomePage ssr=SsrMode::Async/>
                    <Route path=path!("/hardware") view=hardware::ListPage ssr=SsrMode::Async/>
                    <Route path=path!("/hardware/:id") view=hardware::DevicePage ssr=SsrMode::Async/>
                    <Route path=path!("/models") view=models::ListPage ssr=SsrMode::Async/>
                    <Route path=path!("/models/:id") view=models::ModelPage ssr=SsrMode::Async/>
                    <Route path=path!("/what-runs") view=what_runs::WhatRunsPage ssr=SsrMode::Async/>
                    <Route path=path!("/fit") view=fit::FitPage ssr=SsrMode::Async/>
                    <Route path=path!("/api") view=api::ApiPage ssr=SsrMode::Async/>
                    <Route path=path!("/glossary") view=glossary::GlossaryPage ssr=SsrMode::Async/>
                </Routes>
            </main>
            <frame::Footer/>
        </Router>
    }
}

/// Address of the module that reads model files, if one was built.
#[derive(Debug, Clone)]
struct FileReader(Option<String>);

/// Path and query of the address asked for.
fn address() -> (String, String) {
    use_context::<Parts>()
        .map(|parts| {
            (
                parts.uri.path().to_owned(),
                parts.uri.query().unwrap_or_default().to_owned(),
            )
        })
        .unwrap_or_default()
}

/// The last part of the address, decoded: the id of an entry.
fn last_part() -> String {
    let (path, _) = address();
    let last = path.rsplit('/').next().unwrap_or_default();
    percent_encoding::percent_decode_str(last)
        .decode_utf8_lossy()
        .into_owned()
}

/// A parameter of the address; empty when it isn't there.
fn parameter(name: &str) -> String {
    let (_, query) = address();
    form_urlencoded::parse(query.as_bytes())
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// Sets the status of the answer.
fn set_status(status: StatusCode) {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
    }
}

/// Leads to another address of this site.
fn lead_to(address: &str) {
    let Some(response) = use_context::<ResponseOptions>() else {
        return;
    };
    if let Ok(address) = HeaderValue::try_from(address) {
        response.insert_header(LOCATION, address);
        response.set_status(StatusCode::FOUND);
    }
}
