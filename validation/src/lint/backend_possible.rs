//! A run on a backend its device can't have was filed under the wrong device or backend.

use catalog::lint::{Report, Rule};
use run_db::lint::Dataset;

use crate::asked::ask;
use crate::reason::Reason;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "backend-possible",
    about: "an engine has the backend on the device",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        for (at, key, run) in file.each() {
            if run.quarantined().is_some() {
                continue;
            }
            let Ok(asked) = ask(run) else { continue };
            let Err(problems) = answer::resolve(&asked.question) else {
                continue;
            };
            if let Reason::Input(problem) = Reason::from(problems)
                && problem.field == answer::Field::Backend
                && is_gpu_of_another(run.backend.as_deref(), &run.hardware)
            {
                let message = format!("`{}`: {}", problem.value, problem.problem);
                let hint = "set the run aside with `quarantine`, or correct the device";
                report.error(at, &key, message, Some(hint));
            }
        }
    }
}

/// Whether a backend is of a maker whose devices these aren't. A run on a machine's CPU is filed
/// under its GPU now and then, which is no mistake.
fn is_gpu_of_another(backend: Option<&str>, hardware: &str) -> bool {
    use hardware_db::Vendor;
    let maker = match backend {
        Some("cuda") => Vendor::Nvidia,
        Some("metal" | "mlx") => Vendor::Apple,
        Some("rocm") => Vendor::Amd,
        _ => return false,
    };
    hardware
        .split('+')
        .filter_map(hardware_db::get)
        .all(|device| device.vendor != maker)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::on;
    use super::RULE;

    #[test]
    fn cuda_on_a_card_of_nvidia_passes() {
        assert_eq!(on(&RULE, &[]), []);
    }

    #[test]
    fn cuda_on_apple_silicon_fails_until_it_is_set_aside() {
        let apple = ("hardware: rtx-4090", "hardware: m1-max-32c");
        assert_eq!(on(&RULE, &[apple])[0].key, "runs.0");
        let aside = ("output: 128", "quarantine: filed under the wrong device");
        assert_eq!(on(&RULE, &[apple, aside]), []);
    }
}
