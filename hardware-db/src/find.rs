//! All devices, and finding one.

use crate::spec::DeviceRecord;
use catalog::{Index, Named, NoMatch};
use std::sync::LazyLock;

static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/devices.bin"));

/// The build script wrote the blob from the same types, so it decodes; a test says so.
static DEVICES: LazyLock<Vec<DeviceRecord>> =
    LazyLock::new(|| postcard::from_bytes(BLOB).unwrap_or_default());

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    Index::new(DEVICES.iter().map(|device| Named {
        id: &device.id,
        name: &device.name,
        aliases: &device.aliases,
        preferred: device.preferred,
    }))
});

/// No device is called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown device `{text}`")]
pub struct DeviceNotFound {
    /// What was asked for.
    pub text: String,
    /// Ids that look alike, nearest first.
    pub nearest: Vec<String>,
}

impl From<NoMatch> for DeviceNotFound {
    fn from(no_match: NoMatch) -> Self {
        Self {
            text: no_match.text,
            nearest: no_match.nearest,
        }
    }
}

/// All devices, ordered by id.
#[must_use]
pub fn devices() -> &'static [DeviceRecord] {
    &DEVICES
}

/// The device with exactly this id.
#[must_use]
pub fn get(id: &str) -> Option<&'static DeviceRecord> {
    position(id).and_then(|position| devices().get(position))
}

pub(crate) fn position(id: &str) -> Option<usize> {
    devices()
        .binary_search_by(|device| device.id.as_str().cmp(id))
        .ok()
}

/// The device that people mean by `text`: `4090`, `rtx4090`, `m3 ultra 80`, `strix halo`.
///
/// # Errors
/// [`DeviceNotFound`] with the nearest ids.
pub fn find(text: &str) -> Result<&'static DeviceRecord, DeviceNotFound> {
    let position = INDEX.position(text)?;
    devices().get(position).ok_or_else(|| DeviceNotFound {
        text: text.to_owned(),
        nearest: Vec::new(),
    })
}

/// Like [`find`], with the trailing words that belong to no name: `m3 ultra 80 512gb` gives `512gb`.
///
/// # Errors
/// [`DeviceNotFound`] with the nearest ids.
pub fn find_with_rest(text: &str) -> Result<(&'static DeviceRecord, &str), DeviceNotFound> {
    let (position, rest) = INDEX.position_and_rest(text)?;
    devices()
        .get(position)
        .map(|device| (device, rest))
        .ok_or_else(|| DeviceNotFound {
            text: text.to_owned(),
            nearest: Vec::new(),
        })
}
