//! The machine a question names: a device with its options, how many, and the host around them.

use std::sync::Arc;

use catalog::{Capacity, Power};
use estimator::device::Device;
use estimator::error::{Field, FieldError};
use estimator::scenario::{Host, MAX_COUNT};
use estimator::units::Bytes;
use hardware_db::convert::{DeviceOptionError, DeviceOptions, MacOs, OperatingSystem};
use hardware_db::{DeviceRecord, Kind};

use crate::host;
use crate::number;
use crate::question::Question;
use crate::typed::{decimal, not_found, taken};

/// RAM of a machine when none is given, in GiB.
pub(crate) const RAM_GIB: f64 = 64.0;
/// More memory than any machine has, in GiB.
const MOST_GIB: f64 = 65_536.0;

/// A machine.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The device, with its options applied; the first where there are several.
    pub device: Arc<Device>,
    /// The others, in the order they were named.
    pub others: Vec<Arc<Device>>,
    /// The host around the devices, if one was named.
    pub host: Option<Host>,
    /// Defaults filled in that a user should know of.
    pub assumed: Vec<String>,
}

/// Finds the machine; what can't be used is added to the problems.
pub(crate) fn resolve(question: &Question, problems: &mut Vec<FieldError>) -> Option<Machine> {
    let mut assumed = Vec::new();
    let Some(text) = question.get(Field::Hardware) else {
        problems.push(
            FieldError::new(Field::Hardware, "", "is missing")
                .hint("name a device, such as `rtx-4090`; the catalogue lists all"),
        );
        return None;
    };
    let parts = parts(text);
    let mut devices = Vec::new();
    let mut records: Vec<&DeviceRecord> = Vec::new();
    for part in &parts {
        let (several, name) = leading_count(part);
        let found = match hardware_db::find_with_rest(name) {
            Ok(found) => found,
            Err(unknown) => {
                problems.push(not_found(Field::Hardware, part, "device", &unknown.nearest));
                return None;
            }
        };
        let (record, rest) = (found.entry, found.rest);
        let others = found.also.iter().map(|device| device.id.as_str());
        assumed.extend(taken(found.name, &record.id, others));
        let count = count(question, several, parts.len(), problems);
        let options = options(question, record, rest, problems, &mut assumed);
        match record.device(&options) {
            Ok(device) => {
                let device = Arc::new(device);
                // One more than a machine can hold is enough to be refused.
                let count = count.min(u64::from(MAX_COUNT) + 1);
                devices.extend((0..count).map(|_| Arc::clone(&device)));
                if count == 0 {
                    problems.push(FieldError::new(
                        Field::Count,
                        "0",
                        format!("must be between 1 and {MAX_COUNT} devices"),
                    ));
                }
            }
            Err(error) => problems.push(option_problem(question, part, &error)),
        }
        records.push(record);
    }
    let host = host::resolve(question, records.first()?, problems, &mut assumed);
    let mut devices = devices.into_iter();
    Some(Machine {
        device: devices.next()?,
        others: devices.collect(),
        host,
        assumed,
    })
}

impl Machine {
    /// How many devices.
    pub(crate) fn count(&self) -> u32 {
        count_of(&self.others)
    }

    /// What it is called: its devices and how many.
    pub(crate) fn name(&self) -> String {
        name_of(&self.device, &self.others)
    }
}

/// How many devices there are with these others.
pub(crate) fn count_of(others: &[Arc<Device>]) -> u32 {
    u32::try_from(others.len()).map_or(u32::MAX, |others| others.saturating_add(1))
}

/// What devices are called together: `2 × A + B`.
pub(crate) fn name_of(device: &Device, others: &[Arc<Device>]) -> String {
    let mut groups: Vec<(&str, u32)> = vec![(&device.name, 1)];
    for other in others {
        match groups.last_mut() {
            Some((name, count)) if *name == other.name => *count += 1,
            _ => groups.push((&other.name, 1)),
        }
    }
    let names: Vec<_> = groups
        .into_iter()
        .map(|(name, count)| crate::text::several(count, name))
        .collect();
    names.join(" + ")
}

