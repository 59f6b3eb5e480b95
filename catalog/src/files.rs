//! Reading a folder of data files, for build scripts and the lint.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A data file as it lies on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its name without `.yaml`, which is the id of what it describes.
    pub id: String,
    /// The name of the folder it lies in.
    pub folder: String,
    /// Its content.
    pub text: String,
}

/// All `.yaml` files below `root`, sorted by path so that builds repeat.
///
/// # Errors
/// When a folder or file can't be read; the message names it.
pub fn read_yaml(root: &Path) -> io::Result<Vec<DataFile>> {
    let mut files = Vec::new();
    walk(root, &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<DataFile>) -> io::Result<()> {
    let named = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    };
    for entry in fs::read_dir(folder).map_err(|error| named(folder, error))? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let text = fs::read_to_string(&path).map_err(|error| named(&path, error))?;
            files.push(DataFile {
                id: name(path.file_stem()),
                folder: name(folder.file_name()),
                path,
                text,
            });
        }
    }
    Ok(())
}

fn name(part: Option<&std::ffi::OsStr>) -> String {
    part.map(|part| part.to_string_lossy().into_owned())
        .unwrap_or_default()
}
