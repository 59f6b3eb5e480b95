//! A device as lists show it.

use hardware_db::{DeviceRecord, Rate};
use serde::Serialize;
use utoipa::ToSchema;

/// A device in a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct DeviceLine {
    /// The id.
    pub(crate) id: String,
    /// The name.
    pub(crate) name: String,
    /// Who makes it.
    pub(crate) vendor: &'static str,
    /// What kind of machine it is.
    pub(crate) kind: &'static str,
    /// When it came out: a year, a month or a day.
    pub(crate) released: Option<String>,
    /// Memory sizes it is sold with, in bytes.
    pub(crate) memory_bytes: Vec<f64>,
    /// Peak memory bandwidth in bytes a second; null when unknown.
    pub(crate) bandwidth_bytes_per_second: Option<f64>,
    /// Dense FP16 peak in operations a second; null when unknown.
    pub(crate) fp16_per_second: Option<f64>,
    /// Board or package power in watts; null when unknown.
    pub(crate) power_watts: Option<f64>,
}

impl From<&DeviceRecord> for DeviceLine {
    fn from(device: &DeviceRecord) -> Self {
        Self {
            id: device.id.clone(),
            name: device.name.clone(),
            vendor: device.vendor.name(),
            kind: device.kind.words(),
            released: device.released.map(|date| date.to_string()),
            memory_bytes: device
                .memory
                .sizes
                .iter()
                .map(|size| size.bytes())
                .collect(),
            bandwidth_bytes_per_second: device
                .memory
                .bandwidth
                .map(catalog::Bandwidth::bytes_per_second),
            fp16_per_second: device
                .compute
                .get(Rate::Fp16)
                .map(catalog::Peak::per_second),
            power_watts: device.power.board.map(catalog::Power::watts),
        }
    }
}
