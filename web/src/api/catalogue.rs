//! Devices and models over the API.

use answer::facts::{self, FactSheet};
use axum::{
    Json,
    extract::Path,
    response::{IntoResponse, Response},
};

use super::NotFound;
use crate::catalogue::{
    device::DeviceLine,
    model::{self, ModelLine, ModelPage},
};

/// Every device.
#[utoipa::path(get, path = "/api/v1/hardware", responses((status = 200, body = Vec<DeviceLine>)))]
pub(super) async fn hardware() -> Json<Vec<DeviceLine>> {
    Json(
        hardware_db::devices()
            .iter()
            .map(DeviceLine::from)
            .collect(),
    )
}

/// One device with its figures and their sources.
#[utoipa::path(
    get,
    path = "/api/v1/hardware/{id}",
    params(("id" = String, Path, description = "Id of the device, such as `rtx-4090`")),
    responses((status = 200, body = FactSheet), (status = 404, body = NotFound))
)]
pub(super) async fn device(Path(id): Path<String>) -> Response {
    match hardware_db::get(&id) {
        Some(device) => Json(facts::device(device)).into_response(),
        None => NotFound::answer(format!("unknown device `{id}`"), near_devices(&id)),
    }
}

/// Every model.
#[utoipa::path(get, path = "/api/v1/models", responses((status = 200, body = Vec<ModelLine>)))]
pub(super) async fn models() -> Json<&'static [ModelLine]> {
    Json(model::lines())
}

/// One model with its architecture, sizes and caches.
#[utoipa::path(
    get,
    path = "/api/v1/models/{id}",
    params(("id" = String, Path, description = "Id of the model, such as `llama-3.1-8b`")),
    responses((status = 200, body = ModelPage), (status = 404, body = NotFound))
)]
pub(super) async fn model(Path(id): Path<String>) -> Response {
    match model_db::get(&id) {
        Some(model) => Json(ModelPage::of(model)).into_response(),
        None => NotFound::answer(format!("unknown model `{id}`"), near_models(&id)),
    }
}

/// Ids of devices that a text may mean, nearest first.
pub(crate) fn near_devices(text: &str) -> Vec<String> {
    match hardware_db::find(text) {
        Ok(device) => vec![device.id.clone()],
        Err(unknown) => unknown.nearest,
    }
}

/// Ids of models that a text may mean, nearest first.
pub(crate) fn near_models(text: &str) -> Vec<String> {
    match model_db::find_with_rest(text) {
        Ok(found) => vec![found.entry.id.clone()],
        Err(unknown) => unknown.nearest,
    }
}
