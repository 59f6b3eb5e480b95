//! The layout can be read, and every described part is used.

use super::Dataset;
use catalog::lint::{Report, Rule};

pub(super) const RULE: Rule<Dataset> = Rule {
    id: "layout-known",
    about: "the layout names described parts only, and all of them",
    check,
    exceptions: &[],
};

fn check(data: &Dataset, report: &mut Report<'_>) {
    for file in &data.models {
        let architecture = &file.entry.architecture;
        if let Err(error) = architecture.checked_layers() {
            report.error(file.at(), "architecture.layout", error.to_string(), None);
            continue;
        }
        let used = |name: &str| {
            architecture
                .layout
                .split(|c: char| c.is_whitespace() || "(),+".contains(c))
                .any(|word| word == name)
        };
        let described = architecture
            .attention
            .keys()
            .map(|name| ("attention", name))
            .chain(architecture.linear.keys().map(|name| ("linear", name)))
            .chain(
                architecture
                    .feed_forward
                    .keys()
                    .map(|name| ("feed_forward", name)),
            );
        for (kind, name) in described.filter(|(_, name)| !used(name)) {
            let message = format!("`{name}` is described, but no layer has it");
            report.error(
                file.at(),
                &format!("architecture.{kind}.{name}"),
                message,
                None,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{on_good, on_spoilt};
    use super::RULE;

    #[test]
    fn a_layout_of_described_parts_passes() {
        assert_eq!(on_good(&RULE), []);
    }

    #[test]
    fn an_unknown_part_fails() {
        let findings = on_spoilt(&RULE, "layout: full", "layout: sliding");
        assert_eq!(findings[0].message, "component `sliding` is not described");
    }

    #[test]
    fn a_part_without_a_layer_fails() {
        let findings = on_spoilt(&RULE, "full + dense, full + moe", "full + moe");
        assert_eq!(findings[0].key, "architecture.feed_forward.dense");
    }
}
