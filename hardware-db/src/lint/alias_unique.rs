//! A name means one device.

use super::Dataset;
use catalog::lint::{Report, Rule};
use catalog::search::squash;
use std::collections::BTreeMap;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "alias-unique",
    about: "no id, name or alias means two devices, or is given twice",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for file in &data.devices {
        owners.insert(squash(&file.id), &file.id);
    }
    for file in &data.devices {
        let name = [("name".to_owned(), &file.entry.name)];
        let aliases = file
            .entry
            .aliases
            .iter()
            .map(|alias| ("aliases".to_owned(), alias));
        for (key, text) in name.into_iter().chain(aliases) {
            let squashed = squash(text);
            match owners.get(&squashed) {
                Some(owner) if *owner != file.id => {
                    report.error(
                        file.at(),
                        &key,
                        format!("`{text}` already means `{owner}`"),
                        None,
                    );
                }
                Some(_) if key == "aliases" => {
                    let message =
                        format!("`{text}` already follows from the id, the name or another alias");
                    report.error(
                        file.at(),
                        &key,
                        message,
                        Some("delete it: case and punctuation don't count"),
                    );
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
    use super::super::fixture::{DEVICE, on_devices, on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_name_of_its_own_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_alias_of_two_devices_fails() {
        let other = DEVICE.replace("name: Example 4000", "name: Example 5000");
        let findings = on_devices(&RULE, &[("example-4000", DEVICE), ("example-5000", &other)]);
        assert_eq!(findings[0].message, "`ex4k` already means `example-4000`");
    }

    #[test]
    fn an_alias_that_says_nothing_new_fails() {
        assert_eq!(on_spoilt(&RULE, "[ex4k]", "[EXAMPLE-4000]").len(), 1);
    }
}
