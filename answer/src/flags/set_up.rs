//! What an estimate says of a set-up, in the words that flags need.

use estimator::architecture::Architecture;
use estimator::engine::{Backend, MemoryStyle};
use estimator::estimate::Estimate;
use estimator::format::{FormatFamily, keeps_prediction};
use estimator::kv_cache::KvType;
use estimator::memory::Memory;
use estimator::scenario::{Scenario, Settings, Split, Workload};
use estimator::units::Bytes;
use model_db::ModelRecord;

use crate::flags::line::Sheet;
use crate::resolve::Resolved;
use crate::text;

/// A set-up and where its estimate puts everything.
pub(super) struct SetUp<'a> {
    pub(super) resolved: &'a Resolved,
    scenario: Scenario<'a>,
    pub(super) memory: &'a Memory,
    known: bool,
    record: Option<&'static ModelRecord>,
}

/// The weights a command names.
pub(super) struct Checkpoint {
    /// A Hugging Face repository, or a name that stands for a path.
    pub(super) name: String,
    /// Whether the name only stands for a path.
    pub(super) placeholder: bool,
}

impl<'a> SetUp<'a> {
    pub(super) fn new(resolved: &'a Resolved, estimate: &'a Estimate) -> Self {
        Self {
            resolved,
            scenario: resolved.scenario(),
            memory: &estimate.memory,
            known: estimate.verdict.is_ok(),
            record: model_db::get(&resolved.model.id),
        }
    }

    pub(super) const fn settings(&self) -> &Settings {
        &self.resolved.settings
    }

    pub(super) const fn workload(&self) -> &Workload {
        &self.resolved.workload
    }

    pub(super) fn architecture(&self) -> &Architecture {
        &self.resolved.architecture
    }

    pub(super) const fn kv_type(&self) -> KvType {
        self.resolved.kv_type
    }

    pub(super) const fn backend(&self) -> Backend {
        self.resolved.backend
    }

    /// Slots of the server.
    pub(super) fn slots(&self) -> u64 {
        self.scenario.slots()
    }

    /// Tokens of context of all slots together: a context for each, or where they share one cache,
    /// for each request.
    pub(super) fn whole_context(&self) -> u64 {
        let contexts = if self.settings().unified {
            self.workload().concurrency
        } else {
            self.slots()
        };
        self.workload().context.saturating_mul(contexts)
    }

    /// How many devices.
    pub(super) fn count(&self) -> u32 {
        self.scenario.count()
    }

    pub(super) fn is_mixed(&self) -> bool {
        self.scenario.is_mixed()
    }

    /// Whether several devices share every layer.
    pub(super) fn is_tensor_parallel(&self) -> bool {
        self.count() > 1 && self.resolved.split == Split::Tensor
    }

    /// Layers of the model.
    pub(super) fn layers(&self) -> u32 {
        self.architecture().layer_count()
    }

    /// Layers whole in the host's RAM.
    pub(super) const fn host_layers(&self) -> u32 {
        self.memory.host.load.layers
    }

    /// Layers, from the first, whose experts lie in the host's RAM, if more than lie there whole.
    pub(super) fn host_experts(&self) -> Option<u32> {
        let load = &self.memory.host.load;
        Some(load.expert_layers).filter(|experts| *experts > load.layers)
    }

    /// Layers of each device.
    pub(super) fn device_layers(&self) -> Vec<u32> {
        self.memory
            .devices
            .iter()
            .map(|device| device.load.layers)
            .collect()
    }

    /// Layers for multi-token prediction that a GGUF file of the model holds behind the others, used
    /// or not.
    pub(super) fn layers_behind(&self) -> u32 {
        if self
            .resolved
            .own
            .as_ref()
            .is_some_and(|own| own.inventory.is_some())
        {
            return self.architecture().mtp_layers;
        }
        match self.record {
            Some(record) if keeps_prediction(&record.family) => self.architecture().mtp_layers,
            _ => 0,
        }
    }

    /// Layers on the devices as engines count them: with the output, if it is there, and with what a
    /// file holds behind the layers.
    pub(super) fn counted_layers(&self) -> u32 {
        self.layers()
            .saturating_sub(self.host_layers())
            .saturating_add(self.counted_beside())
    }

    /// What counts as layers of the last device beside its own.
    pub(super) fn counted_beside(&self) -> u32 {
        self.layers_behind()
            .saturating_add(u32::from(self.has_output()))
    }

    /// Whether the output is on the devices.
    fn has_output(&self) -> bool {
        self.memory.host.load.head <= 0.0
    }

