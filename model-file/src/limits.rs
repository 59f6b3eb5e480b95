//! What a file may not exceed. Each limit is far above any published model, and every error that a
//! limit causes names it.

/// The longest header of a GGUF file. Tokenizers of 260,000 tokens take 7 to 20 MB.
pub const GGUF_HEADER_BYTES: u64 = 128 * 1024 * 1024;
/// Entries of a GGUF file's metadata.
pub const GGUF_ENTRIES: u64 = 4_096;
/// Tensors of a file. The largest checkpoints with single experts have about 200,000.
pub const TENSORS: u64 = 1_000_000;
/// Bytes of a GGUF key. The format allows 65,535.
pub const KEY_BYTES: u64 = 65_535;
/// Bytes of a tensor's name. The engine allows 63, safetensors names are longer.
pub const NAME_BYTES: u64 = 1_024;
/// Bytes of a text that is kept; longer ones (chat templates) are skipped.
pub const KEPT_TEXT_BYTES: u64 = 1_024;
/// Elements of an array that is kept; longer ones (tokens) are skipped.
pub const KEPT_ARRAY: u64 = 2_000;
/// Bytes of a `config.json`. Those that list each quantized module have under 2 MB.
pub const CONFIG_BYTES: usize = 16 * 1024 * 1024;
/// Values in a `config.json`.
pub const CONFIG_VALUES: usize = 500_000;
/// Elements of a list in a config that is read: one for each layer, and some to spare.
pub const CONFIG_LIST: usize = 10_000;
/// Bytes of a safetensors index. One with 200,000 tensors has 20 MB.
pub const INDEX_BYTES: usize = 128 * 1024 * 1024;
/// Bytes of a safetensors header: the format's own limit.
pub const SAFETENSORS_HEADER_BYTES: u64 = 100_000_000;
/// How deep JSON may be nested. A config has at most six levels.
pub const JSON_DEPTH: usize = 32;
/// Layers of a model. The deepest published has 200.
pub const LAYERS: u64 = 2_000;
/// The largest dimension, head count or window: more fits no field of an architecture.
pub const DIMENSION: u64 = 1 << 31;
/// Elements of a tensor: what a 64-bit signed number counts.
pub const ELEMENTS: u64 = 1 << 60;
/// Parts of a split file. The engine counts them in 16 bits.
pub const PARTS: u64 = 65_535;
