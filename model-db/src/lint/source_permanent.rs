//! A source stays what it was: a full commit, a revision, a version; not "whatever is newest".

use super::Dataset;
use catalog::lint::{Exception, Report, Rule};
use catalog::{Place, Source};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "source-permanent",
    about: "GitHub sources name a full commit (error); pages name a revision, and every source has an address (warnings)",
    check,
    exceptions: &EXCEPTIONS,
};

const EXCEPTIONS: [Exception; 1] = [Exception {
    id: "mistral-large-3-675b-a41b",
    key: "sources.vllm-recipe",
    reason: "the commit that was read was not kept",
}];

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        for (id, entry) in &file.entry.sources {
            let key = format!("sources.{id}");
            let Ok(source) = Source::try_from(entry.clone()) else {
                continue;
            };
            match &source.place {
                Place::GitHub { .. } if !source.is_permanent() => {
                    let message = "the repository is cited without a full commit";
                    let hint = "add `commit:` with all 40 digits";
                    report.error(file.at(), &key, message, Some(hint));
                }
                Place::Url(url) if moves(url) => {
                    let message = format!("`{url}` shows whatever is newest");
                    report.warning(file.at(), &key, message, Some("link a revision"));
                }
                Place::Unlinked(_) => {
                    let message = "the address is not recorded, so nobody can check it";
                    report.warning(file.at(), &key, message, Some("find a primary source"));
                }
                _ => {}
            }
        }
    }
}

/// Whether an address follows a branch or the latest edition.
fn moves(url: &str) -> bool {
    [
        "/blob/main/",
        "/blame/main/",
        "/tree/main",
        "/resolve/main/",
        ":latest",
        "/latest/",
    ]
    .iter()
    .any(|part| url.contains(part))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;
    use catalog::lint::Level;

    #[test]
    fn a_full_commit_and_a_page_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_short_or_missing_commit_is_an_error() {
        let commit = "    commit: 0123456789abcdef0123456789abcdef01234567\n";
        for short in ["    commit: '0123456789'\n", ""] {
            let findings = on_spoilt(&RULE, commit, short);
            assert_eq!(findings[0].level, Level::Error);
            assert_eq!(findings[0].key, "sources.config");
        }
    }

    #[test]
    fn a_moving_page_and_a_lost_address_are_warnings() {
        for (from, to) in [
            (
                "https://example.org/70m",
                "https://huggingface.co/example/70m/blob/main/config.json",
            ),
            (
                "kind: vendor\n    url: https://example.org/70m",
                "kind: unlinked\n    unlinked: a card",
            ),
        ] {
            let findings = on_spoilt(&RULE, from, to);
            assert_eq!(findings[0].level, Level::Warning);
        }
    }
}
