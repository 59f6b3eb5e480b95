//! A declared source is used by some figure.

use super::Dataset;
use catalog::figure::Sourced;
use catalog::lint::{Report, Rule};
use std::collections::BTreeSet;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "source-used",
    about: "every declared source is named by a figure",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let mut used = BTreeSet::new();
        file.entry
            .visit_sources(&mut |_, ids| used.extend(ids.iter().map(str::to_owned)));
        for id in file.entry.sources.keys().filter(|id| !used.contains(*id)) {
            let message = format!("source `{id}` is declared but no figure names it");
            let hint = "name it at its figure, or delete it";
            report.error(file.at(), &format!("sources.{id}"), message, Some(hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn used_sources_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_orphaned_source_fails() {
        let orphan =
            "sources:\n  leaflet: { kind: press, url: https://example.org/l, read: 2026-12-01 }\n";
        assert_eq!(
            on_spoilt(&RULE, "sources:\n", orphan)[0].key,
            "sources.leaflet"
        );
    }
}
