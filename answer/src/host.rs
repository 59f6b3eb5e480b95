//! The host around the devices: its CPU and RAM, by name or by what the RAM is.

use estimator::device::Peaks;
use estimator::error::{Field, FieldError};
use estimator::num;
use estimator::scenario::Host;
use estimator::units::{Bytes, BytesPerSecond};
use hardware_db::convert::DeviceOptions;
use hardware_db::{DeviceRecord, Kind};

use crate::machine::{RAM_GIB, gibibytes, leading_count};
use crate::question::Question;
use crate::typed::not_found;

/// More CPUs than any board has.
const MOST_SOCKETS: u64 = 8;
/// More memory channels than any machine has.
const MOST_CHANNELS: u64 = 96;
/// The range of transfer rates of RAM, in MT/s.
const RATES: std::ops::RangeInclusive<u64> = 200..=20_000;
/// Bytes a channel moves a transfer: 64 bits, of DDR5's two halves together.
const CHANNEL_BYTES: f64 = 8.0;

/// What a host's CPU brings.
struct Cpu {
    sockets: u32,
    /// Of each socket.
    bandwidth: Option<BytesPerSecond>,
    peaks: Peaks,
}

pub(crate) fn resolve(
    question: &Question,
    record: &DeviceRecord,
    problems: &mut Vec<FieldError>,
    assumed: &mut Vec<String>,
) -> Option<Host> {
    let named = question.get(Field::Host);
    if record.kind == Kind::CpuPlatform {
        if let Some(text) = named {
            problems.push(
                FieldError::new(Field::Host, text, "a CPU platform is its own host")
                    .hint("leave out `host`, or name a graphics card as the hardware"),
            );
        }
        return None;
    }
    // A problem with the number itself is noted once, where the device's options are read.
    let ram = question
        .get(Field::Ram)
        .and_then(|_| gibibytes(question, Field::Ram, &mut Vec::new()));
    if named.is_none() && ram.is_none() {
        return None;
    }
    let cpu = named.and_then(|text| cpu(text, problems));
    let ram = ram.unwrap_or_else(|| {
        assumed.push(format!("{RAM_GIB} GB of RAM in the host"));
        RAM_GIB
    });
    let cpu = cpu.unwrap_or(Cpu {
        sockets: 1,
        bandwidth: None,
        peaks: Peaks::UNKNOWN,
    });
    Some(Host {
        ram: Bytes::gib(ram),
        bandwidth: cpu.bandwidth,
        sockets: cpu.sockets,
        peaks: cpu.peaks,
    })
}

/// The CPU of a text: a platform of the catalogue, its RAM's kind, or both, as in
/// `2x epyc-9355 ddr5-6400-24ch`. The RAM's kind wins over what the platform takes at most.
fn cpu(text: &str, problems: &mut Vec<FieldError>) -> Option<Cpu> {
    let (sockets, name) = leading_count(text);
    if !(1..=MOST_SOCKETS).contains(&sockets) {
        let allowed = format!("must have between 1 and {MOST_SOCKETS} CPUs");
        problems.push(FieldError::new(Field::Host, text, allowed));
        return None;
    }
    let known = hardware_db::find(name).is_ok();
    let (name, ram) = match ram_kind(name) {
        Some((before, rate)) if !known => (before, Some(rate)),
        _ => (name, None),
    };
    let sockets = u32::try_from(sockets).unwrap_or(1);
    let each = ram.map(|rate| rate / num::f32u(sockets));
    let found = match hardware_db::find(name) {
        Ok(host) if host.kind == Kind::CpuPlatform => host.device(&DeviceOptions::default()).ok(),
        Ok(host) if ram.is_none() => {
            problems.push(
                FieldError::new(
                    Field::Host,
                    text,
                    format!("{} is no CPU platform", host.name),
                )
                .hint("name the machine's CPU or memory, such as `desktop-ddr5-5600-dual`"),
            );
            return None;
        }
        Err(unknown) if ram.is_none() => {
            let mut problem = not_found(Field::Host, text, "CPU platform", &unknown.nearest);
            let ram = "or say what its RAM is, as in `ddr5-5600-dual` or `ddr4-3200-8ch`";
            problem.hint = problem.hint.map(|hint| format!("{hint}; {ram}"));
            problems.push(problem);
            return None;
        }
        // The RAM says what matters; the CPU's compute stays unknown.
        _ => None,
    };
    Some(Cpu {
        sockets,
        bandwidth: each.or_else(|| found.as_ref()?.bandwidth),
        peaks: found.map_or(Peaks::UNKNOWN, |found| found.peaks),
    })
}

/// The kind of RAM in a text, such as `ddr5-6000-12ch`: what stands before it, and the bandwidth of
/// all its channels: transfers × 8 bytes × channels.
fn ram_kind(text: &str) -> Option<(&str, BytesPerSecond)> {
    let lower = text.to_ascii_lowercase();
    let start = lower.find("ddr")?;
    let before = text
        .get(..start)?
        .trim_end_matches("lp")
        .trim_end_matches("LP");
    let mut words = lower
        .get(start..)?
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.next()?.strip_prefix("ddr")?.parse::<u8>().ok()?;
    let rate = words.next()?.trim_end_matches("mt").parse::<u64>().ok()?;
    let channels = match words.next()? {
        "single" => 1,
        "dual" => 2,
        "quad" => 4,
        word => word
            .strip_suffix("ch")
            .or_else(|| word.strip_prefix('x'))?
            .parse()
            .ok()?,
    };
    if !RATES.contains(&rate) || !(1..=MOST_CHANNELS).contains(&channels) {
        return None;
    }
    let bytes = num::f(rate) * 1e6 * CHANNEL_BYTES * num::f(channels);
    Some((
        before.trim_end_matches([' ', '-']),
        BytesPerSecond::gb_per_s(bytes / 1e9),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ram_is_read_from_its_kind() {
        let of = |text| ram_kind(text).map(|(name, rate)| (name, rate.to_gb_per_s()));
        assert_eq!(of("ddr5-6000-12ch"), Some(("", 576.0)));
        assert_eq!(of("epyc-9355 DDR5-6400 12ch"), Some(("epyc-9355", 614.4)));
        assert_eq!(
            of("core-i9-10900x ddr4-2666-quad"),
            Some(("core-i9-10900x", 85.312))
        );
        assert_eq!(
            of("desktop-ddr5-5600-dual").map(|(_, rate)| rate),
            Some(89.6)
        );
        assert_eq!(of("ddr4-quad"), None);
        assert_eq!(of("ddr5-6000"), None);
        assert_eq!(of("epyc-9355"), None);
        assert_eq!(of("ddr5-99999999999999999999-dual"), None);
    }

    #[test]
    fn two_sockets_share_the_channels_that_are_named_together() {
        let cpu = cpu("2x epyc-9135 ddr5-6400-24ch", &mut Vec::new()).unwrap();
        assert_eq!(cpu.sockets, 2);
        assert_eq!(cpu.bandwidth.unwrap().to_gb_per_s(), 614.4);
    }
}
