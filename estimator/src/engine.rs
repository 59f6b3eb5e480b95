//! Inference engines and backends: what each runs, and how each uses memory.

use crate::device::{Device, DeviceKind, Vendor};
use crate::format::{FormatFamily, WeightFormat};
use crate::kv_cache::KvType;

/// An inference engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// llama.cpp (`llama-server`).
    LlamaCpp,
    /// Ollama, on llama.cpp's kernels.
    Ollama,
    /// LM Studio, on llama.cpp's kernels.
    LmStudio,
    /// ik_llama.cpp, a fork with faster CPU and expert kernels.
    IkLlamaCpp,
    /// KTransformers: attention on the GPU, all routed experts on the CPU.
    KTransformers,
    /// mlx-lm on Apple silicon.
    Mlx,
    /// vLLM.
    Vllm,
    /// SGLang.
    Sglang,
    /// TensorRT-LLM.
    TensorRtLlm,
    /// ExLlamaV2.
    ExLlamaV2,
    /// ExLlamaV3.
    ExLlamaV3,
}

/// What an engine drives the device with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// NVIDIA CUDA.
    Cuda,
    /// AMD ROCm.
    Rocm,
    /// Vulkan, on any GPU.
    Vulkan,
    /// Intel SYCL.
    Sycl,
    /// Apple Metal.
    Metal,
    /// The CPU.
    Cpu,
    /// What an accelerator's maker provides (Neuron, XLA, Habana, CANN).
    Native,
}

/// How an engine lays out memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryStyle {
    /// Allocates the whole context at start; embeddings stay on the host (llama.cpp and its kin).
    LlamaCpp,
    /// Takes a fraction of the device and pages the rest as KV cache (vLLM, SGLang, TensorRT-LLM).
    Fraction,
    /// Grows with use (mlx-lm).
    Mlx,
    /// Allocates the cache at start, everything on the device (ExLlama).
    Resident,
}

