//! Input that can't be used, for people and for programs.

use answer::flags::NoFlags;
use answer::{BadInput, FieldError, Problem};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::print::{self, Style};
use crate::{BAD_INPUT, NO};

/// Everything that is wrong with the input, at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    problems: Vec<Problem>,
    /// Whether the input can be used and the answer is no.
    no: bool,
}

impl Failure {
    /// A single problem.
    pub(crate) fn one(
        field: &'static str,
        value: &str,
        problem: impl Into<String>,
        hint: Option<String>,
    ) -> Self {
        Self {
            problems: vec![Problem {
                field: field.into(),
                value: value.to_owned(),
                problem: problem.into(),
                hint,
            }],
            no: false,
        }
    }

    /// The exit code.
    pub(crate) const fn code(&self) -> u8 {
        if self.no { NO } else { BAD_INPUT }
    }

    /// A name that no catalogue has.
    pub(crate) fn unknown(
        field: &'static str,
        value: &str,
        what: &str,
        nearest: &[String],
    ) -> Self {
        let hint = match nearest {
            [] => None,
            [only] => Some(format!("did you mean `{only}`?")),
            [first, ..] => Some(format!(
                "did you mean `{first}`? close names: {}",
                nearest.join(", ")
            )),
        };
        Self::one(field, value, format!("unknown {what}"), hint)
    }

    /// A command line that can't be parsed.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let no_command = matches!(
            error.kind(),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand
        );
        if no_command {
            return Self::one(
                "command",
                "",
                "is missing",
                Some("`bandwise --help` lists the commands".into()),
            );
        }
        let context = |kind| {
            error
                .context()
                .find(|(known, _)| *known == kind)
                .map(|(_, value)| match value {
                    ContextValue::String(text) => text.clone(),
                    ContextValue::Strings(texts) => texts.join(", "),
                    other => other.to_string(),
                })
        };
        // "error: unexpected argument '--modle' found", the usage and hints follow in other lines.
        let text = error.render().to_string();
        let first = text.lines().next().unwrap_or_default();
        let problem = first.strip_prefix("error: ").unwrap_or(first);
        let hint = [
            ContextKind::SuggestedArg,
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedValue,
        ]
        .into_iter()
        .find_map(context)
        .map(|near| format!("did you mean `{near}`?"));
        let value = [
            ContextKind::InvalidValue,
            ContextKind::InvalidSubcommand,
            ContextKind::InvalidArg,
        ]
        .into_iter()
        .find_map(context);
        Self::one("command line", &value.unwrap_or_default(), problem, hint)
    }

    /// As `error: …` lines, with hints on their own.
    pub(crate) fn text(&self, style: Style) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            text.push_str(&style.red("error:"));
            text.push(' ');
            // What was typed may hold what a terminal would obey.
            text.extend(problem.to_string().chars().map(|letter| {
                if letter.is_control() {
                    char::REPLACEMENT_CHARACTER
                } else {
                    letter
                }
            }));
            text.push('\n');
            if let Some(hint) = &problem.hint {
                text.push_str(&format!("  {} {hint}\n", style.cyan("hint:")));
            }
        }
        text
    }

    /// As a JSON object.
    pub(crate) fn json(&self) -> String {
        print::json(&BadInput::from(self.problems.clone()))
    }
}

impl From<Vec<FieldError>> for Failure {
    fn from(errors: Vec<FieldError>) -> Self {
        Self {
            problems: errors.iter().map(Problem::from).collect(),
            no: false,
        }
    }
}

impl From<Vec<Problem>> for Failure {
    fn from(problems: Vec<Problem>) -> Self {
        Self {
            problems,
            no: false,
        }
    }
}

impl From<NoFlags> for Failure {
    fn from(why: NoFlags) -> Self {
        let no = matches!(why, NoFlags::DoesNotFit(_));
        Self {
            no,
            ..Vec::from(why).into()
        }
    }
}
