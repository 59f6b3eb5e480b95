//! Sizes of published GGUF files, against what we compute for them.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

use std::collections::BTreeMap;

use answer::formats::{FormatRow, row};
use estimator::format::{GgufType, Imatrix, WeightFormat};

const FILES: &str = include_str!("../data/published.csv");

/// A published file.
struct Published {
    model: &'static str,
    format: WeightFormat,
    bytes: f64,
    /// Half of the last digit the source gives.
    rounding: f64,
    flags: &'static str,
    experts: bool,
    ours: FormatRow,
}

impl Published {
    fn is(&self, flag: &str) -> bool {
        self.flags.split(' ').any(|each| each == flag)
    }

    /// What we compute over what is published, less one.
    fn miss(&self) -> f64 {
        let without = if self.is("no-mtp") {
            self.ours.prediction_bytes
        } else {
            0
        };
        estimator::num::f(self.ours.file_bytes - without) / self.bytes - 1.0
    }

    fn says(&self) -> String {
        format!(
            "{} {} {:+.2} %",
            self.model,
            self.format,
            self.miss() * 100.0
        )
    }
}

fn files() -> Vec<Published> {
    FILES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.splitn(6, ',').collect();
            let [model, format, size, unit, flags, _] = cells[..] else {
                panic!("`{line}` has not six cells");
            };
            let record = model_db::get(model).unwrap_or_else(|| panic!("no model `{model}`"));
            let architecture = record.architecture();
            // In this table a plain type's name is the file's, F16 and BF16 among them.
            let kind = GgufType::ALL.iter().find(|kind| kind.name() == format);
            let format = kind.map_or_else(
                || WeightFormat::parse(format).expect("a format"),
                |kind| WeightFormat::gguf(*kind),
            );
            let unit = match unit {
                "B" => 1.0,
                "GB" => 1e9,
                "GiB" => 1024.0 * 1024.0 * 1024.0,
                other => panic!("`{other}` is no unit"),
            };
            let decimals = size.split_once('.').map_or(0, |(_, digits)| digits.len());
            let bytes = size.parse::<f64>().expect("a size") * unit;
            Published {
                model,
                format,
                bytes,
                rounding: 0.5 * 0.1_f64.powi(i32::try_from(decimals).expect("few")) * unit / bytes,
                flags,
                experts: architecture.is_moe(),
                ours: row(&architecture, format),
            }
        })
        .collect()
}

#[test]
fn files_that_follow_the_rule_are_met_to_half_a_percent() {
    let mut misses = Vec::new();
    let mut wrong = Vec::new();
    for file in files() {
        let WeightFormat::Gguf(..) = file.format else {
            continue;
        };
        if file.is("own-recipe") {
            continue;
        }
        if file.miss().abs() > 0.005 + file.rounding {
            wrong.push(file.says());
        }
        misses.push(file.miss().abs());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(misses.len() >= 140, "{}", misses.len());
    misses.sort_by(f64::total_cmp);
    let median = misses[misses.len() / 2];
    assert!(median < 0.0005, "median {median}");
}

#[test]
fn vendors_who_override_the_quantizer_stay_within_a_tenth() {
    let mut files = files();
    files.retain(|file| file.is("own-recipe"));
    assert!(files.len() > 40);
    let worst = files
        .iter()
        .map(|file| file.miss().abs())
        .fold(0.0, f64::max);
    assert!((0.05..0.1).contains(&worst), "{worst}");
}

#[test]
fn the_spread_a_recipe_states_is_the_one_of_its_files() {
    let mut by_recipe: BTreeMap<(String, bool), Vec<Published>> = BTreeMap::new();
    for file in files() {
        let counts = !file.is("published-in-4-bits") && !file.is("per-layer-table");
        if matches!(file.format, WeightFormat::Named(_)) && counts {
            let key = (file.format.name(), file.experts);
            by_recipe.entry(key).or_default().push(file);
        }
    }
    let mut wrong = Vec::new();
    for format in WeightFormat::named() {
        for experts in [false, true] {
            let spread = format.spread(experts).expect("a recipe has one");
            let files = by_recipe
                .remove(&(format.name(), experts))
                .unwrap_or_default();
            let worst = files
                .iter()
                .map(|file| file.miss().abs())
                .fold(0.0, f64::max)
                * 100.0;
            let rounded_up = spread.percent() - worst;
            let same = usize::from(spread.files) == files.len();
            if !same || (!files.is_empty() && !(-0.05..=0.1).contains(&rounded_up)) {
                wrong.push(format!(
                    "{format} experts {experts}: states {} % of {}, has {worst:.2} % of {}: {:?}",
                    spread.percent(),
                    spread.files,
                    files.len(),
                    files.iter().map(Published::says).collect::<Vec<_>>()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(by_recipe.is_empty(), "{:?}", by_recipe.keys());
}

#[test]
fn an_importance_matrix_is_what_bartowskis_files_have() {
    let mut better = 0;
    let mut all = 0;
    for file in files() {
        let WeightFormat::Gguf(kind, Imatrix::With) = file.format else {
            continue;
        };
        if file.is("own-recipe") {
            continue;
        }
        let record = model_db::get(file.model).expect("a model");
        let plain = row(&record.architecture(), WeightFormat::gguf(kind));
        let without = estimator::num::f(plain.file_bytes) / file.bytes - 1.0;
        all += 1;
        better += usize::from(file.miss().abs() <= without.abs() + file.rounding);
    }
    assert!(all >= 10, "{all}");
    assert_eq!(better, all);
}
