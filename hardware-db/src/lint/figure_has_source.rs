//! Every figure names a source; an empty list names none.

use super::Dataset;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "figure-has-source",
    about: "every figure names at least one source, each once",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in data.cited() {
        file.figures.visit_sources(&mut |path, ids| {
            let mut ids: Vec<&str> = ids.iter().collect();
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            if count == 0 {
                report.error(
                    file.at,
                    path,
                    "the list of sources is empty",
                    Some("name where it was read"),
                );
            } else if ids.len() < count {
                report.error(file.at, path, "a source is named twice", None);
            }
        });
    }
    for file in &data.devices {
        if file
            .entry
            .usable
            .as_ref()
            .is_some_and(|usable| usable.source.is_none())
        {
            report.error(
                file.at(),
                "usable",
                "the limits name no source",
                Some("add `source:`"),
            );
        }
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
        assert_eq!(
            on_spoilt(&RULE, "[table, paper]", "[]")[0].key,
            "memory.bandwidth"
        );
        assert_eq!(
            on_spoilt(&RULE, "[table, paper]", "[table, table]")[0].key,
            "memory.bandwidth"
        );
    }

    #[test]
    fn limits_without_source_fail() {
        let usable = "usable:\n  windows: [{ size: 24 GiB, limit: 16 GiB }]\nprice:";
        assert_eq!(on_spoilt(&RULE, "price:", usable)[0].key, "usable");
    }
}
