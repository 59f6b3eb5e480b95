//! Every figure names a source; an empty list names none.

use super::Dataset;
use catalog::figure::Sourced;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "figure-has-source",
    about: "every figure names at least one source, each once",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        file.entry.visit_sources(&mut |path, ids| {
            let mut ids: Vec<&str> = ids.iter().collect();
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            if count == 0 {
                let hint = "name where it was read";
                report.error(file.at(), path, "the list of sources is empty", Some(hint));
            } else if ids.len() < count {
                report.error(file.at(), path, "a source is named twice", None);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn figures_with_sources_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_empty_or_repeated_source_fails() {
        for list in ["[]", "[card, card]"] {
            let findings = on_spoilt(&RULE, "[card, config]", list);
            assert_eq!(findings[0].key, "parameters.total");
        }
    }
}
