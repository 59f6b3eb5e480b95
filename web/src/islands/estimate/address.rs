//! The address follows the question, so that what is seen can be shared.

use super::state::State;

/// On the server the address is what was asked: nothing to keep.
#[cfg(not(feature = "hydrate"))]
pub(super) fn keep(_: State) {}

/// Writes the question's address and title a moment after it last changed. The first question
/// came from the address and is left as it was written.
#[cfg(feature = "hydrate")]
pub(super) fn keep(state: State) {
    use std::time::Duration;

    use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, wasm_bindgen::JsValue};

    use crate::words;

    const AFTER: Duration = Duration::from_millis(250);

    Effect::new(move |before: Option<Option<TimeoutHandle>>| {
        let question = state.question();
        let title = state.answer(words::title);
        // A file has no address.
        let has_address = state.own().is_none();
        if let Some(waiting) = before? {
            waiting.clear();
        }
        let write = move || {
            if has_address && let Ok(history) = window().history() {
                // A page opened from a file has no address to write: that is no fault.
                let _ =
                    history.replace_state_with_url(&JsValue::NULL, "", Some(&question.permalink()));
            }
            if let Some(title) = title {
                document().set_title(&title);
            }
        };
        set_timeout_with_handle(write, AFTER).ok()
    });
}
