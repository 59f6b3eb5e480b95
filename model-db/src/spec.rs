//! The values that ship in every binary.

use crate::entry::ArchitectureEntry;
use catalog::Date;
use serde::{Deserialize, Serialize};

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// The id: file name, page address, value of `--model`.
    pub id: String,
    /// The name people know it by.
    pub name: String,
    /// What else it is called.
    pub aliases: Vec<String>,
    /// Whether it is what people mean by a name that several models share.
    pub preferred: bool,
    /// Who made it.
    pub vendor: String,
    /// The family it belongs to; the folder of its file.
    pub family: String,
    /// When it came out.
    pub released: Date,
    /// Its licence; `None` is unknown.
    pub license: Option<String>,
    /// The Hugging Face repository of its weights.
    pub repository: String,
    /// All weights of the published checkpoint.
    pub total_parameters: u64,
    /// Where that number comes from.
    pub total_basis: Basis,
    /// Weights that work on a token, as its maker rounds them.
    pub stated_active: Option<u64>,
    /// Weights of vision and audio towers.
    pub vision_parameters: u64,
    /// Layers for multi-token prediction.
    pub mtp_layers: u32,
    /// Their weights.
    pub mtp_parameters: u64,
    /// In what the weights are published; `None` is unknown.
    pub native_dtype: Option<String>,
    /// Which weights that holds for, where the checkpoint mixes.
    pub native_scope: Option<String>,
    /// The longest context, in tokens; `None` is unknown.
    pub(crate) max_context: Option<u32>,
    /// What it is made of, as its file says.
    pub(crate) architecture: ArchitectureEntry,
}

impl ModelRecord {
    /// The longest context it was made for; `None` is unknown.
    #[must_use]
    pub const fn max_context(&self) -> Option<u32> {
        self.max_context
    }

    /// What it is made of, as its file describes it.
    #[must_use]
    pub const fn described(&self) -> &ArchitectureEntry {
        &self.architecture
    }
}

/// Where the number of weights comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Counted in the published checkpoint.
    Safetensors,
    /// Rounded by its maker.
    Nominal,
    /// Computed from the architecture, since the published number is missing or counts buffers.
    Computed,
}
