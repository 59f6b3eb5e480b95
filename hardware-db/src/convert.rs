//! From a record to what the estimator takes, with the options a buyer or user has.
//!
//! Defaults: the largest memory sold; current macOS; Linux on unified-memory chips; the board's own
//! power; the memory the record's bandwidth is of. What isn't known stays `None`.

use crate::spec::{DeviceRecord, Kind, Rate, Vendor};
use catalog::{Bandwidth, Capacity, Frequency, Power};
use estimator::device::{Device, DeviceKind, Links, Peaks};
use estimator::units::{Bytes, BytesPerSecond, FlopPerSecond, Watts};

/// A generation of macOS, which decides how much memory Metal recommends to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MacOs {
    /// Current macOS.
    #[default]
    Recent,
    /// macOS of 2023 and 2024: two thirds of the memory up to 36 GB, three quarters above.
    Older,
}

/// The operating system of a machine whose GPU shares the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OperatingSystem {
    /// Linux: what the driver lets the GPU map.
    #[default]
    Linux,
    /// Windows: what the firmware assigns to the GPU.
    Windows,
}

/// What a buyer or user chooses; `None` is the default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeviceOptions {
    /// Memory size, one of those sold. Default: the largest.
    pub memory: Option<Capacity>,
    /// Generation of macOS, on Apple silicon. Default: current.
    pub macos: Option<MacOs>,
    /// Operating system, on unified-memory chips. Default: Linux.
    pub system: Option<OperatingSystem>,
    /// Power limit. Default: the board's power.
    pub power_limit: Option<Power>,
    /// Another memory the device is sold with, by its name. Default: the one of the record's bandwidth.
    pub memory_option: Option<String>,
    /// Memory of a CPU platform, where the buyer chooses it; ignored by other devices, whose host's
    /// memory it is.
    pub ram: Option<Capacity>,
}

/// An option that a device doesn't have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceOptionError {
    /// A memory size that isn't sold.
    #[error("`{device}` is not sold with `{given}` of memory")]
    Memory {
        /// The device.
        device: String,
        /// What was asked for.
        given: Capacity,
        /// The sizes sold.
        allowed: Vec<Capacity>,
    },
    /// A memory the device isn't sold with.
    #[error("`{device}` has no memory option `{given}`")]
    MemoryOption {
        /// The device.
        device: String,
        /// What was asked for.
        given: String,
        /// The options.
        allowed: Vec<String>,
    },
    /// A power limit outside what the device allows.
    #[error("a power limit of `{given}` is out of range for `{device}`")]
    PowerLimit {
        /// The device.
        device: String,
        /// What was asked for.
        given: Power,
        /// The lowest limit, where one is known.
        low: Option<Power>,
        /// The highest.
        high: Power,
    },
    /// An option of other kinds of devices.
    #[error("`{option}` does not apply to `{device}`")]
    NotApplicable {
        /// The device.
        device: String,
        /// The option.
        option: &'static str,
        /// The devices that have it.
        applies_to: &'static str,
    },
}

impl DeviceOptionError {
    /// The option at fault: `memory`, `memory-option`, `power`, `macos`, `system`.
    #[must_use]
    pub fn option(&self) -> &'static str {
        match self {
            Self::Memory { .. } => "memory",
            Self::MemoryOption { .. } => "memory-option",
            Self::PowerLimit { .. } => "power",
            Self::NotApplicable { option, .. } => option,
        }
    }

    /// What is allowed instead, in words.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Memory { allowed, .. } => {
                let sizes: Vec<String> = allowed.iter().map(|size| format!("`{size}`")).collect();
                format!("it is sold with {}", sizes.join(", "))
            }
            Self::MemoryOption { allowed, .. } if allowed.is_empty() => {
                "it is sold with one kind of memory".to_owned()
            }
            Self::MemoryOption { allowed, .. } => {
                let names: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
                format!("it is sold with {}", names.join(", "))
            }
            Self::PowerLimit {
                low: Some(low),
                high,
                ..
            } => {
                format!("its makers set limits from `{low}` to `{high}`")
            }
            Self::PowerLimit { high, .. } => format!("its board allows up to `{high}`"),
            Self::NotApplicable { applies_to, .. } => format!("only {applies_to} have this option"),
        }
    }
}

