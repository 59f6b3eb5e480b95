//! All devices, and finding one.

use crate::spec::{DeviceRecord, Vendor};
use catalog::{Found, Index, Named, NoMatch};
use estimator::units::Bytes;
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
        vendor: match device.vendor {
            Vendor::Generic => "",
            vendor => vendor.name(),
        },
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
    search(text, |_, _| false).map(|found| found.entry)
}

/// Like [`find`], with the memory size that may stand behind the name, and with the devices that the
/// name may mean as well: `m3 ultra 80 512gb` gives `512gb`.
///
/// A size has its unit, or is one the device is sold with; any other number belongs to the name, so
/// that `ryzen 3600` is no other Ryzen with 3600 GB.
///
/// # Errors
/// [`DeviceNotFound`] with the nearest ids.
pub fn find_with_rest(text: &str) -> Result<Found<'_, &'static DeviceRecord>, DeviceNotFound> {
    search(text, is_size)
}

fn search(
    text: &str,
    accepts: impl Fn(&DeviceRecord, &str) -> bool,
) -> Result<Found<'_, &'static DeviceRecord>, DeviceNotFound> {
    let accepts = |at, rest: &str| {
        devices()
            .get(at)
            .is_some_and(|device| accepts(device, rest))
    };
    INDEX
        .find_with_rest(text, accepts)?
        .of(devices())
        .ok_or_else(|| DeviceNotFound {
            text: text.to_owned(),
            nearest: Vec::new(),
        })
}

/// Whether a text is a memory size: a number with its unit, or one of the sizes sold.
fn is_size(device: &DeviceRecord, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let with_unit = text.strip_suffix("gb").or_else(|| text.strip_suffix("gib"));
    let number = with_unit.unwrap_or(&text).trim_end();
    let is_plain = number.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    let Some(size) = number.parse::<f64>().ok().filter(|_| is_plain) else {
        return false;
    };
    let sold = |capacity: &catalog::Capacity| Bytes::new(capacity.bytes()) == Bytes::gib(size);
    with_unit.is_some() || device.memory.sizes.iter().any(sold)
}
