//! A name is an id of the catalogue, or known to be missing there.

use catalog::lint::{Report, Rule};
use run_db::lint::Dataset;

use super::unlisted;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "names-resolve",
    about: "hardware and models are in the catalogues, `unknown`, or listed as missing there",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for id in file.report.hardware.split('+') {
            let listed = hardware_db::get(id).is_some();
            if let Some(problem) = problem(id, listed, &unlisted::HARDWARE) {
                report.error(file.at(), "hardware", problem, Some(HINT));
            }
        }
        for (at, key, run) in file.each() {
            let listed = model_db::get(&run.model).is_some();
            if let Some(problem) = problem(&run.model, listed, &unlisted::MODELS) {
                report.error(at, &key, problem, Some(HINT));
            }
        }
    }
}

const HINT: &str = "the lists of missing names are in `validation/src/lint/unlisted.rs`";

fn problem(id: &str, listed: bool, missing: &[&str]) -> Option<String> {
    match (listed, missing.contains(&id)) {
        (false, false) if id != "unknown" => Some(format!("`{id}` is in no catalogue")),
        (true, true) => Some(format!("`{id}` is in the catalogue by now")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::on;
    use super::{RULE, unlisted};

    #[test]
    fn ids_names_known_to_be_missing_and_unknown_pass() {
        assert_eq!(on(&RULE, &[]), []);
        let missing = format!("hardware: {}", unlisted::HARDWARE[0]);
        assert_eq!(on(&RULE, &[("hardware: rtx-4090", &missing)]), []);
        assert_eq!(on(&RULE, &[("model: llama-3.1-8b", "model: unknown")]), []);
    }

    #[test]
    fn a_name_nobody_knows_fails() {
        let hardware = on(&RULE, &[("hardware: rtx-4090", "hardware: rtx-4O90")]);
        assert_eq!(hardware[0].key, "hardware");
        let model = on(&RULE, &[("model: llama-3.1-8b", "model: lama-3.1-8b")]);
        assert_eq!(model[0].key, "runs.0");
    }
}
