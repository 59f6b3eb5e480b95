//! The class priors, one set for an engine family on a backend.
//!
//! Fitted in December 2026 on published single-device runs (quality A and B) by robust regression
//! of the time of a token on the bytes of dense weights, experts and cache, the layers, and a
//! constant; weighted so that no device or model dominates. Class level only: no factor belongs to
//! a device or a model. The spreads are the 10th and 90th percentile of measured over estimated
//! speed on the same runs, widened where nearly all runs come from one device. docs/methodology/priors.md has counts, residuals
//! and what is weak.

use super::{Factors, Family, Shares};
use crate::basis::Basis;
use crate::engine::Backend;
use crate::format::KernelClass as K;
use crate::units::Seconds;

/// Formats that unpack 2 and 3 bits or codebooks.
const SMALL: &[K] = &[K::IQuant, K::Ternary];
const FP4: &[K] = &[K::Mxfp4, K::Nvfp4];
const BITS8: &[K] = &[K::Fp8, K::Int8];
const WIDE: &[K] = &[K::Float16, K::Float32];

/// For engines and backends without runs: shares in the middle of the others, and a wide spread.
pub(super) static NO_RUNS: Factors = Factors {
    name: "no runs of this engine and backend",
    weights: Shares::all(0.65),
    experts: 0.8,
    cache: 0.5,
    stacked: 0.8,
    layer: Seconds::us(40.0),
    token: Seconds::ms(1.0),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.4),
    prefill_experts: 0.45,
    attention: 0.25,
    prefill_stacked: 0.7,
    prefill_layer: Seconds::us(300.0),
    decode_spread: (0.5, 1.5),
    prefill_spread: (0.35, 1.7),
    basis: Basis::Roofline,
    decode_runs: 0,
    prefill_runs: 0,
};

const LLAMA_CUDA: Factors = Factors {
    name: "llama.cpp on cuda",
    weights: Shares::all(0.82)
        .with(WIDE, 0.90)
        .with(&[K::LegacyQuant], 0.92)
        .with(SMALL, 0.66)
        .with(FP4, 0.95),
    experts: 0.66,
    cache: 0.57,
    stacked: 0.55,
    layer: Seconds::us(60.0),
    token: Seconds::ms(0.20),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.98).with(WIDE, 0.71),
    prefill_experts: 0.29,
    attention: 0.24,
    prefill_stacked: 0.40,
    prefill_layer: Seconds::us(780.0),
    decode_spread: (0.65, 1.23),
    prefill_spread: (0.46, 1.37),
    basis: Basis::Prior,
    decode_runs: 352,
    prefill_runs: 110,
};

const LLAMA_METAL: Factors = Factors {
    name: "llama.cpp on metal",
    weights: Shares::all(0.75)
        .with(WIDE, 0.82)
        .with(&[K::LegacyQuant], 0.81)
        .with(SMALL, 0.63)
        .with(FP4, 0.74),
    experts: 0.91,
    cache: 0.31,
    stacked: 1.0,
    layer: Seconds::us(80.0),
    token: Seconds::ms(1.3),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.58)
        .with(WIDE, 0.73)
        .with(&[K::LegacyQuant], 0.62)
        .with(FP4, 0.67),
    prefill_experts: 0.91,
    attention: 0.45,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(150.0),
    decode_spread: (0.71, 1.15),
    prefill_spread: (0.77, 1.18),
    basis: Basis::Prior,
    decode_runs: 117,
    prefill_runs: 48,
};

const LLAMA_ROCM: Factors = Factors {
    name: "llama.cpp on rocm",
    weights: Shares::all(0.68)
        .with(WIDE, 0.91)
        .with(&[K::LegacyQuant], 0.80)
        .with(SMALL, 0.55)
        .with(FP4, 0.87),
    experts: 0.57,
    cache: 0.94,
    stacked: 0.57,
    layer: Seconds::us(57.0),
    token: Seconds::ms(0.25),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.37).with(WIDE, 0.22),
    prefill_experts: 0.46,
    attention: 0.073,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(780.0),
    decode_spread: (0.74, 1.20),
    prefill_spread: (0.64, 1.67),
    basis: Basis::Prior,
    decode_runs: 98,
    prefill_runs: 68,
};

const LLAMA_VULKAN: Factors = Factors {
    name: "llama.cpp on vulkan",
    weights: Shares::all(0.67)
        .with(WIDE, 0.70)
        .with(&[K::LegacyQuant], 0.72)
        .with(SMALL, 0.62)
        .with(FP4, 0.72),
    experts: 0.95,
    cache: 0.82,
    stacked: 0.6,
    layer: Seconds::us(24.0),
    token: Seconds::ms(0.19),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.25),
    prefill_experts: 0.46,
    attention: 0.056,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(110.0),
    decode_spread: (0.70, 1.25),
    // Nine runs in ten are of one chip (Strix Halo), so other devices may lie far outside.
    prefill_spread: (0.4, 1.8),
    basis: Basis::Prior,
    decode_runs: 140,
    prefill_runs: 100,
};

const LLAMA_SYCL: Factors = Factors {
    name: "llama.cpp on sycl",
    weights: Shares::all(0.56),
    experts: 0.75,
    cache: 0.44,
    stacked: 1.0,
    layer: Seconds::us(25.0),
    token: Seconds::ms(5.0),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.3),
    prefill_experts: 0.45,
    attention: 0.1,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(300.0),
    decode_spread: (0.6, 1.3),
    prefill_spread: (0.35, 1.8),
    basis: Basis::Prior,
    decode_runs: 6,
    prefill_runs: 0,
};

