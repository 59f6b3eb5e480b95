//! A device file: `data/devices/<vendor>/<id>.yaml`.

use super::device_price::PriceEntry;
use super::{Sources, Stated};
use catalog::figure::Sourced;
use catalog::{
    Bandwidth, BusWidth, Capacity, DataRate, Date, Figure, Frequency, Maybe, Peak, Power, SourceIds,
};
use serde::{Deserialize, Serialize};

pub use crate::spec::{Isa, Kind, PcieLink, Vendor};

/// A device: a card, a chip with its memory, or a platform with its memory channels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeviceEntry {
    /// The name on the box.
    pub name: String,
    /// Who makes it.
    pub vendor: Vendor,
    /// What kind of machine it is.
    pub kind: Kind,
    /// The architecture, in the maker's words.
    pub architecture: String,
    /// What else people call it; each unique among all devices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Set on the one that is meant when a name fits several.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub preferred: bool,
    /// When it came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Figure<Date>>,
    /// How exactly the date of release is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_note: Option<String>,
    /// Its memory.
    pub memory: MemoryEntry,
    /// Dense peak rates, or why none is known.
    pub compute: ComputeEntry,
    /// What rests on an assumption instead of a source; never mixed with `compute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateEntry>,
    /// What people measured on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredEntry>,
    /// Power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<PowerEntry>,
    /// Links to the host and to its like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkEntry>,
    /// Caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheEntry>,
    /// CPU and GPU cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<CoresEntry>,
    /// How much of a shared memory the GPU may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usable: Option<UsableEntry>,
    /// Prices, each dated or of the launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceEntry>,
    /// What to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Sources that back the record as a whole or were compared with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub see_also: Option<SourceIds>,
    /// The sources by id.
    pub sources: Sources,
}

/// Memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemoryEntry {
    /// The technology: `GDDR6X`, `HBM3`, `LPDDR5X`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The sizes sold. "24 GB" on a box is `24 GiB`.
    pub sizes: Maybe<Vec<Capacity>>,
    /// What the driver reports as total, with its factory settings (ECC takes a sixteenth of GDDR6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<Figure<Capacity>>,
    /// The largest size it supports, where the sizes sold don't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<Figure<Capacity>>,
    /// Width of the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus_width: Option<Figure<BusWidth>>,
    /// Data rate of a pin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_rate: Option<Stated<DataRate>>,
    /// Peak bandwidth, all channels together.
    pub bandwidth: Maybe<Bandwidth>,
    /// The bandwidth as the maker rounds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quoted_bandwidth: Option<Figure<Bandwidth>>,
    /// 64-bit memory channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channels: Option<Figure<u32>>,
    /// Speed grade of the modules, in megatransfers a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_speed: Option<Figure<u32>>,
    /// Memories it is also sold with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<MemoryOptionEntry>,
    /// Stacked memory on the package, beside the modules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_package: Option<OnPackageEntry>,
}

/// A memory a device is also sold with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MemoryOptionEntry {
    /// Technology and width: `DDR5-5600 dual channel`.
    pub name: String,
    /// Its bandwidth.
    pub bandwidth: Figure<Bandwidth>,
}

/// Stacked memory on a CPU's package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OnPackageEntry {
    /// The technology.
    pub kind: String,
    /// Its size.
    pub capacity: Figure<Capacity>,
}

