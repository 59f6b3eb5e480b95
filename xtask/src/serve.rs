//! `cargo xtask serve`: from a fresh clone to a page.

use std::{path::PathBuf, process::Command};

use anyhow::Result;

use crate::{
    build_web::build_web,
    step::{run, step},
    workspace::{self, cargo},
};

/// Builds all and becomes the server.
pub(crate) fn serve() -> Result<()> {
    build_web()?;
    let server = build_server("release")?;
    let mut server = Command::new(server);
    server
        .current_dir(workspace::root())
        .env("BANDWISE_SITE", workspace::site());
    become_process(&mut server)
}

/// Builds the server with cargo's profile `dev` or `release`; returns the program.
pub(crate) fn build_server(profile: &str) -> Result<PathBuf> {
    step("compiling the server", || {
        run(&mut cargo([
            "build",
            "--profile",
            profile,
            "--package",
            "bandwise-web",
            "--features",
            "ssr",
        ]))
    })?;
    let name = format!("bandwise-web{}", std::env::consts::EXE_SUFFIX);
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(workspace::target().join(folder).join(name))
}

/// On Unix the server takes this process over, so that signals reach it.
#[cfg(unix)]
fn become_process(server: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;

    Err(server.exec().into())
}

#[cfg(not(unix))]
fn become_process(server: &mut Command) -> Result<()> {
    run(server)
}