impl DeviceRecord {
    /// The device as the estimator takes it.
    ///
    /// # Errors
    /// [`DeviceOptionError`] for the first option the device doesn't have, with what is allowed.
    pub fn device(&self, options: &DeviceOptions) -> Result<Device, DeviceOptionError> {
        self.check_applicable(options)?;
        let memory = self.memory_size(options)?;
        let power = self.power_limit(options.power_limit)?;
        let clock = self.clock_ratio(options.power_limit);
        Ok(Device {
            id: self.id.clone(),
            name: self.name.clone(),
            kind: kind(self.kind),
            vendor: vendor(self.vendor),
            architecture: self.architecture.clone(),
            memory: memory.map(bytes),
            usable: memory
                .and_then(|size| self.usable_memory(size, options))
                .map(Bytes::new),
            stacked_memory: self.has_stacked_memory(),
            bandwidth: self
                .bandwidth(options)?
                .map(|bandwidth| BytesPerSecond::new(bandwidth.bytes_per_second())),
            peaks: self.peaks(clock),
            links: Links {
                pcie: self
                    .pcie
                    .map(|link| BytesPerSecond::gb_per_s(link.gigabytes_per_second())),
                // Makers quote both directions together.
                peer: self
                    .nvlink
                    .map(|link| BytesPerSecond::new(link.bytes_per_second() / 2.0)),
            },
            power: power.map(|power| Watts::new(power.watts())),
            cores: self.cpu_cores.iter().copied().max(),
        })
    }

    /// The memory size used when none is chosen: the largest sold; `None` where it isn't known.
    #[must_use]
    pub fn default_memory(&self) -> Option<Capacity> {
        self.memory.sizes.last().copied()
    }

    /// Whether its memory is stacked on the package (HBM).
    #[must_use]
    pub fn has_stacked_memory(&self) -> bool {
        self.memory
            .kind
            .as_deref()
            .is_some_and(|kind| kind.starts_with("HBM"))
    }

    fn check_applicable(&self, options: &DeviceOptions) -> Result<(), DeviceOptionError> {
        let wrong = |option, applies_to| {
            Err(DeviceOptionError::NotApplicable {
                device: self.id.clone(),
                option,
                applies_to,
            })
        };
        if options.macos.is_some() && self.kind != Kind::AppleSilicon {
            return wrong("macos", "Apple chips");
        }
        if options.system.is_some() && self.kind != Kind::ApuUnified {
            return wrong("system", "unified-memory chips for PCs");
        }
        Ok(())
    }

    fn memory_size(&self, options: &DeviceOptions) -> Result<Option<Capacity>, DeviceOptionError> {
        let sizes = &self.memory.sizes;
        let of_cpu = options.ram.filter(|_| self.kind == Kind::CpuPlatform);
        let Some(given) = options.memory.or(of_cpu) else {
            return Ok(self.default_memory());
        };
        let too_large = self.memory.largest.is_some_and(|largest| given > largest);
        if (!sizes.is_empty() && !sizes.contains(&given)) || too_large {
            let largest = self.memory.largest.filter(|_| sizes.is_empty());
            let allowed = sizes.iter().copied().chain(largest).collect();
            return Err(DeviceOptionError::Memory {
                device: self.id.clone(),
                given,
                allowed,
            });
        }
        Ok(Some(given))
    }

    /// The part of a memory of this size that a model may use, in bytes; `None` where the share of
    /// the GPU isn't known.
    fn usable_memory(&self, size: Capacity, options: &DeviceOptions) -> Option<f64> {
        let at = |limits: &[(Capacity, Capacity)]| {
            limits
                .iter()
                .find(|(of, _)| *of == size)
                .map(|(_, limit)| limit.bytes())
        };
        match self.kind {
            Kind::AppleSilicon => Some(self.apple_usable(size, options.macos.unwrap_or_default())),
            Kind::ApuUnified => match options.system.unwrap_or_default() {
                OperatingSystem::Linux => at(&self.usable.linux),
                OperatingSystem::Windows => at(&self.usable.windows),
            }
            .or_else(|| at(&self.usable.any)),
            Kind::Sbc => None,
            Kind::DiscreteGpu | Kind::DatacenterGpu => {
                let reported = self
                    .memory
                    .reported
                    .filter(|_| self.memory.sizes.len() == 1);
                Some(reported.unwrap_or(size).bytes())
            }
            Kind::CpuPlatform | Kind::Accelerator => Some(size.bytes()),
        }
    }

    /// What Metal recommends. Where the chosen generation wasn't read at this size: the other one,
    /// else the rule of older systems, both at most a little less than what current macOS allows.
    fn apple_usable(&self, size: Capacity, macos: MacOs) -> f64 {
        let row = self.usable.apple.iter().find(|(of, _, _)| *of == size);
        let read = row.and_then(|&(_, recent, older)| match macos {
            MacOs::Recent => recent.or(older),
            MacOs::Older => older,
        });
        read.map_or_else(|| older_rule(size), Capacity::bytes)
    }

    fn power_limit(&self, limit: Option<Power>) -> Result<Option<Power>, DeviceOptionError> {
        let own = self.power.board.or(self.power.estimate);
        let Some(given) = limit else { return Ok(own) };
        let range = self.power.range;
        let Some(high) = range.map(|[_, high]| high).or(self.power.board) else {
            return Err(DeviceOptionError::NotApplicable {
                device: self.id.clone(),
                option: "power",
                applies_to: "devices whose power the maker publishes",
            });
        };
        let low = range.map(|[low, _]| low);
        if given > high || low.is_some_and(|low| given < low) {
            return Err(DeviceOptionError::PowerLimit {
                device: self.id.clone(),
                given,
                low,
                high,
            });
        }
        Ok(Some(given))
    }

