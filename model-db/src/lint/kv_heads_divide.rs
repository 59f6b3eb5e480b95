//! Query heads share key and value heads evenly, and widths aren't zero.

use super::Dataset;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "kv-heads-divide",
    about: "query heads are a multiple of the key and value heads, and grouped attention has both with a width",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        for (name, attention) in &file.entry.architecture.attention {
            let key = format!("architecture.attention.{name}");
            if attention.latent.is_some() || attention.shared_vector.is_some() {
                continue;
            }
            if attention.kv_heads == 0 || attention.head_dim == 0 {
                let message = "grouped attention needs `kv_heads` and `head_dim`";
                report.error(file.at(), &key, message, None);
            } else if !attention.heads.is_multiple_of(attention.kv_heads) {
                let message = format!(
                    "{} query heads can't share {} key and value heads evenly",
                    attention.heads, attention.kv_heads
                );
                report.error(file.at(), &key, message, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn even_groups_pass() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn uneven_or_missing_heads_fail() {
        for to in ["kv_heads: 3", "kv_heads: 0"] {
            let findings = on_spoilt(&RULE, "kv_heads: 2", to);
            assert_eq!(findings[0].key, "architecture.attention.full");
        }
    }
}
