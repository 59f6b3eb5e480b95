//! Two devices with the same figures throughout are one device, or a copy somebody forgot to edit.

use super::{Dataset, Entry};
use crate::record::device::DeviceEntry;
use catalog::lint::{Exception, Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "near-duplicate",
    about: "no two GPUs have the same memory, peaks, power and architecture",
    check,
    exceptions: &[
        Exception {
            id: "rtx-pro-6000-blackwell-workstation",
            key: "",
            reason: "the server edition is the same card without fans",
        },
        Exception {
            id: "snapdragon-x-plus-x1p-64-100",
            key: "",
            reason: "differs from the X Elite X1E-80-100 in its CPU cores only",
        },
    ],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for (at, file) in data.devices.iter().enumerate() {
        let later = data.devices.iter().skip(at + 1);
        for other in later.filter(|other| same(file, other)) {
            let (first, second) = if file.id < other.id {
                (file, other)
            } else {
                (other, file)
            };
            let message = format!(
                "`{}` has the same memory, peaks, power and architecture",
                first.id
            );
            report.error(
                second.at(),
                "",
                message,
                Some("merge them, or correct the copy"),
            );
        }
    }
}

/// Whether all figures are equal. A device without peaks says too little to be compared.
fn same(a: &Entry<DeviceEntry>, b: &Entry<DeviceEntry>) -> bool {
    let values = |device: &DeviceEntry| -> Vec<(&'static str, f64)> {
        device
            .compute
            .figures()
            .map(|(key, figure)| (key, figure.value.per_second()))
            .collect()
    };
    let (a, b) = (&a.entry, &b.entry);
    let board = |device: &DeviceEntry| {
        device
            .power
            .as_ref()
            .and_then(|power| power.board.as_ref())
            .map(|board| board.value)
    };
    let sizes = |device: &DeviceEntry| {
        device
            .memory
            .sizes
            .figure()
            .map(|figure| figure.value.clone())
    };
    a.architecture == b.architecture
        && a.compute.figures().next().is_some()
        && values(a) == values(b)
        && a.memory.bandwidth.value() == b.memory.bandwidth.value()
        && sizes(a) == sizes(b)
        && board(a) == board(b)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{DEVICE, on_devices};
    use super::RULE;

    #[test]
    fn devices_that_differ_in_one_figure_pass() {
        let other = DEVICE.replace("450 W", "300 W");
        assert_eq!(
            on_devices(&RULE, &[("example-4000", DEVICE), ("example-5000", &other)]),
            []
        );
    }

    #[test]
    fn a_copy_fails() {
        let other = DEVICE.replace("Example 4000", "Example 5000");
        let findings = on_devices(&RULE, &[("example-4000", DEVICE), ("example-5000", &other)]);
        assert_eq!(findings.len(), 1);
    }
}
