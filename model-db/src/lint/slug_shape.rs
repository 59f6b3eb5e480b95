//! Files lie where their id says.

use super::Dataset;
use catalog::lint::{Report, Rule};
use catalog::slug::is_slug;
use std::collections::BTreeMap;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "slug-shape",
    about: "a file's name and its folder are slugs, and no name occurs twice",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for file in &data.models {
        for name in [&file.id, &file.folder] {
            if !is_slug(name) {
                let message =
                    format!("`{name}` is not lower-case letters and digits joined by `-` or `.`");
                report.error(file.at(), "", message, Some("rename it"));
            }
        }
        if let Some(other) = seen.insert(&file.id, &file.file) {
            let message = format!("`{other}` has the same id");
            report.error(file.at(), "", message, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{MODEL, on_good, on_models};
    use super::RULE;

    #[test]
    fn a_slug_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_name_with_capitals_fails() {
        assert_eq!(on_models(&RULE, &[("Example_70M", MODEL)]).len(), 1);
    }

    #[test]
    fn an_id_used_twice_fails() {
        let files = [("example-70m", MODEL), ("example-70m", MODEL)];
        assert_eq!(on_models(&RULE, &files).len(), 1);
    }
}
