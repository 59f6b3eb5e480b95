//! The architecture has as many weights as were counted elsewhere.

use super::Dataset;
use crate::convert;
use catalog::lint::{Exception, Report, Rule};

/// The largest accepted difference of the text trunk.
const TRUNK: f64 = 0.001;
/// The largest accepted difference of the whole checkpoint.
const CHECKPOINT: f64 = 0.02;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "parameters-add-up",
    about: "the architecture's weights are those counted elsewhere within 0.1 %, their parts add up, and with towers and MTP layers make the checkpoint within 2 %",
    check,
    exceptions: &[Exception {
        id: "glm-4.7-flash",
        key: "parameters.total",
        reason: "the checkpoint holds second copies of embedding and head",
    }],
};

#[expect(clippy::cast_precision_loss, reason = "a ratio to four digits")]
fn off(computed: u64, stated: u64) -> f64 {
    (computed as f64 / stated.max(1) as f64 - 1.0).abs()
}

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let entry = &file.entry;
        let computed = convert::architecture(&entry.architecture).parameters();
        for (key, computed, stated) in [
            ("check.total", computed.total, entry.check.total),
            ("check.active", computed.active, entry.check.active),
        ] {
            if off(computed, stated) > TRUNK {
                let message = format!("the architecture has {computed} weights, not {stated}");
                report.error(
                    file.at(),
                    key,
                    message,
                    Some("compare `check.parts` part by part"),
                );
            }
        }
        let parts: u64 = entry.check.parts.values().sum();
        let counted: u64 = entry.architecture.counted.values().sum();
        if parts != entry.check.total && parts + counted != entry.check.total {
            let message = format!("the parts add up to {parts}, not {}", entry.check.total);
            report.error(file.at(), "check.parts", message, None);
        }
        let count = |figure: &Option<catalog::Figure<u64>>| {
            figure.as_ref().map_or(0, |figure| figure.value)
        };
        let all = computed.total + count(&entry.parameters.vision) + count(&entry.parameters.mtp);
        let total = entry.parameters.total.value;
        if off(all, total) > CHECKPOINT {
            let message = format!("trunk, towers and MTP layers have {all} weights, not {total}");
            report.error(file.at(), "parameters.total", message, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn what_adds_up_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_wrong_width_fails() {
        let findings = on_spoilt(&RULE, "width: 256", "width: 288");
        let keys: Vec<&str> = findings.iter().map(|f| f.key.as_str()).collect();
        assert!(keys.contains(&"check.total") && keys.contains(&"check.active"));
    }

    #[test]
    fn a_wrong_part_fails() {
        let findings = on_spoilt(&RULE, "router: 256", "router: 257");
        assert_eq!(findings[0].key, "check.parts");
    }

    #[test]
    fn a_checkpoint_of_another_model_fails() {
        let findings = on_spoilt(&RULE, "value: 251552", "value: 351552");
        assert_eq!(findings[0].key, "parameters.total");
    }
}
