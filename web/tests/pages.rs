//! What the pages say, without a network or a browser.

#![cfg(feature = "ssr")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod common;

use answer::{Field, Question, ask, text};
use axum::http::StatusCode;

use common::get;

/// The start tag of the element with this id.
fn tag<'a>(html: &'a str, id: &str) -> &'a str {
    let at = html
        .find(&format!(" id=\"{id}\""))
        .unwrap_or_else(|| panic!("no `{id}` in {html}"));
    let start = html[..at].rfind('<').expect("a tag");
    let end = at + html[at..].find('>').expect("its end");
    &html[start..end]
}

/// The text from an element's start tag to the next tag.
fn text_of<'a>(html: &'a str, id: &str) -> &'a str {
    let tag = tag(html, id);
    let start = tag.as_ptr() as usize - html.as_ptr() as usize + tag.len() + 1;
    let rest = &html[start..];
    &rest[..rest.find('<').expect("a tag")]
}

#[tokio::test]
async fn first_paint_answers_the_common_question() {
    let (status, _, html) = get("/").await;
    assert_eq!(status, StatusCode::OK);
    let answer = ask(&Question::common()).expect("an answer");
    let decode = answer.decode.expect("a speed");
    assert_eq!(
        text_of(&html, "decode-typical"),
        text::digits(decode.tok_s.typical)
    );
    assert!(html.contains("Fits"), "{html}");
    assert!(html.contains("<svg viewBox"), "{html}");
    assert!(
        html.contains("bandwise estimate --hardware rtx-4090"),
        "{html}"
    );
}

#[tokio::test]
async fn page_and_library_give_the_same_numbers() {
    for query in [
        "hardware=rtx-3090&count=2&model=llama-3.1-8b&format=Q8_0&context=32K",
        "hardware=m3+ultra+80&model=llama-3.1-8b&format=mlx-4bit",
        "hardware=rtx-4090&model=llama-3.1-8b&concurrency=8&kv-type=q8_0",
    ] {
        let (status, _, html) = get(&format!("/?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{query}");
        let answer = ask(&Question::from_query(query).0).expect("an answer");
        let decode = answer.decode.expect("a speed");
        assert_eq!(
            text_of(&html, "decode-typical"),
            text::digits(decode.tok_s.typical),
            "{query}"
        );
        let prefill = answer.prefill.expect("a speed");
        assert_eq!(
            text_of(&html, "prefill-typical"),
            text::digits(prefill.tok_s.typical),
            "{query}"
        );
    }
}

#[tokio::test]
async fn bad_input_is_422_and_keeps_what_was_typed() {
    let (status, _, html) =
        get("/?hardware=rtx4900&model=llama-3.1-8b&context=abc&prompt=77&format=Q4_K_N&engine=vlm")
            .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    for (field, typed) in [
        ("hardware", "rtx4900"),
        ("context", "abc"),
        ("prompt", "77"),
    ] {
        assert!(
            tag(&html, field).contains(&format!("value=\"{typed}\"")),
            "{}",
            tag(&html, field)
        );
    }
    for typed in ["Q4_K_N", "vlm"] {
        assert!(
            html.contains(&format!("<option value=\"{typed}\" selected")),
            "{typed}: {html}"
        );
    }
    for field in ["hardware", "context", "format", "engine"] {
        let input = tag(&html, field);
        assert!(input.contains("aria-invalid=\"true\""), "{input}");
        assert!(
            input.contains(&format!("aria-describedby=\"note-{field}\"")),
            "{input}"
        );
    }
    assert!(!tag(&html, "prompt").contains("aria-invalid"), "{html}");
    assert!(html.contains("did you mean"), "{html}");
}

#[tokio::test]
async fn blank_fields_are_asked_for_but_absent_ones_are_filled_in() {
    let (status, _, html) = get("/?model=&hardware=rtx-4090").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(tag(&html, "model").contains("aria-invalid"), "{html}");
    let (status, _, html) = get("/?hardware=rtx-3090").await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        tag(&html, "model").contains("value=\"llama-3.1-8b\""),
        "{html}"
    );
}

#[tokio::test]
async fn a_parameter_that_is_no_input_is_named_with_the_nearest() {
    let (status, _, html) = get("/?modle=llama").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(html.contains("<code>modle</code>"), "{html}");
    assert!(html.contains("<code>model</code>"), "{html}");
}

#[tokio::test]
async fn hostile_addresses_get_a_page_and_never_a_script() {
    let script = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let long = "9".repeat(5000);
    let mut addresses = vec![
        format!("/?{script}={script}"),
        format!("/?hardware={script}&model={script}"),
        "/?hardware=%ff%fe&model=%00&context=-1".to_owned(),
        format!("/?context={long}"),
        "/?context=99999999999999999999999&concurrency=0&count=0".to_owned(),
        "/?hardware=rtx-4090&hardware=rtx-3090&model=llama-3.1-8b".to_owned(),
        "/?&&&===%".to_owned(),
        format!("/hardware?q={script}&sort={script}&vendor={script}"),
        format!("/hardware/{script}"),
        format!("/models/{script}"),
        "/hardware/%2e%2e%2f%ff".to_owned(),
    ];
    addresses.extend(Field::ALL.map(|field| {
        format!(
            "/?hardware=rtx-4090&model=llama-3.1-8b&{}={script}",
            field.name()
        )
    }));
    for address in addresses {
        let (status, _, html) = get(&address).await;
        assert!(!status.is_server_error(), "{status} for {address}");
        assert!(!html.contains("<script>alert"), "{address}: {html}");
        assert!(html.contains("</html>"), "{address}: {html}");
    }
}

