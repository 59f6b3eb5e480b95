//! The pages: rendered on the server only, one file a page.
//!
//! To add one: write `pages/<name>.rs` with a component, declare it here and
//! give it a `<Route>` in [`App`].

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

mod home;
mod not_found;
mod shell;

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
            <header class="site-header">
                <a href="/">"Bandwise"</a>
            </header>
            <main id="main">
                <Routes fallback=not_found::NotFoundPage>
                    <Route path=path!("/") view=home::HomePage ssr=SsrMode::Async/>
                </Routes>
            </main>
        </Router>
    }
}
