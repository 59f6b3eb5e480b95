//! The JSON API: what the command line answers with `--json`, over HTTP.

use answer::{Message, Question};
use axum::{
    Json, Router,
    extract::RawQuery,
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Serialize;

use crate::api_json;

mod catalogue;
mod openapi;
mod tables;

pub(crate) use catalogue::{near_devices, near_models};
pub(crate) use openapi::about;

/// The routes below `/api`; `/api` itself is a page.
pub(crate) fn router() -> Router {
    Router::new()
        .route("/api/openapi.json", get(openapi::document))
        .route("/api/v1/estimate", get(estimate))
        .route("/api/v1/fit", get(tables::fit))
        .route("/api/v1/what-runs", get(tables::what_runs))
        .route("/api/v1/formats", get(tables::formats))
        .route("/api/v1/flags", get(flags))
        .route("/api/v1/hardware", get(catalogue::hardware))
        .route("/api/v1/hardware/{id}", get(catalogue::device))
        .route("/api/v1/models", get(catalogue::models))
        .route("/api/v1/models/{id}", get(catalogue::model))
        .route("/api/{*path}", get(unknown))
}

/// An error without fields.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct NotFound {
    /// What is wrong.
    error: Message,
    /// Names that are near, nearest first.
    nearest: Vec<String>,
}

impl NotFound {
    fn answer(message: String, nearest: Vec<String>) -> Response {
        (
            StatusCode::NOT_FOUND,
            Json(Self {
                error: Message { message },
                nearest,
            }),
        )
            .into_response()
    }
}

/// Estimates one set-up. Parameters are the flags of `bandwise estimate`.
#[utoipa::path(
    get,
    path = "/api/v1/estimate",
    params(openapi::EstimateQuery),
    responses(
        (status = 200, description = "The answer", body = answer::Answer),
        (status = 422, description = "Inputs that can't be used, each with what is allowed", body = answer::BadInput),
    )
)]
async fn estimate(RawQuery(query): RawQuery) -> Response {
    match api_json::estimate(query.as_deref().unwrap_or_default()) {
        Ok(answer) => Json(answer).into_response(),
        Err(bad) => (StatusCode::UNPROCESSABLE_ENTITY, Json(bad)).into_response(),
    }
}

/// The engine's command for a set-up, with why each flag is there. Parameters are those of an estimate.
#[utoipa::path(
    get,
    path = "/api/v1/flags",
    params(openapi::EstimateQuery),
    responses(
        (status = 200, description = "Commands, files and notes", body = answer::flags::Flags),
        (status = 422, description = "Inputs that can't be used, or a set-up that doesn't fit, with the ways out", body = answer::BadInput),
    )
)]
async fn flags(RawQuery(query): RawQuery) -> Response {
    let flags = |question: &Question| answer::flags::flags(question).map_err(Vec::from);
    match api_json::put(query.as_deref().unwrap_or_default(), flags) {
        Ok(flags) => Json(flags).into_response(),
        Err(bad) => (StatusCode::UNPROCESSABLE_ENTITY, Json(bad)).into_response(),
    }
}

async fn unknown(address: Uri) -> Response {
    NotFound::answer(
        format!("there is no `{}`", address.path()),
        [
            "/api/v1/estimate",
            "/api/v1/fit",
            "/api/v1/what-runs",
            "/api/v1/formats",
            "/api/v1/flags",
            "/api/v1/hardware",
            "/api/v1/models",
            "/api/openapi.json",
        ]
        .map(str::to_owned)
        .to_vec(),
    )
}
