//! A run with what its file shares filled in.

use catalog::Date;

use crate::record::{Entry, Metric, Parallel, Placement, Quality};

/// A measured run, in one piece: what validation and calibration read.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its name.
    pub id: String,
    /// Id of the device; different ones joined by `+`; as printed where the catalogue hasn't it.
    pub hardware: String,
    /// How many devices; `None` where not stated.
    pub count: Option<u32>,
    /// CPU and RAM as printed.
    pub host: Option<String>,
    /// The power limit in watts.
    pub power_w: Option<f64>,
    /// Id of the model, or its name as printed.
    pub model: String,
    /// Weight format.
    pub format: Option<String>,
    /// Bits a weight.
    pub bits: Option<f64>,
    /// Size of the weights as a file in GiB.
    pub file_gib: Option<f64>,
    /// The engine.
    pub engine: String,
    /// Its version or build.
    pub version: Option<String>,
    /// What it drove the devices with.
    pub backend: Option<String>,
    /// Whether flash attention was on.
    pub flash: Option<bool>,
    /// Where the weights lay.
    pub placement: Option<Placement>,
    /// Layers on the devices.
    pub gpu_layers: Option<String>,
    /// Layers whose experts lay in RAM, or `all`.
    pub cpu_experts: Option<String>,
    /// How devices shared the work.
    pub parallel: Option<Parallel>,
    /// Devices that share each matrix.
    pub tp: Option<u32>,
    /// Stages of layers.
    pub pp: Option<u32>,
    /// Devices that share the experts.
    pub ep: Option<u32>,
    /// Number type of the KV cache.
    pub kv: Option<String>,
    /// Tokens of the prompt.
    pub prompt: Option<u32>,
    /// Tokens of the answer.
    pub output: Option<u32>,
    /// Tokens in the context when measuring began; of a memory figure, the context allocated.
    pub depth: Option<u32>,
    /// Sequences at once; `None` where not stated.
    pub concurrency: Option<u32>,
    /// Speculative decoding.
    pub speculative: Option<String>,
    /// What was measured.
    pub metric: Metric,
    /// The figure, in the metric's unit.
    pub value: f64,
    /// When it was measured or published.
    pub date: Option<Date>,
    /// Where it was published, in one line.
    pub source: String,
    /// How far it can be trusted.
    pub quality: Quality,
    /// What is missing or unclear.
    pub issue: Option<String>,
    /// Why it must not be fitted on or scored, beyond its quality.
    pub quarantine: Option<String>,
    /// What else the report says.
    pub note: Option<String>,
}

/// Why an entry makes no run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A key every run needs, in neither the run nor `shared`.
    #[error("`{key}` is missing, here and in `shared`")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A figure that can't be: not finite, or not above zero.
    #[error("`{key}` is `{value}`: must be a finite number above 0")]
    Figure {
        /// The key.
        key: &'static str,
        /// What it says.
        value: f64,
    },
    /// A count that can't be zero is.
    #[error("`{key}` must be at least 1")]
    Zero {
        /// The key.
        key: &'static str,
    },
}

impl Run {
    /// The run an entry makes with what its file says.
    ///
    /// # Errors
    /// What is missing or can't be.
    pub fn new(
        hardware: &str,
        source: &str,
        shared: &Entry,
        entry: &Entry,
    ) -> Result<Self, RunError> {
        let own = entry.clone();
        let all = shared.clone();
        let run = Self {
            hardware: hardware.to_owned(),
            source: source_of(source, own.at.or(all.at).as_deref()),
            id: required("id", own.id.or(all.id))?,
            count: own.count.or(all.count),
            host: own.host.or(all.host),
            power_w: own.power_w.or(all.power_w),
            model: required("model", own.model.or(all.model))?,
            format: own.format.or(all.format),
            bits: own.bits.or(all.bits),
            file_gib: own.file_gib.or(all.file_gib),
            engine: required("engine", own.engine.or(all.engine))?,
            version: own.version.or(all.version),
            backend: own.backend.or(all.backend),
            flash: own.flash.or(all.flash),
            placement: own.placement.or(all.placement),
            gpu_layers: own.gpu_layers.or(all.gpu_layers),
            cpu_experts: own.cpu_experts.or(all.cpu_experts),
            parallel: own.parallel.or(all.parallel),
            tp: own.tp.or(all.tp),
            pp: own.pp.or(all.pp),
            ep: own.ep.or(all.ep),
            kv: own.kv.or(all.kv),
            prompt: own.prompt.or(all.prompt),
            output: own.output.or(all.output),
            depth: own.depth.or(all.depth),
            concurrency: own.concurrency.or(all.concurrency),
            speculative: own.speculative.or(all.speculative),
            metric: required("metric", own.metric.or(all.metric))?,
            value: required("value", own.value.or(all.value))?,
            date: own.date.or(all.date),
            quality: required("quality", own.quality.or(all.quality))?,
            issue: own.issue.or(all.issue),
            quarantine: own.quarantine.or(all.quarantine),
            note: own.note.or(all.note),
        };
        run.checked()
    }

    /// The run, if its figures can be.
    ///
    /// # Errors
    /// A figure that isn't finite and above zero, or a count of zero.
    pub fn checked(self) -> Result<Self, RunError> {
        for (key, value) in [
            ("value", Some(self.value)),
            ("bits", self.bits),
            ("file_gib", self.file_gib),
            ("power_w", self.power_w),
        ] {
            if let Some(value) = value
                && !(value.is_finite() && value > 0.0)
            {
                return Err(RunError::Figure { key, value });
            }
        }
        for (key, count) in [
            ("count", self.count),
            ("concurrency", self.concurrency),
            ("tp", self.tp),
            ("pp", self.pp),
            ("ep", self.ep),
        ] {
            if count == Some(0) {
                return Err(RunError::Zero { key });
            }
        }
        Ok(self)
    }

    /// Runs of one device and model, which folds keep together.
    #[must_use]
    pub fn group(&self) -> String {
        format!("{}--{}", self.hardware, self.model)
    }

    /// Why the run must not be fitted on or scored; `None` where it may.
    #[must_use]
    pub fn quarantined(&self) -> Option<&str> {
        match (&self.quarantine, self.quality) {
            (Some(why), _) => Some(why),
            (None, Quality::C) => Some(self.issue.as_deref().unwrap_or("ambiguous")),
            (None, _) => None,
        }
    }
}

fn source_of(source: &str, at: Option<&str>) -> String {
    match at {
        Some(at) => format!("{source} ({at})"),
        None => source.to_owned(),
    }
}

fn required<T>(key: &'static str, value: Option<T>) -> Result<T, RunError> {
    value.ok_or(RunError::Missing { key })
}
