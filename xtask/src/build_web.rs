//! `cargo xtask build-web`: from the crate `web` to files a browser loads.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    path::Path,
};

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};
use wasm_bindgen_cli_support::Bindgen;

use crate::{
    step::{say, step},
    wasm::{self, Compiler},
    workspace,
};

const PACKAGE: &str = "bandwise-web";
const NAME: &str = "bandwise";

/// What was built.
pub(crate) struct BrowserPart {
    /// What a browser downloads of it; zero if there is none.
    pub(crate) brotli_bytes: u64,
}

/// Builds the browser part, if this machine has or gets a compiler for it.
/// Without one an older part is taken away, so that it can't be served by a
/// newer server.
pub(crate) fn build_web() -> Result<BrowserPart> {
    let site = workspace::site();
    let Some(compiler) = Compiler::find()? else {
        remove(&site)?;
        return Ok(BrowserPart { brotli_bytes: 0 });
    };
    let module = step("compiling the browser part", || {
        compiler.compile(PACKAGE, "hydrate", "wasm-release")
    })?;
    step("binding it to JavaScript and compressing", || {
        let fresh = site.with_extension("new");
        remove(&fresh)?;
        let name = bind(&module, &fresh.join("pkg"))?;
        compress(&fresh.join("pkg"))?;
        fs::write(fresh.join("browser-part"), name)?;
        remove(&site)?;
        fs::rename(&fresh, &site)?;
        Ok(())
    })?;
    sizes(&site.join("pkg"))
}

/// Runs wasm-bindgen and names what it writes by the content; returns the name.
fn bind(module: &Path, folder: &Path) -> Result<String> {
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(NAME)
        .generate(folder)?;
    let script = folder.join(format!("{NAME}.js"));
    let module = folder.join(format!("{NAME}_bg.wasm"));
    wasm::optimise(&module)?;

    let mut hasher = DefaultHasher::new();
    fs::read(&script)?.hash(&mut hasher);
    fs::read(&module)?.hash(&mut hasher);
    let name = format!("{NAME}-{:016x}", hasher.finish());
    fs::rename(script, folder.join(format!("{name}.js")))?;
    fs::rename(module, folder.join(format!("{name}_bg.wasm")))?;
    Ok(name)
}

/// Lays `<file>.br` and `<file>.gz` beside every file.
fn compress(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            compress(&path)?;
            continue;
        }
        let plain = fs::read(&path)?;
        let named = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            name
        };
        let mut brotli = Vec::new();
        brotli::BrotliCompress(
            &mut plain.as_slice(),
            &mut brotli,
            &BrotliEncoderParams {
                size_hint: plain.len(),
                ..BrotliEncoderParams::default()
            },
        )?;
        fs::write(named(".br"), brotli)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&plain)?;
        fs::write(named(".gz"), gzip.finish()?)?;
    }
    Ok(())
}

/// Prints the size of each file, plain and compressed, and adds up the latter.
fn sizes(folder: &Path) -> Result<BrowserPart> {
    let mut brotli_bytes = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|ending| ending == "js" || ending == "wasm")
        {
            let size = |ending: &str| {
                let mut name = path.as_os_str().to_owned();
                name.push(ending);
                fs::metadata(name).map(|file| file.len())
            };
            let (plain, gzip, brotli) = (size("")?, size(".gz")?, size(".br")?);
            brotli_bytes += brotli;
            say(&format!(
                "{}: {}, gzip {}, brotli {}",
                path.file_name().unwrap_or_default().display(),
                kilobytes(plain),
                kilobytes(gzip),
                kilobytes(brotli),
            ));
        }
    }
    Ok(BrowserPart { brotli_bytes })
}

/// `47.3 kB` for 47,312.
pub(crate) fn kilobytes(bytes: u64) -> String {
    format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100)
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("can't remove {}", folder.display()))?;
    }
    Ok(())
}
