//! What a model's file may say: the truth for the JSON Schema, the lint and the build script.

use crate::entry::{ArchitectureEntry, CheckEntry};
use crate::spec::{Basis, ModelRecord};
use catalog::figure::Sourced;
use catalog::{Date, Figure, Maybe, SourceEntry, SourceIds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A model's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// The name people know it by.
    pub name: String,
    /// What else it is called; case and punctuation don't count.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Whether it is what people mean by a name that several models share.
    #[serde(default)]
    pub preferred: bool,
    /// Who made it.
    pub vendor: String,
    /// When it came out.
    pub released: Figure<Date>,
    /// Its licence.
    pub license: Maybe<String>,
    /// The Hugging Face repository of its weights.
    pub repository: String,
    /// How many weights it has.
    pub parameters: ParametersEntry,
    /// In what its weights are published.
    pub native_dtype: Maybe<String>,
    /// Which weights that holds for, where the checkpoint mixes.
    #[serde(default)]
    pub native_scope: Option<String>,
    /// The longest context it was made for, in tokens.
    pub max_context: Maybe<u32>,
    /// What it is made of.
    pub architecture: ArchitectureEntry,
    /// Where the architecture was read.
    pub architecture_source: SourceIds,
    /// The weights of the text trunk as counted elsewhere; the architecture must reproduce them.
    pub check: CheckEntry,
    /// What to know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Where things were read.
    pub sources: BTreeMap<String, SourceEntry>,
}

/// How many weights a model has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ParametersEntry {
    /// All of the published checkpoint.
    pub total: Figure<u64>,
    /// Where the total comes from.
    pub basis: Basis,
    /// Those that work on a token, as its maker rounds them.
    #[serde(default)]
    pub active: Option<Figure<u64>>,
    /// Vision and audio towers.
    #[serde(default)]
    pub vision: Option<Figure<u64>>,
    /// Layers for multi-token prediction.
    #[serde(default)]
    pub mtp_layers: Option<Figure<u32>>,
    /// Their weights.
    #[serde(default)]
    pub mtp: Option<Figure<u64>>,
}

impl ModelEntry {
    /// What ships in every binary.
    #[must_use]
    pub fn spec(&self, id: &str, family: &str) -> ModelRecord {
        let parameters = &self.parameters;
        let count = |figure: &Option<Figure<u64>>| figure.as_ref().map(|figure| figure.value);
        ModelRecord {
            id: id.to_owned(),
            name: self.name.clone(),
            aliases: self.aliases.clone(),
            preferred: self.preferred,
            vendor: self.vendor.clone(),
            family: family.to_owned(),
            released: self.released.value,
            license: self.license.figure().map(|figure| figure.value.clone()),
            repository: self.repository.clone(),
            total_parameters: parameters.total.value,
            total_basis: parameters.basis,
            stated_active: count(&parameters.active),
            vision_parameters: count(&parameters.vision).unwrap_or(0),
            mtp_layers: parameters
                .mtp_layers
                .as_ref()
                .map_or(0, |figure| figure.value),
            mtp_parameters: count(&parameters.mtp).unwrap_or(0),
            native_dtype: self
                .native_dtype
                .figure()
                .map(|figure| figure.value.clone()),
            native_scope: self.native_scope.clone(),
            max_context: self.max_context.value(),
            architecture: self.architecture.clone(),
        }
    }

    /// Figures that aren't known, and why.
    pub fn unknown(&self) -> impl Iterator<Item = (&'static str, &str)> {
        fn why<T>(maybe: &Maybe<T>) -> Option<&str> {
            match maybe {
                Maybe::Unknown(why) => Some(why),
                Maybe::Known(_) => None,
            }
        }
        [
            ("license", why(&self.license)),
            ("native_dtype", why(&self.native_dtype)),
            ("max_context", why(&self.max_context)),
        ]
        .into_iter()
        .filter_map(|(path, why)| why.map(|why| (path, why)))
    }
}

impl Sourced for ModelEntry {
    fn visit_sources<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a SourceIds)) {
        fn maybe<'a, T>(
            path: &str,
            value: &'a Maybe<T>,
            visit: &mut dyn FnMut(&str, &'a SourceIds),
        ) {
            if let Some(figure) = value.figure() {
                visit(path, &figure.source);
            }
        }
        let parameters = &self.parameters;
        visit("released", &self.released.source);
        maybe("license", &self.license, visit);
        visit("parameters.total", &parameters.total.source);
        for (path, figure) in [
            ("parameters.active", &parameters.active),
            ("parameters.vision", &parameters.vision),
            ("parameters.mtp", &parameters.mtp),
        ] {
            if let Some(figure) = figure {
                visit(path, &figure.source);
            }
        }
        if let Some(figure) = &parameters.mtp_layers {
            visit("parameters.mtp_layers", &figure.source);
        }
        maybe("native_dtype", &self.native_dtype, visit);
        maybe("max_context", &self.max_context, visit);
        visit("architecture", &self.architecture_source);
    }
}
