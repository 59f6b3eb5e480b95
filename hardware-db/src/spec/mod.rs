//! What is known of a device, as it ships: typed values without their sources.
//!
//! The sources of each figure are in `provenance`, which the browser leaves out.

use catalog::{Bandwidth, BusWidth, Capacity, DataRate, Date, Frequency, Peak, Power};
use serde::{Deserialize, Serialize};

pub mod pcie;

pub use pcie::PcieLink;

/// Who makes a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Vendor {
    /// NVIDIA.
    #[serde(rename = "NVIDIA")]
    Nvidia,
    /// AMD.
    #[serde(rename = "AMD")]
    Amd,
    /// Intel.
    Intel,
    /// Apple.
    Apple,
    /// Qualcomm.
    Qualcomm,
    /// Google.
    Google,
    /// Amazon Web Services.
    #[serde(rename = "AWS")]
    Aws,
    /// Huawei.
    Huawei,
    /// Groq.
    Groq,
    /// Ampere Computing.
    Ampere,
    /// Raspberry Pi.
    #[serde(rename = "Raspberry Pi")]
    RaspberryPi,
    /// Rockchip.
    Rockchip,
    /// Nobody in particular: a class of machines.
    #[serde(rename = "generic")]
    Generic,
}

impl Vendor {
    /// The name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nvidia => "NVIDIA",
            Self::Amd => "AMD",
            Self::Intel => "Intel",
            Self::Apple => "Apple",
            Self::Qualcomm => "Qualcomm",
            Self::Google => "Google",
            Self::Aws => "AWS",
            Self::Huawei => "Huawei",
            Self::Groq => "Groq",
            Self::Ampere => "Ampere",
            Self::RaspberryPi => "Raspberry Pi",
            Self::Rockchip => "Rockchip",
            Self::Generic => "generic",
        }
    }

    /// The name of its folder and page.
    #[must_use]
    pub fn slug(self) -> String {
        self.name().to_lowercase().replace(' ', "-")
    }
}

/// What kind of machine a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A graphics card, desktop or laptop.
    DiscreteGpu,
    /// A data-center GPU.
    DatacenterGpu,
    /// An Apple chip.
    AppleSilicon,
    /// A chip whose GPU shares the machine's memory.
    ApuUnified,
    /// A CPU with its memory channels.
    CpuPlatform,
    /// A single-board computer or module.
    Sbc,
    /// Another accelerator.
    Accelerator,
}

impl Kind {
    /// The words for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::DiscreteGpu => "graphics card",
            Self::DatacenterGpu => "data-center GPU",
            Self::AppleSilicon => "Apple silicon",
            Self::ApuUnified => "unified-memory chip",
            Self::CpuPlatform => "CPU platform",
            Self::Sbc => "single-board computer",
            Self::Accelerator => "accelerator",
        }
    }
}

/// Vector and matrix instructions of a CPU that engines use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Isa {
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
    /// AMX tiles.
    Amx,
    /// NEON.
    Neon,
}

impl Isa {
    /// The name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Amx => "AMX",
            Self::Neon => "NEON",
        }
    }
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// The id: file name, page address, value of `--hardware`.
    pub id: String,
    /// The name on the box.
    pub name: String,
    /// What else people call it.
    pub aliases: Vec<String>,
    /// Whether it is the one meant when a name fits several.
    pub preferred: bool,
    /// Who makes it.
    pub vendor: Vendor,
    /// What kind of machine it is.
    pub kind: Kind,
    /// The architecture.
    pub architecture: String,
    /// When it came out.
    pub released: Option<Date>,
    /// Its memory.
    pub memory: Memory,
    /// Dense peak rates from sources.
    pub compute: Compute,
    /// What rests on a named assumption.
    pub estimate: Option<Estimate>,
    /// Power.
    pub power: PowerSpec,
    /// The slot.
    pub pcie: Option<PcieLink>,
    /// NVLink, both directions together.
    pub nvlink: Option<Bandwidth>,
    /// Level 2 cache.
    pub l2: Option<Capacity>,
    /// The last cache before memory.
    pub last_level_cache: Option<Capacity>,
    /// CPU cores; several where it is sold with different counts.
    pub cpu_cores: Vec<u32>,
    /// GPU cores.
    pub gpu_cores: Option<u32>,
    /// Vector instructions of the CPU.
    pub isa: Vec<Isa>,
    /// How much of a shared memory the GPU may use.
    pub usable: Usable,
}

/// Memory of a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The technology.
    pub kind: Option<String>,
    /// The sizes sold, ascending; empty where the memory is the buyer's choice or wasn't read.
    pub sizes: Vec<Capacity>,
    /// What the driver reports with factory settings.
    pub reported: Option<Capacity>,
    /// The largest size it supports, where the sizes don't say.
    pub largest: Option<Capacity>,
    /// Width of the interface.
    pub bus_width: Option<BusWidth>,
    /// Data rate of a pin.
    pub data_rate: Option<DataRate>,
    /// Peak bandwidth; `None` is unknown.
    pub bandwidth: Option<Bandwidth>,
    /// The bandwidth as the maker rounds it.
    pub quoted_bandwidth: Option<Bandwidth>,
    /// 64-bit memory channels.
    pub channels: Option<u32>,
    /// Speed grade of the modules, in megatransfers a second.
    pub module_speed: Option<u32>,
    /// Memories it is also sold with.
    pub options: Vec<MemoryOption>,
    /// Stacked memory on the package: technology and size.
    pub on_package: Option<(String, Capacity)>,
}

