//! `/glossary`: the words of the field.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::glossary;

/// Every word with its meaning.
#[component]
pub(crate) fn GlossaryPage() -> impl IntoView {
    let words = glossary::ALL
        .iter()
        .map(|entry| {
            view! {
                <dt id=entry.id>{super::sheet::capital(entry.word)}</dt>
                <dd>{entry.meaning}</dd>
            }
        })
        .collect_view();
    view! {
        <Title text="Glossary · Bandwise"/>
        <h1>"Glossary"</h1>
        <p class="lead">"The words used here. On other pages they are underlined with dots and say the same."</p>
        <dl class="panel words">{words}</dl>
    }
}
