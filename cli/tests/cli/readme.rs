//! What the README shows is what the program prints.

use super::{output, stdout};

/// The lines after a command of the README, up to the end of its block.
fn shown(command: &str) -> String {
    let readme = include_str!("../../../README.md");
    let (_, after) = readme
        .split_once(&format!("$ bandwise {command}\n"))
        .expect("the README has the command");
    let (block, _) = after.split_once("\n```").expect("the block ends");
    block.to_owned()
}

#[test]
fn the_session_of_the_readme_is_real() {
    let command =
        "estimate --hardware rtx-4090 --model llama-3.1-8b --format Q4_K_M --context 4096";
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(stdout(&words).trim_end(), shown(command));
}

#[test]
fn the_slip_of_the_readme_is_real() {
    let command = "estimate --hardware rtx4900 --model llama-3.1-8b";
    let words: Vec<&str> = command.split(' ').collect();
    let printed = String::from_utf8(output(&words).stderr).expect("text");
    assert_eq!(printed.trim_end(), shown(command));
}

#[test]
fn the_engines_command_of_the_readme_is_real() {
    let readme = include_str!("../../../README.md");
    let (_, after) = readme
        .split_once("```\nllama-server ")
        .expect("the README has the command");
    let (block, after) = after.split_once("\n```").expect("the block ends");
    assert!(after.trim_start().starts_with(
        "is `bandwise flags --hardware 'rtx-4090 + rtx-3060' --model 'qwen3 32b' --format Q6_K`"
    ));
    let printed = stdout(&[
        "flags",
        "--hardware",
        "rtx-4090 + rtx-3060",
        "--model",
        "qwen3 32b",
        "--format",
        "Q6_K",
    ]);
    assert!(printed.contains(block), "{printed}");
}
