//! A name means one model.

use super::Dataset;
use catalog::lint::{Report, Rule};
use catalog::search::squash;
use std::collections::BTreeMap;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "alias-unique",
    about: "no id, name or alias means two models, or is given twice",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for file in &data.models {
        owners.insert(squash(&file.id), &file.id);
    }
    for file in &data.models {
        let name = [("name", &file.entry.name)];
        let aliases = file.entry.aliases.iter().map(|alias| ("aliases", alias));
        for (key, text) in name.into_iter().chain(aliases) {
            let squashed = squash(text);
            match owners.get(&squashed) {
                Some(owner) if *owner != file.id => {
                    let message = format!("`{text}` already means `{owner}`");
                    report.error(file.at(), key, message, None);
                }
                Some(_) if key == "aliases" => {
                    let message =
                        format!("`{text}` already follows from the id, the name or another alias");
                    let hint = "delete it: case and punctuation don't count";
                    report.error(file.at(), key, message, Some(hint));
                }
                _ => {
                    owners.insert(squashed, &file.id);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{MODEL, on_good, on_models, on_spoilt};
    use super::RULE;

    #[test]
    fn a_name_of_its_own_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_alias_of_two_models_fails() {
        let other = MODEL.replace("name: Example 70M", "name: Example 90M");
        let findings = on_models(&RULE, &[("example-70m", MODEL), ("example-90m", &other)]);
        assert_eq!(findings[0].message, "`ex` already means `example-70m`");
    }

    #[test]
    fn an_alias_that_says_nothing_new_fails() {
        assert_eq!(on_spoilt(&RULE, "[ex]", "[EXAMPLE-70m]").len(), 1);
    }
}