const LLAMA_CPU: Factors = Factors {
    name: "llama.cpp on cpu",
    weights: Shares::all(0.47)
        .with(WIDE, 0.65)
        .with(&[K::LegacyQuant], 0.61)
        .with(SMALL, 0.44),
    experts: 1.0,
    cache: 0.13,
    stacked: 1.0,
    layer: Seconds::us(330.0),
    token: Seconds::ms(0.42),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.6),
    prefill_experts: 0.5,
    attention: 0.3,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(330.0),
    decode_spread: (0.72, 1.75),
    prefill_spread: (0.35, 1.8),
    basis: Basis::Prior,
    decode_runs: 83,
    prefill_runs: 0,
};

const MLX_METAL: Factors = Factors {
    name: "mlx",
    weights: Shares::all(0.69).with(WIDE, 0.86).with(FP4, 0.75),
    experts: 0.54,
    cache: 0.57,
    stacked: 1.0,
    layer: Seconds::us(49.0),
    token: Seconds::ms(0.19),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.74).with(WIDE, 0.51),
    prefill_experts: 0.79,
    attention: 0.64,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(240.0),
    decode_spread: (0.65, 1.32),
    prefill_spread: (0.8, 1.18),
    basis: Basis::Prior,
    decode_runs: 173,
    prefill_runs: 70,
};

/// Decode from serving runs of 1 to 8 cards. Prefill is the middle of two fits that disagree: 0.45
/// on prefill runs of few devices, 0.78 on prefill inside serving runs of many.
const VLLM_CUDA: Factors = Factors {
    name: "vllm on cuda",
    weights: Shares::all(0.70)
        .with(BITS8, 0.74)
        .with(FP4, 0.74)
        .with(&[K::GroupInt], 0.59),
    experts: 1.0,
    cache: 1.0,
    stacked: 1.0,
    layer: Seconds::us(50.0),
    token: Seconds::ms(0.81),
    sequence: Seconds::us(15.0),
    prefill: Shares::all(0.6),
    prefill_experts: 0.42,
    attention: 0.46,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(500.0),
    decode_spread: (0.66, 1.35),
    prefill_spread: (0.5, 1.7),
    basis: Basis::Prior,
    decode_runs: 813,
    prefill_runs: 71,
};

const SGLANG_CUDA: Factors = Factors {
    name: "sglang on cuda",
    weights: Shares::all(0.54)
        .with(BITS8, 0.66)
        .with(FP4, 0.63)
        .with(&[K::GroupInt], 0.41),
    experts: 1.0,
    cache: 1.0,
    stacked: 1.0,
    layer: Seconds::us(68.0),
    token: Seconds::ms(0.74),
    sequence: Seconds::us(27.0),
    prefill: Shares::all(0.43),
    prefill_experts: 0.38,
    attention: 0.46,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(500.0),
    decode_spread: (0.73, 1.19),
    prefill_spread: (0.5, 1.7),
    basis: Basis::Prior,
    decode_runs: 217,
    prefill_runs: 0,
};

const TENSORRT_CUDA: Factors = Factors {
    name: "tensorrt-llm on cuda",
    weights: Shares::all(0.88)
        .with(BITS8, 0.83)
        .with(FP4, 0.94)
        .with(&[K::GroupInt], 0.95),
    experts: 0.66,
    cache: 0.93,
    stacked: 1.0,
    layer: Seconds::us(21.0),
    token: Seconds::ms(0.56),
    sequence: Seconds::us(22.0),
    prefill: Shares::all(0.74).with(&[K::Fp8], 0.55),
    prefill_experts: 0.53,
    attention: 0.46,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(125.0),
    decode_spread: (0.73, 1.33),
    prefill_spread: (0.7, 1.4),
    basis: Basis::Prior,
    decode_runs: 606,
    prefill_runs: 7,
};

const EXLLAMA_CUDA: Factors = Factors {
    name: "exllamav2 on cuda",
    weights: Shares::all(0.89).with(BITS8, 0.54),
    experts: 0.66,
    cache: 0.57,
    stacked: 0.8,
    layer: Seconds::us(25.0),
    token: Seconds::ms(0.84),
    sequence: Seconds::us(20.0),
    prefill: Shares::all(0.49),
    prefill_experts: 0.3,
    attention: 0.24,
    prefill_stacked: 1.0,
    prefill_layer: Seconds::us(125.0),
    decode_spread: (0.74, 1.23),
    prefill_spread: (0.6, 1.5),
    basis: Basis::Prior,
    decode_runs: 27,
    prefill_runs: 6,
};

/// Every set.
pub(super) const SETS: &[(Family, Backend, Factors)] = &[
    (Family::Llama, Backend::Cuda, LLAMA_CUDA),
    (Family::Llama, Backend::Metal, LLAMA_METAL),
    (Family::Llama, Backend::Rocm, LLAMA_ROCM),
    (Family::Llama, Backend::Vulkan, LLAMA_VULKAN),
    (Family::Llama, Backend::Sycl, LLAMA_SYCL),
    (Family::Llama, Backend::Cpu, LLAMA_CPU),
    (Family::Mlx, Backend::Metal, MLX_METAL),
    (Family::Vllm, Backend::Cuda, VLLM_CUDA),
    (Family::Sglang, Backend::Cuda, SGLANG_CUDA),
    (Family::TensorRt, Backend::Cuda, TENSORRT_CUDA),
    (Family::ExLlamaV2, Backend::Cuda, EXLLAMA_CUDA),
];
