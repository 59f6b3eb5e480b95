//! Head and foot of every page.

use estimator::estimate::METHODOLOGY;
use leptos::prelude::*;

use super::address;

/// The head: skip link, name, ways to the pages.
#[component]
pub(crate) fn Header() -> impl IntoView {
    let (path, _) = address();
    let links = [
        ("/", "Estimate"),
        ("/fit", "What fits"),
        ("/hardware", "Hardware"),
        ("/models", "Models"),
        ("/what-runs", "What runs"),
        ("/api", "API"),
    ]
    .map(|(to, name)| {
        let here = path == to
            || (to != "/"
                && path
                    .strip_prefix(to)
                    .is_some_and(|rest| rest.starts_with('/')));
        view! { <a href=to aria-current=here.then_some("page")>{name}</a> }
    });
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="site-header">
            <a class="brand" href="/">
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path fill="currentColor" d="M1 3.5h14v2.2H1zM1 7h9.5v2.2H1zM1 10.500h5v2.200H1z"></path>
                </svg>
                "Bandwise"
            </a>
            <nav aria-label="Pages">{links}</nav>
        </header>
    }
}

/// The foot: what the numbers are, and whose the data is.
#[component]
pub(crate) fn Footer() -> impl IntoView {
    view! {
        <footer class="site-footer">
            <span>"Estimates, not promises: every number shows its interval and where it comes from."</span>
            <span>"Method "{METHODOLOGY}</span>
            <a href="/glossary">"Glossary"</a>
            <span>"Data CC BY 4.0, code MIT or Apache 2.0"</span>
        </footer>
    }
}
