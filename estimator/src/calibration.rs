//! The factors between the roofline and what engines reach.
//!
//! Physics gives the structure; these say how much of a peak an engine's kernels reach, and what a
//! layer and a token cost besides. They are class priors: one set for an engine family on a
//! backend, from the middle of published runs, until they are fitted by device and checked on runs
//! left out.

mod priors;

use crate::basis::Basis;
use crate::engine::{Backend, Engine};
use crate::format::KernelClass;
use crate::units::Seconds;

/// A share of peak for each class of kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares([f64; KernelClass::COUNT]);

impl Shares {
    /// The same share for every class.
    #[must_use]
    pub const fn all(share: f64) -> Self {
        Self([share; KernelClass::COUNT])
    }

    /// The shares with another for some classes.
    #[must_use]
    pub const fn with(mut self, classes: &[KernelClass], share: f64) -> Self {
        let mut rest = classes;
        while let [class, others @ ..] = rest {
            if let Some((_, tail)) = self.0.split_at_mut_checked(class.index())
                && let Some(place) = tail.first_mut()
            {
                *place = share;
            }
            rest = others;
        }
        self
    }

    /// The share of a class.
    #[must_use]
    pub fn of(&self, class: KernelClass) -> f64 {
        self.0.get(class.index()).copied().unwrap_or(0.0)
    }
}

/// What an engine family reaches on a backend.
#[derive(Debug, Clone, PartialEq)]
pub struct Factors {
    /// Which these are, in words: "llama.cpp on cuda".
    pub name: &'static str,
    /// Share of peak bandwidth when reading weights.
    pub weights: Shares,
    /// Times that for routed experts, whose rows are gathered.
    pub experts: f64,
    /// Share of peak bandwidth when reading the KV cache.
    pub cache: f64,
    /// Times every bandwidth on stacked memory (HBM), which few kernels fill.
    pub stacked: f64,
    /// Launches and synchronisation of one layer; half as much again for experts or a linear mixer.
    pub layer: Seconds,
    /// Sampling, scheduling and the host, a step.
    pub token: Seconds,
    /// The same for each sequence of a step beyond the first.
    pub sequence: Seconds,
    /// Share of peak compute in wide matrix products.
    pub prefill: Shares,
    /// Times that for routed experts, each with few tokens.
    pub prefill_experts: f64,
    /// Share of peak 16-bit compute in attention.
    pub attention: f64,
    /// Times every compute rate of prefill on devices with stacked memory.
    pub prefill_stacked: f64,
    /// What one layer of a micro-batch costs besides.
    pub prefill_layer: Seconds,
    /// Decode speed of runs over this model's: the slowest tenth and the fastest.
    pub decode_spread: (f64, f64),
    /// The same for prefill.
    pub prefill_spread: (f64, f64),
    /// What the factors rest on.
    pub basis: Basis,
    /// Runs behind the decode factors.
    pub decode_runs: u32,
    /// Runs behind the prefill factors.
    pub prefill_runs: u32,
}

/// The factors of every engine family and backend.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    sets: &'static [(Family, Backend, Factors)],
}

/// Engines that share kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Llama,
    Mlx,
    Vllm,
    Sglang,
    TensorRt,
    ExLlamaV2,
    ExLlamaV3,
}

impl Family {
    const fn of(engine: Engine) -> Self {
        match engine {
            Engine::LlamaCpp
            | Engine::Ollama
            | Engine::LmStudio
            | Engine::IkLlamaCpp
            | Engine::KTransformers => Self::Llama,
            Engine::Mlx => Self::Mlx,
            Engine::Vllm => Self::Vllm,
            Engine::Sglang => Self::Sglang,
            Engine::TensorRtLlm => Self::TensorRt,
            Engine::ExLlamaV2 => Self::ExLlamaV2,
            Engine::ExLlamaV3 => Self::ExLlamaV3,
        }
    }
}

impl Calibration {
    /// The class priors.
    #[must_use]
    pub const fn priors() -> &'static Self {
        &Self { sets: priors::SETS }
    }

    /// The factors of an engine on a backend; broad ones where there were no runs.
    #[must_use]
    pub fn factors(&self, engine: Engine, backend: Backend) -> &Factors {
        let family = Family::of(engine);
        let own = self
            .sets
            .iter()
            .find(|(of, on, _)| *of == family && *on == backend);
        own.map_or(&priors::NO_RUNS, |(.., factors)| factors)
    }
}
