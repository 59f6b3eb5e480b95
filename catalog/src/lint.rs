//! The frame of the data lint: rules, exceptions and findings.
//!
//! A rule looks at a whole database (the context `C`) and reports findings. An exception names one
//! expected finding and its reason; one that no longer applies is itself a finding, so the lists
//! can't rot.

use std::fmt;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Blocks the build of a release.
    Error,
    /// Should be improved when a better source is found.
    Warning,
}

/// Something wrong in a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub level: Level,
    /// The file, as given to the lint.
    pub file: String,
    /// The line, counted from one, if known.
    pub line: Option<usize>,
    /// The key, as a path: `memory.bandwidth`. Empty for the whole file.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        write!(f, "{level}[{}] {}", self.rule, self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.key.is_empty() {
            write!(f, " {}", self.key)?;
        }
        write!(f, "\n  {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// A finding that is expected, and why.
#[derive(Debug, Clone, Copy)]
pub struct Exception {
    /// The id of the entity.
    pub id: &'static str,
    /// The key the finding is about.
    pub key: &'static str,
    /// Why it stays.
    pub reason: &'static str,
}

/// One rule over a database.
pub struct Rule<C: ?Sized + 'static> {
    /// Its id, as printed.
    pub id: &'static str,
    /// What it catches, in a sentence.
    pub about: &'static str,
    /// The check.
    pub check: fn(&C, &mut Report<'_>),
    /// Expected findings.
    pub exceptions: &'static [Exception],
}

/// Collects the findings of a rule.
pub struct Report<'a> {
    rule: &'static str,
    exceptions: &'a [Exception],
    used: Vec<bool>,
    findings: Vec<Finding>,
}

/// Where a finding is: an entity's file and text.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// The id of the entity.
    pub id: &'a str,
    /// The file's name, as printed.
    pub file: &'a str,
    /// The file's text, to find the line.
    pub text: &'a str,
}

impl Report<'_> {
    /// Reports an error.
    pub fn error(&mut self, at: At<'_>, key: &str, message: impl Into<String>, hint: Option<&str>) {
        self.push(Level::Error, at, key, message.into(), hint);
    }

    /// Reports a warning.
    pub fn warning(
        &mut self,
        at: At<'_>,
        key: &str,
        message: impl Into<String>,
        hint: Option<&str>,
    ) {
        self.push(Level::Warning, at, key, message.into(), hint);
    }

    fn push(&mut self, level: Level, at: At<'_>, key: &str, message: String, hint: Option<&str>) {
        let expected = self
            .exceptions
            .iter()
            .position(|e| e.id == at.id && e.key == key);
        if let Some(used) = expected.and_then(|position| self.used.get_mut(position)) {
            *used = true;
            return;
        }
        self.findings.push(Finding {
            rule: self.rule,
            level,
            file: at.file.to_owned(),
            line: line_of(at.text, key),
            key: key.to_owned(),
            message,
            hint: hint.map(str::to_owned),
        });
    }
}

/// Runs all rules, and reports exceptions that are no longer needed under `exception-still-needed`.
pub fn run<C: ?Sized>(rules: &[Rule<C>], context: &C) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules {
        let mut report = Report {
            rule: rule.id,
            exceptions: rule.exceptions,
            used: vec![false; rule.exceptions.len()],
            findings: Vec::new(),
        };
        (rule.check)(context, &mut report);
        findings.append(&mut report.findings);
        let stale = rule
            .exceptions
            .iter()
            .zip(&report.used)
            .filter(|(_, used)| !**used);
        findings.extend(stale.map(|(exception, _)| Finding {
            rule: "exception-still-needed",
            level: Level::Error,
            file: exception.id.to_owned(),
            line: None,
            key: exception.key.to_owned(),
            message: format!(
                "`{}` no longer finds this, so the exception ({}) can go",
                rule.id, exception.reason
            ),
            hint: Some("delete it from the rule's exceptions".to_owned()),
        }));
    }
    findings.sort_by(|a, b| {
        (a.level, &a.file, a.line, a.rule, &a.key).cmp(&(b.level, &b.file, b.line, b.rule, &b.key))
    });
    findings
}

