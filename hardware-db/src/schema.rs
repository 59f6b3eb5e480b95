//! JSON Schema of the data files, so that editors complete and check them.

use crate::record::device::DeviceEntry;
use crate::record::price::{ApiPriceEntry, ElectricityEntry, RentalEntry};

/// File names in `schema/` and their content, ready to be written.
#[must_use]
pub fn schemas() -> Vec<(&'static str, String)> {
    fn text(schema: schemars::Schema) -> String {
        let mut schema = schema.to_value();
        // Keys by name: whether serde_json keeps their order depends on what else is compiled.
        schema.sort_all_objects();
        let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        text.push('\n');
        text
    }
    vec![
        ("device.json", text(schemars::schema_for!(DeviceEntry))),
        ("api-price.json", text(schemars::schema_for!(ApiPriceEntry))),
        ("rental.json", text(schemars::schema_for!(RentalEntry))),
        (
            "electricity.json",
            text(schemars::schema_for!(ElectricityEntry)),
        ),
    ]
}
