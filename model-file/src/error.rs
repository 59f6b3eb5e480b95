//! Why a file can't be read.

use std::fmt;

/// A part of a file, as errors name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Section {
    /// The first bytes, which tell what it is.
    Magic,
    /// Version and counts of a GGUF file.
    Counts,
    /// A GGUF file's metadata.
    Metadata,
    /// The list of tensors.
    Tensors,
    /// The tensors themselves.
    Data,
    /// The length in front of a safetensors header.
    Length,
    /// JSON.
    Json,
}

impl fmt::Display for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Magic => "its first bytes",
            Self::Counts => "its version and counts",
            Self::Metadata => "its metadata",
            Self::Tensors => "its list of tensors",
            Self::Data => "its tensors",
            Self::Length => "the length of its header",
            Self::Json => "its JSON",
        })
    }
}

/// Why a file can't be used. Each names what in the file, its value, and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Nothing there.
    #[error("the file is empty")]
    Empty,
    /// None of the files that are read here.
    #[error("not a model file that is read here: it begins with `{start}`")]
    UnknownKind {
        /// Its first bytes, printable.
        start: String,
    },
    /// A GGUF file for the other byte order.
    #[error(
        "a big-endian GGUF file (its version reads as `{version}`): only little-endian ones are read"
    )]
    BigEndian {
        /// The version as read.
        version: u32,
    },
    /// A GGUF version not read here.
    #[error("GGUF version `{version}` is not read, only 2 and 3")]
    Version {
        /// The version.
        version: u32,
    },
    /// It ends too early.
    #[error("the file ends within {section}: {needed} bytes are needed, it has {size}")]
    Truncated {
        /// Where it ends.
        section: Section,
        /// How long it must be at least.
        needed: u64,
        /// How long it is.
        size: u64,
    },
    /// It asks for more than is read.
    #[error("{what} is `{value}`, more than the {limit} that are read")]
    Limit {
        /// What.
        what: String,
        /// How much it asks for.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// A name or key that isn't UTF-8.
    #[error("{what} is not UTF-8")]
    Text {
        /// What.
        what: String,
    },
    /// A name without letters.
    #[error("{what} is empty")]
    EmptyName {
        /// What.
        what: String,
    },
    /// A value type that GGUF doesn't have.
    #[error("`{key}` has value type `{kind}`, GGUF has 0 to 12")]
    ValueType {
        /// The key.
        key: String,
        /// The number of the type.
        kind: u32,
    },
    /// Arrays of arrays.
    #[error("`{key}` is an array of arrays, which no engine writes")]
    NestedArray {
        /// The key.
        key: String,
    },
    /// Something that may be there once is there twice.
    #[error("{what} `{name}` is there twice")]
    Duplicate {
        /// What.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A tensor with more or fewer dimensions than ggml has.
    #[error("tensor `{tensor}` has `{count}` dimensions, 1 to {allowed} are allowed")]
    DimensionCount {
        /// The tensor.
        tensor: String,
        /// How many.
        count: u64,
        /// The most.
        allowed: u32,
    },
    /// A dimension that no tensor has.
    #[error("dimension {axis} of tensor `{tensor}` is `{value}`, 1 to {limit} are allowed")]
    Dimension {
        /// The tensor.
        tensor: String,
        /// Which, from 0.
        axis: u32,
        /// Its value.
        value: u64,
        /// The largest allowed.
        limit: u64,
    },
    /// A tensor with more elements than can be counted.
    #[error("tensor `{tensor}` has more than {limit} elements")]
    Elements {
        /// The tensor.
        tensor: String,
        /// The most.
        limit: u64,
    },
    /// A ggml or safetensors type that isn't known here.
    #[error("tensor `{tensor}` has type `{kind}`, which is not known here")]
    TensorType {
        /// The tensor.
        tensor: String,
        /// The type, by number or name.
        kind: String,
    },
    /// A type that holds no weights.
    #[error("tensor `{tensor}` has type `{kind}`, in which no engine stores weights")]
    NotForWeights {
        /// The tensor.
        tensor: String,
        /// The type.
        kind: &'static str,
    },
    /// A row that doesn't divide into blocks.
    #[error("tensor `{tensor}` has rows of `{row}`, type `{kind}` needs multiples of {block}")]
    Row {
        /// The tensor.
        tensor: String,
        /// Its row's elements.
        row: u64,
        /// Its type.
        kind: &'static str,
        /// Elements of a block.
        block: u64,
    },
    /// An offset that isn't where the tensor before ends.
    #[error(
        "tensor `{tensor}` is said to begin at `{offset}`, the one before it ends at {expected}"
    )]
    Offset {
        /// The tensor.
        tensor: String,
        /// Its offset.
        offset: u64,
        /// Where the one before ends, aligned.
        expected: u64,
    },
    /// Sizes in a safetensors header that contradict each other.
    #[error("tensor `{tensor}` has `{bytes}` bytes, its shape and type take {expected}")]
    Bytes {
        /// The tensor.
        tensor: String,
        /// What its offsets say.
        bytes: u64,
        /// What its shape says.
        expected: u64,
    },
    /// An alignment no file has.
    #[error("`general.alignment` is `{value}`, a power of two up to 65536 is allowed")]
    Alignment {
        /// The value.
        value: u64,
    },
    /// JSON that isn't.
    #[error("not JSON: {message}")]
    Json {
        /// What the parser says, with line and column.
        message: String,
    },
    /// JSON with something else in it than belongs there.
    #[error("the JSON has something else than belongs there: {message}")]
    Content {
        /// What the parser says, with line and column.
        message: String,
    },
    /// The wrong JSON.
    #[error(
        "the JSON is neither a model's config nor a safetensors index: it has no `model_type` and no `weight_map`"
    )]
    NeitherConfigNorIndex,
    /// A key that is needed.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: String,
    },
    /// A value of another type.
    #[error("`{key}` is {found}, expected {expected}")]
    NotA {
        /// The key.
        key: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A number outside what is possible.
    #[error("`{key}` is `{value}`, {allowed}")]
    OutOfRange {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// An architecture nobody has described here.
    #[error("`{key}` is `{name}`, an architecture that is not known here")]
    UnknownArchitecture {
        /// The key that names it.
        key: String,
        /// Its name.
        name: String,
        /// The most similar that are known.
        nearest: Vec<String>,
    },
    /// A known architecture that isn't read.
    #[error("`{name}` is not estimated: {reason}")]
    NotEstimated {
        /// The architecture.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A family to assume that isn't known.
    #[error("`{name}` is no family that can be assumed")]
    UnknownFamily {
        /// The name.
        name: String,
        /// The most similar that are known.
        nearest: Vec<String>,
    },
    /// A key and a tensor's shape, or two keys, contradict each other.
    #[error("`{key}` is `{value}`, but {other}")]
    Disagree {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What contradicts it.
        other: String,
    },
    /// A layer lacks a tensor it needs.
    #[error("layer {layer} has no `{tensor}`, which its other tensors need")]
    MissingTensor {
        /// The layer.
        layer: u32,
        /// The tensor.
        tensor: String,
    },
    /// A tensor with a meaning that isn't known here.
    #[error("tensor `{tensor}` has a shape that fits nothing known: {shape}")]
    Shape {
        /// The tensor.
        tensor: String,
        /// Its shape.
        shape: String,
    },
    /// What the keys describe has more weights than the file.
    #[error("the file has {file} weights of {part}, an architecture of its keys has {described}")]
    Weights {
        /// The part of the model.
        part: &'static str,
        /// How many the file has.
        file: u64,
        /// How many follow from the keys.
        described: u64,
    },
    /// A part of a split file that holds no description of the model.
    #[error("part {number} of {count} of a split file: the model is described in the first")]
    NotTheFirstPart {
        /// Which part, from 1.
        number: u64,
        /// Of how many.
        count: u64,
    },
    /// Parts that aren't of one file.
    #[error("{what}")]
    Parts {
        /// What doesn't fit.
        what: String,
    },
    /// A quantization that isn't known here.
    #[error("`{key}` is `{value}`, a quantization that is not known here")]
    Quantization {
        /// The key.
        key: String,
        /// Its value.
        value: String,
    },
}

impl ReadError {
    /// What to do about it, if anything is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        fn names(nearest: &[String]) -> String {
            nearest
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ")
        }
        match self {
            Self::UnknownKind { .. } => Some(
                "a GGUF file, a `config.json`, a safetensors file or its index can be read"
                    .to_owned(),
            ),
            Self::BigEndian { .. } => {
                Some("convert it with `gguf_convert_endian.py` of llama.cpp".to_owned())
            }
            Self::Version { version: 1 } => {
                Some("convert the model again with a llama.cpp of after August 2023".to_owned())
            }
            Self::Truncated {
                section: Section::Data,
                ..
            } => Some("the download may not be complete".to_owned()),
            Self::UnknownArchitecture { nearest, .. } if !nearest.is_empty() => Some(format!(
                "if it is built alike, `assume-family` takes it for one that is known: {}",
                names(nearest)
            )),
            Self::UnknownArchitecture { .. } => Some(
                "if it is built like one that is known, `assume-family` takes it for that, as `llama`"
                    .to_owned(),
            ),
            Self::UnknownFamily { nearest, .. } if !nearest.is_empty() => {
                Some(format!("did you mean {}?", names(nearest)))
            }
            Self::NotTheFirstPart { .. } => Some("give the file of the first part".to_owned()),
            Self::NeitherConfigNorIndex => {
                Some("give the `config.json` of the model's own folder".to_owned())
            }
            _ => None,
        }
    }
}

/// What came of bytes that may not be all yet.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress<T> {
    /// The file's first so many bytes are needed to go on.
    NeedMore {
        /// How many at least; more than were given.
        at_least: u64,
    },
    /// All that was wanted.
    Done(T),
}
