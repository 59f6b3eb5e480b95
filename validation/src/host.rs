//! Hosts as reports write them: `ryzen-7-5800x ddr4-dual 64gb`, `2x epyc-9355`.
//!
//! What decides how fast weights in RAM are read is the memory: its generation, its rate and its
//! channels. Each is taken from the text; what isn't there from the CPU, if the catalogue has it or
//! one of its series; and what is left from what such machines usually hold. All that wasn't in the
//! text is listed. The result is a host as the answer takes it.

use hardware_db::{DeviceRecord, Kind};

/// A host, as far as a text tells.
#[derive(Debug, Clone, PartialEq)]
pub struct HostText {
    /// The host as the answer takes it: `2x xeon-gold-6454s ddr5-4800-16ch`.
    pub name: String,
    /// How much RAM in GiB, where told.
    pub ram_gib: Option<f64>,
    /// What the name rests on that the text doesn't say, in words; empty when all was told.
    pub assumed: Vec<String>,
}

/// Reads a host's text; `None` where it doesn't tell how fast its RAM is.
#[must_use]
pub fn read(text: &str) -> Option<HostText> {
    let told = Told::read(text);
    let mut assumed = Vec::new();
    let platform = told.platform();
    let mut like = platform;
    let complete = told.rate.is_some() && told.channels.is_some();
    if like.is_none()
        && !complete
        && let Some((name, device)) = told.like()
    {
        assumed.push(format!("the memory of {name} as of {}", device.name));
        like = Some(device);
    }
    let sockets = told.sockets;
    let name = match told.generation {
        None => {
            let like = like?;
            like.memory.bandwidth?;
            if platform.is_none() || sockets > 1 {
                assumed.push("all its memory channels filled".to_owned());
            }
            format!("{sockets}x {}", like.id)
        }
        Some(generation) => {
            let of_cpu = like.filter(|like| {
                let kind = like.memory.kind.as_deref().unwrap_or_default();
                kind.ends_with(&generation.to_string())
            });
            let rate = told.rate.or_else(|| {
                let rate = of_cpu.and_then(|like| like.memory.module_speed);
                let rate = rate.or_else(|| usual_rate(generation))?;
                assumed.push(format!("modules of DDR{generation}-{rate}"));
                Some(rate)
            })?;
            let channels = told.channels.or_else(|| {
                let each = of_cpu
                    .and_then(|like| like.memory.channels)
                    .or_else(|| told.is_consumer().then_some(2))?;
                let channels = each.checked_mul(sockets)?;
                assumed.push(format!("{channels} memory channels"));
                Some(channels)
            })?;
            let cpu = platform.map_or("host", |platform| &platform.id);
            format!("{sockets}x {cpu} ddr{generation}-{rate}-{channels}ch")
        }
    };
    Some(HostText {
        name,
        ram_gib: told.ram_gib,
        assumed,
    })
}

/// The rate of modules most sold of a generation, in MT/s.
const fn usual_rate(generation: u32) -> Option<u32> {
    match generation {
        4 => Some(3200),
        5 => Some(5600),
        _ => None,
    }
}

/// What stands in the text.
#[derive(Debug, Clone, PartialEq, Default)]
struct Told {
    sockets: u32,
    /// DDR generation.
    generation: Option<u32>,
    /// MT/s of the modules.
    rate: Option<u32>,
    /// Channels over all sockets.
    channels: Option<u32>,
    ram_gib: Option<f64>,
    /// What is left: names of CPUs and other words.
    words: Vec<String>,
}

impl Told {
    fn read(text: &str) -> Self {
        let mut told = Self {
            sockets: 1,
            ..Self::default()
        };
        let text = text.to_lowercase();
        let tokens: Vec<&str> = text
            .split(|letter: char| letter.is_whitespace() || ",;()/".contains(letter))
            .filter(|token| !token.is_empty())
            .collect();
        let mut before = None;
        for token in tokens {
            told.token(token, before);
            before = Some(token);
        }
        told
    }

    fn token(&mut self, token: &str, before: Option<&str>) {
        if let Some(sockets) = token.strip_suffix('x').and_then(|n| n.parse().ok()) {
            self.sockets = if (1..=16).contains(&sockets) {
                sockets
            } else {
                1
            };
        } else if token == "dual-socket" {
            self.sockets = 2;
        } else if let Some(memory) = token.strip_prefix("ddr") {
            self.memory(memory);
        } else if matches!(token, "dimm" | "dimms") {
            let number = before.and_then(|before| before.parse().ok());
            self.channels = self.channels.or(number);
            self.words.pop();
        } else if let Some(channels) = channels(token) {
            self.channels = Some(channels);
        } else if let Some(ram) = capacity(token) {
            self.ram_gib = Some(ram);
        } else {
            self.words.push(token.to_owned());
        }
    }

    /// `5-6000-12ch`, `4-dual`, `5`.
    fn memory(&mut self, text: &str) {
        let mut parts = text.split('-');
        self.generation = parts.next().and_then(|part| part.parse().ok());
        for part in parts {
            match part.parse::<u32>() {
                Ok(rate) => self.rate = Some(rate),
                Err(_) => self.channels = channels(part).or(self.channels),
            }
        }
    }

