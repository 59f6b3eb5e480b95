//! `hardware`: list, show and search devices.

use answer::facts;
use hardware_db::{DeviceRecord, devices};
use serde::Serialize;

use crate::args::{Hardware, HardwareList};
use crate::commands::{Done, catalogue};
use crate::failure::Failure;
use crate::print::{self, Style, Table};

/// Width of a table with names beside the ids.
const WITH_NAMES: u16 = 125;

/// A device in a list.
#[derive(Debug, Serialize)]
struct Row {
    id: &'static str,
    name: &'static str,
    vendor: &'static str,
    kind: String,
    released: Option<String>,
    memory: Vec<String>,
    bandwidth: Option<String>,
    bandwidth_bytes_per_second: Option<f64>,
}

pub(crate) fn run(hardware: &Hardware, json: bool, style: Style) -> Result<Done, Failure> {
    match hardware {
        Hardware::List(filters) => Ok(list(&filtered(filters)?, json, style)),
        Hardware::Show { name } => {
            let record = find(&name.join(" "))?;
            let sheet = facts::device(record);
            Ok(Done::data(if json {
                print::json(&sheet)
            } else {
                print::facts(&sheet, style)
            }))
        }
        Hardware::Search { text } => {
            let found: Vec<_> = devices()
                .iter()
                .filter(|device| catalogue::has_words(text, names(device)))
                .collect();
            if found.is_empty() {
                // A near name, or what a search by words doesn't see, such as an alias in other words.
                return Ok(list(&[find(&text.join(" "))?], json, style));
            }
            Ok(list(&found, json, style))
        }
    }
}

fn find(text: &str) -> Result<&'static DeviceRecord, Failure> {
    hardware_db::find(text)
        .map_err(|unknown| Failure::unknown("hardware", text, "device", &unknown.nearest))
}

fn names(device: &DeviceRecord) -> impl Iterator<Item = &str> {
    [device.id.as_str(), &device.name, device.vendor.name()]
        .into_iter()
        .chain(device.aliases.iter().map(String::as_str))
}

fn filtered(filters: &HardwareList) -> Result<Vec<&'static DeviceRecord>, Failure> {
    let every = |of: fn(&DeviceRecord) -> String| catalogue::distinct(devices().iter().map(of));
    let one_of = |field, text: &Option<String>, of| {
        text.as_deref()
            .map(|text| catalogue::one_of(field, text, &every(of)))
            .transpose()
    };
    let vendor = one_of("vendor", &filters.vendor, vendor)?;
    let kind = one_of("kind", &filters.kind, kind)?;
    let fits = |wanted: &Option<String>, value: String| {
        wanted.as_ref().is_none_or(|wanted| *wanted == value)
    };
    Ok(devices()
        .iter()
        .filter(|device| fits(&vendor, self::vendor(device)) && fits(&kind, self::kind(device)))
        .collect())
}

fn vendor(device: &DeviceRecord) -> String {
    device.vendor.slug()
}

/// The kind as data files write it: `discrete-gpu`.
fn kind(device: &DeviceRecord) -> String {
    match serde_json::to_value(device.kind) {
        Ok(serde_json::Value::String(kind)) => kind,
        _ => device.kind.words().to_owned(),
    }
}

fn list(devices: &[&'static DeviceRecord], json: bool, style: Style) -> Done {
    let rows = devices.iter().map(|device| Row {
        id: &device.id,
        name: &device.name,
        vendor: device.vendor.name(),
        kind: kind(device),
        released: device.released.map(|date| date.to_string()),
        memory: device
            .memory
            .sizes
            .iter()
            .map(ToString::to_string)
            .collect(),
        bandwidth: device
            .memory
            .bandwidth
            .map(|bandwidth| bandwidth.to_string()),
        bandwidth_bytes_per_second: device
            .memory
            .bandwidth
            .map(catalog::Bandwidth::bytes_per_second),
    });
    if json {
        return Done::data(print::json(&rows.collect::<Vec<_>>()));
    }
    // The id says most of the name.
    let with_names = style.has_room(WITH_NAMES);
    let names = with_names.then_some("name");
    let mut table =
        Table::new(
            ["=id"]
                .into_iter()
                .chain(names)
                .chain([">memory", ">bandwidth", ">released"]),
        );
    for row in rows {
        let name = with_names.then(|| row.name.to_owned());
        let figures = [
            span(&row.memory),
            row.bandwidth.unwrap_or_default(),
            row.released.unwrap_or_default(),
        ];
        table.row([row.id.to_owned()].into_iter().chain(name).chain(figures));
    }
    Done {
        data: table.print(style) + "\n",
        remarks: catalogue::counted(devices.len(), "device"),
        code: 0,
    }
}

/// The least and the most of several sizes: `8 to 16 GiB`.
fn span(sizes: &[String]) -> String {
    match sizes {
        [first, .., last] => {
            let unit = last.rfind(' ').map_or("", |at| &last[at..]);
            format!("{} to {last}", first.strip_suffix(unit).unwrap_or(first))
        }
        sizes => sizes.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_share_their_unit() {
        let sizes = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(span(&sizes(&["8 GiB", "16 GiB", "24 GiB"])), "8 to 24 GiB");
        assert_eq!(span(&sizes(&["512 MiB", "1 GiB"])), "512 MiB to 1 GiB");
        assert_eq!(span(&sizes(&["24 GiB"])), "24 GiB");
        assert_eq!(span(&[]), "");
    }
}
