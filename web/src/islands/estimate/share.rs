//! The same answer elsewhere: terminal, API, another person.

use answer::Question;
use leptos::prelude::*;

use crate::command;

pub(super) fn share(question: &Question) -> AnyView {
    let permalink = question.permalink();
    let query = permalink
        .split_once('?')
        .map(|(_, query)| format!("?{query}"))
        .unwrap_or_default();
    view! {
        <section class="panel stack" aria-labelledby="elsewhere">
            <h2 id="elsewhere">"The same answer elsewhere"</h2>
            <pre class="command" tabindex="0" aria-label="Command line">{command::line(question)}</pre>
            <p class="row">
                <a href=permalink id="permalink">"Link to this page"</a>
                <a href=format!("/api/v1/estimate{query}") id="json" rel="nofollow">"JSON"</a>
                <a href="/api">"API"</a>
            </p>
        </section>
    }
    .into_any()
}
