//! `/api`: the API for people.

use answer::{Field, Question};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{api::about, command, marked::marked};

/// Endpoints, parameters and examples.
#[component]
pub(crate) fn ApiPage() -> impl IntoView {
    let common = Question::common();
    let query = common.permalink().trim_start_matches('/').to_owned();
    let example = format!("/api/v1/estimate{query}");
    let parameters = Field::ALL
        .into_iter()
        .map(|field| {
            view! {
                <tr>
                    <th scope="row"><code>{field.name()}</code></th>
                    <td>{about(field)}</td>
                </tr>
            }
        })
        .collect_view();
    let endpoints = [
        (
            example.clone(),
            "/api/v1/estimate",
            "The answer to one question: memory, verdict, speeds, curve, arithmetic",
        ),
        (
            format!(
                "/api/v1/fit{}",
                query
                    .replace("&context=8192", "")
                    .replace("&format=Q4_K_M", "")
            ),
            "/api/v1/fit",
            "Formats × contexts of a model on a machine: what fits, and how fast",
        ),
        (
            "/api/v1/what-runs?hardware=rtx-4090".to_owned(),
            "/api/v1/what-runs",
            "Every model a machine runs, each in the best format that fits",
        ),
        (
            "/api/v1/formats?model=llama-3.1-8b".to_owned(),
            "/api/v1/formats",
            "What a model takes in each format: file, bits a weight, types of its tensors",
        ),
        (
            example.replace("/estimate?", "/flags?"),
            "/api/v1/flags",
            "The engine's command for a set-up, with why each flag is there",
        ),
        (
            "/api/v1/hardware".to_owned(),
            "/api/v1/hardware",
            "Every device",
        ),
        (
            "/api/v1/hardware/rtx-4090".to_owned(),
            "/api/v1/hardware/{id}",
            "One device, every figure with its sources",
        ),
        ("/api/v1/models".to_owned(), "/api/v1/models", "Every model"),
        (
            "/api/v1/models/llama-3.1-8b".to_owned(),
            "/api/v1/models/{id}",
            "One model: architecture, sizes, caches",
        ),
        (
            "/api/openapi.json".to_owned(),
            "/api/openapi.json",
            "All of this for machines: OpenAPI 3.1",
        ),
    ]
    .map(|(link, path, what)| {
        view! {
            <tr>
                <th scope="row"><code>"GET "{path}</code></th>
                <td>{what}</td>
                <td><a href=link>"Try it"</a></td>
            </tr>
        }
    });
    view! {
        <Title text="API · Bandwise"/>
        <h1>"API"</h1>
        <p class="lead">"JSON over HTTP, no key. The numbers are those of the pages and of the command line, to the last digit."</p>
        <div class="stack">
            <section class="panel scroll">
                <h2 class="group">"Endpoints"</h2>
                <table><tbody>{endpoints}</tbody></table>
            </section>
            <section class="panel stack">
                <h2 class="group">"An example"</h2>
                <pre class="command" tabindex="0">{format!("curl 'http://127.0.0.1:3000{example}'")}</pre>
                <p class="aside">"The command line gives the same:"</p>
                <pre class="command" tabindex="0">{format!("{} --json", command::line(&common))}</pre>
            </section>
            <section class="panel scroll">
                <h2 class="group">"Parameters of an estimate"</h2>
                <p class="aside">
                    {marked("They are the flags of `bandwise estimate`. Only `hardware` and `model` are needed; an answer says which defaults it took.")}
                </p>
                <table><tbody>{parameters}</tbody></table>
            </section>
            <section class="panel stack">
                <h2 class="group">"When something is wrong"</h2>
                <p>
                    {marked("Inputs that can’t be used get status 422 with `error.message` and `problems[]`: for each the `field`, the `value` given, what is wrong and allowed, and a `hint`. A part that can’t be estimated (`decode`, say, where a bandwidth is unknown) is null in an answer with status 200, and `refusals[]` says why. Unknown names get 404 with `nearest[]`.")}
                </p>
            </section>
        </div>
    }
}
