//! The model a question is about: one of the catalogue, or a file of the user's own.

use std::borrow::Cow;
use std::sync::Arc;

use estimator::architecture::Architecture;
use estimator::error::{Field, FieldError};
use estimator::format::WeightFormat;
use estimator::scenario::ModelFile;
use model_db::ModelRecord;
use model_file::OwnModel;

use crate::question::Question;
use crate::resolve::Resolved;

/// What a model is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    /// Its id in the catalogue; empty for a file of the user's own.
    pub id: Cow<'static, str>,
    /// Its name.
    pub name: Cow<'static, str>,
    /// The quantized format its weights are published in; nothing for plain weights.
    pub published: Option<WeightFormat>,
}

impl ModelName {
    /// The names of a record.
    #[must_use]
    pub fn of(record: &'static ModelRecord) -> Self {
        let published = record
            .native_dtype
            .as_deref()
            .and_then(|name| WeightFormat::parse(name).ok());
        let quantized = |format: &WeightFormat| {
            matches!(
                format,
                WeightFormat::Mxfp4 | WeightFormat::Fp8 | WeightFormat::Nvfp4
            )
        };
        Self {
            id: Cow::Borrowed(&record.id),
            name: Cow::Borrowed(&record.name),
            published: published.filter(quantized),
        }
    }
}

/// The model a question is about.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) name: ModelName,
    pub(crate) architecture: Arc<Architecture>,
    /// The file it was read from.
    pub(crate) own: Option<Arc<OwnModel>>,
}

impl Subject {
    /// A model of the catalogue.
    pub(crate) fn of(record: &'static ModelRecord) -> Self {
        Self {
            name: ModelName::of(record),
            architecture: Arc::new(record.architecture()),
            own: None,
        }
    }

    /// A file of the user's own.
    pub(crate) fn own(own: &Arc<OwnModel>) -> Self {
        Self {
            name: ModelName {
                id: Cow::Borrowed(""),
                name: Cow::Owned(own.name.clone()),
                published: own.format,
            },
            architecture: Arc::new(own.architecture.clone()),
            own: Some(Arc::clone(own)),
        }
    }

    /// The format the file is in, where that settles which one is asked about: of plain weights
    /// people run a quantization they make of them.
    pub(crate) fn settled(&self) -> Option<WeightFormat> {
        let plain = |format: &WeightFormat| {
            matches!(
                format,
                WeightFormat::Bf16 | WeightFormat::Fp16 | WeightFormat::Fp32
            )
        };
        self.own
            .as_ref()
            .and_then(|own| own.format)
            .filter(|format| !plain(format))
    }

    /// What was assumed of the file.
    pub(crate) fn assumed(&self) -> Vec<String> {
        let Some(own) = &self.own else {
            return Vec::new();
        };
        std::iter::once(format!("the model of a {}", own.kind.name()))
            .chain(own.assumed.iter().cloned())
            .chain(own.notes.iter().cloned())
            .collect()
    }
}

/// The tensors of a file, for a scenario.
pub(crate) fn file(own: Option<&Arc<OwnModel>>) -> Option<ModelFile<'_>> {
    own.and_then(|own| {
        Some(ModelFile {
            format: own.format?,
            inventory: own.inventory.as_ref()?,
        })
    })
}

/// A file and a name at once are two models.
pub(crate) fn named_too(question: &Question) -> Option<FieldError> {
    question.get(Field::Model).map(beside_a_file)
}

/// What is wrong with a name of a model beside a file.
pub(crate) fn beside_a_file(name: &str) -> FieldError {
    FieldError::new(Field::Model, name, "is given beside a model file")
        .hint("leave one of them out")
}

impl Resolved {
    /// The page with a question's answer; none for a model of the user's own, which no page knows.
    pub(crate) fn permalink(&self, question: &Question) -> String {
        if self.own.is_some() {
            String::new()
        } else {
            question.permalink()
        }
    }
}
