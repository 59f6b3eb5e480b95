//! All models, and finding one.

use crate::pasted::{readings, tag, without_idle_words, without_path};
use crate::spec::ModelRecord;
use catalog::search::LONGEST;
use catalog::{Found, Index, Named, NoMatch};
use estimator::format::WeightFormat;
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
        vendor: &model.vendor,
        preferred: model.preferred,
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

/// The model that people mean by `text`: `llama 3.3 70b`, `qwen3 30b a3b`, `gpt-oss 120b`, `deepseek r1`,
/// or what they paste: `https://huggingface.co/Qwen/Qwen3-8B`, `qwen3:8b`.
///
/// # Errors
/// [`ModelNotFound`] with the nearest ids.
pub fn find(text: &str) -> Result<&'static ModelRecord, ModelNotFound> {
    match find_with_rest(text)? {
        found if found.rest.is_empty() => Ok(found.entry),
        _ => Err(not_found(text)),
    }
}

/// Like [`find`], with the weight format that may stand behind the name, and with the models that
/// the name may mean as well: `llama 3.3 70b q4` gives `q4`, as does `llama3.3:70b-q4`.
///
/// # Errors
/// [`ModelNotFound`] with the nearest ids.
pub fn find_with_rest(text: &str) -> Result<Found<'_, &'static ModelRecord>, ModelNotFound> {
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(ModelNotFound {
            text: text.to_owned(),
            nearest: Vec::new(),
        });
    }
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim_start();
    if let Some(model) = by_repository(first)
        && (rest.is_empty() || is_format(rest))
    {
        return Ok(Found {
            entry: model,
            name: first,
            rest,
            also: Vec::new(),
        });
    }
    INDEX
        .look_up_with_rest(text, |_, rest| is_format(rest))
        .or_else(|| look_up_pasted(text))
        .and_then(|found| found.of(models()))
        .ok_or_else(|| not_found(text))
}

fn is_format(text: &str) -> bool {
    WeightFormat::parse(text).is_ok()
}

/// The model of a name copied from a model hub, with a format behind it.
fn look_up_pasted(text: &str) -> Option<Found<'_, usize>> {
    let name = without_path(text);
    let read = |name: &str, rest| {
        let found = INDEX.look_up(name)?;
        Some((found.entry, found.also, rest))
    };
    let (entry, also, rest) = readings(name)
        .filter(|(_, rest)| rest.is_empty() || is_format(rest))
        .find_map(|(name, rest)| read(&name, rest))
        .or_else(|| {
            // A tag like that of a quantization is one we don't know: better said than guessed.
            let (name, tag) = tag(name).filter(|(_, tag)| tag.contains(['q', 'Q']))?;
            read(&name, tag)
        })?;
    let end = text.len().saturating_sub(rest.len());
    let name = text.get(..end).unwrap_or(text);
    Some(Found {
        entry,
        name: name.trim_end_matches([':', '-', ' ']),
        rest,
        also,
    })
}

fn not_found(text: &str) -> ModelNotFound {
    ModelNotFound {
        text: text.to_owned(),
        nearest: INDEX
            .no_match(&without_idle_words(without_path(text)))
            .nearest,
    }
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
