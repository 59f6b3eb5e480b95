//! What estimates of memory and of models partly in RAM must come to, before any calibration.

use std::sync::LazyLock;

use bandwise_validation::statistics::{median, share};
use bandwise_validation::{Compared, compare_all, host, known_runs};
use run_db::{Metric, Placement};

static COMPARED: LazyLock<Vec<Compared>> = LazyLock::new(|| {
    let mut rows = known_runs();
    rows.retain(|row| {
        row.as_ref().is_ok_and(|run| {
            run.quarantined().is_none()
                && (run.metric == Metric::MemoryGib
                    || run.metric == Metric::Decode
                        && run.placement.is_some_and(Placement::is_offload))
        })
    });
    compare_all(rows).0
});

/// |estimate ÷ measured − 1| of rows with an estimate.
fn off<'a>(rows: impl IntoIterator<Item = &'a Compared>) -> Vec<f64> {
    rows.into_iter()
        .filter_map(|row| {
            let estimated = row.estimate.as_ref().ok()?;
            Some((estimated.ratio(row.run.value) - 1.0).abs())
        })
        .collect()
}

/// Decode with layers or experts in the RAM of a host whose memory is told.
fn offloaded() -> Vec<&'static Compared> {
    COMPARED
        .iter()
        .filter(|row| {
            let run = &row.run;
            let told = run.host.as_deref().and_then(host::read).is_some();
            let placed = matches!(
                run.placement,
                Some(Placement::ExpertOffload | Placement::LayerOffload)
            );
            run.metric == Metric::Decode && placed && told
        })
        .collect()
}

#[test]
fn decode_with_weights_in_a_known_hosts_ram_is_answered_and_within_30_percent_in_the_median() {
    let rows = offloaded();
    assert!(rows.len() >= 70, "{} rows", rows.len());
    let answered = share(&rows, |row| row.estimate.is_ok()).unwrap();
    assert!(answered >= 0.9, "{answered:.3} answered");
    let off = median(&off(rows)).unwrap();
    assert!(off <= 0.30, "median error {off:.3}");
}

#[test]
fn published_memory_of_known_setups_is_within_5_percent_in_the_median() {
    // A set-up is known where device, model, format, engine (not a fork's layout) and, for what
    // depends on it, the context are stated: exactly the rows that have an estimate.
    let rows: Vec<_> = COMPARED
        .iter()
        .filter(|row| row.run.metric == Metric::MemoryGib && row.estimate.is_ok())
        .collect();
    assert!(rows.len() >= 70, "{} rows", rows.len());
    let off = median(&off(rows)).unwrap();
    assert!(off <= 0.05, "median error {off:.3}");
}
