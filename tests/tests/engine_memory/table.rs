//! A table of what was measured.

use estimator::kv_cache::KvType;

/// The rows of a table as values by column.
pub(super) struct Row<'a>(pub(super) Vec<(&'a str, &'a str)>);

impl<'a> Row<'a> {
    pub(super) fn get(&self, column: &str) -> &'a str {
        let found = self.0.iter().find(|(name, _)| *name == column);
        found.unwrap_or_else(|| panic!("no column {column}")).1
    }

    pub(super) fn number(&self, column: &str) -> f64 {
        let text = self.get(column);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is not a number"))
    }

    pub(super) fn count(&self, column: &str) -> u64 {
        self.number(column) as u64
    }

    pub(super) fn kv_type(&self) -> KvType {
        KvType::parse(self.get("kv_type")).expect("a cache type")
    }

    pub(super) fn flash_attention(&self) -> bool {
        self.get("flash_attn") != "off"
    }
}

pub(super) fn rows(table: &str) -> Vec<Row<'_>> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<_> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            // only the last column has commas, in quotes
            let cells = line
                .splitn(names.len(), ',')
                .map(|cell| cell.trim_matches('"'));
            Row(names.iter().copied().zip(cells).collect())
        })
        .collect()
}