/// Dense peak rates by number type.
///
/// `fp16`, `bf16`, `fp8` are the rates a prefill runs at: matrix units with FP32 accumulation where
/// that rate is known. The other keys tell the cases apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ComputeEntry {
    /// 32-bit float, vector units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp32: Option<Figure<Peak>>,
    /// 16-bit float, as a prefill runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp16: Option<Figure<Peak>>,
    /// 16-bit float on matrix units, accumulated in 32 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp16_tensor_fp32acc: Option<Figure<Peak>>,
    /// 16-bit float on matrix units, accumulated in 16 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp16_tensor_fp16acc: Option<Figure<Peak>>,
    /// 16-bit float on vector units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp16_vector: Option<Figure<Peak>>,
    /// bfloat16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bf16: Option<Figure<Peak>>,
    /// 8-bit float.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp8: Option<Figure<Peak>>,
    /// 8-bit float, accumulated in 32 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp8_tensor_fp32acc: Option<Figure<Peak>>,
    /// 8-bit float, accumulated in 16 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp8_tensor_fp16acc: Option<Figure<Peak>>,
    /// 4-bit float.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp4: Option<Figure<Peak>>,
    /// 8-bit integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub int8: Option<Figure<Peak>>,
    /// 4-bit integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub int4: Option<Figure<Peak>>,
    /// 8-bit integer on a separate neural unit, which language-model engines rarely use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub npu_int8: Option<Figure<Peak>>,
    /// How the figures came about: quoted by the maker, or units × clock × operations a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// Instead of figures: why none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

impl ComputeEntry {
    /// The figures by key.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, &Figure<Peak>)> {
        [
            ("fp32", &self.fp32),
            ("fp16", &self.fp16),
            ("fp16-tensor-fp32acc", &self.fp16_tensor_fp32acc),
            ("fp16-tensor-fp16acc", &self.fp16_tensor_fp16acc),
            ("fp16-vector", &self.fp16_vector),
            ("bf16", &self.bf16),
            ("fp8", &self.fp8),
            ("fp8-tensor-fp32acc", &self.fp8_tensor_fp32acc),
            ("fp8-tensor-fp16acc", &self.fp8_tensor_fp16acc),
            ("fp4", &self.fp4),
            ("int8", &self.int8),
            ("int4", &self.int4),
            ("npu-int8", &self.npu_int8),
        ]
        .into_iter()
        .filter_map(|(key, figure)| figure.as_ref().map(|figure| (key, figure)))
    }
}

/// Figures on a named assumption.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EstimateEntry {
    /// The assumption.
    pub basis: String,
    /// 32-bit float.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp32: Option<Peak>,
    /// 16-bit float.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp16: Option<Peak>,
    /// 8-bit float.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp8: Option<Peak>,
    /// 4-bit float.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp4: Option<Peak>,
    /// 8-bit integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub int8: Option<Peak>,
    /// Memory bandwidth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<Bandwidth>,
    /// What the assumption starts from.
    pub source: SourceIds,
}

/// A measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MeasuredEntry {
    /// What was measured.
    pub what: String,
    /// The result, with its unit.
    pub value: String,
    /// Who measured it.
    pub source: SourceIds,
}

/// Power.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PowerEntry {
    /// Board or package power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Figure<Power>>,
    /// The lowest and highest limit makers of the machine set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Figure<[Power; 2]>>,
    /// Boost clocks at power limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PowerPointEntry>,
    /// An estimate by a third party where the maker publishes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Figure<Power>>,
}

/// The boost clock at a power limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PowerPointEntry {
    /// The limit.
    pub limit: Power,
    /// The clock.
    pub boost: Frequency,
    /// Where it was read.
    pub source: SourceIds,
}

/// Links.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LinkEntry {
    /// The slot, as `4.0 x16`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcie: Option<Figure<PcieLink>>,
    /// NVLink, both directions together, as the maker quotes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nvlink: Option<Figure<Bandwidth>>,
}

/// Caches.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CacheEntry {
    /// Level 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2: Option<Figure<Capacity>>,
    /// The last level before memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_level: Option<Figure<Capacity>>,
}

/// Cores.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoresEntry {
    /// CPU cores; several where it is sold with different counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Figure<Vec<u32>>>,
    /// GPU cores, compute units or Xe cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<Figure<u32>>,
    /// Vector instructions of the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isa: Option<Figure<Vec<Isa>>>,
}

