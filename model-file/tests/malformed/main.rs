//! A hundred broken files, each refused with what is wrong: the table in `docs/malformed-files.md`.
//!
//! `BANDWISE_WRITE=1 cargo test -p bandwise-model-file --test malformed` writes the table anew.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod config;
mod gguf;
mod safetensors;
#[path = "../support/mod.rs"]
mod support;

use std::fmt::Write as _;

use bandwise_model_file::{Feed, OwnModel, Progress, ReadError, assemble};

/// A broken file, or several that belong together.
pub(crate) struct Case {
    /// What is wrong with it.
    what: String,
    /// Its bytes, and how long it says it is.
    files: Vec<(Vec<u8>, u64)>,
}

/// A file with room for its tensors.
pub(crate) fn case(what: &str, mut bytes: Vec<u8>) -> Case {
    bytes.resize(bytes.len() + 400_000, 0);
    whole(what, bytes)
}

/// A file that is as long as its bytes.
pub(crate) fn whole(what: &str, bytes: impl AsRef<[u8]>) -> Case {
    let bytes = bytes.as_ref().to_vec();
    let size = length(&bytes);
    sized(what, bytes, size)
}

pub(crate) fn sized(what: &str, bytes: Vec<u8>, size: u64) -> Case {
    Case {
        what: what.to_owned(),
        files: vec![(bytes, size)],
    }
}

pub(crate) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("a length")
}

fn read(case: &Case) -> Result<OwnModel, ReadError> {
    let mut pieces = Vec::new();
    for (bytes, size) in &case.files {
        let mut feed = Feed::new(*size);
        feed.push(bytes);
        match feed.try_read()? {
            Progress::Done(piece) => pieces.push(piece),
            Progress::NeedMore { at_least } => {
                panic!("{}: asks for {at_least} of {size} bytes", case.what)
            }
        }
    }
    assemble(&pieces, None)
}

fn cases() -> Vec<(&'static str, Vec<Case>)> {
    vec![
        ("GGUF: what it is", gguf::magic()),
        ("GGUF: cut short", gguf::truncated()),
        ("GGUF: metadata", gguf::metadata()),
        ("GGUF: tensors", gguf::tensors()),
        ("GGUF: keys and shapes", gguf::disagreeing()),
        ("GGUF: several parts", gguf::parts()),
        ("config.json", config::broken()),
        ("config.json: values", config::values()),
        ("safetensors header", safetensors::headers()),
        ("safetensors index", safetensors::indices()),
        ("several files", safetensors::together()),
    ]
}

/// A text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

#[test]
fn each_broken_file_is_refused_with_what_is_wrong() {
    let mut table = String::from(
        "# Malformed files\n\n\
         Broken model files, and what is said of each.\n\
         A test writes this page and fails when it no longer holds (`model-file/tests/malformed`).\n\n",
    );
    let mut number = 0;
    for (section, cases) in cases() {
        write!(
            table,
            "## {section}\n\n| | file | error | hint |\n|---:|---|---|---|\n"
        )
        .expect("a text");
        for case in cases {
            number += 1;
            let error = match read(&case) {
                Ok(model) => panic!("{}: read as {model:?}", case.what),
                Err(error) => error,
            };
            let (text, hint) = (error.to_string(), error.hint().unwrap_or_default());
            assert!(!text.ends_with('.'), "{text}");
            assert!(text.len() < 400, "{text}");
            let (what, text, hint) = (cell(&case.what), cell(&text), cell(&hint));
            writeln!(table, "| {number} | {what} | {text} | {hint} |").expect("a text");
        }
        table.push('\n');
    }
    assert!(number >= 100, "{number} cases");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/malformed-files.md");
    let table = table.trim_end().to_owned() + "\n";
    if std::env::var_os("BANDWISE_WRITE").is_some() {
        std::fs::write(path, &table).expect("the page");
    }
    let page = std::fs::read_to_string(path).expect("the page");
    for (line, (page, now)) in (1..).zip(page.lines().zip(table.lines())) {
        assert_eq!(now, page, "line {line} of docs/malformed-files.md");
    }
    assert_eq!(table.lines().count(), page.lines().count());
}

#[test]
fn what_the_broken_files_were_made_of_is_read() {
    for bytes in [
        support::Gguf::llama().bytes(),
        support::LLAMA.as_bytes().to_vec(),
    ] {
        let size = if bytes.starts_with(b"GGUF") {
            length(&bytes) + 1_000_000
        } else {
            length(&bytes)
        };
        let model = read(&sized("intact", bytes, size)).expect("an intact file");
        assert_eq!(model.architecture.parameters().total, 80_448);
    }
}

#[test]
fn every_start_of_a_file_is_refused_or_waited_for() {
    let files = [
        support::Gguf::llama().bytes(),
        support::LLAMA.as_bytes().to_vec(),
        safetensors::intact(),
        safetensors::INDEX.as_bytes().to_vec(),
    ];
    for bytes in files {
        for end in 0..bytes.len() {
            let start = &bytes[..end];
            // as a file that ends there
            assert!(read(&whole("cut", start)).is_err(), "{end}");
            // as one of which more will come
            let mut feed = Feed::new(length(&bytes) + 1_000_000);
            feed.push(start);
            match feed.try_read() {
                Ok(Progress::NeedMore { at_least }) => assert!(at_least > length(start)),
                Ok(Progress::Done(_)) => panic!("read after {end} of {} bytes", bytes.len()),
                Err(error) => panic!("{error} after {end} bytes"),
            }
        }
    }
}
