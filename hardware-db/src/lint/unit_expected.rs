//! Memory is binary, bandwidth decimal, integer rates are operations: a unit that fits the type can
//! still be the wrong one for its place.

use super::Dataset;
use catalog::lint::{Exception, Report, Rule};
use serde_yaml::Value;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "unit-expected",
    about: "each key is written in its unit: memory GiB or MiB, bandwidth GB/s, disks GB, fp TFLOP/s, int TOP/s",
    check,
    exceptions: &[Exception {
        id: "groqchip-1",
        key: "memory.sizes.value.0",
        reason: "on-die SRAM, quoted as 230 MB, is not sold in powers of two",
    }],
};

/// Units by the end of a key's path; the first that fits counts.
const EXPECTED: &[(&str, &[&str])] = &[
    ("storage", &["GB", "TB"]),
    ("sizes.value", &["GiB", "MiB"]),
    ("reported.value", &["MiB"]),
    ("largest.value", &["GiB"]),
    ("capacity.value", &["GiB"]),
    ("l2.value", &["MiB"]),
    ("last_level.value", &["MiB"]),
    ("size", &["GiB"]),
    ("limit", &["GiB", "W"]),
    ("recent", &["GiB"]),
    ("older", &["GiB"]),
    ("memory", &["GiB"]),
    ("bus_width.value", &["bit"]),
    ("data_rate.value", &["Gbit/s"]),
    ("bandwidth.value", &["GB/s"]),
    ("bandwidth", &["GB/s"]),
    ("nvlink.value", &["GB/s"]),
    ("int8.value", &["TOP/s"]),
    ("int4.value", &["TOP/s"]),
    ("npu-int8.value", &["TOP/s"]),
    ("int8", &["TOP/s"]),
    ("board.value", &["W"]),
    ("estimate.value", &["W"]),
    ("boost", &["MHz"]),
];

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.raw {
        let mut wrong = Vec::new();
        walk(&file.entry, "", &mut wrong);
        for (key, message) in wrong {
            report.error(
                file.at(),
                &key,
                message,
                Some("a card's \"24 GB\" is 24 GiB; bandwidth is decimal"),
            );
        }
    }
}

fn walk(value: &Value, path: &str, wrong: &mut Vec<(String, String)>) {
    let below = |key: &str| {
        if path.is_empty() {
            key.to_owned()
        } else {
            format!("{path}.{key}")
        }
    };
    match value {
        Value::Mapping(map) => {
            for (key, value) in map {
                walk(value, &below(key.as_str().unwrap_or_default()), wrong);
            }
        }
        Value::Sequence(list) => {
            for (at, value) in list.iter().enumerate() {
                walk(value, &below(&at.to_string()), wrong);
            }
        }
        Value::String(text) => {
            if let Some(expected) = expected(path) {
                let unit = text.split_once(' ').map_or("", |(_, unit)| unit);
                if !expected.contains(&unit) {
                    wrong.push((
                        path.to_owned(),
                        format!("`{text}` should be in {}", expected.join(" or ")),
                    ));
                }
            }
        }
        _ => {}
    }
}

/// The units of the key at `path`, list positions aside.
fn expected(path: &str) -> Option<&'static [&'static str]> {
    let keys: Vec<&str> = path
        .split('.')
        .filter(|key| key.parse::<usize>().is_err())
        .collect();
    let path = keys.join(".");
    if path.starts_with("compute.fp") && path.ends_with(".value") {
        return Some(&["TFLOP/s"]);
    }
    let ends = |end: &str| {
        path.strip_suffix(end)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    EXPECTED
        .iter()
        .find(|(end, _)| ends(end))
        .map(|(_, units)| *units)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn expected_units_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn units_that_parse_but_do_not_belong_fail() {
        for (from, to, key) in [
            ("[24 GiB]", "[24 GB]", "memory.sizes.value.0"),
            ("1008 GB/s", "1.008 TB/s", "memory.bandwidth.value"),
            ("330 TOP/s", "330 TFLOP/s", "compute.int8.value"),
            ("330 TFLOP/s", "330 TOP/s", "compute.fp8.value"),
            ("450 W", "0.45 kW", "power.board.value"),
            ("21 Gbit/s", "21000 Mbit/s", "memory.data_rate.value"),
        ] {
            let findings = on_spoilt(&RULE, from, to);
            assert_eq!(findings.len(), 1, "{to}: {findings:?}");
            assert_eq!(findings[0].key, key);
        }
    }
}
