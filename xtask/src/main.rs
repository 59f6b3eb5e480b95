//! `cargo xtask`: everything around the code that isn't plain cargo. Each
//! command does its own set-up and says what it is doing.

#![expect(
    clippy::print_stderr,
    reason = "a command-line program: what it is doing goes to stderr"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod build_web;
mod debian;
mod lint_data;
mod schema;
mod serve;
mod shots;
mod step;
mod test;
mod validate;
mod wasm;
mod workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the browser part of `web` into `target/site`
    BuildWeb,
    /// Build server and browser part, then serve on 127.0.0.1:3000 (or `BANDWISE_ADDR`)
    Serve,
    /// Everything that must hold: format, lints, docs, tests, browser tests
    Test,
    /// Check all data files by all rules
    LintData,
    /// Compare estimates with the measured runs of the database, or of a CSV file
    Validate(validate::Options),
    /// Write the JSON Schema of every kind of data file
    Schema,
    /// Screenshots of pages, on desktop and phone, light and dark, into `target/shots`
    Shots(shots::Options),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::BuildWeb => build_web::build_web().map(drop),
        Command::Serve => serve::serve(),
        Command::Test => test::test(),
        Command::LintData => lint_data::lint_data(),
        Command::Validate(options) => validate::validate(&options),
        Command::Schema => schema::schema(),
        Command::Shots(options) => shots::shots(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
