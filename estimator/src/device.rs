//! What the estimator needs to know of a device.

use crate::units::{Bytes, BytesPerSecond, FlopPerSecond, Watts};

/// What kind of machine a device is; decides defaults and which others it resembles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeviceKind {
    /// A graphics card with its own memory.
    DiscreteGpu,
    /// A data-center GPU.
    DataCenterGpu,
    /// An Apple chip: CPU and GPU share one memory.
    AppleSilicon,
    /// A chip whose GPU shares the machine's memory (Strix Halo, DGX Spark, …).
    UnifiedApu,
    /// A CPU with its memory channels.
    Cpu,
    /// A single-board computer or module.
    SingleBoard,
    /// Another accelerator (TPU, Gaudi, Trainium, …).
    Accelerator,
}

/// Who makes it; decides which engines and backends run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vendor {
    /// NVIDIA: CUDA.
    Nvidia,
    /// AMD: ROCm or Vulkan; x86 CPUs.
    Amd,
    /// Intel: SYCL or Vulkan; x86 CPUs.
    Intel,
    /// Apple: Metal.
    Apple,
    /// Qualcomm: CPU or OpenCL.
    Qualcomm,
    /// Anyone else, and generic machines.
    Other,
}

/// Dense peak rates by number type; `None` is unknown, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Peaks {
    /// 32-bit vector units.
    pub fp32: Option<FlopPerSecond>,
    /// 16-bit at the rate a prefill runs (FP32 accumulation where that is known).
    pub fp16: Option<FlopPerSecond>,
    /// bfloat16, likewise.
    pub bf16: Option<FlopPerSecond>,
    /// 8-bit float.
    pub fp8: Option<FlopPerSecond>,
    /// 4-bit float.
    pub fp4: Option<FlopPerSecond>,
    /// 8-bit integer, operations a second.
    pub int8: Option<FlopPerSecond>,
    /// Whether any rests on a named assumption instead of a source.
    pub assumed: bool,
}

impl Peaks {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        fp32: None,
        fp16: None,
        bf16: None,
        fp8: None,
        fp4: None,
        int8: None,
        assumed: false,
    };
}

/// The links a device has to others.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Links {
    /// Host link, one direction.
    pub pcie: Option<BytesPerSecond>,
    /// Direct link between GPUs, one direction.
    pub peer: Option<BytesPerSecond>,
}

/// One device, with the options a user chose (memory size, power limit) already applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// The id in the catalogue, or a name of the user's own.
    pub id: String,
    /// The name people know it by.
    pub name: String,
    /// What kind of machine it is.
    pub kind: DeviceKind,
    /// Who makes it.
    pub vendor: Vendor,
    /// Its architecture ("Ada", "Apple M3", "Zen 4 (Genoa/Bergamo)"), a step of the calibration ladder.
    pub architecture: String,
    /// All its memory, as sold: "24 GB" is 24 GiB. `None` where the machine's memory is the buyer's choice and wasn't given.
    pub memory: Option<Bytes>,
    /// The part of it a model may use: after ECC, a unified-memory limit, a driver reserve.
    pub usable: Option<Bytes>,
    /// Whether the memory is stacked on the package (HBM), whose many channels few kernels fill.
    pub stacked_memory: bool,
    /// Peak memory bandwidth; `None` is unknown.
    pub bandwidth: Option<BytesPerSecond>,
    /// Dense peak rates.
    pub peaks: Peaks,
    /// Links to the host and to other devices.
    pub links: Links,
    /// Board or package power.
    pub power: Option<Watts>,
    /// CPU cores, where the CPU does the work.
    pub cores: Option<u32>,
}

impl Device {
    /// Whether it is soldered into a laptop, of which there is one a machine.
    #[must_use]
    pub fn is_laptop(&self) -> bool {
        self.name.contains("Laptop") || self.name.contains("Max-Q Design")
    }

    /// Whether the GPU and the CPU share one memory, so nothing can be moved out of it.
    #[must_use]
    pub const fn is_unified(&self) -> bool {
        matches!(
            self.kind,
            DeviceKind::AppleSilicon
                | DeviceKind::UnifiedApu
                | DeviceKind::SingleBoard
                | DeviceKind::Cpu
        )
    }
}
