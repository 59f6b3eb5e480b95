//! What is taken where nothing was typed.

use std::sync::Arc;

use estimator::architecture::Architecture;
use estimator::device::{Device, DeviceKind};
use estimator::engine::{Backend, Engine, MemoryStyle};
use estimator::format::{GgufType, MlxBits, WeightFormat};
use estimator::memory::buffers::defaults::{self, Defaults};
use estimator::scenario::Workload;

use crate::machine;
use crate::typed::Typed;

/// The context when none is asked for.
pub(crate) const CONTEXT: u64 = 8192;
/// The prompt when none is given, in a context with room for it.
const PROMPT: u64 = 512;
/// The answer when none is given, in a context with room for it.
const OUTPUT: u64 = 256;

/// What an engine does on these devices when nothing is set. llama.cpp is taken to be started with as
/// many slots as requests, each with a cache of its own, which its flags say.
pub(crate) fn own_defaults(
    engine: Engine,
    device: &Device,
    others: &[Arc<Device>],
    requests: u64,
) -> Defaults {
    let mut defaults = defaults::of(engine, device, machine::count_of(others));
    match engine {
        Engine::LlamaCpp => defaults.settings.unified = false,
        // One more slot for each request beyond its own.
        Engine::LmStudio => {
            defaults.settings.slots = defaults.slots.map(|slots| slots.max(requests));
        }
        _ => {}
    }
    defaults
}

/// The backend chosen, else the first that the engine has for every device, else its usual one for the
/// first; any where it has none, for the check to refuse.
pub(crate) fn usual_backend(
    chosen: Option<Backend>,
    engine: Engine,
    device: &Device,
    others: &[Arc<Device>],
) -> Backend {
    let backends = engine.backends(device);
    let common = backends.iter().find(|backend| {
        others
            .iter()
            .all(|other| engine.backends(other).contains(backend))
    });
    let usual = common.or_else(|| backends.first()).copied();
    chosen.or(usual).unwrap_or(Backend::Native)
}

/// The format when none is asked for: what people run most with that engine.
pub(crate) fn usual_format(
    engine: Option<Engine>,
    device: &Device,
    published: Option<WeightFormat>,
) -> WeightFormat {
    match engine.map(Engine::memory_style) {
        Some(MemoryStyle::Mlx) => WeightFormat::mlx(MlxBits::Four),
        Some(MemoryStyle::Fraction) => published.unwrap_or(WeightFormat::Bf16),
        Some(MemoryStyle::Resident) => {
            let loads =
                |format: &&WeightFormat| engine.is_some_and(|engine| engine.loads(format.family()));
            let four_bit = |format: &&WeightFormat| format.name().contains("4.0");
            WeightFormat::all()
                .iter()
                .filter(loads)
                .find(four_bit)
                .copied()
                .unwrap_or(WeightFormat::Bf16)
        }
        None if device.kind == DeviceKind::Accelerator => published.unwrap_or(WeightFormat::Bf16),
        // gpt-oss comes in 4 bits: its GGUF files keep them, and a quantization would not be smaller.
        _ => published
            .and_then(WeightFormat::in_gguf)
            .unwrap_or(WeightFormat::gguf(GgufType::Q4_K_M)),
    }
}

/// How much is read and written, where what wasn't typed takes the room that is left; `usual` is the
/// context when none was typed.
pub(crate) fn workload(typed: &Typed, architecture: &Architecture, usual: u64) -> Workload {
    let usual = architecture
        .max_context
        .map_or(usual, |limit| usual.min(u64::from(limit)));
    let context = typed.context.unwrap_or_else(|| {
        let room = |prompt, output| {
            let prompt: u64 = typed.prompt.unwrap_or(prompt);
            prompt.saturating_add(typed.output.unwrap_or(output))
        };
        // Room for what wasn't typed as well, but no more than the model was made for.
        let limit = architecture.max_context.map_or(u64::MAX, u64::from);
        usual.max(room(PROMPT, OUTPUT).min(limit)).max(room(1, 1))
    });
    // What wasn't typed takes the room that is left.
    let output = typed.output.unwrap_or_else(|| {
        let room = context.saturating_sub(typed.prompt.unwrap_or(context / 2));
        OUTPUT.min(room).max(1)
    });
    let prompt = typed
        .prompt
        .unwrap_or_else(|| PROMPT.min(context.saturating_sub(output)).max(1));
    Workload {
        context,
        prompt,
        output,
        concurrency: typed.concurrency,
    }
}