/// Whether a device runs a format natively.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The device computes in the format, or the format was never meant to be computed in.
    Native,
    /// It runs, unpacked to a wider type on the way: memory is saved, arithmetic isn't.
    Emulated(&'static str),
    /// It doesn't run; the text says why and what does.
    Unsupported(&'static str),
}

impl Engine {
    /// Every engine, the commonest first.
    pub const ALL: [Self; 11] = [
        Self::LlamaCpp,
        Self::Ollama,
        Self::LmStudio,
        Self::IkLlamaCpp,
        Self::KTransformers,
        Self::Mlx,
        Self::Vllm,
        Self::Sglang,
        Self::TensorRtLlm,
        Self::ExLlamaV2,
        Self::ExLlamaV3,
    ];

    /// Its name, as typed and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama.cpp",
            Self::Ollama => "ollama",
            Self::LmStudio => "lm-studio",
            Self::IkLlamaCpp => "ik_llama.cpp",
            Self::KTransformers => "ktransformers",
            Self::Mlx => "mlx",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::TensorRtLlm => "tensorrt-llm",
            Self::ExLlamaV2 => "exllamav2",
            Self::ExLlamaV3 => "exllamav3",
        }
    }

    /// The engine of this name; case, dots, dashes and spaces don't matter.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(char::is_ascii_alphanumeric)
                .map(|letter| letter.to_ascii_lowercase())
                .collect()
        };
        let given = plain(text);
        let given = match given.as_str() {
            "llama" | "gguf" | "llamaserver" => "llamacpp",
            "ikllama" => "ikllamacpp",
            "kt" => "ktransformers",
            "mlxlm" => "mlx",
            "trtllm" | "tensorrt" | "trt" => "tensorrtllm",
            "exl2" | "exllama2" => "exllamav2",
            "exl3" | "exllama3" | "exllama" => "exllamav3",
            other => other,
        };
        Self::ALL
            .into_iter()
            .find(|engine| plain(engine.name()) == given)
    }

    /// How it lays out memory.
    #[must_use]
    pub const fn memory_style(self) -> MemoryStyle {
        match self {
            Self::LlamaCpp
            | Self::Ollama
            | Self::LmStudio
            | Self::IkLlamaCpp
            | Self::KTransformers => MemoryStyle::LlamaCpp,
            Self::Mlx => MemoryStyle::Mlx,
            Self::Vllm | Self::Sglang | Self::TensorRtLlm => MemoryStyle::Fraction,
            Self::ExLlamaV2 | Self::ExLlamaV3 => MemoryStyle::Resident,
        }
    }

    /// The format families it loads.
    #[must_use]
    pub const fn loads(self, family: FormatFamily) -> bool {
        use FormatFamily as F;
        match self {
            Self::LlamaCpp | Self::Ollama | Self::LmStudio | Self::IkLlamaCpp => {
                matches!(family, F::Gguf)
            }
            Self::KTransformers => matches!(family, F::Gguf | F::Plain16 | F::Fp8),
            Self::Mlx => matches!(family, F::Mlx | F::Plain16),
            Self::Vllm | Self::Sglang => matches!(
                family,
                F::Plain16 | F::Fp8 | F::Int8 | F::Awq | F::Gptq | F::Mxfp4 | F::Nvfp4 | F::Bnb
            ),
            Self::TensorRtLlm => matches!(
                family,
                F::Plain16 | F::Fp8 | F::Int8 | F::Awq | F::Gptq | F::Mxfp4 | F::Nvfp4
            ),
            Self::ExLlamaV2 => matches!(family, F::Exl2 | F::Gptq),
            Self::ExLlamaV3 => matches!(family, F::Exl3),
        }
    }

    /// The number types it keeps its cache in.
    ///
    /// llama.cpp: `--cache-type-k` (`common/arg.cpp`); mlx-lm: `--kv-bits` 8 and 4 in groups of 64,
    /// which take as much as `q8_0` and `q4_0` (`mlx_lm/models/cache.py`); vLLM:
    /// `--kv-cache-dtype` (`vllm/config/cache.py`); SGLang the same; TensorRT-LLM: FP8 and INT8
    /// (its quantization page); ExLlamaV2 and V3: quantized caches of 8 and 4 bits among others.
    #[must_use]
    pub const fn kv_types(self) -> &'static [KvType] {
        use KvType as K;
        match self.memory_style() {
            MemoryStyle::LlamaCpp => &[
                K::F32,
                K::F16,
                K::Bf16,
                K::Q8_0,
                K::Q5_1,
                K::Q5_0,
                K::Q4_1,
                K::Q4_0,
                K::Iq4Nl,
            ],
            MemoryStyle::Mlx | MemoryStyle::Resident => &[K::F16, K::Bf16, K::Q8_0, K::Q4_0],
            MemoryStyle::Fraction => match self {
                Self::TensorRtLlm => &[K::F16, K::Bf16, K::Fp8, K::Int8],
                _ => &[K::F16, K::Bf16, K::Fp8],
            },
        }
    }

    /// The engine a format is usually run with on a device, when the user names none.
    #[must_use]
    pub fn usual(format: &WeightFormat, device: &Device) -> Self {
        match format.family() {
            FormatFamily::Gguf => Self::LlamaCpp,
            FormatFamily::Mlx => Self::Mlx,
            FormatFamily::Exl2 => Self::ExLlamaV2,
            FormatFamily::Exl3 => Self::ExLlamaV3,
            FormatFamily::Plain16 if device.vendor == Vendor::Apple => Self::Mlx,
            _ => Self::Vllm,
        }
    }

    /// The backends it has for a device, the usual one first; empty when it doesn't run there.
    #[must_use]
    pub fn backends(self, device: &Device) -> &'static [Backend] {
        use Backend as B;
        if device.kind == DeviceKind::Accelerator {
            // Groq's chips and the first Inferentia run their makers' software only.
            let closed = matches!(device.architecture.as_str(), "TSP" | "NeuronCore-v1");
            return match self {
                Self::Vllm if !closed => &[B::Native],
                _ => &[],
            };
        }
        // vLLM's ROCm builds are for CDNA and for RDNA 3 and newer (docs.vllm.ai, installation).
        let old_amd = device.vendor == Vendor::Amd
            && !["CDNA", "RDNA 3", "RDNA 4", "Zen"]
                .iter()
                .any(|name| device.architecture.starts_with(name));
        if old_amd && self.memory_style() == MemoryStyle::Fraction {
            return &[];
        }
        // vLLM's binaries and its likes' need compute capability 7.0 (docs.vllm.ai, installation of
        // 0.14; 7.5 since 0.21).
        let too_old = Generation::of(device).is_some_and(|own| own < Generation::Volta);
        if too_old && self.memory_style() == MemoryStyle::Fraction {
            return &[];
        }
        // A board's or a CPU's own cores, unless it has a GPU an engine can drive.
        let cpu_only = device.kind == DeviceKind::Cpu
            || (device.kind == DeviceKind::SingleBoard && device.vendor != Vendor::Nvidia);
        match self {
            Self::LlamaCpp | Self::Ollama | Self::LmStudio => {
                if cpu_only {
                    return &[B::Cpu];
                }
                match device.vendor {
                    Vendor::Nvidia => &[B::Cuda, B::Vulkan],
                    // Ollama and data-center cards run on ROCm; llama.cpp on Radeons mostly on Vulkan.
                    Vendor::Amd
                        if self == Self::Ollama || device.kind == DeviceKind::DataCenterGpu =>
                    {
                        &[B::Rocm, B::Vulkan]
                    }
                    Vendor::Amd => &[B::Vulkan, B::Rocm],
                    Vendor::Intel => &[B::Vulkan, B::Sycl],
                    Vendor::Apple => &[B::Metal],
                    Vendor::Qualcomm => &[B::Cpu],
                    Vendor::Other => &[B::Cpu],
                }
            }
            Self::Mlx => match device.vendor {
                Vendor::Apple => &[B::Metal],
                _ => &[],
            },
            Self::Vllm => match device.vendor {
                Vendor::Nvidia => &[B::Cuda],
                Vendor::Amd if !cpu_only => &[B::Rocm],
                Vendor::Intel if !cpu_only => &[B::Sycl],
                _ if cpu_only => &[B::Cpu],
                _ => &[],
            },
            Self::Sglang => match device.vendor {
                Vendor::Nvidia => &[B::Cuda],
                Vendor::Amd if device.kind == DeviceKind::DataCenterGpu => &[B::Rocm],
                _ => &[],
            },
            // Its maintained backends (ik_llama.cpp, README).
            Self::IkLlamaCpp if cpu_only => &[B::Cpu],
            // It was run on an Arc A770 (ktransformers issue 1308).
            Self::KTransformers if device.vendor == Vendor::Intel && !cpu_only => &[B::Sycl],
            Self::IkLlamaCpp | Self::KTransformers | Self::TensorRtLlm | Self::ExLlamaV3 => {
                match device.vendor {
                    Vendor::Nvidia => &[B::Cuda],
                    _ => &[],
                }
            }
            Self::ExLlamaV2 => match device.vendor {
                Vendor::Nvidia => &[B::Cuda],
                Vendor::Amd if !cpu_only => &[B::Rocm],
                _ => &[],
            },
        }
    }

    /// Whether a device computes in this format with this engine, emulates it, or can't run it.
    #[must_use]
    pub fn support(self, format: &WeightFormat, device: &Device) -> Support {
        if !self.loads(format.family()) {
            return Support::Unsupported(match format.family() {
                FormatFamily::Gguf => "GGUF files run on llama.cpp, Ollama and LM Studio",
                FormatFamily::Mlx => "MLX weights run on mlx, on Apple silicon only",
                FormatFamily::Exl2 => "EXL2 weights run on exllamav2",
                FormatFamily::Exl3 => "EXL3 weights run on exllamav3",
                _ => "safetensors weights run on vllm, sglang or tensorrt-llm; GGUF on llama.cpp",
            });
        }
        if self.backends(device).is_empty() {
            return Support::Unsupported(match self {
                Self::Mlx => "mlx runs on Apple silicon only; use llama.cpp with a GGUF format",
                Self::IkLlamaCpp => "ik_llama.cpp runs on CPUs and NVIDIA GPUs; use llama.cpp",
                Self::KTransformers => {
                    "ktransformers runs on NVIDIA and Intel GPUs with a host beside them; use llama.cpp"
                }
                Self::TensorRtLlm => "tensorrt-llm runs on NVIDIA GPUs from Volta on only",
                Self::Sglang => "sglang runs on NVIDIA GPUs from Volta on and on AMD Instinct only",
                Self::ExLlamaV2 | Self::ExLlamaV3 => {
                    "exllama runs on NVIDIA GPUs (exllamav2 on AMD too)"
                }
                Self::Vllm => "vllm doesn't run on this device; use llama.cpp with a GGUF format",
                _ => "llama.cpp has no backend for this accelerator",
            });
        }
        match format.family() {
            FormatFamily::Fp8 => low_precision(device, Generation::Ada, "FP8"),
            FormatFamily::Nvfp4 | FormatFamily::Mxfp4 => {
                low_precision(device, Generation::Blackwell, "FP4")
            }
            FormatFamily::Awq | FormatFamily::Gptq
                if Generation::of(device).is_some_and(|g| g < Generation::Turing) =>
            {
                Support::Unsupported(
                    "AWQ and GPTQ kernels need a Turing card or newer; use a GGUF format on llama.cpp",
                )
            }
            FormatFamily::Plain16
                if Generation::of(device).is_some_and(|g| g < Generation::Ampere) =>
            {
                Support::Emulated("no BF16 units before Ampere: BF16 weights are run as FP16")
            }
            _ => Support::Native,
        }
    }
}