/// The devices of a text such as `rtx-4090 + 2x rtx-3090`. A plus that belongs to a name, as in
/// `Max+ 395`, has no space before it and one behind it.
fn parts(text: &str) -> Vec<&str> {
    if !text.contains('+') || hardware_db::find(text).is_ok() {
        return vec![text];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('+') {
        let before = text.get(start..at).unwrap_or_default();
        let after = text.get(at + 1..).unwrap_or_default();
        let of_name = !before.ends_with(' ') && (after.starts_with(' ') || after.is_empty());
        if !of_name && !before.trim().is_empty() && !after.trim().is_empty() {
            parts.push(before.trim());
            start = at + 1;
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts
}

/// How many of a device: what `count` says of a machine of one kind, else the number before its name.
fn count(question: &Question, several: u64, kinds: usize, problems: &mut Vec<FieldError>) -> u64 {
    let Some(text) = question.get(Field::Count) else {
        return several;
    };
    match number::whole(Field::Count, text) {
        Ok(_) if kinds > 1 => {
            if !problems.iter().any(|problem| problem.field == Field::Count) {
                problems.push(
                    FieldError::new(
                        Field::Count,
                        text,
                        "the hardware names several devices already",
                    )
                    .hint("leave out `count`, and write `2x` before a name"),
                );
            }
            several
        }
        // Beyond what any machine holds; the text stays as typed.
        Ok(count) if count > u64::from(MAX_COUNT) => {
            problems.push(FieldError::new(
                Field::Count,
                text,
                format!("must be between 1 and {MAX_COUNT} devices"),
            ));
            several
        }
        Ok(count) => count,
        Err(problem) => {
            problems.push(problem);
            several
        }
    }
}

/// The count in front of a name, as in `2x rtx 3090`; 1 without one.
pub(crate) fn leading_count(text: &str) -> (u64, &str) {
    let text = text.trim();
    if let Some(found) = trailing_count(text)
        && hardware_db::find(text).is_err()
    {
        return found;
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some((number, rest)) = text.split_at_checked(digits)
        && let Some(name) = rest.trim_start().strip_prefix(['x', 'X', '×'])
        && let Ok(count) = number.parse()
        && (name.starts_with([' ', '-']) || name.starts_with(|next: char| next.is_ascii_digit()))
    {
        return (count, name.trim_start_matches([' ', '-']));
    }
    (1, text)
}

/// The count behind a name, as in `rtx 4090 x2` and `rtx 4090 x 2`.
fn trailing_count(text: &str) -> Option<(u64, &str)> {
    const TIMES: [char; 3] = ['x', 'X', '×'];
    let (before, last) = text.rsplit_once(' ')?;
    if let Some(number) = last.strip_prefix(TIMES) {
        return Some((number.parse().ok()?, before.trim_end()));
    }
    let name = before.trim_end().strip_suffix(TIMES)?;
    let name = name.ends_with(' ').then(|| name.trim_end())?;
    Some((last.parse().ok()?, name))
}

fn options(
    question: &Question,
    record: &DeviceRecord,
    rest: &str,
    problems: &mut Vec<FieldError>,
    assumed: &mut Vec<String>,
) -> DeviceOptions {
    let memory = match question.get(Field::Memory) {
        Some(_) => gibibytes(question, Field::Memory, problems),
        None if rest.trim().is_empty() => None,
        None => match number::decimal(Field::Hardware, rest, &["GB", "GiB"]) {
            Ok(size) => in_range(Field::Hardware, rest, size, problems),
            Err(problem) => {
                problems.push(problem);
                None
            }
        },
    };
    let ram = gibibytes(question, Field::Ram, problems);
    let ram = match (record.kind, ram) {
        (Kind::CpuPlatform, None) if memory.is_none() => {
            assumed.push(format!("{RAM_GIB} GB of RAM"));
            Some(RAM_GIB)
        }
        (_, ram) => ram,
    };
    if memory.is_none()
        && record.memory.sizes.len() > 1
        && let Some(size) = record.default_memory()
    {
        assumed.push(format!("{size} of memory, the most it is sold with"));
    }
    DeviceOptions {
        memory: memory.and_then(capacity),
        macos: one_of(
            question,
            Field::Macos,
            &[("recent", MacOs::Recent), ("older", MacOs::Older)],
            problems,
        ),
        system: one_of(
            question,
            Field::System,
            &[
                ("linux", OperatingSystem::Linux),
                ("windows", OperatingSystem::Windows),
            ],
            problems,
        ),
        power_limit: power(question, record, problems, assumed),
        memory_option: question.get(Field::MemoryOption).map(str::to_owned),
        ram: ram.and_then(capacity),
    }
}

fn power(
    question: &Question,
    record: &DeviceRecord,
    problems: &mut Vec<FieldError>,
    assumed: &mut Vec<String>,
) -> Option<Power> {
    let watts = decimal(question, Field::Power, &["W"], problems)?;
    if watts <= 0.0 {
        let text = question.get(Field::Power).unwrap_or_default();
        problems.push(FieldError::new(Field::Power, text, "must be above 0 W"));
        return None;
    }
    if record.power.points.len() < 2 {
        assumed.push(format!(
            "full clocks: how far {} slows at a power limit isn't known",
            record.name
        ));
    }
    Power::new(watts).ok()
}

fn capacity(gib: f64) -> Option<Capacity> {
    Capacity::new(Bytes::gib(gib).get()).ok()
}

/// A typed size of memory in GiB, above 0 and below what any machine has.
pub(crate) fn gibibytes(
    question: &Question,
    field: Field,
    problems: &mut Vec<FieldError>,
) -> Option<f64> {
    let size = decimal(question, field, &["GB", "GiB"], problems)?;
    let text = question.get(field).unwrap_or_default();
    in_range(field, text, size, problems)
}

/// A size in GiB, if a machine can have it.
fn in_range(field: Field, text: &str, size: f64, problems: &mut Vec<FieldError>) -> Option<f64> {
    if size > 0.0 && size <= MOST_GIB {
        return Some(size);
    }
    let allowed = format!("must be above 0 and at most {MOST_GIB} GB");
    problems.push(FieldError::new(field, text, allowed));
    None
}

fn one_of<T: Copy>(
    question: &Question,
    field: Field,
    choices: &[(&str, T)],
    problems: &mut Vec<FieldError>,
) -> Option<T> {
    let text = question.get(field)?.trim();
    let found = choices
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    if found.is_none() {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        problems.push(FieldError::new(
            field,
            text,
            format!("must be {}", names.join(" or ")),
        ));
    }
    found.map(|(_, choice)| *choice)
}

fn option_problem(question: &Question, hardware: &str, error: &DeviceOptionError) -> FieldError {
    let field = match error.option() {
        "memory" if question.get(Field::Memory).is_some() => Field::Memory,
        "memory" => Field::Hardware,
        "memory-option" => Field::MemoryOption,
        "power" => Field::Power,
        "macos" => Field::Macos,
        "system" => Field::System,
        _ => Field::Hardware,
    };
    let value = question.get(field).unwrap_or(hardware);
    FieldError::new(field, value, error.to_string()).hint(error.hint())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_parted_at_a_plus_that_belongs_to_no_name() {
        assert_eq!(parts("rtx-4090+rtx-3090"), ["rtx-4090", "rtx-3090"]);
        assert_eq!(parts("4090 + 2x 3090"), ["4090", "2x 3090"]);
        assert_eq!(parts("Ryzen AI Max+ 395"), ["Ryzen AI Max+ 395"]);
        assert_eq!(parts("a+b + c"), ["a", "b", "c"]);
        assert_eq!(parts("4090 +"), ["4090 +"]);
    }

    #[test]
    fn a_count_in_front_of_a_name() {
        assert_eq!(leading_count("2x rtx 3090"), (2, "rtx 3090"));
        assert_eq!(leading_count("4 X RTX 4090"), (4, "RTX 4090"));
        assert_eq!(leading_count("4090"), (1, "4090"));
        assert_eq!(leading_count("7900 xtx"), (1, "7900 xtx"));
        assert_eq!(leading_count("xeon"), (1, "xeon"));
        assert_eq!(leading_count("2x4090"), (2, "4090"));
        assert_eq!(leading_count("rtx 4090 x2"), (2, "rtx 4090"));
        assert_eq!(leading_count("4090 x 2"), (2, "4090"));
        assert_eq!(leading_count("m3 ultra 80"), (1, "m3 ultra 80"));
    }
}
