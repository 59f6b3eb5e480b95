//! What an engine chooses by itself on a device: context, slots, fraction, batch.

use super::paged;
use crate::device::Device;
use crate::engine::Engine;
use crate::scenario::Settings;
use crate::units::Bytes;

/// What an engine does when nothing is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Defaults {
    /// Its settings on this device.
    pub settings: Settings,
    /// Tokens of context of each sequence; `None` is as many as the model was made for.
    pub context: Option<u64>,
    /// Sequences it runs at once; further ones wait. `None` is as many as come.
    pub slots: Option<u64>,
}

/// An engine's defaults on so many devices alike.
///
/// - llama.cpp: the model's whole context, made smaller by `--fit` until it fits; four slots that
///   share it (`tools/server/server-context.cpp` at 0c1e57098).
/// - Ollama: 4,096 tokens below 23 GiB of VRAM in all, 32,768 below 47, else 262,144, and one slot
///   (`docs/context-length.mdx` at 948f6933 says 24 and 48; its logs give 32,768 at 23.4 GiB and
///   262,144 at 102). Cache in 16 bit, nothing reserved (`OLLAMA_GPU_OVERHEAD` is 0).
/// - LM Studio: 4,096 tokens and four slots (lmstudio.ai/docs/app/advanced/parallel-requests).
/// - vLLM: 0.92 of the memory (`vllm/config/cache.py` at 002f10e0) and the batch of
///   [`paged::Batch::vllm`].
/// - SGLang: all but [`paged::sglang_reserve`]. TensorRT-LLM: 0.9 of what is free after loading.
/// - mlx-lm and ExLlama: the model's whole context, one sequence at a time. ik_llama.cpp and
///   KTransformers are taken to be so too.
#[must_use]
pub fn of(engine: Engine, device: &Device, count: u32) -> Defaults {
    let mut settings = Settings::of(engine);
    let memory = device.usable.or(device.memory);
    let (context, slots) = match engine {
        Engine::LlamaCpp => {
            settings.unified = true;
            (None, Some(4))
        }
        Engine::Ollama => {
            let all = memory.unwrap_or(Bytes::ZERO) * crate::num::f32u(count.max(1));
            (Some(ollama_context(all)), Some(1))
        }
        Engine::LmStudio => {
            settings.unified = true;
            (Some(4096), Some(4))
        }
        Engine::Vllm => {
            let batch = paged::Batch::vllm(device.memory, &device.name, count);
            settings.ubatch = batch.tokens;
            settings.memory_fraction = 0.92;
            (None, Some(batch.sequences))
        }
        Engine::Sglang => {
            if let Some(memory) = memory {
                let reserve = paged::sglang_reserve(memory, count);
                let left = memory.saturating_sub(reserve);
                settings.memory_fraction = left.ratio(memory).unwrap_or(1.0).max(0.05);
            }
            (None, None)
        }
        Engine::TensorRtLlm => {
            settings.memory_fraction = 0.9;
            (None, None)
        }
        Engine::IkLlamaCpp
        | Engine::KTransformers
        | Engine::Mlx
        | Engine::ExLlamaV2
        | Engine::ExLlamaV3 => (None, Some(1)),
    };
    Defaults {
        settings,
        context,
        slots,
    }
}

/// Ollama's context by the VRAM of all devices.
fn ollama_context(memory: Bytes) -> u64 {
    if memory >= Bytes::gib(47.0) {
        262_144
    } else if memory >= Bytes::gib(23.0) {
        32_768
    } else {
        4096
    }
}
