//! One file read from its start, and the files of one model put together.

use crate::config;
use crate::error::{Progress, ReadError, Section};
use crate::gguf;
use crate::limits;
use crate::own::OwnModel;
use crate::reader::{Kind, TELLING, kind, printable};
use crate::safetensors;

/// A file that is read as far as needed.
///
/// ```
/// use bandwise_model_file::{Feed, Progress};
/// # fn main() -> Result<(), bandwise_model_file::ReadError> {
/// let file = br#"{"model_type": "llama"}"#;
/// let mut feed = Feed::new(23);
/// let mut given = 0;
/// while let Progress::NeedMore { at_least } = feed.try_read()? {
///     let to = usize::try_from(at_least).unwrap_or(usize::MAX);
///     feed.push(file.get(given..to).unwrap_or_default());
///     given = to;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Feed {
    /// The length of the whole file.
    size: u64,
    start: Vec<u8>,
    /// How many bytes are needed before it is worth trying again.
    wanted: u64,
}

/// What one file says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Piece {
    /// The header of a GGUF file, whole or one part of several.
    Gguf(gguf::Header),
    /// A `config.json`.
    Config(Vec<u8>),
    /// A `hf_quant_config.json`.
    Quantization(Vec<u8>),
    /// A safetensors index.
    Index(safetensors::Index),
    /// The header of a safetensors file.
    Safetensors(safetensors::Header),
}

impl Feed {
    /// A file of this length, of which nothing is known yet.
    #[must_use]
    pub fn new(size: u64) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }

    /// How many bytes have been given.
    #[must_use]
    pub fn given(&self) -> u64 {
        u64::try_from(self.start.len()).unwrap_or(u64::MAX)
    }

    /// Gives the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        self.start.extend_from_slice(bytes);
    }

    /// Reads what has been given, or says how many bytes of the file are needed.
    ///
    /// # Errors
    /// Whatever makes the file unreadable; see [`ReadError`].
    pub fn try_read(&mut self) -> Result<Progress<Piece>, ReadError> {
        let given = self.given();
        if self.size == 0 {
            return Err(ReadError::Empty);
        }
        let telling = u64::try_from(TELLING).unwrap_or(u64::MAX).min(self.size);
        if given < telling.max(self.wanted) {
            return Ok(Progress::NeedMore {
                at_least: telling.max(self.wanted),
            });
        }
        let read = self.read()?;
        if let Progress::NeedMore { at_least } = &read {
            self.wanted = *at_least;
            if *at_least > self.size || *at_least <= given {
                // a file that ends before what it announces is an error, not a wait
                return Err(ReadError::Truncated {
                    section: Section::Data,
                    needed: *at_least,
                    size: self.size,
                });
            }
        }
        Ok(read)
    }

    fn read(&self) -> Result<Progress<Piece>, ReadError> {
        let size = Some(self.size);
        match kind(&self.start) {
            Some(Kind::Gguf) => Ok(match gguf::read(&self.start, size)? {
                Progress::Done(header) => Progress::Done(Piece::Gguf(header)),
                Progress::NeedMore { at_least } => Progress::NeedMore { at_least },
            }),
            Some(Kind::Safetensors) => Ok(match safetensors::read(&self.start, size)? {
                Progress::Done(header) => Progress::Done(Piece::Safetensors(header)),
                Progress::NeedMore { at_least } => Progress::NeedMore { at_least },
            }),
            Some(Kind::Json) => {
                let limit = u64::try_from(limits::INDEX_BYTES).unwrap_or(u64::MAX);
                if self.size > limit {
                    return Err(ReadError::Limit {
                        what: "the length of the JSON".to_owned(),
                        value: self.size,
                        limit,
                    });
                }
                if self.given() < self.size {
                    return Ok(Progress::NeedMore {
                        at_least: self.size,
                    });
                }
                json(&self.start).map(Progress::Done)
            }
            None => Err(ReadError::UnknownKind {
                start: printable(&self.start),
            }),
        }
    }
}

/// Which JSON it is, by the keys that only it has.
fn json(bytes: &[u8]) -> Result<Piece, ReadError> {
    let has = |key: &[u8]| bytes.windows(key.len()).any(|window| window == key);
    if has(b"\"weight_map\"") {
        safetensors::read_index(bytes).map(Piece::Index)
    } else if has(b"\"model_type\"") || has(b"\"num_hidden_layers\"") || has(b"\"hidden_size\"") {
        Ok(Piece::Config(bytes.to_vec()))
    } else if has(b"\"quant_algo\"") {
        Ok(Piece::Quantization(bytes.to_vec()))
    } else {
        // JSON that can't be read says so first
        crate::json::read(bytes, "the file")?;
        Err(ReadError::NeitherConfigNorIndex)
    }
}

/// The model that files describe together: one GGUF file or all its parts, or a config with what
/// lies beside it. `assume` is a family to take an unknown architecture for.
///
/// # Errors
/// What [`ReadError`] names of a file, and files that don't belong together.
pub fn assemble(pieces: &[Piece], assume: Option<&str>) -> Result<OwnModel, ReadError> {
    let refuse = |what: &str| {
        Err(ReadError::Parts {
            what: what.to_owned(),
        })
    };
    let (mut ggufs, mut headers) = (Vec::new(), Vec::new());
    let (mut configs, mut indices, mut quantizations) = (Vec::new(), Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Gguf(header) => ggufs.push(header.clone()),
            Piece::Safetensors(header) => headers.push(header.clone()),
            Piece::Config(bytes) => configs.push(bytes),
            Piece::Index(index) => indices.push(index),
            Piece::Quantization(bytes) => quantizations.push(bytes),
        }
    }
    let beside = !(headers.is_empty() && configs.is_empty() && indices.is_empty());
    match (ggufs.as_slice(), configs.as_slice()) {
        ([], []) if pieces.is_empty() => Err(ReadError::Empty),
        ([], []) => {
            refuse("a safetensors file says no architecture: its `config.json` is needed too")
        }
        ([], [config]) => {
            let model = match quantizations.as_slice() {
                [] => config::read(config, assume)?,
                [beside] => config::read_quantized(config, beside, assume)?,
                _ => return refuse("two quantization configs were given"),
            };
            match (headers.as_slice(), indices.as_slice()) {
                ([], []) => Ok(model),
                ([], [index]) => Ok(safetensors::with_index(model, index)),
                (headers, [index]) if headers.len() < index.files.len() => {
                    // some of the files only: the index knows more
                    Ok(safetensors::with_index(model, index))
                }
                (headers, [] | [_]) => safetensors::with_headers(model, headers),
                _ => refuse("two safetensors indices were given"),
            }
        }
        ([], _) => refuse("two configs were given"),
        (_, _) if beside => refuse("a GGUF file describes its model alone: give it without others"),
        ([header], _) => gguf::model(header, assume),
        (headers, _) => gguf::join(headers, assume),
    }
}