    /// How much slower the clock is at a power limit than at the top point, which the peak rates are
    /// of; on a straight line between the points that were read. One point alone says nothing.
    fn clock_ratio(&self, limit: Option<Power>) -> f64 {
        let points = &self.power.points;
        match (limit, points.as_slice()) {
            (Some(limit), [.., (_, top)]) if points.len() > 1 => {
                clock_at(limit, points) / top.hertz()
            }
            _ => 1.0,
        }
    }

    fn bandwidth(&self, options: &DeviceOptions) -> Result<Option<Bandwidth>, DeviceOptionError> {
        let Some(name) = &options.memory_option else {
            return Ok(self.memory.bandwidth);
        };
        let wanted = catalog::search::squash(name);
        let found = self
            .memory
            .options
            .iter()
            .find(|option| catalog::search::squash(&option.name) == wanted);
        match found {
            Some(option) => Ok(Some(option.bandwidth)),
            None => Err(DeviceOptionError::MemoryOption {
                device: self.id.clone(),
                given: name.clone(),
                allowed: self
                    .memory
                    .options
                    .iter()
                    .map(|option| option.name.clone())
                    .collect(),
            }),
        }
    }

    /// Rates from sources; where one is missing, the one that rests on the record's assumption.
    fn peaks(&self, clock: f64) -> Peaks {
        let mut assumed = false;
        let mut rate = |rate: Rate| {
            let sourced = self.compute.get(rate);
            let estimated = || {
                self.estimate
                    .as_ref()
                    .and_then(|estimate| estimate.compute.get(rate))
            };
            let peak = sourced.or_else(|| {
                let peak = estimated();
                assumed |= peak.is_some();
                peak
            });
            peak.map(|peak| FlopPerSecond::new(peak.per_second() * clock))
        };
        let peaks = Peaks {
            fp32: rate(Rate::Fp32),
            fp16: rate(Rate::Fp16),
            bf16: rate(Rate::Bf16),
            fp8: rate(Rate::Fp8),
            fp4: rate(Rate::Fp4),
            int8: rate(Rate::Int8),
            assumed: false,
        };
        Peaks { assumed, ..peaks }
    }
}

/// Two thirds of the memory up to 36 GB, three quarters above.
fn older_rule(size: Capacity) -> f64 {
    const UP_TO: f64 = 36.0 * 1_073_741_824.0;
    if size.bytes() <= UP_TO {
        size.bytes() * 2.0 / 3.0
    } else {
        size.bytes() * 0.75
    }
}

fn clock_at(limit: Power, points: &[(Power, Frequency)]) -> f64 {
    let watts = limit.watts();
    let above = points.iter().find(|(power, _)| power.watts() >= watts);
    let below = points.iter().rfind(|(power, _)| power.watts() <= watts);
    match (below, above) {
        (Some(low), Some(high)) if low.0 == high.0 => low.1.hertz(),
        (Some(low), Some(high)) => {
            let share = (watts - low.0.watts()) / (high.0.watts() - low.0.watts());
            low.1.hertz() + share * (high.1.hertz() - low.1.hertz())
        }
        (Some(only), None) | (None, Some(only)) => only.1.hertz(),
        (None, None) => 0.0,
    }
}

fn bytes(capacity: Capacity) -> Bytes {
    Bytes::new(capacity.bytes())
}

fn kind(kind: Kind) -> DeviceKind {
    match kind {
        Kind::DiscreteGpu => DeviceKind::DiscreteGpu,
        Kind::DatacenterGpu => DeviceKind::DataCenterGpu,
        Kind::AppleSilicon => DeviceKind::AppleSilicon,
        Kind::ApuUnified => DeviceKind::UnifiedApu,
        Kind::CpuPlatform => DeviceKind::Cpu,
        Kind::Sbc => DeviceKind::SingleBoard,
        Kind::Accelerator => DeviceKind::Accelerator,
    }
}

fn vendor(vendor: Vendor) -> estimator::device::Vendor {
    use estimator::device::Vendor as V;
    match vendor {
        Vendor::Nvidia => V::Nvidia,
        Vendor::Amd => V::Amd,
        Vendor::Intel => V::Intel,
        Vendor::Apple => V::Apple,
        Vendor::Qualcomm => V::Qualcomm,
        Vendor::Google
        | Vendor::Aws
        | Vendor::Huawei
        | Vendor::Groq
        | Vendor::Ampere
        | Vendor::RaspberryPi
        | Vendor::Rockchip
        | Vendor::Generic => V::Other,
    }
}
