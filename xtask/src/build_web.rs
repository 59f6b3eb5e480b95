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

/// A module that browsers load.
struct Module {
    package: &'static str,
    feature: &'static str,
    /// What its files are called.
    name: &'static str,
    /// The file in which the server finds the whole name.
    note: &'static str,
}

/// What brings pages alive.
const PAGE: Module = Module {
    package: "bandwise-web",
    feature: "hydrate",
    name: "bandwise",
    note: "browser-part",
};

/// What reads model files, loaded when one is chosen.
const FILES: Module = Module {
    package: "bandwise-web-files",
    feature: "browser",
    name: "bandwise-files",
    note: "file-reader",
};

/// What was built.
pub(crate) struct BrowserPart {
    /// What a browser downloads before a page is alive; zero if there is none.
    pub(crate) brotli_bytes: u64,
    /// What it downloads once a model file is chosen.
    pub(crate) files_brotli_bytes: u64,
}

/// Builds the browser part, if this machine has or gets a compiler for it.
/// Without one an older part is taken away, so that it can't be served by a
/// newer server.
pub(crate) fn build_web() -> Result<BrowserPart> {
    let site = workspace::site();
    let Some(compiler) = Compiler::find()? else {
        remove(&site)?;
        return Ok(BrowserPart {
            brotli_bytes: 0,
            files_brotli_bytes: 0,
        });
    };
    let compile =
        |module: &Module| compiler.compile(module.package, module.feature, "wasm-release");
    let page = step("compiling the browser part", || compile(&PAGE))?;
    let files = step("compiling the reader of model files", || compile(&FILES))?;
    step("binding it to JavaScript and compressing", || {
        let fresh = site.with_extension("new");
        remove(&fresh)?;
        for (kind, module) in [(&PAGE, &page), (&FILES, &files)] {
            let name = bind(kind.name, module, &fresh.join("pkg"))?;
            fs::write(fresh.join(kind.note), name)?;
        }
        compress(&fresh.join("pkg"))?;
        remove(&site)?;
        fs::rename(&fresh, &site)?;
        Ok(())
    })?;
    sizes(&site.join("pkg"))
}

/// Runs wasm-bindgen and names what it writes by the content; returns the name.
fn bind(name: &str, module: &Path, folder: &Path) -> Result<String> {
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(name)
        .generate(folder)?;
    let script = folder.join(format!("{name}.js"));
    let module = folder.join(format!("{name}_bg.wasm"));
    wasm::optimise(&module)?;
    put_in_snippets(&script, folder)?;

    let mut hasher = DefaultHasher::new();
    fs::read(&script)?.hash(&mut hasher);
    fs::read(&module)?.hash(&mut hasher);
    let name = format!("{name}-{:016x}", hasher.finish());
    fs::rename(script, folder.join(format!("{name}.js")))?;
    fs::rename(module, folder.join(format!("{name}_bg.wasm")))?;
    Ok(name)
}

/// Puts the files of JavaScript that a script imports into it: their names don't follow their
/// content, so a browser would keep old ones.
fn put_in_snippets(script: &Path, folder: &Path) -> Result<()> {
    const FROM: &str = " from './snippets/";

    let mut text = fs::read_to_string(script)?;
    while let Some(end) = text.find(FROM) {
        let start = text[..end].rfind("import ").context("an import")?;
        let (names, path) = (&text[start + 7..end], &text[end + 7..]);
        let (path, rest) = path.split_once("';").context("the end of an import")?;
        // `{ read as read1 }` takes one name of what the file exports, as JavaScript's
        // destructuring does with a colon.
        let names = names.replace(" as ", ": ");
        let content = fs::read_to_string(folder.join(path))?;
        let exports = exports(&content).join(", ");
        let content = content.replace("export ", "");
        text = format!(
            "{}const {names} = (() => {{\n{content}\nreturn {{ {exports} }};\n}})();{rest}",
            &text[..start],
        );
    }
    fs::write(script, without_comments(&text))?;
    remove(&folder.join("snippets"))
}

/// JavaScript without lines that are comments, and without indentation.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        inside = inside || line.starts_with("/*");
        if !(inside || line.is_empty() || line.starts_with("//")) {
            kept.push_str(line);
            kept.push('\n');
        }
        inside = inside && !line.ends_with("*/");
    }
    kept
}

/// The functions a file of JavaScript exports.
fn exports(content: &str) -> Vec<&str> {
    content
        .lines()
        .filter_map(|line| line.strip_prefix("export "))
        .filter_map(|line| line.split_once("function ")?.1.split('(').next())
        .collect()
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
    let (mut brotli_bytes, mut files_brotli_bytes) = (0, 0);
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
            let name = path.file_name().unwrap_or_default();
            if name.to_string_lossy().starts_with(FILES.name) {
                files_brotli_bytes += brotli;
            } else {
                brotli_bytes += brotli;
            }
            say(&format!(
                "{}: {}, gzip {}, brotli {}",
                name.display(),
                kilobytes(plain),
                kilobytes(gzip),
                kilobytes(brotli),
            ));
        }
    }
    Ok(BrowserPart {
        brotli_bytes,
        files_brotli_bytes,
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_nothing_else() {
        let text =
            "/**\n * What it does.\n */\nfunction f() {\n    // why\n    return 1; // kept\n}\n";
        assert_eq!(
            without_comments(text),
            "function f() {\nreturn 1; // kept\n}\n"
        );
    }

    #[test]
    fn exported_functions_are_found_by_name() {
        let text = "const a = 1;\nexport function f(b) {}\nexport async function g() {}\n";
        assert_eq!(exports(text), ["f", "g"]);
    }
}
