//! What a file is, by its first bytes.

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A GGUF file: read its start with [`gguf::read`](crate::gguf::read).
    Gguf,
    /// JSON: a config or a safetensors index, to be read whole.
    Json,
    /// A safetensors file: read its start with [`safetensors::read`](crate::safetensors::read).
    Safetensors,
}

/// How many of a file's first bytes tell what it is.
pub const TELLING: usize = 16;

/// What a file is that begins like this; `None` is nothing that is read here.
#[must_use]
pub fn kind(start: &[u8]) -> Option<Kind> {
    if start.starts_with(crate::gguf::MAGIC) {
        return Some(Kind::Gguf);
    }
    // a byte-order mark may stand before JSON
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    if text.trim_ascii_start().first() == Some(&b'{') {
        return Some(Kind::Json);
    }
    // eight bytes of length, then JSON
    let json = start.get(8..).and_then(|after| after.first());
    (json == Some(&b'{')).then_some(Kind::Safetensors)
}

/// Bytes for an error: those that can't be printed as dots.
pub(crate) fn printable(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take(8)
        .map(|byte| {
            if byte.is_ascii_graphic() && *byte != b'`' {
                char::from(*byte)
            } else {
                '.'
            }
        })
        .collect()
}
