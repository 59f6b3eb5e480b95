//! Exit codes, streams and colour.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::{bandwise, output, stdout};

const FITS: [&str; 7] = [
    "estimate",
    "--hardware",
    "rtx-4090",
    "--model",
    "llama-3.1-8b",
    "--context",
    "4096",
];
const TOO_LARGE: [&str; 7] = [
    "estimate",
    "--hardware",
    "rtx-4060",
    "--model",
    "llama-3.1-8b",
    "--context",
    "131072",
];

#[test]
fn check_exits_with_1_exactly_when_it_does_not_fit_on_the_devices() {
    let code = |arguments: &[&str]| output(arguments).status.code();
    assert_eq!(code(&FITS), Some(0));
    assert_eq!(code(&[&FITS[..], &["--check"]].concat()), Some(0));
    assert_eq!(code(&TOO_LARGE), Some(0));
    assert_eq!(code(&[&TOO_LARGE[..], &["--check"]].concat()), Some(1));
    assert_eq!(
        code(&[&TOO_LARGE[..], &["--check", "--json"]].concat()),
        Some(1)
    );
    // Layers in the host's RAM run, but they are not on the device.
    assert_eq!(
        code(&[&TOO_LARGE[..], &["--check", "--ram", "64"]].concat()),
        Some(1)
    );
}

#[test]
fn a_failed_check_prints_the_same_answer() {
    let checked = output(&[&TOO_LARGE[..], &["--check"]].concat());
    assert_eq!(checked.stdout, output(&TOO_LARGE).stdout);
    assert_eq!(checked.stderr, b"");
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    for arguments in [
        &["hardware", "list"][..],
        &["hardware", "list", "--json"],
        &["estimate", "--help"],
        &FITS,
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("bandwise"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        // Closed before anything is read.
        drop(child.stdout.take());
        let mut said = String::new();
        child
            .stderr
            .take()
            .expect("a pipe")
            .read_to_string(&mut said)
            .expect("text");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn colour_is_off_in_a_pipe_and_on_when_asked_for() {
    let escape = '\u{1b}';
    assert!(!stdout(&FITS).contains(escape));
    assert!(!stdout(&["-h"]).contains(escape));
    assert!(stdout(&[&FITS[..], &["--color", "always"]].concat()).contains(escape));
    assert!(stdout(&["--color=always", "-h"]).contains(escape));
    assert!(!stdout(&[&FITS[..], &["--color", "never"]].concat()).contains(escape));
    assert!(!stdout(&[&FITS[..], &["--color", "always", "--json"]].concat()).contains(escape));
}

#[test]
fn colour_only_adds_to_the_text() {
    let mut plain = String::new();
    let colored = stdout(&[&FITS[..], &["--color", "always"]].concat());
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').expect("a colour code ends in m").1;
    }
    plain.push_str(rest);
    // Spaces at the end of a coloured cell stay; nobody sees them.
    let lines = |text: &str| {
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&plain), lines(&stdout(&FITS)));
}

#[test]
fn text_keeps_to_the_width_where_numbers_allow() {
    for width in ["80", "120"] {
        let command = [&FITS[..], &["--ram", "64"]].concat();
        let output = bandwise(&command)
            .env("COLUMNS", width)
            .output()
            .expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let limit: usize = width.parse().expect("a number");
        for line in text.lines().filter(|line| !line.starts_with("page:")) {
            assert!(line.chars().count() <= limit, "{width}: {line}");
        }
    }
}
