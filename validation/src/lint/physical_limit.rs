//! No run without speculation writes faster than memory can be read.

use catalog::lint::{Report, Rule};
use estimator::format::{FormatFamily, WeightFormat};
use estimator::num;
use estimator::units::Bytes;
use estimator::weights::Weights;
use run_db::lint::Dataset;
use run_db::{Metric, Run};

use crate::asked::ask;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "physical-limit",
    about: "decode × bytes read a token stays below the peak bandwidth of all devices",
    check,
    exceptions: &[],
};

/// Weights of a file and of the formula may differ by so much, where a format's mix is the maker's
/// own.
const SLACK: f64 = 1.1;

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for (at, key, run) in file.each() {
            if run.metric != Metric::Decode
                || run.speculative.is_some()
                || run.quarantined().is_some()
                || run
                    .placement
                    .is_some_and(|placement| placement.is_offload())
            {
                continue;
            }
            if let Some(limit) = limit(run)
                && run.value > limit * SLACK
            {
                let message = format!(
                    "{} tok/s, and reading the weights once a token allows {limit:.1}",
                    run.value
                );
                let hint = "look for speculation, another format or more devices; else set it aside with `quarantine`";
                report.error(at, &key, message, Some(hint));
            }
        }
    }
}

/// Bits a weight of formats in which each publisher keeps other parts in 16 bits: no file of them
/// can be smaller. `None` where the mix is the format's own.
fn nominal_bits(format: &WeightFormat) -> Option<f64> {
    use FormatFamily as F;
    match format.family() {
        F::Fp8 | F::Int8 => Some(8.0),
        F::Awq | F::Gptq | F::Nvfp4 | F::Mxfp4 | F::Bnb => Some(if format.name().contains('8') {
            8.0
        } else {
            4.0
        }),
        _ => None,
    }
}

/// Tokens a second at which all devices read at their peak; `None` where something isn't known.
fn limit(run: &Run) -> Option<f64> {
    let asked = ask(run).ok()?;
    let resolved = answer::resolve(&asked.question).ok()?;
    let weights = Weights::of(&resolved.architecture, &resolved.format);
    let parameters = resolved.architecture.parameters();
    let rates: Option<Vec<f64>> = resolved
        .devices()
        .map(|device| {
            let least = estimator::step::decode_floor(device, &weights)?;
            let smallest = nominal_bits(&resolved.format)
                .zip(device.bandwidth)
                .map(|(bits, rate)| Bytes::new(num::f(parameters.active) * bits / 8.0) / rate);
            Some(1.0 / smallest.map_or(least, |smallest| smallest.min(least)).get())
        })
        .collect();
    // At most all read their parts at the same time.
    Some(rates?.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::on;
    use super::RULE;

    #[test]
    fn a_run_below_the_limit_passes() {
        // 1008 GB/s over 4.6 GB are 217 tok/s.
        assert_eq!(on(&RULE, &[("value: 128.5", "value: 210")]), []);
    }

    #[test]
    fn a_run_above_it_fails_unless_it_speculates() {
        let fast = ("value: 128.5", "value: 300");
        assert_eq!(on(&RULE, &[fast])[0].key, "runs.0");
        assert_eq!(on(&RULE, &[fast, ("depth: 0", "speculative: mtp")]), []);
    }
}
