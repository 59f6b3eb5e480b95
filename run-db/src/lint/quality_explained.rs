//! Who reads B or C wants to know why.

use catalog::lint::{Report, Rule};

use super::Dataset;
use crate::record::Quality;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "quality-explained",
    about: "a run below quality A says what is missing, one that is set aside says why",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for (at, key, run) in file.each() {
            if run.quality != Quality::A && run.issue.is_none() {
                let message = format!("quality {} without an issue", run.quality.name());
                report.error(at, &key, message, Some("say in `issue` what is missing"));
            }
            let blank =
                |text: &Option<String>| text.as_deref().is_some_and(|text| text.trim().is_empty());
            if blank(&run.issue) || blank(&run.quarantine) {
                report.error(at, &key, "a reason that says nothing", None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_quality_with_its_reason_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_quality_without_a_reason_fails() {
        let findings = on_spoilt(&RULE, "issue: version not stated, ", "");
        assert_eq!(findings[0].key, "runs.1");
        let blank = on_spoilt(&RULE, "output: 128", "quarantine: ' '");
        assert_eq!(blank.len(), 1);
    }
}
