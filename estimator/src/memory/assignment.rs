//! Which layers lie where.

use crate::engine::Engine;

/// Which layers lie on which device and which in the host's RAM.
///
/// llama.cpp's order: the first layers stay with the host (`--n-gpu-layers` counts from the last),
/// the first layers' experts too (`--n-cpu-moe`), and the devices take the rest one after another
/// (`src/llama-model.cpp`, `load_tensors`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// So many layers, from the first, lie on the host whole.
    pub host_layers: u32,
    /// So many layers, from the first, have their experts on the host.
    pub host_experts: u32,
    /// For each device, the layer after its last.
    pub ends: Vec<u32>,
}

impl Assignment {
    /// The layers of the `index`-th device: from, and up to but not including.
    #[must_use]
    pub fn range(&self, index: usize) -> (u32, u32) {
        let before = index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        let start = before.copied().unwrap_or(self.host_layers);
        let end = self.ends.get(index).copied().unwrap_or(start).max(start);
        (start, end)
    }

    /// Whether anything lies on the host.
    #[must_use]
    pub const fn offloads(&self) -> bool {
        self.host_layers > 0 || self.host_experts > 0
    }
}

/// Whether the output goes to the devices before any layer; else it goes after all of them.
///
/// llama.cpp counts it as the last of the layers that `--n-gpu-layers` counts from the end
/// (`src/llama-model.cpp`, `i_gpu_start`, at 0c1e57098), and LM Studio runs it. Ollama drops it first
/// when not all fits (`llm/server.go`, `assignLayers`), and ik_llama.cpp has llama.cpp's rule of 2024:
/// the output follows when there are more layers asked for than the model has.
#[must_use]
pub(super) const fn output_goes_first(engine: Engine) -> bool {
    matches!(engine, Engine::LlamaCpp | Engine::LmStudio)
}

/// Shares layers out in proportion, as llama.cpp does: the output counts as one layer more, and a
/// layer goes to the device in whose stretch of the running sum its number falls
/// (`src/llama-model.cpp`, `get_layer_buft_list`).
#[must_use]
pub fn in_proportion(first: u32, layers: u32, shares: &[f64]) -> Vec<u32> {
    let all: f64 = shares.iter().sum();
    let count = crate::num::f32u(layers.saturating_sub(first).saturating_add(1));
    let mut sum = 0.0;
    let mut ends: Vec<u32> = Vec::with_capacity(shares.len());
    for share in shares {
        sum += share;
        let reach = if all > 0.0 { sum / all } else { 1.0 };
        // A layer is before the end when its number over the count is below the running sum.
        let mut end = ends.last().copied().unwrap_or(first);
        while end < layers && crate::num::f32u(end.saturating_sub(first)) / count < reach {
            end = end.saturating_add(1);
        }
        ends.push(end);
    }
    if let Some(last) = ends.last_mut() {
        *last = layers;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_devices_share_layers_evenly_and_the_last_has_the_output_too() {
        assert_eq!(in_proportion(0, 32, &[1.0, 1.0]), [17, 32]);
        assert_eq!(in_proportion(0, 80, &[24.0, 24.0, 24.0]), [27, 54, 80]);
        assert_eq!(in_proportion(8, 32, &[1.0]), [32]);
    }

    #[test]
    fn a_larger_device_gets_more_layers() {
        let ends = in_proportion(0, 48, &[24.0, 16.0, 12.0]);
        assert_eq!(ends.last(), Some(&48));
        let [first, second, third] = ends[..] else {
            unreachable!()
        };
        assert!(first > second - first && second - first > third - second);
    }
}
