//! What the server answers, without a network.

#![cfg(feature = "ssr")]
#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod common;

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};

use common::{answer, get};

/// The value of the first attribute `name` in `html` whose text holds `part`.
fn attribute<'a>(html: &'a str, name: &str, part: &str) -> &'a str {
    html.split(&format!("{name}=\""))
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .find(|value| value.contains(part))
        .expect("the attribute")
}

#[tokio::test]
async fn home_answers_without_browser_part() {
    let (status, _, html) = get("/").await;
    assert_eq!(status, StatusCode::OK);
    assert!(html.contains("id=\"decode-typical\""), "{html}");
    assert!(!html.contains("/pkg/"), "{html}");
}

#[tokio::test]
async fn unknown_page_is_404_with_a_way_back() {
    let (status, _, html) = get("/no-such-page").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(html.contains("There is no such page"), "{html}");
}

#[tokio::test]
async fn script_policy_names_the_nonce_of_this_answer_only() {
    let nonces = [get("/").await, get("/").await].map(|(_, headers, html)| {
        let policy = headers[header::CONTENT_SECURITY_POLICY]
            .to_str()
            .expect("text")
            .to_owned();
        let nonce = attribute(&html, "nonce", "").to_owned();
        assert!(policy.contains(&format!("'nonce-{nonce}'")), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        nonce
    });
    let [first, second] = nonces;
    assert_ne!(first, second);
}

#[tokio::test]
async fn style_sheet_is_cached_forever_and_page_is_not() {
    let (_, page, html) = get("/").await;
    assert_eq!(page[header::CACHE_CONTROL], "no-cache");
    let (status, sheet, _) = get(attribute(&html, "href", "/assets/style-")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(sheet[header::CONTENT_TYPE], "text/css; charset=utf-8");
    assert_eq!(
        sheet[header::CACHE_CONTROL],
        "public, max-age=31536000, immutable"
    );
}

#[tokio::test]
async fn unknown_file_is_404_and_never_a_path_on_disk() {
    for address in [
        "/pkg/none.js",
        "/pkg/../Cargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
    ] {
        let (status, _, _) = get(address).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{address}");
    }
}

#[tokio::test]
async fn every_answer_has_security_headers_and_an_id() {
    for address in ["/", "/no-such-page", "/pkg/none.js"] {
        let (_, headers, _) = get(address).await;
        for name in [
            "content-security-policy",
            "x-content-type-options",
            "x-request-id",
        ] {
            assert!(headers.contains_key(name), "{address} lacks {name}");
        }
        assert!(!headers.contains_key(header::SET_COOKIE), "{address}");
    }
}

#[tokio::test]
async fn body_above_64_kib_is_refused() {
    let request = Request::post("/")
        .header(header::CONTENT_LENGTH, 64 * 1024 + 1)
        .body(Body::from(vec![b'x'; 64 * 1024 + 1]))
        .expect("a request");
    let (status, _, _) = answer(request).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}
