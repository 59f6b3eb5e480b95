//! From chosen files to one model.

use js_sys::Uint8Array;
use model_file::{Feed, Piece, Progress, ReadError, assemble, wire};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// The least that is read at once, in bytes.
const CHUNK: u64 = 256 * 1024;

/// The model that the files describe together, as [`wire::pack`] writes it.
///
/// # Errors
///
/// A sentence to show: which file can't be used, why, and what to do about it.
#[wasm_bindgen]
pub async fn read(files: Vec<File>) -> Result<Vec<u8>, String> {
    let mut pieces = Vec::new();
    for file in &files {
        let read = piece(file).await;
        pieces.push(read.map_err(|problem| format!("`{}`: {problem}", file.name()))?);
    }
    let names: Vec<String> = files
        .iter()
        .map(|file| format!("`{}`", file.name()))
        .collect();
    let model = assemble(&pieces, None)
        .map_err(|error| format!("{}: {}", names.join(", "), told(&error)))?;
    Ok(wire::pack(&model))
}

/// Reads a file from its start, as far as its reader needs.
async fn piece(file: &File) -> Result<Piece, String> {
    let size = estimator::num::whole(file.size());
    let mut feed = Feed::new(size);
    loop {
        let at_least = match feed.try_read() {
            Ok(Progress::Done(piece)) => return Ok(piece),
            Ok(Progress::NeedMore { at_least }) => at_least,
            Err(error) => return Err(told(&error)),
        };
        let from = feed.given();
        let to = at_least.max(from.saturating_mul(2)).max(CHUNK).min(size);
        match slice(file, from, to).await {
            Some(bytes) if !bytes.is_empty() => feed.push(&bytes),
            _ => return Err("the browser can't read it".to_owned()),
        }
    }
}

async fn slice(file: &File, from: u64, to: u64) -> Option<Vec<u8>> {
    let number = estimator::num::f;
    let part = file.slice_with_f64_and_f64(number(from), number(to)).ok()?;
    let bytes = JsFuture::from(part.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&bytes).to_vec())
}

/// What is wrong, and what to do about it.
fn told(error: &ReadError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}
