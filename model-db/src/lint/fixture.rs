//! A well-formed model for the rules' tests, to be spoilt in one place.

use super::{Dataset, Entry};
use catalog::lint::{Finding, Rule, run};

/// A made-up model that every rule accepts.
pub(super) const MODEL: &str = "\
name: Example 70M
aliases: [ex]
vendor: Example
released: { value: 2024-07, source: card }
license: { value: mit, source: card }
repository: example/Example-70M
parameters:
  total: { value: 251552, source: [card, config] }
  basis: safetensors
  active: { value: 220000, source: card }
native_dtype: { unknown: no source states it }
max_context: { value: 2048, source: config }
architecture:
  family: llama
  hidden: 64
  vocabulary: 1000
  attention:
    full: { heads: 4, kv_heads: 2, head_dim: 16 }
  feed_forward:
    dense: { width: 256 }
    moe: { width: 64, experts: 4, active: 1 }
  layout: full + dense, full + moe
  counted: { other: 96 }
architecture_source: config
check:
  total: 251552
  active: 214688
  parts: { embedding: 64000, output: 64000, attention: 24576, dense: 49152, experts: 49152, router: 256, norm: 320 }
notes:
  - 'Taken by count: other.'
sources:
  card:
    kind: vendor
    url: https://example.org/70m
    read: 2026-12-01
  config:
    kind: source-code
    github: example/models
    commit: 0123456789abcdef0123456789abcdef01234567
    path: 70m.json
    read: 2026-12-01
";

/// The findings of `rule` on several files, without its exceptions.
pub(super) fn on_models(rule: &Rule<Dataset>, files: &[(&str, &str)]) -> Vec<Finding> {
    let models = files
        .iter()
        .map(|&(id, text)| Entry {
            id: id.to_owned(),
            folder: "example".to_owned(),
            file: format!("models/example/{id}.yaml"),
            text: text.to_owned(),
            entry: serde_yaml::from_str(text).unwrap(),
        })
        .collect();
    let bare = Rule {
        id: rule.id,
        about: rule.about,
        check: rule.check,
        exceptions: &[],
    };
    run(&[bare], &Dataset { models })
}

/// The findings of `rule` on the well-formed model.
pub(super) fn on_good(rule: &Rule<Dataset>) -> Vec<Finding> {
    on_models(rule, &[("example-70m", MODEL)])
}

/// The findings of `rule` on the well-formed model with `from` replaced by `to`.
pub(super) fn on_spoilt(rule: &Rule<Dataset>, from: &str, to: &str) -> Vec<Finding> {
    assert!(MODEL.contains(from), "{from}");
    on_models(rule, &[("example-70m", &MODEL.replacen(from, to, 1))])
}
