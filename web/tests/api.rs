//! What the API answers.

#![cfg(feature = "ssr")]
#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod common;

use answer::{Field, Problem, Question, ask};
use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use serde_json::Value;

use common::get;

async fn json(address: &str) -> (StatusCode, Value) {
    let (status, headers, text) = get(address).await;
    assert_eq!(
        headers[header::CONTENT_TYPE],
        "application/json",
        "{address}"
    );
    (status, serde_json::from_str(&text).expect("JSON"))
}

#[tokio::test]
async fn estimate_is_the_librarys_answer_to_the_last_digit() {
    for query in [
        "hardware=rtx-4090&model=llama-3.1-8b&format=Q4_K_M&context=4096",
        "hardware=4090&model=llama-3.1-8b&concurrency=16&context=32K",
        "hardware=m3+ultra+80&model=llama-3.1-8b&format=mlx-4bit",
    ] {
        let (status, _, text) = get(&format!("/api/v1/estimate?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let expected = ask(&Question::from_query(query).0).expect("an answer");
        assert_eq!(text, serde_json::to_string(&expected).expect("JSON"));
    }
}

#[tokio::test]
async fn bad_input_is_422_with_the_librarys_words() {
    let query = "hardware=rtx4900&model=llama-3.1-8b&context=abc";
    let (status, body) = json(&format!("/api/v1/estimate?{query}")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let errors = ask(&Question::from_query(query).0).expect_err("problems");
    let problems: Vec<_> = errors.iter().map(Problem::from).collect();
    assert_eq!(
        body["problems"],
        serde_json::to_value(&problems).expect("JSON")
    );
    let message = body["error"]["message"].as_str().expect("text");
    for error in errors {
        assert!(message.contains(&error.to_string()), "{message}");
    }
}

#[tokio::test]
async fn unknown_parameter_is_422_and_names_the_nearest() {
    let (status, body) = json("/api/v1/estimate?hardware=rtx-4090&modle=llama-3.1-8b").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let fields: Vec<_> = body["problems"]
        .as_array()
        .expect("problems")
        .iter()
        .map(|problem| &problem["field"])
        .collect();
    assert_eq!(fields, ["modle", "model"]);
    assert_eq!(body["problems"][0]["hint"], "did you mean `model`?");
}

#[tokio::test]
async fn hostile_queries_get_json_and_never_a_500() {
    for query in [
        "",
        "?",
        "?%ff",
        "?hardware=%00",
        "?&&=&",
        "?context=-1",
        "?hardware[]=1",
        "?count=1e99&model=NaN",
    ] {
        let (status, body) = json(&format!("/api/v1/estimate{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {body}");
    }
}

#[tokio::test]
async fn catalogues_list_every_entry_and_give_each() {
    let (_, devices) = json("/api/v1/hardware").await;
    assert_eq!(
        devices.as_array().expect("a list").len(),
        hardware_db::devices().len()
    );
    let (_, models) = json("/api/v1/models").await;
    assert_eq!(
        models.as_array().expect("a list").len(),
        model_db::models().len()
    );

    let (status, device) = json("/api/v1/hardware/rtx-4090").await;
    assert_eq!(status, StatusCode::OK);
    let bandwidth = device["facts"]
        .as_array()
        .expect("facts")
        .iter()
        .find(|fact| fact["key"] == "memory.bandwidth");
    assert_eq!(bandwidth.expect("a bandwidth")["value"], "1008 GB/s");
    let (status, model) = json("/api/v1/models/llama-3.1-8b").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(model["parameters"], 8_030_261_248_u64);
}

#[tokio::test]
async fn unknown_names_and_paths_are_json_404() {
    for address in [
        "/api/v1/hardware/rtx4900",
        "/api/v1/models/lama-3.1-8b",
        "/api/v2",
        "/api/v1/estimate/x",
    ] {
        let (status, body) = json(address).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{address}");
        assert!(body["error"]["message"].is_string(), "{address}: {body}");
        assert!(
            !body["nearest"].as_array().expect("names").is_empty(),
            "{address}: {body}"
        );
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    for address in [
        "/api/v1/estimate?hardware=rtx-4090&model=llama-3.1-8b",
        "/api/openapi.json",
        "/",
        "/hardware",
    ] {
        let request = Request::builder()
            .method(Method::HEAD)
            .uri(address)
            .body(Body::empty())
            .expect("a request");
        let (status, _, text) = common::answer(request).await;
        assert_eq!(status, StatusCode::OK, "{address}");
        assert_eq!(text, "", "{address}");
    }
}

#[tokio::test]
async fn the_document_describes_every_path_and_parameter() {
    let (status, document) = json("/api/openapi.json").await;
    assert_eq!(status, StatusCode::OK);
    let paths = document["paths"].as_object().expect("paths");
    for path in [
        "/api/v1/estimate",
        "/api/v1/fit",
        "/api/v1/what-runs",
        "/api/v1/formats",
        "/api/v1/flags",
        "/api/v1/hardware",
        "/api/v1/hardware/{id}",
        "/api/v1/models",
        "/api/v1/models/{id}",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    let names: Vec<_> = document["paths"]["/api/v1/estimate"]["get"]["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .map(|parameter| parameter["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, Field::ALL.map(Field::name));
    // Whatever is referred to is there.
    let text = document.to_string();
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().expect("a name");
        assert!(
            document["components"]["schemas"].get(name).is_some(),
            "{name} is missing"
        );
    }
}

#[tokio::test]
async fn tables_are_the_librarys() {
    let query = "hardware=rtx-3090&model=llama-3.1-8b";
    let (_, _, fit) = get(&format!("/api/v1/fit?{query}")).await;
    let expected = answer::tables::fit_table(&Question::from_query(query).0).expect("a table");
    assert_eq!(fit, serde_json::to_string(&expected).expect("JSON"));
    let (status, body) = json("/api/v1/what-runs?hardware=rtx-3090&context=8192").await;
    assert_eq!(status, StatusCode::OK);
    assert!(body["rows"].as_array().expect("rows").len() > 50, "{body}");
    let (status, _) = json("/api/v1/what-runs?hardware=nothing").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn formats_are_the_librarys() {
    for query in [
        "model=llama-3.1-8b",
        "model=qwen3+30b+a3b&family=all",
        "model=smollm2-135m&format=Q4_K_M",
    ] {
        let (status, _, text) = get(&format!("/api/v1/formats?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let expected = answer::formats::from_query(query).expect("a list");
        assert_eq!(text, serde_json::to_string(&expected).expect("JSON"));
    }
    for (query, field) in [
        ("", "model"),
        ("model=llama-3.1-9b-x", "model"),
        ("model=llama-3.1-8b&format=Q4_K_N", "format"),
        ("model=llama-3.1-8b&family=gguff", "family"),
        ("model=llama-3.1-8b&fromat=Q4_K_M", "fromat"),
    ] {
        let (status, body) = json(&format!("/api/v1/formats?{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert_eq!(body["problems"][0]["field"], field, "{body}");
    }
}

#[tokio::test]
async fn flags_are_the_librarys() {
    for query in [
        "hardware=rtx-4090&model=llama-3.1-8b&format=Q4_K_M",
        "hardware=2x+rtx-3090&model=llama-3.3-70b&format=Q4_K_M&engine=ollama&context=8192",
        "hardware=h100&model=qwen3-8b&engine=tensorrt-llm",
    ] {
        let (status, _, text) = get(&format!("/api/v1/flags?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let expected = answer::flags::flags(&Question::from_query(query).0).expect("flags");
        assert_eq!(text, serde_json::to_string(&expected).expect("JSON"));
    }
    // What doesn't fit is refused with the ways out, and so is what can't be used.
    let too_large = "/api/v1/flags?hardware=rtx-4060&model=llama-3.3-70b&format=Q4_K_M";
    let (status, body) = json(too_large).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(body["problems"][0]["field"], "model", "{body}");
    assert!(body["problems"][0]["hint"].is_string(), "{body}");
    let (status, body) = json("/api/v1/flags?hardware=rtx-4060&model=qwen3-8b&slot=2").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(body["problems"][0]["field"], "slot", "{body}");
}
