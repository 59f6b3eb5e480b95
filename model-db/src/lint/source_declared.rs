//! A source that a figure names is declared in the file, and makes sense.

use super::Dataset;
use catalog::Source;
use catalog::figure::Sourced;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "source-declared",
    about: "every source named by a figure is declared under `sources:` and well-formed",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let sources = &file.entry.sources;
        file.entry.visit_sources(&mut |path, ids| {
            for id in ids.iter().filter(|id| !sources.contains_key(*id)) {
                let message = format!("source `{id}` is not declared");
                report.error(file.at(), path, message, Some("add it under `sources:`"));
            }
        });
        for (id, entry) in sources {
            if let Err(error) = Source::try_from(entry.clone()) {
                report.error(file.at(), &format!("sources.{id}"), error.to_string(), None);
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
        let findings = on_spoilt(&RULE, "[card, config]", "[card, leaflet]");
        assert_eq!(findings[0].message, "source `leaflet` is not declared");
    }

    #[test]
    fn a_source_in_two_places_fails() {
        let both = "    path: 70m.json\n    url: https://example.org";
        assert_eq!(
            on_spoilt(&RULE, "    path: 70m.json", both)[0].key,
            "sources.config"
        );
    }
}
