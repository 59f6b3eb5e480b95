//! The same run twice weighs double in a fit; the same with its digits in another order was
//! scrambled on the way.

use std::collections::HashMap;

use catalog::lint::{Report, Rule};

use super::Dataset;
use crate::run::Run;

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "repeated",
    about: "no run stands in two reports, as it is or with its digits in another order",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    let mut seen: HashMap<String, Vec<(&str, &Run)>> = HashMap::new();
    for file in &data.files {
        for (at, key, run) in file.each() {
            if run.quarantined().is_some() {
                continue;
            }
            let alike = seen.entry(setup(run)).or_default();
            // Within a report repeated measurements are what they say they are.
            for (other, earlier) in alike.iter().filter(|(other, _)| *other != file.id) {
                let digits = digits(run.value);
                if digits.len() < 3 {
                    continue;
                }
                if run.value.total_cmp(&earlier.value).is_eq() {
                    let message = format!("the same as {} of {other}", earlier.id);
                    let hint = "keep the one nearer to the measurement";
                    report.error(at, &key, message, Some(hint));
                } else if digits.len() > 3
                    && sorted(&digits) == sorted(&self::digits(earlier.value))
                {
                    let message = format!(
                        "{} is {} of {other} ({}) with its digits in another order",
                        run.value, earlier.id, earlier.value
                    );
                    let hint = "look at the measurement itself";
                    report.error(at, &key, message, Some(hint));
                }
            }
            alike.push((&file.id, run));
        }
    }
}

/// What makes two runs comparable, in one text.
fn setup(run: &Run) -> String {
    format!(
        "{} {:?} {} {:?} {} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        run.hardware,
        run.count,
        run.model,
        run.format,
        run.engine,
        run.backend,
        run.metric,
        run.prompt,
        run.output,
        run.depth,
        run.concurrency,
        run.kv,
        run.speculative,
    )
}

fn digits(value: f64) -> String {
    let text = value.to_string();
    let plain: String = text.chars().filter(char::is_ascii_digit).collect();
    plain.trim_matches('0').to_owned()
}

fn sorted(digits: &str) -> Vec<char> {
    let mut sorted: Vec<char> = digits.chars().collect();
    sorted.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{REPORT, on, on_good};
    use super::RULE;

    fn beside(value: &str) -> usize {
        let other = REPORT.replace("value: 128.5", value);
        let files = [("rtx-4090/a", REPORT), ("rtx-4090/b", &other)];
        on(&RULE, &files)
            .iter()
            .filter(|finding| finding.key == "runs.0")
            .count()
    }

    #[test]
    fn another_measurement_of_the_same_passes() {
        assert_eq!(on_good(&RULE), []);
        assert_eq!(beside("value: 127.4"), 0);
    }

    #[test]
    fn a_copy_and_a_scrambled_copy_fail() {
        assert_eq!(beside("value: 128.5"), 1);
        assert_eq!(beside("value: 182.5"), 1);
    }
}
