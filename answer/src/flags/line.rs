//! A command that grows flag by flag, and the sheet it goes on.

use crate::answer::Text;
use crate::flags::{CommandLine, ConfigFile, Note, Variable};

/// A command: words that belong together stay on one line of the shell's text.
pub(super) struct Line {
    environment: Vec<Variable>,
    groups: Vec<Vec<String>>,
    notes: Vec<Note>,
}

impl Line {
    /// A command of this program.
    pub(super) fn new(program: &[&str]) -> Self {
        Self {
            environment: Vec::new(),
            groups: vec![program.iter().map(|word| (*word).to_owned()).collect()],
            notes: Vec::new(),
        }
    }

    /// Words without a reason of their own.
    pub(super) fn plain(&mut self, words: &[&str]) {
        self.groups
            .push(words.iter().map(|word| (*word).to_owned()).collect());
    }

    /// A flag and its value; none for a switch.
    pub(super) fn flag(
        &mut self,
        name: &str,
        value: impl Into<Option<String>>,
        why: impl Into<String>,
    ) {
        let mut group = vec![name.to_owned()];
        group.extend(value.into());
        self.notes.push(Note {
            flag: group.join(" "),
            why: why.into(),
        });
        self.groups.push(group);
    }

    /// A variable of the environment.
    pub(super) fn variable(
        &mut self,
        name: &'static str,
        value: impl ToString,
        why: impl Into<String>,
    ) {
        let value = value.to_string();
        self.notes.push(Note {
            flag: format!("{name}={value}"),
            why: why.into(),
        });
        self.environment.push(Variable {
            name: name.into(),
            value,
        });
    }

    /// Another command's flags, without their reasons.
    pub(super) fn take_flags(&mut self, other: Self) {
        let flags = other.groups.into_iter().filter(|group| !group.is_empty());
        self.groups.extend(flags);
    }

    fn shell(&self) -> String {
        let variables = self
            .environment
            .iter()
            .map(|variable| format!("{}={}", variable.name, quoted(&variable.value)));
        let groups = self.groups.iter().map(|group| {
            let words: Vec<_> = group.iter().map(|word| quoted(word)).collect();
            words.join(" ")
        });
        variables.chain(groups).collect::<Vec<_>>().join(" \\\n  ")
    }
}

/// A word as a POSIX shell takes it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:=,@%+-".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// What an engine's module says.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) commands: Vec<CommandLine>,
    pub(super) files: Vec<ConfigFile>,
    pub(super) notes: Vec<Note>,
    pub(super) warnings: Vec<String>,
}

impl Sheet {
    /// Adds a command and the reasons of its flags.
    pub(super) fn command(
        &mut self,
        purpose: &'static str,
        about: impl Into<Text>,
        mut line: Line,
    ) {
        self.notes.append(&mut line.notes);
        self.commands.push(CommandLine {
            purpose: purpose.into(),
            about: about.into(),
            shell: line.shell(),
            argv: line.groups.into_iter().flatten().collect(),
            environment: line.environment,
        });
    }

    /// Adds a file.
    pub(super) fn file(&mut self, name: &'static str, text: String) {
        self.files.push(ConfigFile {
            name: name.into(),
            text,
        });
    }

    /// Adds a reason.
    pub(super) fn note(&mut self, flag: impl Into<String>, why: impl Into<String>) {
        self.notes.push(Note {
            flag: flag.into(),
            why: why.into(),
        });
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_every_word_as_it_is() {
        assert_eq!(quoted("--n-cpu-moe"), "--n-cpu-moe");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted(r#"{"method":"mtp"}"#), r#"'{"method":"mtp"}'"#);
    }
}
