//! What drivers and processes take for themselves.

use super::{cpu, paged};
use crate::device::Device;
use crate::engine::{Backend, MemoryStyle};
use crate::scenario::{Scenario, Split};
use crate::units::Bytes;

/// What a driver keeps of a card for itself, beside what a process allocates: CUDA sees 24,080 of the
/// 24,564 MiB that an RTX 4090 reports (llama.cpp pull request 15860), and about as much less on
/// other cards (RTX 3090: 23.57 of 24 GiB; RTX 5090: 32,106 of 32,607 MiB).
#[must_use]
pub const fn driver_share(backend: Backend) -> Bytes {
    match backend {
        Backend::Cuda => Bytes::mib(484.0),
        _ => Bytes::ZERO,
    }
}

/// A driver's context, kernels and pools on one device, where llama.cpp runs.
///
/// CUDA: 451 to 456 MiB on an RTX 4090 (llama.cpp pull request 15860), 522 on an H100 (what vLLM 0.19
/// finds taken when it starts), 749 to 753 on an RTX PRO 6000 (Blackwell, issue 27953); about 4 MiB
/// for each of their multiprocessors, so other cards are taken to be like the 4090. ROCm: about
/// 0.4 GiB on an RX 7900 XTX (Quartermaster pull request 24). Metal: nothing beside a process's own
/// (memory breakdowns of an M3 Max and an M5). Vulkan, SYCL and makers' own runtimes are unknown and
/// taken to be like ROCm: an assumption.
#[must_use]
pub fn context(backend: Backend, device: &Device) -> Bytes {
    let large = device
        .memory
        .is_some_and(|memory| memory >= Bytes::gib(64.0));
    match backend {
        Backend::Cuda if large && device.architecture.starts_with("Blackwell") => Bytes::mib(751.0),
        Backend::Cuda if large => Bytes::mib(522.0),
        Backend::Cuda => Bytes::mib(455.0),
        Backend::Rocm | Backend::Vulkan | Backend::Sycl | Backend::Native => Bytes::mib(410.0),
        Backend::Metal | Backend::Cpu => cpu::PROCESS,
    }
}

/// The part of it that counts against what a scenario's engine may use of a device: engines with a
/// fraction leave the context beside it.
#[must_use]
pub fn runtime(scenario: &Scenario<'_>, device: &Device) -> Bytes {
    match scenario.engine.memory_style() {
        MemoryStyle::Fraction => {
            let ranks = match scenario.wishes.split {
                Split::Tensor => scenario.count(),
                Split::Layer => 1,
            };
            paged::non_torch(ranks, paged::fuses(device))
        }
        MemoryStyle::LlamaCpp | MemoryStyle::Mlx | MemoryStyle::Resident => {
            context(scenario.backend, device)
        }
    }
}