/// NVIDIA's generations, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// GTX 9 and Jetson Nano.
    Maxwell,
    /// GTX 10, Tesla P.
    Pascal,
    /// V100, Titan V.
    Volta,
    /// RTX 20, GTX 16, T4.
    Turing,
    /// RTX 30, A100.
    Ampere,
    /// RTX 40, L40.
    Ada,
    /// H100, H200.
    Hopper,
    /// RTX 50, B200, GB10.
    Blackwell,
    /// R200.
    Rubin,
}

impl Generation {
    /// The generation of an NVIDIA device; `None` for others.
    #[must_use]
    pub fn of(device: &Device) -> Option<Self> {
        if device.vendor != Vendor::Nvidia {
            return None;
        }
        let architecture = device.architecture.as_str();
        [
            ("Maxwell", Self::Maxwell),
            ("Pascal", Self::Pascal),
            ("Volta", Self::Volta),
            ("Turing", Self::Turing),
            ("Ampere", Self::Ampere),
            ("Ada", Self::Ada),
            ("Hopper", Self::Hopper),
            ("Blackwell", Self::Blackwell),
            ("Rubin", Self::Rubin),
        ]
        .into_iter()
        .find(|(name, _)| architecture.starts_with(name))
        .map(|(_, generation)| generation)
    }

