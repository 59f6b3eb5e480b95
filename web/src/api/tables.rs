//! Tables over the API.

use answer::{
    BadInput, FieldError, Question,
    formats::{self, FormatList},
    tables::{self, FitTable, RunList},
};
use axum::{
    Json,
    extract::RawQuery,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::openapi::{EstimateQuery, FormatsQuery};
use crate::api_json;

/// Formats × contexts of a model on a machine.
#[utoipa::path(
    get,
    path = "/api/v1/fit",
    params(EstimateQuery),
    responses((status = 200, body = FitTable), (status = 422, body = BadInput))
)]
pub(super) async fn fit(RawQuery(query): RawQuery) -> Response {
    table(query, tables::fit_table).await
}

/// Every model a machine runs, each in the best format that fits.
#[utoipa::path(
    get,
    path = "/api/v1/what-runs",
    params(EstimateQuery),
    responses((status = 200, body = RunList), (status = 422, body = BadInput))
)]
pub(super) async fn what_runs(RawQuery(query): RawQuery) -> Response {
    table(query, tables::what_runs).await
}

/// What a model takes in each format: the file, bits a weight, the types of its tensors.
#[utoipa::path(
    get,
    path = "/api/v1/formats",
    params(FormatsQuery),
    responses((status = 200, body = FormatList), (status = 422, body = BadInput))
)]
pub(super) async fn formats(RawQuery(query): RawQuery) -> Response {
    match formats::from_query(query.as_deref().unwrap_or_default()) {
        Ok(list) => Json(list).into_response(),
        Err(problems) => {
            let bad = BadInput::from(problems);
            (StatusCode::UNPROCESSABLE_ENTITY, Json(bad)).into_response()
        }
    }
}

/// Works a table out beside the threads that serve requests: it takes thousands of estimates.
async fn table<T: Serialize + Send + 'static>(
    query: Option<String>,
    answer: fn(&Question) -> Result<T, Vec<FieldError>>,
) -> Response {
    let query = query.unwrap_or_default();
    let work = tokio::task::spawn_blocking(move || api_json::put(&query, answer));
    match work.await {
        Ok(Ok(table)) => Json(table).into_response(),
        Ok(Err(refused)) => (StatusCode::UNPROCESSABLE_ENTITY, Json(refused)).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
