//! Where things are, and cargo as this program was started by it.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or(package.clone(), Path::to_owned)
}

/// Cargo's output folder.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |set| root().join(set))
}

/// Where the browser part goes, and where the server looks for it.
pub(crate) fn site() -> PathBuf {
    target().join("site")
}

/// `cargo <arguments>` in the workspace.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments).current_dir(root());
    cargo
}

/// This program's `command` again, compiled with the databases.
#[cfg(not(feature = "data"))]
pub(crate) fn with_data(command: &str) -> Command {
    cargo([
        "run",
        "--package",
        "xtask",
        "--features",
        "data",
        "--",
        command,
    ])
}
