//! Texts whose values stand in backticks.

use leptos::prelude::*;

/// The text with `values` set as code.
pub(crate) fn marked(text: &str) -> AnyView {
    text.split('`')
        .enumerate()
        .map(|(index, part)| {
            let part = part.to_owned();
            if index % 2 == 0 {
                part.into_any()
            } else {
                view! { <code>{part}</code> }.into_any()
            }
        })
        .collect_view()
        .into_any()
}
