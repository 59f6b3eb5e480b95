//! No more weights work on a token than there are.

use super::Dataset;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "active-le-total",
    about: "active weights are at most all weights, and the stated ones are near the counted ones",
    check,
    exceptions: &[],
};

/// Makers round, and differ on whether embeddings count.
const FAR: f64 = 1.6;

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let check = &file.entry.check;
        if check.active > check.total {
            let message = format!(
                "{} active weights are more than all {}",
                check.active, check.total
            );
            report.error(file.at(), "check.active", message, None);
        }
        let parameters = &file.entry.parameters;
        let Some(active) = parameters.active.as_ref().map(|figure| figure.value) else {
            continue;
        };
        if active > parameters.total.value {
            let message = format!(
                "{active} active weights are more than all {}",
                parameters.total.value
            );
            report.error(file.at(), "parameters.active", message, None);
        }
        #[expect(clippy::cast_precision_loss, reason = "a ratio to two digits")]
        let ratio = check.active.max(1) as f64 / active.max(1) as f64;
        if !(1.0 / FAR..=FAR).contains(&ratio) {
            let message = format!(
                "the maker states {active} active weights, the architecture has {}",
                check.active
            );
            report.warning(
                file.at(),
                "parameters.active",
                message,
                Some("are the experts a token visits right?"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn fewer_active_weights_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn more_active_weights_than_all_fail() {
        assert_eq!(
            on_spoilt(&RULE, "active: 214688", "active: 300000")[0].key,
            "check.active"
        );
        assert_eq!(
            on_spoilt(&RULE, "value: 220000", "value: 251553")[0].key,
            "parameters.active"
        );
    }

    #[test]
    fn a_stated_count_far_off_is_a_warning() {
        let findings = on_spoilt(&RULE, "value: 220000", "value: 100000");
        assert_eq!(findings[0].level, catalog::lint::Level::Warning);
    }
}
