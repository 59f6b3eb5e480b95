//! Help is text that is reviewed like any other.

use crate::{refused, stdout};

#[test]
fn help_of_every_command_short_and_long() {
    let commands: [&[&str]; 16] = [
        &[],
        &["estimate"],
        &["explain"],
        &["fit"],
        &["formats"],
        &["flags"],
        &["what-runs"],
        &["validate"],
        &["hardware"],
        &["hardware", "list"],
        &["hardware", "show"],
        &["hardware", "search"],
        &["models"],
        &["models", "list"],
        &["models", "show"],
        &["models", "search"],
    ];
    for command in commands {
        for flag in ["-h", "--help"] {
            let name = [command, &[if flag == "-h" { "short" } else { "long" }]]
                .concat()
                .join("-");
            insta::assert_snapshot!(format!("help-{name}"), stdout(&[command, &[flag]].concat()));
        }
    }
}

#[test]
fn without_a_command_the_short_help_is_printed_and_the_exit_code_is_2() {
    assert_eq!(refused(&[]), stdout(&["-h"]));
}

#[test]
fn the_version_names_the_method_too() {
    let text = stdout(&["--version"]);
    let expected = format!(
        "bandwise {} (methodology {})\n",
        env!("CARGO_PKG_VERSION"),
        estimator::estimate::METHODOLOGY
    );
    assert_eq!(text, expected);
}

#[test]
fn every_input_of_the_estimator_has_its_flag() {
    let help = stdout(&["estimate", "--help"]);
    for field in answer::Field::ALL {
        assert!(help.contains(&format!("--{} <", field.name())), "{field}");
    }
    assert!(!stdout(&["what-runs", "--help"]).contains("--model <"));
}
