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
    step("lints of the browser part", || {
        run(&mut cargo([
            "clippy",
            "--package",
            "bandwise-web",
            "--lib",
            "--features",
            "hydrate",
            "--",
            "--deny",
            "warnings",
        ]))
    })?;
    step("documentation", || {
        run(
            cargo(["doc", "--workspace", "--no-deps", "--features", FEATURES])
                .env("RUSTDOCFLAGS", "--deny warnings"),
        )
    })?;
    let browser_part = build_web()?;
    if browser_part.brotli_bytes > BROWSER_BUDGET {
        bail!(
            "the browser part has {}; its budget is {}",
            kilobytes(browser_part.brotli_bytes),
            kilobytes(BROWSER_BUDGET)
        );
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
