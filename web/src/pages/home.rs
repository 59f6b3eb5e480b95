//! `/`: the estimate page.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::islands::ContextSlider;

/// The estimate page.
#[component]
pub(crate) fn HomePage() -> impl IntoView {
    view! {
        <Title text="Bandwise"/>
        <h1>"What will this hardware do with that model?"</h1>
        <form method="get" action="/">
            <ContextSlider tokens=8192/>
            <button>"Estimate"</button>
        </form>
    }
}
