//! The id says what the name says: a copied file keeps the old name.

use super::Dataset;
use catalog::lint::{Exception, Report, Rule};
use catalog::search::squash;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "name-matches-slug",
    about: "every number in the id stands in the name",
    check,
    exceptions: &[Exception {
        id: "core-ultra-9-285h",
        key: "name",
        reason: "the record stands for all Core Ultra 200H",
    }],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.devices {
        let name = squash(&file.entry.name);
        let numbers = file
            .id
            .split(|c: char| !c.is_ascii_digit())
            .filter(|number| number.len() > 1);
        for number in numbers.filter(|number| !name.contains(*number)) {
            let message = format!(
                "the id has `{number}`, but the name is `{}`",
                file.entry.name
            );
            report.error(
                file.at(),
                "name",
                message,
                Some("was the file copied from another device?"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_name_with_the_number_of_the_id_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn the_name_of_another_card_fails() {
        let findings = on_spoilt(&RULE, "name: Example 4000", "name: Example 5000");
        assert_eq!(
            findings[0].message,
            "the id has `4000`, but the name is `Example 5000`"
        );
    }
}
