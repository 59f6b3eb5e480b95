//! Asking the server without a network.

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, Request, StatusCode},
};
use bandwise_web::server::{Site, app};
use tower::ServiceExt;

/// Status, headers and text of what the server without browser part answers.
pub(crate) async fn get(address: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(address)
        .body(Body::empty())
        .expect("a request");
    answer(request).await
}

pub(crate) async fn answer(request: Request<Body>) -> (StatusCode, HeaderMap, String) {
    let answer = app(Site::embedded())
        .oneshot(request)
        .await
        .expect("an answer");
    let (parts, body) = answer.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("the body");
    let text = String::from_utf8(body.to_vec()).expect("text");
    (parts.status, parts.headers, text)
}
