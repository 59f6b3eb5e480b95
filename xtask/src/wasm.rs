//! Finding, or fetching, a compiler for wasm32.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{
    debian,
    step::{answer, run, say, step},
    workspace::{self, cargo},
};

const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_LINKER: &str = "/usr/bin/wasm-ld";

/// A way to compile for the browser.
pub(crate) enum Compiler {
    /// The toolchain in use has the target.
    Rustup,
    /// Debian's toolchain builds the standard library too.
    Debian {
        /// A linker for WebAssembly.
        linker: PathBuf,
    },
}

impl Compiler {
    /// The way `BANDWISE_WASM` asks for (`rustup`, `debian` or `none`), or the
    /// first that works. `None`: there is no browser part, and it was said why.
    pub(crate) fn find() -> Result<Option<Self>> {
        match env::var("BANDWISE_WASM").as_deref() {
            Ok("rustup") => Self::rustup().map(Some),
            Ok("debian") => Self::debian().map(Some),
            Ok("none") => {
                say("no browser part, as `BANDWISE_WASM` says: pages work without live updates");
                Ok(None)
            }
            Ok(other) => {
                bail!("`BANDWISE_WASM` is `{other}`; it can be `rustup`, `debian` or `none`")
            }
            Err(_) => Ok(Self::rustup()
                .or_else(|rustup| Self::debian().map_err(|debian| (rustup, debian)))
                .map_err(|(rustup, debian)| {
                    say(&format!(
                        "no browser part, pages work without live updates: {rustup:#}; {debian:#}"
                    ));
                })
                .ok()),
        }
    }

    fn rustup() -> Result<Self> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let library = answer(Command::new(rustc).current_dir(workspace::root()).args([
            "--print",
            "target-libdir",
            "--target",
            TARGET,
        ]));
        if library.is_none_or(|library| !Path::new(&library).exists()) {
            step(&format!("adding the target {TARGET} with rustup"), || {
                run(Command::new("rustup")
                    .current_dir(workspace::root())
                    .args(["target", "add", TARGET]))
            })?;
        }
        say("compiling for the browser with the installed Rust toolchain");
        Ok(Self::Rustup)
    }

    fn debian() -> Result<Self> {
        debian::provide(
            &["rustc-web", "cargo-web", "rust-web-src"],
            &[DEBIAN_RUSTC, DEBIAN_CARGO, "/usr/lib/rustlib/src/rust"],
        )?;
        let linker = if let Some(linker) = rust_lld() {
            linker
        } else {
            debian::provide(&["lld"], &[DEBIAN_LINKER])?;
            DEBIAN_LINKER.into()
        };
        say(&format!(
            "compiling for the browser with Debian's Rust, linking with {}",
            linker.display()
        ));
        Ok(Self::Debian { linker })
    }

    /// Compiles `package` as a cdylib for the browser; returns the module.
    pub(crate) fn compile(&self, package: &str, feature: &str, profile: &str) -> Result<PathBuf> {
        let arguments = [
            "rustc",
            "--package",
            package,
            "--lib",
            "--crate-type",
            "cdylib",
            "--features",
            feature,
            "--profile",
            profile,
            "--target",
            TARGET,
        ];
        let output = match self {
            Self::Rustup => {
                run(&mut cargo(arguments))?;
                workspace::target()
            }
            Self::Debian { linker } => {
                // Its own folder: artefacts of two compilers don't mix.
                let output = workspace::target().join("debian");
                run(Command::new(DEBIAN_CARGO)
                    .args(arguments)
                    .args(["-Z", "build-std=std,panic_abort", "--target-dir"])
                    .arg(&output)
                    .current_dir(workspace::root())
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                    .env_remove("CARGO")
                    .env_remove("RUSTUP_TOOLCHAIN"))?;
                output
            }
        };
        let module = format!("{}.wasm", package.replace('-', "_"));
        Ok(output.join(TARGET).join(profile).join(module))
    }
}

/// The linker that comes with a rustup toolchain.
fn rust_lld() -> Option<PathBuf> {
    let sysroot = answer(
        Command::new("rustc")
            .current_dir(workspace::root())
            .args(["--print", "sysroot"]),
    )?;
    let targets = Path::new(&sysroot).join("lib/rustlib").read_dir().ok()?;
    targets
        .filter_map(|target| Some(target.ok()?.path().join("bin/rust-lld")))
        .find(|linker| linker.exists())
}

/// Makes a module smaller with `wasm-opt`, where that is installed.
pub(crate) fn optimise(module: &Path) -> Result<()> {
    let Some(version) = answer(Command::new("wasm-opt").arg("--version")) else {
        return Ok(());
    };
    step(&format!("optimising for size with {version}"), || {
        run(Command::new("wasm-opt")
            .args(["-Oz", "--all-features"])
            .arg(module)
            .arg("-o")
            .arg(module))
        .context("wasm-opt")
    })
}
