//! A source stays what it was: a full commit, a revision, a version; not "whatever is newest".

use super::Dataset;
use catalog::lint::{Exception, Report, Rule};
use catalog::{Place, Source};

const SHORT_COMMIT: &str = "read at a commit of which only the first eight digits were kept";

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "source-permanent",
    about: "GitHub sources name a full commit (error); pages of a repository or documents name a revision, and every source has an address (warnings)",
    check,
    exceptions: &[
        Exception {
            id: "a40",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "h100-nvl-94gb",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "h20-96gb",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "h200-nvl-141gb",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "mi100",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "t4",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "v100-pcie",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "v100-sxm2",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
        Exception {
            id: "v100s-pcie-32gb",
            key: "sources.gpu-specs",
            reason: SHORT_COMMIT,
        },
    ],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in data.cited() {
        for (id, entry) in file.sources {
            let key = format!("sources.{id}");
            let Ok(source) = Source::try_from(entry.clone()) else {
                continue;
            };
            match &source.place {
                Place::GitHub { .. } if !source.is_permanent() => {
                    let message = "the repository is cited without a full commit";
                    report.error(
                        file.at,
                        &key,
                        message,
                        Some("add `commit:` with all 40 digits"),
                    );
                }
                Place::Url(url) if moves(url) => {
                    let message = format!("`{url}` shows whatever is newest");
                    report.warning(file.at, &key, message, Some("link a revision"));
                }
                Place::Unlinked(_) => {
                    let message = "the address is not recorded, so nobody can check it";
                    report.warning(file.at, &key, message, Some("find a primary source"));
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
        "/blob/master/",
        "/tree/main",
        "/tree/master",
        "/raw/main/",
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
            assert_eq!(
                (findings[0].level, findings[0].key.as_str()),
                (Level::Error, "sources.paper")
            );
        }
    }

    #[test]
    fn a_moving_page_and_a_lost_address_are_warnings() {
        for (from, to) in [
            (
                "https://example.org/4000",
                "https://example.org/en/latest/4000",
            ),
            (
                "kind: table\n    url: https://example.org/4000",
                "kind: unlinked\n    unlinked: a table",
            ),
        ] {
            let findings = on_spoilt(&RULE, from, to);
            assert_eq!(
                (findings[0].level, findings[0].key.as_str()),
                (Level::Warning, "sources.table")
            );
        }
    }
}