#[tokio::test]
async fn every_device_and_model_has_a_page() {
    for device in hardware_db::devices() {
        let (status, _, html) = get(&format!("/hardware/{}", device.id)).await;
        assert_eq!(status, StatusCode::OK, "{}", device.id);
        assert!(
            html.contains(&format!("href=\"/?hardware={}\"", device.id)),
            "{}",
            device.id
        );
    }
    for model in model_db::models() {
        let (status, _, html) = get(&format!("/models/{}", model.id)).await;
        assert_eq!(status, StatusCode::OK, "{}", model.id);
        assert!(
            html.contains(&format!("href=\"/?model={}\"", model.id)),
            "{}",
            model.id
        );
    }
}

#[tokio::test]
async fn figures_lead_to_their_sources() {
    let (_, _, html) = get("/hardware/rtx-4090").await;
    assert!(html.contains("1008 GB/s"), "{html}");
    assert!(
        html.contains("https://www.techpowerup.com/gpu-specs/geforce-rtx-4090.c3889"),
        "{html}"
    );
    assert!(html.contains("href=\"#source-1\""), "{html}");
    let (_, _, html) = get("/hardware/m3-ultra-80c").await;
    assert!(html.contains("address not recorded"), "{html}");
}

#[tokio::test]
async fn an_unknown_entry_is_404_and_names_the_nearest() {
    let (status, _, html) = get("/hardware/rtx4900").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(html.contains("href=\"/hardware/rtx-4090\""), "{html}");
    let (status, _, html) = get("/models/lama-3.1-8b").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(html.contains("href=\"/models/llama-3.1-8b\""), "{html}");
}

#[tokio::test]
async fn lists_are_filtered_and_sorted_by_the_address() {
    let (_, _, html) = get("/hardware?q=rtx+4090&sort=name").await;
    assert!(html.contains("href=\"/hardware/rtx-4090\""), "{html}");
    assert!(!html.contains("href=\"/hardware/rtx-3090\""), "{html}");
    assert!(html.contains("aria-sort=\"ascending\""), "{html}");
    let (_, _, html) = get("/hardware?vendor=Apple&sort=bandwidth").await;
    let place = |id: &str| {
        html.find(&format!("href=\"/hardware/{id}\""))
            .expect("a row")
    };
    assert!(place("m3-ultra-80c") < place("m1-8c"), "{html}");
    let (_, _, html) = get("/hardware?q=no-such-thing").await;
    assert!(html.contains("Nothing fits all of that"), "{html}");
}

#[tokio::test]
async fn pages_are_light() {
    for address in ["/", "/hardware", "/models", "/hardware/rtx-4090", "/api"] {
        let (_, _, html) = get(address).await;
        // A page compresses to a fifth or less; the budget is 100 kB compressed.
        assert!(html.len() < 400_000, "{address}: {} bytes", html.len());
        for part in html.split(['"', '\'']) {
            let other_site =
                part.starts_with("http") && (part.ends_with(".js") || part.ends_with(".css"));
            assert!(!other_site, "{address} loads {part}");
        }
    }
}

#[tokio::test]
async fn every_page_has_its_landmarks() {
    for address in [
        "/",
        "/hardware",
        "/models",
        "/hardware/rtx-4090",
        "/models/llama-3.1-8b",
        "/what-runs?hardware=rtx-4090",
        "/fit?hardware=rtx-4090&model=llama-3.1-8b",
        "/api",
        "/glossary",
        "/no",
    ] {
        let (_, _, html) = get(address).await;
        for part in [
            "<html lang=\"en\"",
            "<title>",
            "href=\"#main\"",
            "<main id=\"main\"",
            "<nav",
            "<footer",
            "<h1",
        ] {
            assert!(html.contains(part), "{address} lacks {part}");
        }
        assert_eq!(html.matches("<h1").count(), 1, "{address}");
        assert!(
            !html.contains(" style=\""),
            "{address} has a style attribute, which the policy refuses"
        );
    }
}

#[tokio::test]
async fn what_runs_lists_models_and_keeps_bad_input() {
    let (status, _, html) = get("/what-runs?hardware=rtx-3060-12gb&context=16K&sort=-speed").await;
    assert_eq!(status, StatusCode::OK, "{html}");
    assert!(
        html.contains("href=\"/?hardware=rtx-3060-12gb&amp;model=llama-3.1-8b&amp;format="),
        "{html}"
    );
    let (status, _, html) = get("/what-runs?hardware=rtx4900&context=abc&ram=64").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        tag(&html, "hardware").contains("value=\"rtx4900\""),
        "{html}"
    );
    assert!(tag(&html, "hardware").contains("aria-invalid"), "{html}");
    assert!(html.contains("name=\"ram\" value=\"64\""), "{html}");
}

#[tokio::test]
async fn an_address_with_blank_fields_leads_to_the_short_one() {
    let (status, headers, _) =
        get("/?hardware=rtx-4090&count=&model=llama-3.1-8b&format=&context=32K&power=").await;
    assert_eq!(status, StatusCode::FOUND);
    assert_eq!(
        headers["location"],
        "/?hardware=rtx-4090&model=llama-3.1-8b&context=32K"
    );
}
