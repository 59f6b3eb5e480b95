//! A file lies where its device says.

use catalog::lint::{Report, Rule};
use catalog::slug::is_slug;

use super::Dataset;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "path-matches",
    about: "a file lies in its device's folder, several devices' in `mixed`, under a slug",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.files {
        let (folder, name) = file.id.split_once('/').unwrap_or_default();
        let hardware = &file.report.hardware;
        let expected = if hardware.contains('+') {
            "mixed"
        } else {
            hardware
        };
        if folder != expected {
            let message = format!("the runs are of `{hardware}`, the folder is `{folder}`");
            let hint = format!("move the file to `{expected}/`");
            report.error(file.at(), "hardware", message, Some(&hint));
        }
        if !is_slug(name) {
            let message = format!("`{name}` is no slug");
            let hint = "lower-case letters and digits joined by `-` or `.`";
            report.error(file.at(), "", message, Some(hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{REPORT, on, on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_file_in_its_devices_folder_passes() {
        assert_eq!(on_good(&RULE), []);
        let mixed = REPORT.replace("hardware: rtx-4090", "hardware: rtx-4090+rtx-3090");
        assert_eq!(on(&RULE, &[("mixed/a", &mixed)]), []);
    }

    #[test]
    fn a_file_elsewhere_fails() {
        let findings = on_spoilt(&RULE, "hardware: rtx-4090", "hardware: rtx-3090");
        assert_eq!(findings[0].key, "hardware");
        assert_eq!(on(&RULE, &[("rtx-4090/My_Runs", REPORT)]).len(), 1);
    }
}
