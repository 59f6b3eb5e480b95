//! The files of the repository as text.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of what is built, drawn or fetched, and of git.
const ASIDE: [&str; 5] = [".git", "target", "corpus", "artifacts", "coverage"];

/// The workspace's folder.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_owned).unwrap_or_default()
}

/// Every text file: its path from the root, with `/` between folders, and what it says.
#[must_use]
pub fn text_files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(&root(), "", &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, name: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let file = entry.file_name();
        let file = file.to_string_lossy();
        if ASIDE.contains(&&*file) {
            continue;
        }
        let relative = if name.is_empty() {
            file.to_string()
        } else {
            format!("{name}/{file}")
        };
        if path.is_dir() {
            walk(&path, &relative, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((relative, text));
        }
    }
}