/// The line of `key` (`memory.bandwidth`, `compute.2`, `sources.a`) in a YAML text of block style,
/// counted from one. A key that isn't there is shown at its nearest parent.
#[must_use]
pub fn line_of(text: &str, key: &str) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = None;
    let (mut from, mut to, mut indent) = (0, lines.len(), 0);
    for part in key.split('.').filter(|part| !part.is_empty()) {
        let at = match part.parse::<usize>() {
            Ok(item) => nth_item(&lines, from, to, item),
            Err(_) => (from..to).find(|&at| {
                lines.get(at).is_some_and(|line| {
                    let body = line.trim_start().trim_start_matches("- ");
                    let shift = line.len() - body.len();
                    shift >= indent
                        && body
                            .trim_start_matches('"')
                            .strip_prefix(part)
                            .is_some_and(|tail| tail.trim_start_matches('"').starts_with(':'))
                })
            }),
        };
        let Some(at) = at else { break };
        found = Some(at + 1);
        let own = indent_of(lines.get(at).copied().unwrap_or(""));
        to = (at + 1..to)
            .find(|&next| {
                let line = lines.get(next).copied().unwrap_or("");
                !line.trim().is_empty()
                    && indent_of(line) <= own
                    && !line.trim_start().starts_with("- ")
            })
            .unwrap_or(to);
        from = if part.parse::<usize>().is_ok() {
            at
        } else {
            at + 1
        };
        indent = own + 1;
    }
    found
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The `item`-th line that starts a list item at the outermost indentation of the range.
fn nth_item(lines: &[&str], from: usize, to: usize, item: usize) -> Option<usize> {
    let starts = |at: &usize| {
        lines
            .get(*at)
            .is_some_and(|line| line.trim_start().starts_with("- "))
    };
    let first = (from..to).find(starts)?;
    let outer = indent_of(lines.get(first)?);
    (first..to)
        .filter(starts)
        .filter(|at| lines.get(*at).is_some_and(|line| indent_of(line) == outer))
        .nth(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: A\nmemory:\n  capacity: { value: 1 GiB, source: a }\n  bandwidth:\n    value: 1 GB/s\ncompute:\n  - { dtype: fp16 }\n  - { dtype: fp8 }\nsources:\n  a: { kind: vendor }\n  bandwidth: { kind: press }\n";

    #[test]
    fn lines_are_found_by_path() {
        for (key, line) in [
            ("name", Some(1)),
            ("memory.capacity", Some(3)),
            ("memory.bandwidth", Some(4)),
            ("memory.bandwidth.value", Some(5)),
            ("compute.1", Some(8)),
            ("sources.bandwidth", Some(11)),
            ("memory.colour", Some(2)),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(line_of(TEXT, key), line, "{key}");
        }
    }

    const AT: At<'_> = At {
        id: "a",
        file: "data/a.yaml",
        text: TEXT,
    };

    fn rules(exceptions: &'static [Exception]) -> [Rule<bool>; 1] {
        [Rule {
            id: "example",
            about: "an example",
            check: |&wrong, report| {
                if wrong {
                    report.error(AT, "memory.bandwidth", "too fast", Some("check the bus"));
                }
            },
            exceptions,
        }]
    }

    const EXCEPTIONS: &[Exception] = &[Exception {
        id: "a",
        key: "memory.bandwidth",
        reason: "known",
    }];

    #[test]
    fn a_finding_prints_place_message_and_hint() {
        let findings = run(&rules(&[]), &true);
        assert_eq!(
            findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["error[example] data/a.yaml:4 memory.bandwidth\n  too fast\n  hint: check the bus"]
        );
        assert!(run(&rules(&[]), &false).is_empty());
    }

    #[test]
    fn an_exception_silences_its_finding_and_is_reported_when_stale() {
        assert!(run(&rules(EXCEPTIONS), &true).is_empty());
        let findings = run(&rules(EXCEPTIONS), &false);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].rule, "exception-still-needed");
    }
}
