//! Every architecture reproduces the weights counted elsewhere.

use bandwise_model_db::{ModelRecord, models, provenance};
use estimator::architecture::Parameters;

/// The largest accepted difference.
const TOLERANCE: f64 = 0.001;

fn difference(computed: u64, stated: u64) -> f64 {
    (computed as f64 / stated as f64 - 1.0).abs()
}

fn checked() -> impl Iterator<Item = (&'static ModelRecord, Parameters, [u64; 2])> {
    models().iter().filter_map(|model| {
        let check = &provenance(&model.id)?.check;
        let parameters = model.architecture().parameters();
        Some((model, parameters, [check.total, check.active]))
    })
}

#[test]
fn all_407_models_are_embedded() {
    assert_eq!(models().len(), 407);
    assert_eq!(checked().count(), 407);
}

#[test]
fn every_model_reproduces_its_total_and_active_weights() {
    let wrong: Vec<String> = checked()
        .filter(|(_, computed, [total, active])| {
            difference(computed.total, *total) > TOLERANCE
                || difference(computed.active, *active) > TOLERANCE
        })
        .map(|(model, computed, [total, active])| {
            format!(
                "{}: total {} instead of {total}, active {} instead of {active}; by part {:?}",
                model.id,
                computed.total,
                computed.active,
                computed.by_part.iter().collect::<Vec<_>>()
            )
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} models are off\n{}",
        wrong.len(),
        models().len(),
        wrong.join("\n")
    );
}

#[test]
fn most_models_are_exact_to_the_weight() {
    let exact = checked()
        .filter(|(_, computed, [total, active])| {
            computed.total == *total && computed.active == *active
        })
        .count();
    assert!(exact >= 400, "{exact}");
}

#[test]
fn few_models_need_weights_by_count() {
    let counted: Vec<&str> = models()
        .iter()
        .filter(|model| {
            let counted: u64 = model.described().counted.values().sum();
            let total = model.architecture().parameters().total;
            // lookup tables aside, whose shape doesn't matter
            let tables: u64 = model
                .described()
                .counted
                .get(&bandwise_model_db::entry::PartName::Lookup)
                .copied()
                .unwrap_or(0);
            counted - tables > total / 50
        })
        .map(|model| model.id.as_str())
        .collect();
    assert!(counted.is_empty(), "over 2 % by count: {counted:?}");
}

#[test]
fn the_trunk_and_the_rest_add_up_to_the_checkpoint_within_two_percent() {
    let mut off: Vec<String> = models()
        .iter()
        .filter(|model| model.total_basis != bandwise_model_db::Basis::Nominal)
        .filter_map(|model| {
            let trunk = model.architecture().parameters().total;
            let all = trunk + model.vision_parameters + model.mtp_parameters;
            let difference = difference(all, model.total_parameters);
            (difference > 0.02).then(|| format!("{} {:.1} %", model.id, difference * 100.0))
        })
        .collect();
    // its checkpoint holds second copies of embedding and head
    off.retain(|line| !line.starts_with("glm-4.7-flash "));
    assert!(off.is_empty(), "{off:?}");
}

#[test]
fn what_goes_to_the_browser_stays_small() {
    let bytes = postcard::to_stdvec(models()).map(|bytes| bytes.len());
    assert!(matches!(bytes, Ok(1..120_000)), "{bytes:?}");
}
