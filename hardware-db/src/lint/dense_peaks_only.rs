//! Peaks are dense. Makers like to quote structured sparsity, which doubles a figure; halving the
//! width of a number type at most doubles the dense rate on the hardware known so far.

use super::Dataset;
use crate::spec::Rate;
use catalog::lint::{Exception, Report, Rule};
use std::collections::BTreeMap;

/// Rounding aside, half the bits give at most twice the rate and never less than as much.
const ALLOWED: std::ops::RangeInclusive<f64> = 0.95..=2.1;

const ULTRA: &str = "Blackwell Ultra triples FP4 over FP8, by giving up INT8 and FP64 units";

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "dense-peaks-only",
    about: "fp8 : fp16, int8 : fp16, fp4 : fp8 and int4 : int8 lie in what dense hardware does",
    check,
    exceptions: &[
        Exception {
            id: "b300-sxm-288gb",
            key: "compute.fp4",
            reason: ULTRA,
        },
        Exception {
            id: "gb300-288gb",
            key: "compute.fp4",
            reason: ULTRA,
        },
        Exception {
            id: "groqchip-1",
            key: "compute.int8",
            reason: "the maker quotes 750 TOP/s next to 188 TFLOP/s",
        },
        Exception {
            id: "trainium3",
            key: "compute.fp8",
            reason: "the maker quotes FP8 at almost four times BF16",
        },
    ],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.devices {
        let peaks: BTreeMap<&str, f64> = file
            .entry
            .compute
            .figures()
            .map(|(key, figure)| (key, figure.value.per_second()))
            .collect();
        let best = |rates: &[Rate]| {
            rates
                .iter()
                .filter_map(|rate| peaks.get(rate.key()).copied())
                .reduce(f64::max)
        };
        // Accumulation changes a rate, so the fastest of each width are compared.
        let half = best(&[
            Rate::Fp16,
            Rate::Bf16,
            Rate::Fp16TensorFp32acc,
            Rate::Fp16TensorFp16acc,
            Rate::Fp16Vector,
        ]);
        let byte = best(&[Rate::Fp8, Rate::Fp8TensorFp32acc, Rate::Fp8TensorFp16acc]);
        let pairs = [
            (Rate::Fp8, byte, half, "16-bit"),
            (Rate::Int8, best(&[Rate::Int8]), half, "16-bit"),
            (Rate::Fp4, best(&[Rate::Fp4]), byte, "FP8"),
            (Rate::Int4, best(&[Rate::Int4]), best(&[Rate::Int8]), "INT8"),
        ];
        for (rate, narrow, wide, name) in pairs {
            let (Some(narrow), Some(wide)) = (narrow, wide) else {
                continue;
            };
            let ratio = narrow / wide;
            if !ALLOWED.contains(&ratio) {
                let message = format!("{} runs at {ratio:.2} times the {name} rate", rate.words());
                let key = format!("compute.{}", rate.key());
                report.error(
                    file.at(),
                    &key,
                    message,
                    Some("is it quoted with sparsity? state the dense rate"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn dense_rates_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_sparse_figure_fails() {
        let findings = on_spoilt(&RULE, "fp8: { value: 330 ", "fp8: { value: 660 ");
        assert_eq!(findings[0].key, "compute.fp8");
        assert_eq!(
            findings[0].message,
            "FP8 runs at 4.00 times the 16-bit rate"
        );
        assert_eq!(findings[0].line, Some(15));
    }
}
