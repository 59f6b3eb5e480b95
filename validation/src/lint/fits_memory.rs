//! A device can't hold more than it has.

use catalog::lint::{Report, Rule};
use estimator::units::Bytes;
use run_db::lint::Dataset;
use run_db::{Metric, Run};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "fits-memory",
    about: "memory in use stays below what the devices have",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for (at, key, run) in file.each() {
            let total = run
                .note
                .as_deref()
                .is_some_and(|note| note.starts_with("what=total"));
            // What an offloaded run holds in all is in RAM as well.
            let offloads = run
                .placement
                .is_some_and(|placement| placement.is_offload());
            if run.metric != Metric::MemoryGib || run.quarantined().is_some() || !total || offloads
            {
                continue;
            }
            if let Some(most) = most(run)
                && run.value > most
            {
                let message = format!("{} GiB in use of {most:.1} GiB", run.value);
                report.error(at, &key, message, Some("look for the number of devices"));
            }
        }
    }
}

/// GiB of all devices, in the largest size sold; `None` where not known.
fn most(run: &Run) -> Option<f64> {
    let each = |id: &str| {
        let sizes = &hardware_db::get(id)?.memory.sizes;
        let largest = sizes.iter().map(|size| size.bytes()).fold(0.0, f64::max);
        (largest > 0.0).then(|| Bytes::new(largest).to_gib())
    };
    let all: Option<f64> = run.hardware.split('+').map(each).sum();
    let count = if run.hardware.contains('+') {
        1
    } else {
        run.count?
    };
    Some(all? * f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::on;
    use super::RULE;

    #[test]
    fn memory_within_the_card_passes_and_beyond_it_fails() {
        let memory = (
            "metric: decode, value: 128.5",
            "metric: memory_gib, note: what=total; as printed, value: 23.5",
        );
        assert_eq!(on(&RULE, &[memory]), []);
        assert_eq!(on(&RULE, &[memory, ("23.5", "25.5")])[0].key, "runs.0");
        let two = ("count: 1", "count: 2");
        assert_eq!(on(&RULE, &[memory, ("23.5", "25.5"), two]), []);
    }
}
