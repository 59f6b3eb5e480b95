//! `cargo xtask test`: everything that must hold, the quick checks first.

use anyhow::{Result, bail};

use crate::{
    build_web::{build_web, kilobytes},
    debian,
    step::{run, say, step},
    workspace::cargo,
};

/// One feature set for every step, so that dependencies are compiled once for
/// the checks and once for the tests.
const FEATURES: &str = "bandwise-web/ssr,bandwise-tests/browser,xtask/data";

/// What a browser may have to download before a page is alive, compressed.
const BROWSER_BUDGET: u64 = 350_000;

/// What it may have to download once a model file is chosen, compressed.
const FILES_BUDGET: u64 = 150_000;

/// Runs every check; stops at the first step that fails.
pub(crate) fn test() -> Result<()> {
    debian::provide(
        &["chromium", "chromium-driver"],
        &["/usr/bin/chromium", "/usr/bin/chromedriver"],
    )?;
    step("format", || run(&mut cargo(["fmt", "--all", "--check"])))?;
    step("lints of the workspace", || {
        run(&mut cargo([
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            FEATURES,
            "--",
            "--deny",
            "warnings",
        ]))
    })?;
    for (package, feature) in [
        ("bandwise-web", "hydrate"),
        ("bandwise-web-files", "browser"),
    ] {
        step(&format!("lints of the browser part: {package}"), || {
            run(&mut cargo([
                "clippy",
                "--package",
                package,
                "--lib",
                "--features",
                feature,
                "--",
                "--deny",
                "warnings",
            ]))
        })?;
    }
    step("documentation", || {
        run(
            cargo(["doc", "--workspace", "--no-deps", "--features", FEATURES])
                .env("RUSTDOCFLAGS", "--deny warnings"),
        )
    })?;
    let browser_part = build_web()?;
    for (what, bytes, budget) in [
        (
            "the browser part",
            browser_part.brotli_bytes,
            BROWSER_BUDGET,
        ),
        (
            "the reader of model files",
            browser_part.files_brotli_bytes,
            FILES_BUDGET,
        ),
    ] {
        if bytes > budget {
            let (bytes, budget) = (kilobytes(bytes), kilobytes(budget));
            bail!("{what} has {bytes}; its budget is {budget}");
        }
    }
    step("tests, with a real browser too", || {
        run(&mut cargo([
            "test",
            "--workspace",
            "--features",
            FEATURES,
            "--no-fail-fast",
        ]))
    })?;
    say("everything holds");
    Ok(())
}
