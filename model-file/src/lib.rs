//! Model files of the user's own, turned into what the estimator takes.
//!
//! Three kinds are read: the header of a GGUF file ([`gguf`]), a `config.json` of Hugging Face
//! ([`config`]), and what safetensors files hold ([`safetensors`]). Each becomes an [`OwnModel`]:
//! an architecture, a weight format, and, where the file lists its tensors, their exact bytes.
//!
//! Nothing here opens a file. A caller gives bytes: on a command line from disk, in a browser from
//! `File.slice()`. Large files are read from their start only; a reader says how much of it it needs
//! ([`Progress`]). What is read is not trusted: sizes are checked against [`limits`], no number of a
//! file sizes an allocation, and nothing panics.
//!
//! The GGUF reader is our own; `docs/dependencies.md` says which crates were looked at.

pub mod config;
pub mod error;
mod feed;
pub mod gguf;
mod json;
pub mod limits;
mod nearest;
mod own;
mod reader;
pub mod safetensors;
pub mod wire;

pub use error::{Progress, ReadError, Section};
pub use feed::{Feed, Piece, assemble};
pub use own::{FileKind, OwnModel};
pub use reader::{Kind, TELLING, kind};
