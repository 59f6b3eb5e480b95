//! Addresses nobody would type.

#![cfg(feature = "ssr")]
#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod common;

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
};

use answer::{Field, Question};
use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use bandwise_web::server::{Site, app, serve};
use serde_json::Value;
use tokio::{net::TcpListener, sync::oneshot};

use common::{answer, get};

/// What would run, were it not escaped.
const SCRIPT: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>";

/// As a browser writes a form's field into an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// Page and API's answer to a query; what must hold for all: no failure of ours, no script.
async fn ask(query: &str) -> (StatusCode, String, StatusCode, Value) {
    let (page_status, _, page) = get(&format!("/?{query}")).await;
    let (status, headers, body) = get(&format!("/api/v1/estimate?{query}")).await;
    let shown: String = query.chars().take(80).collect();
    for status in [page_status, status] {
        assert!(!status.is_server_error(), "{shown}: {status}");
    }
    assert_eq!(headers[header::CONTENT_TYPE], "application/json", "{shown}");
    assert!(!page.contains("<script>alert"), "{shown}");
    assert!(!page.contains("<img src=x"), "{shown}");
    let body = serde_json::from_str(&body).expect("JSON");
    (page_status, page, status, body)
}

#[tokio::test]
async fn script_in_any_field_is_refused_shown_and_never_run() {
    for field in Field::ALL {
        let common = Question::common().permalink();
        let query = format!(
            "{}&{}={}",
            common.trim_start_matches("/?"),
            field.name(),
            encoded(SCRIPT)
        );
        let (page_status, page, status, body) = ask(&query).await;
        assert_eq!(page_status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        // What was typed is still in its field.
        let typed = "&lt;script&gt;alert(1)&lt;/script&gt;";
        let escaped = page.matches(typed).count() + page.matches("'&gt;<script").count();
        let in_value = page.contains("value=\"&quot;'&gt;&lt;script&gt;alert(1)")
            || page.contains("value=\"&quot;&#x27;&gt;&lt;script&gt;alert(1)")
            || page.contains("value=\"&quot;'><script>alert(1)");
        assert!(escaped > 0 || in_value, "{field}: {page}");
        let problems = body["problems"].as_array().expect("problems");
        assert!(
            problems
                .iter()
                .any(|problem| problem["field"] == field.name() && problem["value"] == SCRIPT),
            "{field}: {body}"
        );
    }
}

#[tokio::test]
async fn script_as_a_name_or_in_a_path_is_never_run() {
    let script = encoded(SCRIPT);
    let (page_status, page, status, _) =
        ask(&format!("hardware=rtx-4090&model=llama-3.1-8b&{script}=1")).await;
    assert_eq!(page_status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("&lt;script&gt;"), "{page}");
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    for address in [
        format!("/{script}"),
        format!("/hardware/{script}"),
        format!("/models/{script}"),
        format!("/api/{script}"),
        format!("/api/v1/hardware/{script}"),
    ] {
        let (status, _, text) = get(&address).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{address}");
        let is_page = !address.starts_with("/api");
        assert!(!is_page || !text.contains("<script>alert"), "{text}");
    }
    for list in ["/hardware", "/models", "/what-runs", "/fit"] {
        for field in [
            "q", "vendor", "kind", "family", "sort", "hardware", "context",
        ] {
            let (status, _, page) = get(&format!("{list}?{field}={script}")).await;
            assert!(!status.is_server_error(), "{list} {field}: {status}");
            assert!(!page.contains("<script>alert"), "{list} {field}");
            assert!(!page.contains("<img src=x"), "{list} {field}");
        }
    }
}

#[tokio::test]
async fn nul_in_any_field_is_refused_and_told_apart() {
    for field in Field::ALL {
        let common = Question::common().permalink();
        let query = format!("{}&{}=%00", common.trim_start_matches("/?"), field.name());
        let (page_status, _, status, body) = ask(&query).await;
        assert_eq!(page_status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert_eq!(body["problems"][0]["field"], field.name(), "{body}");
        assert_eq!(body["problems"][0]["value"], "\0", "{body}");
    }
}

#[tokio::test]
async fn percent_signs_that_encode_nothing_stand_for_themselves() {
    for (query, value) in [
        ("hardware=%zz&model=llama-3.1-8b", "%zz"),
        ("hardware=%&model=llama-3.1-8b", "%"),
        ("hardware=50%25%2&model=llama-3.1-8b", "50%%2"),
        // No UTF-8: the mark for what can't be read.
        ("hardware=%ff%fe&model=llama-3.1-8b", "\u{fffd}\u{fffd}"),
    ] {
        let (page_status, page, status, body) = ask(query).await;
        assert_eq!(page_status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert_eq!(body["problems"][0]["value"], value, "{query}");
        assert!(page.contains(&format!("value=\"{value}\"")), "{query}");
    }
}

#[tokio::test]
async fn of_a_parameter_given_twice_the_last_counts_everywhere() {
    let query = "hardware=rtx-4090&model=llama-3.1-8b&hardware=rtx-3090&context=1024&context=2048";
    let (page_status, page, status, body) = ask(query).await;
    assert_eq!((page_status, status), (StatusCode::OK, StatusCode::OK));
    assert_eq!(body["inputs"]["hardware"], "rtx-3090");
    assert_eq!(body["inputs"]["context"], 2048);
    assert_eq!(
        body["permalink"],
        "/?hardware=rtx-3090&model=llama-3.1-8b&context=2048"
    );
    assert!(page.contains("GeForce RTX 3090"), "{page}");
}

#[tokio::test]
async fn a_query_of_8_kb_or_60_kb_is_refused_like_any_other() {
    for length in [8_000, 60_000] {
        for field in [Field::Hardware, Field::Model, Field::Format, Field::Context] {
            // One long word, and many short ones.
            let text = "9".repeat(length / 2) + &"+qq".repeat(length / 6);
            let common = Question::common().permalink();
            let query = format!(
                "{}&{}={text}",
                common.trim_start_matches("/?"),
                field.name()
            );
            let (page_status, page, status, body) = ask(&query).await;
            assert_eq!(page_status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
            assert_eq!(
                body["problems"][0]["value"],
                text.replace('+', " "),
                "{field}"
            );
            assert!(page.contains(&text.replace('+', " ")), "{field}");
        }
        let many: String = (0..length / 9).map(|n| format!("x{n}=1&")).collect();
        let (_, _, status, _) = ask(&many).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_above_64_kib_is_414_and_the_server_serves_on() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .expect("a port");
    let server = listener.local_addr().expect("the port");
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(serve(listener, app(Site::embedded()), async {
        stopped.await.ok();
    }));
    let first_line = move |address: String| {
        let mut stream = TcpStream::connect(server).expect("a connection");
        let request =
            format!("GET {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        answer.lines().next().unwrap_or_default().to_owned()
    };
    let lines = tokio::task::spawn_blocking(move || {
        let long = "x".repeat(70_000);
        [
            first_line(format!("/?hardware={long}")),
            first_line(format!("/api/v1/estimate?hardware={long}")),
            first_line("/glossary".to_owned()),
        ]
    });
    let [page, api, after] = lines.await.expect("three answers");
    assert!(page.starts_with("HTTP/1.1 414 "), "{page}");
    assert!(api.starts_with("HTTP/1.1 414 "), "{api}");
    assert!(after.starts_with("HTTP/1.1 200 "), "{after}");
    stop.send(()).ok();
    serving.await.expect("no panic").expect("a good end");
}

#[tokio::test]
async fn head_of_what_is_refused_or_missing_has_its_status_and_no_body() {
    for (address, expected) in [
        (
            "/api/v1/estimate?hardware=nothing",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("/?hardware=nothing", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/v1/hardware/x", StatusCode::NOT_FOUND),
        ("/api/nothing", StatusCode::NOT_FOUND),
        ("/nothing", StatusCode::NOT_FOUND),
        ("/hardware/nothing", StatusCode::NOT_FOUND),
        ("/models/nothing", StatusCode::NOT_FOUND),
    ] {
        let request = Request::builder()
            .method(Method::HEAD)
            .uri(address)
            .body(Body::empty())
            .expect("a request");
        let (status, _, text) = answer(request).await;
        assert_eq!(status, expected, "{address}");
        assert_eq!(text, "", "{address}");
    }
}

#[tokio::test]
async fn other_methods_are_405_and_say_what_is_allowed() {
    for address in [
        "/",
        "/hardware",
        "/models/llama-3.1-8b",
        "/api/v1/estimate",
        "/api/v1/hardware",
        "/api/openapi.json",
    ] {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let request = Request::builder()
                .method(method.clone())
                .uri(address)
                .body(Body::from("hardware=rtx-4090"))
                .expect("a request");
            let (status, headers, _) = answer(request).await;
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {address}");
            let allowed = headers[header::ALLOW].to_str().expect("text");
            assert!(allowed.contains("GET"), "{method} {address}: {allowed}");
        }
    }
}
