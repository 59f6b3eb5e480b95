//! JSON Schema of the data files, so that editors complete and check them.

use crate::record::RunFile;

/// File names in `schema/` and their content, ready to be written.
#[must_use]
pub fn schemas() -> Vec<(&'static str, String)> {
    let mut schema = schemars::schema_for!(RunFile).to_value();
    // Keys by name: whether serde_json keeps their order depends on what else is compiled.
    schema.sort_all_objects();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    vec![("run.json", text)]
}
