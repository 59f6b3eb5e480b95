//! Where every byte goes, as every surface shows it.

use estimator::estimate::Estimate;
use estimator::memory::{Holding, Memory, Place};
use estimator::num;
use estimator::units::Bytes;
use serde::{Deserialize, Serialize};

use crate::resolve::Resolved;

/// What one device or the host holds, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlaceMemory {
    /// Name of the device, or `host`.
    pub name: String,
    /// Layers held.
    pub layers: u32,
    /// Layers whose routed experts are held.
    pub expert_layers: u32,
    /// Weights.
    pub weights_bytes: u64,
    /// KV cache and recurrent state.
    pub kv_cache_bytes: u64,
    /// Buffers for intermediate results.
    pub compute_bytes: u64,
    /// Driver context, kernels and pools.
    pub runtime_bytes: u64,
    /// All of it.
    pub total_bytes: u64,
    /// All memory of the device; null when unknown.
    pub capacity_bytes: Option<u64>,
    /// The part a model may use.
    pub usable_bytes: Option<u64>,
}

/// Where every byte goes. The sums are over all devices and the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MemoryUse {
    /// Weights in memory, wherever they lie; those left on disk aren't in it.
    pub weights_bytes: u64,
    /// KV cache and recurrent state.
    pub kv_cache_bytes: u64,
    /// Buffers for intermediate results.
    pub compute_bytes: u64,
    /// Driver contexts, kernels and pools.
    pub runtime_bytes: u64,
    /// All of it.
    pub total_bytes: u64,
    /// Memory of all devices; null when unknown.
    pub capacity_bytes: Option<u64>,
    /// Size of the weights as a file.
    pub file_bytes: u64,
    /// KV cache of one sequence.
    pub kv_cache_per_sequence_bytes: u64,
    /// Each device.
    pub devices: Vec<PlaceMemory>,
    /// What lies in the host's RAM beside the devices.
    pub host: PlaceMemory,
    /// Weights left on disk and read from there.
    pub disk_bytes: u64,
    /// What is left for the cache, where the engine takes all memory and pages it; else null.
    pub pool: Option<CachePool>,
}

/// The cache an engine pages: what is left of the memory it takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CachePool {
    /// Bytes on all devices.
    pub bytes: u64,
    /// Tokens they hold.
    pub tokens: u64,
    /// Requests of the full context they hold: the engine's "maximum concurrency".
    pub requests: f64,
    /// Requests that run at once; the others wait.
    pub running: u64,
}

pub(crate) fn memory(estimate: &Estimate, resolved: &Resolved) -> MemoryUse {
    let memory = &estimate.memory;
    let devices: Vec<_> = memory
        .devices
        .iter()
        .zip(resolved.devices())
        .map(|(held, device)| place(held, device.name.clone()))
        .collect();
    let host = place(&memory.host, "host".to_owned());
    // Sums of the rounded parts, so that what is shown adds up to the byte.
    let sum = |part: fn(&PlaceMemory) -> u64| devices.iter().chain([&host]).map(part).sum();
    MemoryUse {
        weights_bytes: sum(|place| place.weights_bytes),
        kv_cache_bytes: sum(|place| place.kv_cache_bytes),
        compute_bytes: sum(|place| place.compute_bytes),
        runtime_bytes: sum(|place| place.runtime_bytes),
        total_bytes: sum(|place| place.total_bytes),
        capacity_bytes: devices.iter().map(|device| device.capacity_bytes).sum(),
        file_bytes: memory.file.round(),
        kv_cache_per_sequence_bytes: memory.cache_of_one.round(),
        devices,
        host,
        disk_bytes: memory.disk.round(),
        pool: pool(memory),
    }
}

fn pool(memory: &Memory) -> Option<CachePool> {
    let pool = memory.pool.filter(|pool| pool.requests.is_finite())?;
    Some(CachePool {
        bytes: pool.bytes.round(),
        tokens: num::floor(pool.tokens),
        requests: pool.requests,
        running: memory.running,
    })
}

fn place(held: &Place, name: String) -> PlaceMemory {
    let Holding {
        weights,
        kv_cache,
        compute,
        runtime,
    } = held.holding;
    let [weights, kv_cache, compute, runtime] =
        [weights, kv_cache, compute, runtime].map(Bytes::round);
    PlaceMemory {
        name,
        layers: held.load.layers,
        expert_layers: held.load.expert_layers,
        weights_bytes: weights,
        kv_cache_bytes: kv_cache,
        compute_bytes: compute,
        runtime_bytes: runtime,
        total_bytes: weights + kv_cache + compute + runtime,
        capacity_bytes: held.capacity.map(Bytes::round),
        usable_bytes: held.usable.map(Bytes::round),
    }
}
