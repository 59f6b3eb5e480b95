//! Pages that copy others' figures, some with scrambled digits, aren't sources.

use catalog::lint::{Report, Rule};
use catalog::{Place, SourceKind};

use super::Dataset;
use crate::record::Quality;
use crate::spec::Origin;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "source-checkable",
    about: "a source is the publisher's own page, and one without an address is worth B at most",
    check,
    exceptions: &[],
};

/// Names that look-alike domains borrow, each with the domains that are real.
const REAL: [(&str, &[&str]); 3] = [
    ("huggingface", &["huggingface.co"]),
    (
        "github",
        &[
            "github.com",
            "gist.github.com",
            "raw.githubusercontent.com",
            "github.io",
            "github.blog",
        ],
    ),
    (
        "reddit",
        &["reddit.com", "www.reddit.com", "old.reddit.com"],
    ),
];

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        let Origin::Published(source) = &file.report.origin else {
            continue;
        };
        if let Place::Url(url) = &source.place
            && let Some(problem) = problem(url)
        {
            report.error(file.at(), "source", problem, Some("find the original"));
        }
        if source.kind == SourceKind::Unlinked {
            for (at, key, run) in file.each() {
                if run.quality == Quality::A {
                    let message = "quality A of a source without an address";
                    report.error(at, &key, message, Some("make it B"));
                }
            }
        }
    }
}

fn problem(url: &str) -> Option<String> {
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    if path.contains("?url=http") || path.contains("&url=http") {
        return Some(format!("`{host}` passes on another site's page"));
    }
    REAL.iter().find_map(|(name, domains)| {
        let real = domains
            .iter()
            .any(|domain| host == *domain || host.ends_with(&format!(".{domain}")));
        (host.contains(name) && !real).then(|| format!("`{host}` looks like {name} and isn't"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    const PLACE: &str = "github: someone/benchmarks, commit: 0123456789ab, path: README.md";

    #[test]
    fn a_publishers_own_page_passes() {
        assert_eq!(on_good(&RULE), []);
        for url in ["https://github.com/a/b/issues/1", "https://a.github.io/b"] {
            assert_eq!(
                on_spoilt(&RULE, PLACE, &format!("url: '{url}'")),
                [],
                "{url}"
            );
        }
    }

    #[test]
    fn look_alikes_and_proxies_fail() {
        for url in [
            "https://huggingface.co.example.net/a",
            "https://github-mirror.example/a/b",
            "https://example.com/p.php?url=https%3A%2F%2Fgithub.com",
        ] {
            let findings = on_spoilt(&RULE, PLACE, &format!("url: '{url}'"));
            assert_eq!(findings.len(), 1, "{url}");
        }
    }

    #[test]
    fn a_source_without_an_address_is_not_worth_an_a() {
        let findings = on_spoilt(
            &RULE,
            &format!("kind: measurement, {PLACE}"),
            "kind: unlinked, unlinked: tables",
        );
        assert_eq!(findings[0].key, "runs.0");
    }
}
