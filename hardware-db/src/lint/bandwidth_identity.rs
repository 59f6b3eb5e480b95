//! Bandwidth is what the bus moves: width × data rate ÷ 8, or channels × 8 bytes × module speed.

use super::Dataset;
use catalog::lint::{Report, Rule};

/// Rounded figures (21 Gbit/s, 3350 GB/s) still agree within this share.
const TOLERANCE: f64 = 0.02;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "bandwidth-identity",
    about: "bandwidth equals bus width × data rate, and channels × module speed, within 2 %",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.devices {
        let memory = &file.entry.memory;
        let Some(bandwidth) = memory.bandwidth.value() else {
            continue;
        };
        let differs =
            |expected: f64| (expected / bandwidth.bytes_per_second() - 1.0).abs() > TOLERANCE;
        if let (Some(bus), Some(rate)) = (&memory.bus_width, &memory.data_rate) {
            let expected = bus.value.bits() * rate.value.bits_per_second() / 8.0;
            if differs(expected) {
                let message = format!(
                    "{bandwidth}, but bus_width {} × data_rate {} gives {:.1} GB/s",
                    bus.value,
                    rate.value,
                    expected / 1e9
                );
                report.error(
                    file.at(),
                    "memory.bandwidth",
                    message,
                    Some("check which figure is from another card"),
                );
            }
        }
        if let (Some(channels), Some(speed)) = (&memory.channels, &memory.module_speed) {
            let expected = f64::from(channels.value) * 8.0 * f64::from(speed.value) * 1e6;
            if differs(expected) {
                let message = format!(
                    "{bandwidth}, but {} channels × 8 bytes × {} MT/s gives {:.1} GB/s",
                    channels.value,
                    speed.value,
                    expected / 1e9
                );
                report.error(
                    file.at(),
                    "memory.bandwidth",
                    message,
                    Some("check the number of channels"),
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
    fn a_bandwidth_that_the_bus_moves_passes() {
        assert_eq!(on_good(&RULE), []);
        assert_eq!(on_spoilt(&RULE, "1008 GB/s", "1000 GB/s"), []);
    }

    #[test]
    fn the_bandwidth_of_another_card_fails() {
        let findings = on_spoilt(&RULE, "1008 GB/s", "448 GB/s");
        assert_eq!(findings[0].line, Some(12));
        assert_eq!(
            findings[0].message,
            "448 GB/s, but bus_width 384 bit × data_rate 21 Gbit/s gives 1008.0 GB/s"
        );
    }

    #[test]
    fn channels_that_do_not_give_the_bandwidth_fail() {
        let channels = "\n  channels: { value: 2, source: table }\n  module_speed: { value: 5600, source: table }";
        let findings = on_spoilt(
            &RULE,
            "source: [table, paper] }",
            &format!("source: paper }}{channels}"),
        );
        assert_eq!(findings.len(), 1, "{findings:?}");
    }
}
