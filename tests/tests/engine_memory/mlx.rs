//! Peaks that mlx-lm printed, against the estimator: `tests/data/mlx-peak.csv`.

use crate::assert_documented;
use crate::errors::Errors;
use crate::models::architecture;
use crate::table::rows;
use estimator::format::WeightFormat;
use estimator::kv_cache::{CacheRule, KvType, cache_bytes};
use estimator::memory::buffers::mlx;
use estimator::weights::Weights;
use estimator::widths::Widths;

const PEAKS: &str = include_str!("../../data/mlx-peak.csv");
const GIB: f64 = 1_073_741_824.0;

#[test]
fn peaks_of_mlx_are_near_its_own() {
    let mut errors = Errors::new();
    for row in rows(PEAKS) {
        let model = architecture(row.get("model"));
        let format = WeightFormat::parse(row.get("format")).expect("a format");
        let rule = CacheRule::Stepped {
            step: 256,
            chunk: 2048,
        };
        let cache = cache_bytes(&model, &rule, row.count("context"), 1, KvType::F16);
        let step = row.count("prompt").min(2048);
        let ours = Weights::of(&model, &format).resident()
            + cache.total()
            + mlx::activation(&Widths::of(&model), step);
        let what = format!("{:?} {:.2}", row.0, ours.get() / GIB);
        errors.add(ours.get() / GIB, row.number("peak_gib"), what);
    }
    assert_eq!(errors.0.len(), 22);
    assert!(errors.median() <= 0.03, "{}", errors.worst());
    assert!(errors.within(0.08) >= 0.9, "{}", errors.worst());
    assert_documented(&errors.line("peak of mlx-lm"), &errors);
}
