//! Why a row has no estimate.

use answer::FieldError;

/// Why a row has no estimate. Its name is what rows are counted under.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The row can't be read.
    #[error("{0}")]
    Unreadable(String),
    /// The source doesn't say which device.
    #[error("the hardware isn't stated")]
    HardwareUnknown,
    /// The catalogue hasn't the device.
    #[error("`{0}` is not in the hardware catalogue")]
    NoSuchHardware(String),
    /// The source doesn't say how many devices.
    #[error("the number of devices isn't stated")]
    CountUnknown,
    /// The source doesn't say which model.
    #[error("the model isn't stated")]
    ModelUnknown,
    /// The catalogue hasn't the model.
    #[error("`{0}` is not in the model catalogue")]
    NoSuchModel(String),
    /// The source doesn't say which format.
    #[error("the weight format isn't stated")]
    FormatUnknown,
    /// An engine that isn't estimated and resembles none that is.
    #[error("engine `{0}` is not estimated")]
    Engine(String),
    /// A backend that isn't estimated.
    #[error("backend `{0}` is not estimated")]
    Backend(String),
    /// Weights lay in a host's RAM whose speed isn't told.
    #[error("how fast the host's RAM is isn't told: `{0}`")]
    HostUnknown(String),
    /// Weights lay on a disk whose speed isn't told.
    #[error("how fast the disk is isn't told")]
    DiskUnknown,
    /// A way of sharing work that isn't estimated.
    #[error("sharing by `{0}` is not estimated")]
    Parallel(String),
    /// The gain of speculation isn't estimated.
    #[error("speculation (`{0}`) is not estimated")]
    Speculation(String),
    /// The figure depends on lengths that aren't told.
    #[error("the length of prompt or context isn't stated")]
    LengthsUnknown,
    /// The figure depends on how many requests ran, which isn't told.
    #[error("the number of requests isn't stated")]
    ConcurrencyUnknown,
    /// The metric isn't estimated.
    #[error("`{0}` is not estimated")]
    Metric(&'static str),
    /// A part of memory that isn't estimated, or not by itself.
    #[error("memory of `{0}` is not estimated by itself")]
    MemoryPart(String),
    /// An input that can't be used.
    #[error("{0}")]
    Input(Box<FieldError>),
    /// A part of the answer that was refused.
    #[error("no {part}: {missing}")]
    Refused {
        /// The part.
        part: String,
        /// What is missing.
        missing: String,
    },
}

impl Reason {
    /// The name rows are counted under.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Unreadable(_) => "unreadable row".to_owned(),
            Self::HardwareUnknown => "hardware not stated".to_owned(),
            Self::NoSuchHardware(_) => "hardware not in the catalogue".to_owned(),
            Self::CountUnknown => "number of devices not stated".to_owned(),
            Self::ModelUnknown => "model not stated".to_owned(),
            Self::NoSuchModel(_) => "model not in the catalogue".to_owned(),
            Self::FormatUnknown => "format not stated".to_owned(),
            Self::Engine(_) => "engine not estimated".to_owned(),
            Self::Backend(_) => "backend not estimated".to_owned(),
            Self::HostUnknown(_) => "host's memory not told".to_owned(),
            Self::DiskUnknown => "disk's speed not told".to_owned(),
            Self::Parallel(_) => "way of sharing not estimated".to_owned(),
            Self::Speculation(_) => "speculation not estimated".to_owned(),
            Self::LengthsUnknown => "lengths not stated".to_owned(),
            Self::ConcurrencyUnknown => "number of requests not stated".to_owned(),
            Self::Metric(_) => "metric not estimated".to_owned(),
            Self::MemoryPart(_) => "part of memory not estimated".to_owned(),
            Self::Input(error) => format!("input refused: {}", error.field),
            Self::Refused { part, .. } => format!("refused: {part}"),
        }
    }
}

impl From<Vec<FieldError>> for Reason {
    fn from(problems: Vec<FieldError>) -> Self {
        match problems.into_iter().next() {
            Some(problem) => Self::Input(Box::new(problem)),
            None => Self::Unreadable("refused without a problem".to_owned()),
        }
    }
}