    /// How layers are shared between devices and host, in words.
    pub(super) fn layers_in_words(&self) -> String {
        let (host, layers) = (self.host_layers(), self.layers());
        let output = if self.has_output() {
            " and the output, which counts as a layer"
        } else {
            ""
        };
        format!(
            "{} of {layers} layers on the GPU{output}; the first {host} in RAM",
            layers.saturating_sub(host)
        )
    }

    /// Whether the model has a vision tower.
    pub(super) fn has_vision(&self) -> bool {
        self.architecture().vision_parameters > 0
    }

    /// A short name for the model.
    pub(super) fn id(&self) -> &str {
        match &*self.resolved.model.id {
            "" => "my-model",
            id => id,
        }
    }

    /// The repository of the model as published.
    pub(super) fn repository(&self) -> Option<&'static str> {
        self.record.map(|record| record.repository.as_str())
    }

    /// Whether the model is published in the format asked for.
    pub(super) fn is_published_so(&self) -> bool {
        match self.resolved.model.published {
            Some(published) => published.family() == self.resolved.format.family(),
            None => matches!(self.resolved.format.family(), FormatFamily::Plain16),
        }
    }

    /// Whether the model's own weights are not quantized.
    pub(super) fn is_published_plain(&self) -> bool {
        self.resolved.model.published.is_none()
    }

    /// The repository as published where it is in the format, or where the engine makes the format of
    /// it as it loads; else a name that stands for a checkpoint.
    pub(super) fn checkpoint(&self, made_on_loading: bool, stand_in: &str) -> Checkpoint {
        match self.repository() {
            Some(repository) if made_on_loading || self.is_published_so() => Checkpoint {
                name: repository.to_owned(),
                placeholder: false,
            },
            _ => Checkpoint {
                name: stand_in.to_owned(),
                placeholder: true,
            },
        }
    }

    /// Says what a stand-in stands for.
    pub(super) fn explain_stand_in(&self, sheet: &mut Sheet, name: &str, what: &str) {
        let made_of = self
            .repository()
            .map(|repository| format!(", made of {repository}"))
            .unwrap_or_default();
        sheet.warn(format!(
            "`{name}` stands for {what} of {} in {}{made_of}: put its path there",
            self.resolved.model.name,
            self.resolved.format.name(),
        ));
    }

    /// The share of the devices' memory that the engine may take: the setting, or less where something
    /// else holds memory.
    pub(super) fn fraction(&self) -> f64 {
        let settings = self.settings();
        if settings.reserve <= Bytes::ZERO {
            return settings.memory_fraction;
        }
        let share = self.memory.taken_share(self.backend());
        share.unwrap_or(settings.memory_fraction)
    }

    /// Says how a context splits among slots.
    pub(super) fn context_of_slots(&self) -> String {
        let workload = self.workload();
        let context = text::count(workload.context);
        match (self.slots(), workload.concurrency) {
            (1, _) => format!("{context} tokens of context"),
            (slots, 1) if self.settings().unified => {
                format!("{context} tokens of context, shared by {slots} slots")
            }
            (slots, requests) if self.settings().unified => {
                format!(
                    "{context} tokens of context for each of {requests} requests, shared by {slots} slots"
                )
            }
            (slots, _) => format!("{context} tokens of context for each of {slots} slots"),
        }
    }

    /// What holds for every engine.
    pub(super) fn warn(&self, sheet: &mut Sheet) {
        let settings = self.settings();
        if !self.known {
            sheet.warn("a device's memory isn't known, so nothing says whether this fits");
        }
        if settings.reserve > Bytes::ZERO {
            sheet.warn(format!(
                "{} of each device are kept for something else",
                text::memory(settings.reserve.get())
            ));
        } else if !self.scenario.device.is_unified() {
            sheet.warn(
                "the devices are taken to be free of anything else: with a desktop on one, set `reserve`",
            );
        }
        if self.scenario.shares_memory_unaccounted() {
            sheet.warn(
                "the memory is taken to be all the engine's: set `reserve` for what else runs",
            );
        }
        if self.backend() != Backend::Cpu
            && self.scenario.engine.memory_style() == MemoryStyle::LlamaCpp
            && self.count() == 1
        {
            sheet.warn(
                "the machine is taken to have no other GPU: with one, name the device to use",
            );
        }
        if self.memory.disk > Bytes::ZERO {
            sheet.warn(format!(
                "{} find no room in memory and are read from disk again and again",
                text::memory(self.memory.disk.get())
            ));
        }
    }
}