    /// The CPU of the catalogue that the text names.
    fn platform(&self) -> Option<&'static DeviceRecord> {
        let whole = self.words.join("-");
        self.words
            .iter()
            .map(String::as_str)
            .chain([whole.as_str()])
            .filter_map(hardware_db::get)
            .find(|device| device.kind == Kind::CpuPlatform)
    }

    /// A CPU of the catalogue with the memory controller of the one named.
    fn like(&self) -> Option<(&str, &'static DeviceRecord)> {
        let words = self.words.join(" ");
        let (name, id) = self
            .words
            .iter()
            .find_map(|word| Some((word.as_str(), series(word)?)))
            .or_else(|| {
                let fifth = words.contains("xeon") && words.contains("5th gen");
                fifth.then_some(("xeon 5th gen", "xeon-platinum-8592-plus"))
            })?;
        Some((name, hardware_db::get(id)?))
    }

    /// Whether the text names a desktop or laptop, which have two channels.
    fn is_consumer(&self) -> bool {
        self.words.iter().any(|word| {
            word.starts_with("ryzen-")
                || ["core-i3", "core-i5", "core-i7", "core-ultra"]
                    .iter()
                    .any(|name| word.starts_with(name))
                || matches!(
                    word.as_str(),
                    "desktop" | "laptop" | "am4" | "am5" | "lga1700"
                )
        })
    }
}

/// A CPU of the catalogue of the same series: the makers' numbers tell the generation, and CPUs of
/// one generation and socket have the same memory channels.
fn series(name: &str) -> Option<&'static str> {
    if let Some(number) = name.strip_prefix("epyc-") {
        let letters: Vec<char> = number.chars().take(4).collect();
        return match letters.as_slice() {
            ['9', .., '5'] => Some("epyc-9755"),
            ['9', .., '4'] => Some("epyc-9654"),
            ['7', .., '3'] => Some("epyc-7763"),
            ['7', .., '2'] => Some("epyc-7742"),
            _ => None,
        };
    }
    if let Some(number) = name.strip_prefix("xeon-e5-26") {
        return number.ends_with("v4").then_some("xeon-e5-2699-v4");
    }
    let scalable = ["xeon-platinum-", "xeon-gold-", "xeon-silver-"];
    if let Some(number) = scalable.iter().find_map(|prefix| name.strip_prefix(prefix)) {
        return match number.chars().nth(1) {
            Some('2') => Some("xeon-platinum-8280"),
            Some('3') => Some("xeon-platinum-8380"),
            Some('4') => Some("xeon-platinum-8480-plus"),
            Some('5') => Some("xeon-platinum-8592-plus"),
            _ => None,
        };
    }
    let core = ["core-i5-", "core-i7-", "core-i9-"];
    let number = core.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    match number.get(..2)? {
        "13" | "14" if number.len() >= 5 => Some("core-i9-13900k"),
        "12" if number.len() >= 5 => Some("core-i9-12900k"),
        _ => None,
    }
}

/// `dual`, `quad`, `12ch`.
fn channels(text: &str) -> Option<u32> {
    match text {
        "single" => Some(1),
        "dual" => Some(2),
        "quad" => Some(4),
        "octa" => Some(8),
        _ => text
            .strip_suffix("ch")
            .and_then(|number| number.parse().ok())
            .filter(|channels| (1..=64).contains(channels)),
    }
}

/// `64gb`, `256gib`, `1tb`; memory as sold is binary.
fn capacity(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let size: f64 = digits.parse().ok()?;
    let unit = match text.get(digits.len()..)? {
        "gb" | "gib" => 1.0,
        "tb" | "tib" => 1024.0,
        _ => return None,
    };
    let size = size * unit;
    (size.is_finite() && size > 0.0).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<String> {
        read(text).map(|host| host.name)
    }

    #[test]
    fn memory_that_is_told_is_taken_as_told() {
        for (text, host) in [
            ("epyc-9355 ddr5-6000-12ch", "1x host ddr5-6000-12ch"),
            ("ryzen-5-3500 ddr4-2667-dual", "1x host ddr4-2667-2ch"),
            (
                "2x xeon-gold-6454s ddr5-4800-16ch",
                "2x host ddr5-4800-16ch",
            ),
            ("56-core xeon ddr5-4800-8ch", "1x host ddr5-4800-8ch"),
            (
                "2x xeon-platinum-8136 ddr4-2400 7 dimm",
                "2x host ddr4-2400-7ch",
            ),
        ] {
            assert_eq!(name(text).as_deref(), Some(host), "{text}");
            assert!(read(text).unwrap().assumed.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_not_told_is_taken_from_the_cpu_or_its_series_and_said() {
        for (text, host) in [
            ("2x epyc-9355", "2x epyc-9755"),
            ("epyc-7343 ddr4-3200 64gb", "1x host ddr4-3200-8ch"),
            ("core-i9-14900k", "1x core-i9-13900k"),
            ("am5 desktop ddr5-dual 96gb", "1x host ddr5-5600-2ch"),
            ("xeon-e5-2630-v4 ddr4 256gb", "1x host ddr4-2400-4ch"),
            ("4x xeon-platinum-8280", "4x xeon-platinum-8280"),
            ("ryzen-7-260 ddr5 32gb", "1x host ddr5-5600-2ch"),
            (
                "ryzen-7-5800x ddr4-dual 64gb",
                "1x ryzen-7-5800x ddr4-3200-2ch",
            ),
        ] {
            assert_eq!(name(text).as_deref(), Some(host), "{text}");
            assert!(!read(text).unwrap().assumed.is_empty(), "{text}");
        }
        assert_eq!(
            read("am5 desktop ddr5-dual 96gb").unwrap().ram_gib,
            Some(96.0)
        );
    }

    #[test]
    fn a_text_without_memory_or_cpu_tells_nothing() {
        for text in [
            "",
            "unknown",
            "server",
            "dual-socket server",
            "32gb ram (type not stated)",
            "xeon 6",
            "2x xeon-e5-2697-v2",
            "ddr5",
            "99999999999x ddr5-1-99999999999ch",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
