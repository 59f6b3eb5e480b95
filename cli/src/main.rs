//! `bandwise`: what will this hardware do with that language model?
//!
//! A command line around [`answer`]: flags become the texts of a question, answers become tables or
//! JSON. Nothing is computed here. A command returns all it wants printed, so that writing, its
//! errors and the exit code are dealt with in one place.
//!
//! Exit codes: 0; 1 when the model doesn't fit and `--check` was given, or `flags`; 2 for input that
//! can't be used. A reader that stops reading, as in `bandwise hardware list | head`, is no error.

mod args;
mod commands;
mod failure;
mod inputs;
mod model_file;
mod print;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches};

use crate::args::Cli;
use crate::failure::Failure;
use crate::print::Style;

/// The answer is no: what `--check` reports, and `flags` that would be for nothing.
const NO: u8 = 1;
/// The input can't be used.
const BAD_INPUT: u8 = 2;

/// What a run prints and how it ends.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    /// Data, for stdout.
    data: String,
    /// Everything else, for stderr.
    remarks: String,
    /// The exit code.
    code: u8,
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let outcome = run(&arguments);
    match write(&outcome) {
        Ok(()) => ExitCode::from(outcome.code),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If stderr is closed as well there is nobody left to tell.
            writeln!(io::stderr(), "error: can't write the answer: {error}").ok();
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn write(outcome: &Outcome) -> io::Result<()> {
    io::stderr().write_all(outcome.remarks.as_bytes())?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(outcome.data.as_bytes())?;
    stdout.flush()
}

fn run(arguments: &[OsString]) -> Outcome {
    let color = args::color_asked(arguments);
    let parsed = Cli::command()
        .color(color)
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => {
            let style = Style::new(colored(color, io::stdout().is_terminal()), print::width());
            match commands::run(&cli, style) {
                Ok(done) => Outcome {
                    data: done.data,
                    remarks: done.remarks,
                    code: done.code,
                },
                Err(failure) => refuse(&failure, cli.output.json, color),
            }
        }
        Err(error) if error.use_stderr() && args::json_asked(arguments) => {
            refuse(&Failure::usage(&error), true, color)
        }
        Err(error) if error.use_stderr() => Outcome {
            remarks: rendered(&error, colored(color, io::stderr().is_terminal())),
            code: BAD_INPUT,
            ..Outcome::default()
        },
        // Help and version are what was asked for.
        Err(error) => Outcome {
            data: rendered(&error, colored(color, io::stdout().is_terminal())),
            ..Outcome::default()
        },
    }
}

fn refuse(failure: &Failure, json: bool, color: ColorChoice) -> Outcome {
    let (data, remarks) = if json {
        (failure.json(), String::new())
    } else {
        (
            String::new(),
            failure.text(Style::new(colored(color, io::stderr().is_terminal()), None)),
        )
    };
    Outcome {
        data,
        remarks,
        code: failure.code(),
    }
}

fn rendered(error: &clap::Error, colored: bool) -> String {
    let text = error.render();
    if colored {
        text.ansi().to_string()
    } else {
        text.to_string()
    }
}

/// Whether a stream gets colours, by `--color`, `NO_COLOR` and what the stream is.
fn colored(choice: ColorChoice, terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            terminal
                && !set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
