//! The binary as people and scripts meet it.

#![expect(
    clippy::expect_used,
    reason = "a test that can't run its command fails"
)]

mod agreement;
mod answers;
mod catalogue;
mod errors;
mod flags;
mod formats;
mod help;
mod model_file;
mod readme;
mod streams;
mod validate;

use std::process::Output;

use assert_cmd::Command;

/// `bandwise` with a fixed width and no colour, whatever the terminal the tests run in.
fn bandwise(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bandwise"));
    command
        .args(arguments)
        .env("COLUMNS", "100")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .write_stdin("");
    command
}

/// What a command printed and how it ended.
fn output(arguments: &[&str]) -> Output {
    bandwise(arguments).output().expect("the binary runs")
}

/// What a command that must succeed printed.
fn stdout(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The JSON of a command that must succeed.
fn json(arguments: &[&str]) -> serde_json::Value {
    let text = stdout(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// What a command that must be refused said: its exit code is 2 and it printed no data.
fn refused(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}