    /// Whether the device is of a generation without matrix units, whose prefill runs at the FP32 rate.
    #[must_use]
    pub fn lacks_matrix_units(device: &Device) -> bool {
        matches!(Self::of(device), Some(Self::Maxwell | Self::Pascal))
            || device.architecture.contains("no tensor cores")
            || matches!(device.architecture.as_str(), "Polaris")
    }
}

/// Support for a number type that a generation of NVIDIA cards brought, and others have or lack by their data sheet.
fn low_precision(device: &Device, since: Generation, which: &'static str) -> Support {
    let fp8 = which == "FP8";
    match Generation::of(device) {
        Some(generation) if generation >= since => Support::Native,
        Some(generation) if generation >= Generation::Ampere => Support::Emulated(if fp8 {
            "no FP8 units: weights are unpacked to 16 bit (Marlin kernels), so memory and decode gain, prefill doesn't"
        } else {
            "no FP4 units: weights are unpacked to 16 bit (Marlin kernels), so memory and decode gain, prefill doesn't"
        }),
        Some(_) => Support::Unsupported(if fp8 {
            "FP8 needs an Ampere card (emulated) or Ada and newer (native); use int8, AWQ or a GGUF format"
        } else {
            "FP4 needs an Ampere card (emulated) or Blackwell (native); use AWQ or a GGUF format"
        }),
        None => {
            let peak = if fp8 {
                device.peaks.fp8
            } else {
                device.peaks.fp4
            };
            if peak.is_some() {
                Support::Native
            } else if matches!(device.kind, DeviceKind::Cpu | DeviceKind::SingleBoard) {
                Support::Unsupported("CPUs have no kernels for it; use a GGUF format on llama.cpp")
            } else {
                Support::Emulated(
                    "no units for this type are published for the device: weights are unpacked to 16 bit",
                )
            }
        }
    }
}

impl Backend {
    /// Every backend.
    pub const ALL: [Self; 7] = [
        Self::Cuda,
        Self::Rocm,
        Self::Vulkan,
        Self::Sycl,
        Self::Metal,
        Self::Cpu,
        Self::Native,
    ];

    /// Its name, as typed and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::Rocm => "rocm",
            Self::Vulkan => "vulkan",
            Self::Sycl => "sycl",
            Self::Metal => "metal",
            Self::Cpu => "cpu",
            Self::Native => "native",
        }
    }

    /// The backend of this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|backend| backend.name().eq_ignore_ascii_case(text.trim()))
    }
}