/// How much of a shared memory the GPU may use.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UsableEntry {
    /// Apple: what Metal recommends, by memory size and macOS generation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apple: Vec<AppleUsableEntry>,
    /// Windows: the most the firmware assigns to the GPU.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<LimitEntry>,
    /// Linux: the most the driver lets the GPU map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linux: Vec<LimitEntry>,
    /// Where the source names no operating system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<LimitEntry>,
    /// What the limit is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The rule behind the figures of older systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older_rule: Option<String>,
    /// Where all of it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceIds>,
}

/// A limit at a memory size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitEntry {
    /// The memory of the machine.
    pub size: Capacity,
    /// The part the GPU may use.
    pub limit: Capacity,
}

/// What Metal recommends at a memory size; a missing generation wasn't read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AppleUsableEntry {
    /// The memory of the machine.
    pub size: Capacity,
    /// On current macOS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent: Option<Capacity>,
    /// The same as a share of the memory, as read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent_share: Option<f64>,
    /// On macOS of 2023 and 2024.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older: Option<Capacity>,
    /// The same as a share of the memory, as read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older_share: Option<f64>,
}

/// Calls `visit` with a path and the sources of a part, if it is there.
macro_rules! visit {
    ($visit:ident, $($path:literal => $part:expr),* $(,)?) => {
        $(if let Some(part) = $part { $visit($path, &part.source); })*
    };
}

impl Sourced for DeviceEntry {
    fn visit_sources<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a SourceIds)) {
        let memory = &self.memory;
        visit!(visit,
            "released" => &self.released,
            "memory.sizes" => memory.sizes.figure(),
            "memory.reported" => &memory.reported,
            "memory.largest" => &memory.largest,
            "memory.bus_width" => &memory.bus_width,
            "memory.data_rate" => &memory.data_rate,
            "memory.bandwidth" => memory.bandwidth.figure(),
            "memory.quoted_bandwidth" => &memory.quoted_bandwidth,
            "memory.channels" => &memory.channels,
            "memory.module_speed" => &memory.module_speed,
            "memory.on_package.capacity" => memory.on_package.as_ref().map(|part| &part.capacity),
            "estimate" => &self.estimate,
        );
        for (at, option) in memory.options.iter().enumerate() {
            visit(
                &format!("memory.options.{at}.bandwidth"),
                &option.bandwidth.source,
            );
        }
        for (key, figure) in self.compute.figures() {
            visit(&format!("compute.{key}"), &figure.source);
        }
        for (at, measured) in self.measured.iter().enumerate() {
            visit(&format!("measured.{at}"), &measured.source);
        }
        if let Some(power) = &self.power {
            visit!(visit,
                "power.board" => &power.board,
                "power.range" => &power.range,
                "power.estimate" => &power.estimate,
            );
            for (at, point) in power.points.iter().enumerate() {
                visit(&format!("power.points.{at}"), &point.source);
            }
        }
        if let Some(link) = &self.link {
            visit!(visit, "link.pcie" => &link.pcie, "link.nvlink" => &link.nvlink);
        }
        if let Some(cache) = &self.cache {
            visit!(visit, "cache.l2" => &cache.l2, "cache.last_level" => &cache.last_level);
        }
        if let Some(cores) = &self.cores {
            visit!(visit, "cores.cpu" => &cores.cpu, "cores.gpu" => &cores.gpu, "cores.isa" => &cores.isa);
        }
        if let Some(source) = self
            .usable
            .as_ref()
            .and_then(|usable| usable.source.as_ref())
        {
            visit("usable", source);
        }
        if let Some(price) = &self.price {
            visit!(visit, "price.launch" => &price.launch);
            for (at, part) in price.launch_by_size.iter().enumerate() {
                visit(&format!("price.launch_by_size.{at}"), &part.source);
            }
            for (at, part) in price.machines.iter().enumerate() {
                visit(&format!("price.machines.{at}"), &part.source);
            }
            for (at, part) in price.street.iter().enumerate() {
                visit(&format!("price.street.{at}"), &part.source);
            }
        }
        if let Some(source) = &self.see_also {
            visit("see_also", source);
        }
    }
}
