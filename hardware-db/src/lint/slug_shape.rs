//! Files lie where their id says and point at devices that exist.

use super::Dataset;
use catalog::lint::{Report, Rule};
use catalog::slug::is_slug;
use std::collections::BTreeSet;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "slug-shape",
    about: "a file's name is a slug, its folder is the vendor's, and a rental names a device that exists",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.raw {
        if !is_slug(&file.id) {
            let message = format!(
                "`{}` is not lower-case letters and digits joined by `-` or `.`",
                file.id
            );
            report.error(file.at(), "", message, Some("rename the file"));
        }
    }
    for file in &data.devices {
        let folder = file.entry.vendor.slug();
        if file.folder != folder {
            report.error(
                file.at(),
                "vendor",
                format!("lies in `{}`, not in `{folder}`", file.folder),
                None,
            );
        }
    }
    let devices: BTreeSet<&str> = data.devices.iter().map(|file| file.id.as_str()).collect();
    for file in &data.rental {
        if !devices.contains(file.entry.device.as_str()) {
            report.error(
                file.at(),
                "device",
                format!("there is no device `{}`", file.entry.device),
                None,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{DEVICE, on_device, on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_slug_in_its_vendors_folder_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn a_name_with_capitals_fails() {
        assert_eq!(on_device(&RULE, "Example_4000", DEVICE).len(), 1);
    }

    #[test]
    fn a_device_in_anothers_folder_fails() {
        assert_eq!(
            on_spoilt(&RULE, "vendor: NVIDIA", "vendor: AMD")[0].key,
            "vendor"
        );
    }
}