/// A memory a device is also sold with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryOption {
    /// Technology and width.
    pub name: String,
    /// Its bandwidth.
    pub bandwidth: Bandwidth,
}

/// A number type, and where several rates exist the units and accumulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rate {
    /// 32-bit float, vector units.
    Fp32,
    /// 16-bit float as a prefill runs.
    Fp16,
    /// 16-bit float on matrix units, accumulated in 32 bits.
    Fp16TensorFp32acc,
    /// 16-bit float on matrix units, accumulated in 16 bits.
    Fp16TensorFp16acc,
    /// 16-bit float on vector units.
    Fp16Vector,
    /// bfloat16.
    Bf16,
    /// 8-bit float.
    Fp8,
    /// 8-bit float, accumulated in 32 bits.
    Fp8TensorFp32acc,
    /// 8-bit float, accumulated in 16 bits.
    Fp8TensorFp16acc,
    /// 4-bit float.
    Fp4,
    /// 8-bit integer.
    Int8,
    /// 4-bit integer.
    Int4,
    /// 8-bit integer on a neural unit.
    NpuInt8,
}

impl Rate {
    /// All rates with their keys in data files, in the order pages show them.
    pub const ALL: [(Self, &'static str); 13] = [
        (Self::Fp32, "fp32"),
        (Self::Fp16, "fp16"),
        (Self::Fp16TensorFp32acc, "fp16-tensor-fp32acc"),
        (Self::Fp16TensorFp16acc, "fp16-tensor-fp16acc"),
        (Self::Fp16Vector, "fp16-vector"),
        (Self::Bf16, "bf16"),
        (Self::Fp8, "fp8"),
        (Self::Fp8TensorFp32acc, "fp8-tensor-fp32acc"),
        (Self::Fp8TensorFp16acc, "fp8-tensor-fp16acc"),
        (Self::Fp4, "fp4"),
        (Self::Int8, "int8"),
        (Self::Int4, "int4"),
        (Self::NpuInt8, "npu-int8"),
    ];

    /// The key in data files.
    #[must_use]
    pub fn key(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(rate, _)| *rate == self)
            .map_or("", |(_, key)| key)
    }

    /// The rate with a key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == key)
            .map(|(rate, _)| *rate)
    }

    /// Whether it counts integer operations.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Int8 | Self::Int4 | Self::NpuInt8)
    }

    /// The words for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Fp32 => "FP32",
            Self::Fp16 => "FP16",
            Self::Fp16TensorFp32acc => "FP16 matrix, FP32 accumulate",
            Self::Fp16TensorFp16acc => "FP16 matrix, FP16 accumulate",
            Self::Fp16Vector => "FP16 vector",
            Self::Bf16 => "BF16",
            Self::Fp8 => "FP8",
            Self::Fp8TensorFp32acc => "FP8 matrix, FP32 accumulate",
            Self::Fp8TensorFp16acc => "FP8 matrix, FP16 accumulate",
            Self::Fp4 => "FP4",
            Self::Int8 => "INT8",
            Self::Int4 => "INT4",
            Self::NpuInt8 => "INT8 on the neural unit",
        }
    }
}

/// Dense peak rates; what isn't there is unknown or unsupported, never zero.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Compute(pub Vec<(Rate, Peak)>);

impl Compute {
    /// The peak of one rate.
    #[must_use]
    pub fn get(&self, rate: Rate) -> Option<Peak> {
        self.0
            .iter()
            .find(|(known, _)| *known == rate)
            .map(|(_, peak)| *peak)
    }
}

/// Figures on a named assumption.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The assumption, in words.
    pub basis: String,
    /// Peak rates.
    pub compute: Compute,
    /// Memory bandwidth.
    pub bandwidth: Option<Bandwidth>,
}

/// Power of a device.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PowerSpec {
    /// Board or package power.
    pub board: Option<Power>,
    /// The lowest and highest limit makers of the machine set.
    pub range: Option<[Power; 2]>,
    /// Boost clocks at power limits, ascending.
    pub points: Vec<(Power, Frequency)>,
    /// An estimate by a third party.
    pub estimate: Option<Power>,
}

/// How much of a shared memory the GPU may use, as far as it was read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Usable {
    /// By memory size: current macOS, older macOS.
    pub apple: Vec<(Capacity, Option<Capacity>, Option<Capacity>)>,
    /// By memory size on Windows.
    pub windows: Vec<(Capacity, Capacity)>,
    /// By memory size on Linux.
    pub linux: Vec<(Capacity, Capacity)>,
    /// By memory size, whatever the system.
    pub any: Vec<(Capacity, Capacity)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rate_has_its_own_key() {
        for (rate, key) in Rate::ALL {
            assert_eq!(Rate::from_key(key), Some(rate));
            assert_eq!(rate.key(), key);
        }
    }
}
