//! A run is spoken of by its id, in tests and on pages.

use std::collections::HashMap;

use catalog::lint::{Report, Rule};

use super::Dataset;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "id-unique",
    about: "every run has an id of its own, `r` and 12 hexadecimal digits",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for file in &data.files {
        for (at, key, run) in file.each() {
            if let Some(first) = seen.insert(&run.id, &file.id) {
                let message = format!("`{}` is a run of {first} too", run.id);
                report.error(at, &key, message, Some("give one of them another id"));
            }
            if !is_id(&run.id) {
                let message = format!("`{}` is no id", run.id);
                let hint = "write `r` and 12 hexadecimal digits that no other run has";
                report.error(at, &key, message, Some(hint));
            }
        }
    }
}

fn is_id(text: &str) -> bool {
    text.strip_prefix('r').is_some_and(|digits| {
        digits.len() == 12
            && digits
                .bytes()
                .all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{REPORT, on, on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn ids_of_their_own_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_id_used_twice_fails_wherever_it_is() {
        let findings = on_spoilt(&RULE, "r0123456789ac", "r0123456789ab");
        assert_eq!(findings[0].key, "runs.1");
        let files = [("rtx-4090/a", REPORT), ("rtx-4090/b", REPORT)];
        assert_eq!(on(&RULE, &files).len(), 2);
    }

    #[test]
    fn a_word_is_no_id() {
        assert_eq!(on_spoilt(&RULE, "r0123456789ac", "second").len(), 1);
    }
}
