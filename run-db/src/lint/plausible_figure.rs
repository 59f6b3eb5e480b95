//! A figure outside of what any machine does is in another unit, or misread.

use catalog::lint::{Report, Rule};

use super::Dataset;
use crate::record::Metric;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "plausible-figure",
    about: "figures are in the unit of their metric, by their size",
    check,
    exceptions: &[],
};

/// Least and most of a metric, wider than anything measured.
const fn range(metric: Metric) -> (f64, f64) {
    match metric {
        Metric::Decode => (0.001, 20_000.0),
        Metric::DecodeTotal | Metric::Prefill | Metric::TotalInOut => (0.01, 10_000_000.0),
        Metric::TtftS => (0.000_1, 36_000.0),
        Metric::TpotMs => (0.05, 1_000_000.0),
        Metric::MemoryGib => (0.000_1, 20_000.0),
        Metric::Speedup => (0.1, 20.0),
    }
}

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for (at, key, run) in file.each() {
            let (low, high) = range(run.metric);
            if !(low..=high).contains(&run.value) {
                let (name, unit) = (run.metric.name(), run.metric.unit());
                let message = format!(
                    "{} {unit} of {name} is outside of {low} to {high} {unit}",
                    run.value
                );
                report.error(at, &key, message, Some("check the unit"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn figures_of_real_machines_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn bytes_for_gib_and_micro_for_milli_fail() {
        let bytes = on_spoilt(&RULE, "value: 5.25", "value: 5637144576");
        assert_eq!(bytes[0].key, "runs.1");
        assert_eq!(on_spoilt(&RULE, "value: 128.5", "value: 128500").len(), 1);
    }
}
