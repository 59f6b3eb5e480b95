//! What the browser's module offers besides the islands.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::api_json;

/// Exactly what `GET /api/v1/estimate?{query}` answers.
#[wasm_bindgen]
pub fn answer_json(query: &str) -> String {
    match api_json::estimate(query) {
        Ok(answer) => api_json::text(&answer),
        Err(bad) => api_json::text(&bad),
    }
}
