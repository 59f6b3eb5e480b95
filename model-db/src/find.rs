//! All models, and finding one.

use crate::spec::ModelRecord;
use catalog::{Index, Named, NoMatch};
use std::sync::LazyLock;

static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/models.bin"));

/// The build script wrote the blob from the same types, so it decodes; a test says so.
static MODELS: LazyLock<Vec<ModelRecord>> =
    LazyLock::new(|| postcard::from_bytes(BLOB).unwrap_or_default());

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    Index::new(MODELS.iter().map(|model| Named {
        id: &model.id,
        name: &model.name,
        aliases: &model.aliases,
        preferred: false,
    }))
});

/// No model is called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown model `{text}`")]
pub struct ModelNotFound {
    /// What was asked for.
    pub text: String,
    /// Ids that look alike, nearest first.
    pub nearest: Vec<String>,
}

impl From<NoMatch> for ModelNotFound {
    fn from(no_match: NoMatch) -> Self {
        Self {
            text: no_match.text,
            nearest: no_match.nearest,
        }
    }
}

/// All models, ordered by id.
#[must_use]
pub fn models() -> &'static [ModelRecord] {
    &MODELS
}

/// The model with exactly this id.
#[must_use]
pub fn get(id: &str) -> Option<&'static ModelRecord> {
    position(id).and_then(|position| models().get(position))
}

pub(crate) fn position(id: &str) -> Option<usize> {
    models()
        .binary_search_by(|model| model.id.as_str().cmp(id))
        .ok()
}

/// The model that people mean by `text`: `llama 3.3 70b`, `qwen3 30b a3b`, `gpt-oss 120b`, `deepseek r1`.
///
/// # Errors
/// [`ModelNotFound`] with the nearest ids.
pub fn find(text: &str) -> Result<&'static ModelRecord, ModelNotFound> {
    if let Some(model) = by_repository(text.trim()) {
        return Ok(model);
    }
    let position = INDEX.position(text)?;
    models().get(position).ok_or_else(|| not_found(text))
}

/// Like [`find`], with the trailing words that belong to no name: `llama 3.3 70b q4` gives `q4`.
///
/// # Errors
/// [`ModelNotFound`] with the nearest ids.
pub fn find_with_rest(text: &str) -> Result<(&'static ModelRecord, &str), ModelNotFound> {
    let trimmed = text.trim();
    let (first, rest) = trimmed
        .split_once(char::is_whitespace)
        .unwrap_or((trimmed, ""));
    if let Some(model) = by_repository(first) {
        return Ok((model, rest.trim_start()));
    }
    let (position, rest) = INDEX.position_and_rest(text)?;
    models()
        .get(position)
        .map(|model| (model, rest))
        .ok_or_else(|| not_found(text))
}

/// The model whose weights lie in this Hugging Face repository: `openai/gpt-oss-20b`.
fn by_repository(text: &str) -> Option<&'static ModelRecord> {
    text.contains('/')
        .then(|| {
            models()
                .iter()
                .find(|model| model.repository.eq_ignore_ascii_case(text))
        })
        .flatten()
}

fn not_found(text: &str) -> ModelNotFound {
    ModelNotFound {
        text: text.to_owned(),
        nearest: Vec::new(),
    }
}
