//! Model files on disk: as much of each is read as its reader asks for.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model_file::{Feed, OwnModel, Piece, Progress, ReadError, assemble};

use crate::failure::Failure;

/// The input that names files.
const INPUT: &str = "model-file";
/// The least that is read at once.
const CHUNK: u64 = 256 * 1024;
/// The most files of one model.
const FILES: usize = 1_000;

/// The model that files describe. A folder stands for the model files in it, the first part of a
/// split GGUF file for all its parts.
pub(crate) fn read(paths: &[PathBuf], assume: Option<&str>) -> Result<Arc<OwnModel>, Failure> {
    let mut pieces = Vec::new();
    let mut named = None;
    for path in paths {
        let files = files(path)?;
        if files.is_empty() {
            return Err(refuse(
                path,
                "has no model file in it",
                Some("a GGUF file, a `config.json` or safetensors files are looked for"),
            ));
        }
        if files.len() > FILES {
            return Err(refuse(path, "has more than 1,000 model files in it", None));
        }
        for file in &files {
            pieces.push(piece(file)?);
        }
        named = named.or_else(|| name_of(path));
    }
    let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
    let mut model = assemble(&pieces, assume).map_err(|error| unreadable(first, &error))?;
    // a config doesn't say what its model is called
    if !matches!(pieces.first(), Some(Piece::Gguf(_)))
        && let Some(name) = named
    {
        model.name = name;
    }
    Ok(Arc::new(model))
}

/// What a path is called: the folder, or the folder that a config lies in.
fn name_of(path: &Path) -> Option<String> {
    let folder = if path.is_dir() {
        path.canonicalize().ok()?
    } else {
        path.canonicalize().ok()?.parent()?.to_path_buf()
    };
    folder.file_name()?.to_str().map(str::to_owned)
}

/// The files a path stands for.
fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let data = path
        .metadata()
        .map_err(|error| refuse(path, &format!("can't be read: {error}"), None))?;
    if data.is_dir() {
        return folder(path);
    }
    if !data.is_file() {
        return Err(refuse(path, "is neither a file nor a folder", None));
    }
    Ok(parts(path).unwrap_or_else(|| vec![path.to_path_buf()]))
}

/// The model files of a folder: its GGUF file or parts, else its config and what is beside it.
fn folder(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unread = |error: std::io::Error| refuse(path, &format!("can't be read: {error}"), None);
    let (mut ggufs, mut others) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(path).map_err(unread)? {
        let file = entry.map_err(unread)?.path();
        let name = file.file_name().and_then(|name| name.to_str());
        match name {
            // a vision tower beside its model
            Some(name) if name.ends_with(".gguf") && !name.starts_with("mmproj") => {
                ggufs.push(file);
            }
            Some("config.json" | "hf_quant_config.json") => others.push(file),
            Some(name)
                if name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json") =>
            {
                others.push(file);
            }
            _ => {}
        }
    }
    ggufs.sort();
    others.sort();
    Ok(if others.is_empty() { ggufs } else { others })
}

/// All parts of a split GGUF file, by the name of the first: `…-00001-of-00003.gguf`.
fn parts(path: &Path) -> Option<Vec<PathBuf>> {
    let name = path.file_name()?.to_str()?;
    let (start, count) = name.strip_suffix(".gguf")?.rsplit_once("-of-")?;
    let (start, first) = start.rsplit_once('-')?;
    let digits = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(first) || !digits(count) {
        return None;
    }
    let (first, count): (usize, usize) = (first.parse().ok()?, count.parse().ok()?);
    (first == 1 && count <= FILES).then(|| {
        (1..=count)
            .map(|part| path.with_file_name(format!("{start}-{part:05}-of-{count:05}.gguf")))
            .collect()
    })
}

/// Reads one file as far as needed.
fn piece(path: &Path) -> Result<Piece, Failure> {
    let unread = |error: std::io::Error| refuse(path, &format!("can't be read: {error}"), None);
    let mut file = File::open(path).map_err(unread)?;
    let size = file.metadata().map_err(unread)?.len();
    let mut feed = Feed::new(size);
    loop {
        match feed.try_read().map_err(|error| unreadable(path, &error))? {
            Progress::Done(piece) => return Ok(piece),
            Progress::NeedMore { at_least } => {
                let given = feed.given();
                // twice as much each time, so that long headers take few rounds
                let wanted = at_least.saturating_sub(given).max(CHUNK).max(given);
                let mut more = Vec::new();
                file.by_ref()
                    .take(wanted)
                    .read_to_end(&mut more)
                    .map_err(unread)?;
                if more.is_empty() {
                    return Err(refuse(path, "became shorter while it was read", None));
                }
                feed.push(&more);
            }
        }
    }
}

fn unreadable(path: &Path, error: &ReadError) -> Failure {
    let hint = error.hint();
    refuse(path, &error.to_string(), hint.as_deref())
}

fn refuse(path: &Path, problem: &str, hint: Option<&str>) -> Failure {
    Failure::one(
        INPUT,
        &path.display().to_string(),
        problem,
        hint.map(str::to_owned),
    )
}
