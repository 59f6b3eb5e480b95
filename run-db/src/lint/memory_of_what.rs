//! A figure of memory says nothing until it says of what.

use catalog::lint::{Report, Rule};

use super::Dataset;
use crate::record::Metric;

/// What a figure of memory can be of.
const PARTS: [&str; 10] = [
    "total", "weights", "kv", "kv_pool", "state", "compute", "runtime", "file", "estimate", "other",
];

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "memory-of-what",
    about: "the note of a memory figure starts with `what=` and a part",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for (at, key, run) in file.each() {
            if run.metric != Metric::MemoryGib {
                continue;
            }
            let note = run.note.as_deref().unwrap_or_default();
            let part = note
                .strip_prefix("what=")
                .map(|rest| rest.split(';').next().unwrap_or_default().trim());
            if !part.is_some_and(|part| PARTS.contains(&part)) {
                let hint = format!(
                    "start the note with `what=` and one of {}",
                    PARTS.join(", ")
                );
                report.error(at, &key, "memory of what?", Some(&hint));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_part_that_is_named_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn memory_of_nothing_in_particular_fails() {
        for to in ["note: as printed", "note: what=ram; as printed"] {
            let findings = on_spoilt(&RULE, "note: what=total; as printed", to);
            assert_eq!(findings.len(), 1, "{to}");
        }
    }
}
