//! Weights taken by count are said to be so, and stay few.

use super::Dataset;
use crate::entry::PartName;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "counted-noted",
    about: "weights known by count only are told in the notes, and but for lookup tables are under 2 %",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let counted = &file.entry.architecture.counted;
        let key = "architecture.counted";
        if !counted.is_empty()
            && !file
                .entry
                .notes
                .iter()
                .any(|note| note.contains("by count"))
        {
            let message = "weights are taken by count, and no note says so";
            report.error(
                file.at(),
                key,
                message,
                Some("add a note: `Taken by count: …`"),
            );
        }
        let shaped: u64 = counted
            .iter()
            .filter(|(part, _)| **part != PartName::Lookup)
            .map(|(_, elements)| *elements)
            .sum();
        if shaped > file.entry.check.total / 50 {
            let message = format!(
                "{shaped} of {} weights are taken by count",
                file.entry.check.total
            );
            report.error(file.at(), key, message, Some("give their shapes"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_few_that_are_noted_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn counting_in_silence_fails() {
        assert_eq!(on_spoilt(&RULE, "Taken by count: other", "Nice").len(), 1);
    }

    #[test]
    fn counting_much_fails_unless_it_is_a_table() {
        assert_eq!(on_spoilt(&RULE, "other: 96", "other: 9600").len(), 1);
        assert_eq!(on_spoilt(&RULE, "other: 96", "lookup: 9600"), []);
    }
}
