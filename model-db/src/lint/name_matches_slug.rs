//! The id says what the name says: a copied file keeps the old name.

use super::Dataset;
use catalog::lint::{Report, Rule};
use catalog::search::squash;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "name-matches-slug",
    about: "every number in the id stands in the name or the repository",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let name = squash(&file.entry.name) + &squash(&file.entry.repository);
        let numbers = file
            .id
            .split(|c: char| !c.is_ascii_digit())
            .filter(|number| number.len() > 1);
        for number in numbers.filter(|number| !name.contains(*number)) {
            let message = format!(
                "the id has `{number}`, but the name is `{}`",
                file.entry.name
            );
            let hint = "was the file copied from another model?";
            report.error(file.at(), "name", message, Some(hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{MODEL, on_good, on_models};
    use super::RULE;

    #[test]
    fn a_name_with_the_number_of_the_id_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn the_name_of_another_model_fails() {
        let findings = on_models(&RULE, &[("example-90m", MODEL)]);
        assert_eq!(
            findings[0].message,
            "the id has `90`, but the name is `Example 70M`"
        );
    }
}
