//! A model of the user's own.

use estimator::architecture::Architecture;
use estimator::format::WeightFormat;
use estimator::weights::{Inventory, Weights};

/// What a model was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A GGUF file.
    Gguf,
    /// A `config.json` of Hugging Face.
    Config,
    /// A `config.json` with a safetensors index: what all files hold together is exact.
    ConfigAndIndex,
    /// A `config.json` with safetensors headers: every tensor is exact.
    ConfigAndHeaders,
}

impl FileKind {
    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gguf => "GGUF file",
            Self::Config => "config.json",
            Self::ConfigAndIndex => "config.json and safetensors index",
            Self::ConfigAndHeaders => "config.json and safetensors headers",
        }
    }
}

/// A model as its file describes it: all an estimate needs, as of a model of the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnModel {
    /// What it calls itself.
    pub name: String,
    /// What it was read from.
    pub kind: FileKind,
    /// What it is made of.
    pub architecture: Architecture,
    /// How its weights are stored; `None` where that isn't known or has no name here.
    pub format: Option<WeightFormat>,
    /// The tensors it really has, which win over any rule; `None` where only a config is known.
    pub inventory: Option<Inventory>,
    /// What had to be assumed, each as a sentence to show beside the answer.
    pub assumed: Vec<String>,
    /// What is worth knowing and changes nothing.
    pub notes: Vec<String>,
}

impl OwnModel {
    /// Its weights: those of the file where it has them, else by the rules of a format.
    #[must_use]
    pub fn weights(&self, format: &WeightFormat) -> Weights {
        match &self.inventory {
            Some(inventory) if self.format.as_ref() == Some(format) => {
                Weights::from_inventory(&self.architecture, inventory)
            }
            _ => Weights::of(&self.architecture, format),
        }
    }
}
