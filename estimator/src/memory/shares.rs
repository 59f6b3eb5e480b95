//! The memory of a set-up as the shares that engines are told.

use super::{Memory, Place, driver_share};
use crate::engine::Backend;
use crate::num;
use crate::units::Bytes;

impl Memory {
    /// The share of the devices' memory that the engine may take, of what it sees of them: vLLM's
    /// `--gpu-memory-utilization`. The least of all devices, rounded down to a thousandth; `None` when
    /// a device's memory is unknown.
    #[must_use]
    pub fn taken_share(&self, backend: Backend) -> Option<f64> {
        self.least(|device| device.usable?.ratio(seen(device, backend)?))
    }

    /// The same of weights and cache alone, without buffers and runtime: SGLang's
    /// `--mem-fraction-static`.
    #[must_use]
    pub fn static_share(&self, backend: Backend) -> Option<f64> {
        self.least(|device| {
            let rest = device.holding.compute + device.holding.runtime;
            let kept = device.usable?.saturating_sub(rest);
            kept.ratio(seen(device, backend)?)
        })
    }

    /// The share of what weights, buffers and runtime leave free that the cache may fill:
    /// TensorRT-LLM's `free_gpu_memory_fraction`.
    #[must_use]
    pub fn cache_share(&self, backend: Backend) -> Option<f64> {
        self.least(|device| {
            let rest = device
                .holding
                .total()
                .saturating_sub(device.holding.kv_cache);
            let free = seen(device, backend)?.saturating_sub(rest);
            device.usable?.saturating_sub(rest).ratio(free)
        })
    }

    /// The share of the layers that lie on the devices, to four digits: LM Studio's `--gpu`.
    #[must_use]
    pub fn device_share(&self, layers: u32) -> f64 {
        let here = num::f32u(layers.saturating_sub(self.host.load.layers));
        let share = here / num::f32u(layers.max(1));
        num::f(num::floor(share * 10_000.0 + 0.5)) / 10_000.0
    }

    /// The least of a share over the devices, rounded down to a thousandth.
    fn least(&self, share: impl Fn(&Place) -> Option<f64>) -> Option<f64> {
        let shares: Option<Vec<f64>> = self.devices.iter().map(share).collect();
        let least = shares?.into_iter().reduce(f64::min)?;
        Some(num::f(num::floor(least * 1000.0)) / 1000.0)
    }
}

/// The memory of a device that a process sees: all but what the driver keeps.
fn seen(device: &Place, backend: Backend) -> Option<Bytes> {
    let capacity = device.capacity?;
    Some(capacity.saturating_sub(driver_share(backend)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Holding, Load};
    use crate::scenario::Split;

    fn memory(usable: f64) -> Memory {
        let place = |usable| Place {
            holding: Holding {
                weights: Bytes::gib(40.0),
                kv_cache: Bytes::gib(10.0),
                compute: Bytes::gib(4.0),
                runtime: Bytes::gib(1.0),
            },
            load: Load::NONE,
            capacity: Some(Bytes::gib(80.0)),
            usable,
        };
        let mut host = place(None);
        host.load.layers = 12;
        Memory {
            devices: vec![
                place(Some(Bytes::gib(72.0))),
                place(Some(Bytes::gib(usable))),
            ],
            host,
            split: Split::Layer,
            file: Bytes::ZERO,
            cache_of_one: Bytes::ZERO,
            pool: None,
            disk: Bytes::ZERO,
            running: 1,
        }
    }

    #[test]
    fn the_tightest_device_sets_the_shares() {
        let memory = memory(60.0);
        let backend = Backend::Rocm;
        assert_eq!(memory.taken_share(backend), Some(0.75));
        // 55 of 80 for weights and cache; of the 35 that weights and buffers leave, 15.
        assert_eq!(memory.static_share(backend), Some(0.687));
        assert_eq!(memory.cache_share(backend), Some(0.428));
        assert_eq!(memory.device_share(40), 0.7);
    }
}
