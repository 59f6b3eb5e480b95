//! What only Debian's packages bring.

use std::{path::Path, process::Command};

use anyhow::{Result, bail};

use crate::step::{answer, run, step};

/// Installs `packages` unless all of `files` are there already.
pub(crate) fn provide(packages: &[&str], files: &[&str]) -> Result<()> {
    if files.iter().all(|file| Path::new(file).exists()) {
        return Ok(());
    }
    let names = packages.join(" ");
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("missing: Debian's packages {names}, and this is no Debian");
    }
    if answer(Command::new("id").arg("-u")).as_deref() != Some("0") {
        bail!("missing: run `sudo apt-get install {names}`");
    }
    step(&format!("installing Debian's packages {names}"), || {
        run(apt_get().args(["-qq", "update"]))?;
        run(apt_get()
            .args(["-qq", "-y", "--no-install-recommends", "install"])
            .args(packages))
    })
}

fn apt_get() -> Command {
    let mut apt_get = Command::new("apt-get");
    apt_get.env("DEBIAN_FRONTEND", "noninteractive");
    apt_get
}
