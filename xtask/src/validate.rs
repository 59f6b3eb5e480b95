//! `cargo xtask validate`: estimates against measured runs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

/// What to compare, and how to print it.
#[derive(Args)]
pub(crate) struct Options {
    /// A CSV file of measured runs instead of the database's
    #[arg(long, value_name = "FILE")]
    runs: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the program's own command, optimised: thousands of estimates.
pub(crate) fn validate(options: &Options) -> Result<()> {
    let program = ["run", "--release", "--package", "bandwise", "--"];
    let mut command = crate::workspace::cargo(program);
    command.arg("validate");
    if let Some(runs) = &options.runs {
        command.arg("--runs").arg(std::path::absolute(runs)?);
    }
    if options.json {
        command.arg("--json");
    }
    crate::step::run(&mut command)
}
