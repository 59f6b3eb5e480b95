//! Reading from the start of a file of which more may follow.

use crate::error::{ReadError, Section};
use crate::limits;

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// More bytes of the file are needed.
    More(u64),
    /// It can't be read.
    Error(ReadError),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Error(error)
    }
}

/// The first bytes of a file, and how far they have been read.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The length of the whole file, if known.
    size: Option<u64>,
    /// Where in the file this is, for errors.
    pub(super) section: Section,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(bytes: &'a [u8], size: Option<u64>) -> Self {
        Self {
            bytes,
            at: 0,
            size,
            section: Section::Magic,
        }
    }

    /// How far the file has been read.
    pub(super) fn position(&self) -> u64 {
        u64::try_from(self.at).unwrap_or(u64::MAX)
    }

    /// Checks that so many bytes follow.
    pub(super) fn need(&self, count: u64) -> Result<usize, Stop> {
        let end = self.position().saturating_add(count);
        if let Some(size) = self.size.filter(|size| end > *size) {
            return Err(ReadError::Truncated {
                section: self.section,
                needed: end,
                size,
            }
            .into());
        }
        if end > limits::GGUF_HEADER_BYTES {
            return Err(ReadError::Limit {
                what: "the length of the header".to_owned(),
                value: end,
                limit: limits::GGUF_HEADER_BYTES,
            }
            .into());
        }
        match usize::try_from(end) {
            Ok(to) if to <= self.bytes.len() => Ok(to),
            _ => Err(Stop::More(end)),
        }
    }

    /// The next so many bytes.
    pub(super) fn take(&mut self, count: u64) -> Result<&'a [u8], Stop> {
        let to = self.need(count)?;
        let taken = self.bytes.get(self.at..to).unwrap_or_default();
        self.at = to;
        Ok(taken)
    }

    /// A number of so many bytes, little-endian.
    pub(super) fn number(&mut self, bytes: u64) -> Result<u64, Stop> {
        let taken = self.take(bytes)?;
        Ok(taken
            .iter()
            .rev()
            .fold(0, |number, byte| (number << 8) | u64::from(*byte)))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Stop> {
        Ok(u32::try_from(self.number(4)?).unwrap_or(u32::MAX))
    }

    pub(super) fn u64(&mut self) -> Result<u64, Stop> {
        self.number(8)
    }

    /// A text with its length in front; `what` names it in errors.
    pub(super) fn text(&mut self, limit: u64, what: &dyn Fn() -> String) -> Result<&'a str, Stop> {
        let length = self.u64()?;
        if length > limit {
            return Err(ReadError::Limit {
                what: format!("the length of {}", what()),
                value: length,
                limit,
            }
            .into());
        }
        let taken = self.take(length)?;
        std::str::from_utf8(taken).map_err(|_| ReadError::Text { what: what() }.into())
    }
}
