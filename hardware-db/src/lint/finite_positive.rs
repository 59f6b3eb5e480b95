//! Numbers are finite and above zero, wherever they stand; YAML itself allows `.nan` and `-.inf`.

use super::Dataset;
use catalog::lint::{Report, Rule};
use serde_yaml::Value;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "finite-positive",
    about: "no NaN, infinity, zero or negative number",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.raw {
        let mut wrong = Vec::new();
        walk(&file.entry, "", &mut wrong);
        for (key, text) in wrong {
            let message = format!("`{text}` is not a finite number above zero");
            report.error(
                file.at(),
                &key,
                message,
                Some("what isn't known is `{ unknown: <why> }`"),
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
        Value::Number(number) => {
            let fine = number
                .as_f64()
                .is_some_and(|number| number.is_finite() && number > 0.0);
            wrong.extend((!fine).then(|| (path.to_owned(), number.to_string())));
        }
        Value::String(text) => {
            let Some((number, _unit)) = text.split_once(' ') else {
                return;
            };
            let number: Result<f64, _> = number.parse();
            // Free of charge is a price.
            let free = text.ends_with(" USD") || text.ends_with(" EUR");
            if number
                .is_ok_and(|number| !number.is_finite() || number < 0.0 || (number == 0.0 && !free))
            {
                wrong.push((path.to_owned(), text.clone()));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn numbers_above_zero_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn nan_infinity_zero_and_negatives_fail() {
        for wrong in ["NaN W", "inf W", "0 W", "-450 W", ".nan", "-.inf", "0"] {
            let findings = on_spoilt(&RULE, "450 W", wrong);
            assert_eq!(findings.len(), 1, "{wrong}");
            assert_eq!(findings[0].key, "power.board.value", "{wrong}");
        }
    }
}
