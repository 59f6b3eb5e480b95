//! The Bandwise web app.
//!
//! Pages are rendered on the server and stay plain HTML in the browser. Only
//! the components marked `#[island]` are compiled to WebAssembly and come
//! alive there; they get what they need as props. So there are two builds of
//! this crate:
//!
//! - feature `ssr`: `pages`, the islands' first paint, and `server`;
//! - feature `hydrate`: the islands alone, entered through `hydrate()`.
//!
//! Without either the crate is empty, which keeps plain `cargo check` of the
//! workspace light. `cargo xtask serve` builds both and starts the server.

#![cfg_attr(
    any(feature = "ssr", feature = "hydrate"),
    expect(
        unreachable_pub,
        reason = "what leptos makes of a component is always `pub`"
    )
)]

#[cfg(all(feature = "ssr", feature = "hydrate"))]
compile_error!("features `ssr` and `hydrate` are two builds of this crate: choose one");

#[cfg(feature = "ssr")]
mod api;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod api_json;
#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "ssr")]
mod catalogue;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod chart;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod command;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
#[cfg_attr(
    feature = "hydrate",
    expect(
        dead_code,
        reason = "the rest of the words stand on pages of the server"
    )
)]
mod glossary;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod islands;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod marked;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod markup;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
pub mod server;
#[cfg(any(feature = "ssr", feature = "hydrate"))]
mod words;

/// Entry point of the browser part: called once by the page's script, before
/// each island on the page is brought to life. When all are, the document's
/// root element has the attribute `data-alive`, for style sheets and tests.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    use leptos::prelude::{document, set_timeout};

    leptos::mount::hydrate_islands();
    hush_on_escape();
    let say_alive = || {
        if let Some(root) = document().document_element() {
            root.set_attribute("data-alive", "").ok();
        }
    };
    set_timeout(say_alive, std::time::Duration::ZERO);
}

/// Escape closes the meaning of a word that is shown; it shows again when the pointer or the focus
/// comes to another element.
#[cfg(feature = "hydrate")]
fn hush_on_escape() {
    use leptos::{ev, prelude::document, prelude::window_event_listener};

    let set = |hushed: bool| {
        if let Some(root) = document().document_element() {
            root.toggle_attribute_with_force("data-hushed", hushed).ok();
        }
    };
    window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" {
            set(true);
        }
    });
    window_event_listener(ev::mouseover, move |_| set(false));
    window_event_listener(ev::focusin, move |_| set(false));
}
