//! A source that a figure names is declared in the file, and makes sense.

use super::Dataset;
use catalog::Source;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "source-declared",
    about: "every source named by a figure is declared under `sources:` and well-formed",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in data.cited() {
        file.figures.visit_sources(&mut |path, ids| {
            for id in ids.iter().filter(|id| !file.sources.contains_key(*id)) {
                report.error(
                    file.at,
                    path,
                    format!("source `{id}` is not declared"),
                    Some("add it under `sources:`"),
                );
            }
        });
        for (id, entry) in file.sources {
            if let Err(error) = Source::try_from(entry.clone()) {
                report.error(file.at, &format!("sources.{id}"), error.to_string(), None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn declared_sources_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_undeclared_source_fails() {
        let findings = on_spoilt(&RULE, "[table, paper]", "[table, leaflet]");
        assert_eq!(findings[0].message, "source `leaflet` is not declared");
    }

    #[test]
    fn a_source_in_two_places_fails() {
        let findings = on_spoilt(
            &RULE,
            "    path: 4000.md",
            "    path: 4000.md\n    url: https://example.org",
        );
        assert_eq!(findings[0].key, "sources.paper");
    }
}
