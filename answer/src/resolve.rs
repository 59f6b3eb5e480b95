//! From typed texts to a scenario: names found, defaults filled in, problems gathered.

use std::sync::Arc;

use catalog::Found;
use estimator::architecture::Architecture;
use estimator::device::Device;
use estimator::engine::{Backend, Engine, MemoryStyle, Support};
use estimator::error::{Field, FieldError};
use estimator::format::WeightFormat;
use estimator::kv_cache::KvType;
use estimator::scenario::{Host, Model, Scenario, Settings, Split, Wishes, Workload};
use estimator::units::FlopPerSecond;
use model_db::ModelRecord;
use model_file::OwnModel;

use crate::answer::Inputs;
use crate::machine::{self, Machine};
use crate::question::Question;
use crate::subject::{self, Subject};
use crate::typed::{self, Placing, Typed, TypedSettings, not_found, taken};
use crate::usual::{CONTEXT, own_defaults, usual_backend, usual_format, workload};

pub use crate::subject::ModelName;

/// A question with every name found and every default filled in.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The device, with its options applied; the first where there are several.
    pub device: Arc<Device>,
    /// The others, in the engine's order.
    pub others: Vec<Arc<Device>>,
    /// The model.
    pub model: ModelName,
    /// What the model is made of.
    pub architecture: Arc<Architecture>,
    /// The file it was read from, where it isn't of the catalogue.
    pub own: Option<Arc<OwnModel>>,
    /// Weight format.
    pub format: WeightFormat,
    /// Number type of the KV cache.
    pub kv_type: KvType,
    /// Engine.
    pub engine: Engine,
    /// Backend.
    pub backend: Backend,
    /// How much is read and written.
    pub workload: Workload,
    /// The host around the devices.
    pub host: Option<Host>,
    /// How the devices share the model.
    pub split: Split,
    /// Where the user wants layers to go.
    pub(crate) placing: Placing,
    /// The engine's settings.
    pub settings: Settings,
    /// Defaults filled in that a user should know of.
    pub assumed: Vec<String>,
    /// What the user chose, so that another format keeps to it.
    chosen: Chosen,
}

/// Choices that hold for every format a question is asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Chosen {
    format: bool,
    engine: Option<Engine>,
    backend: Option<Backend>,
    settings: TypedSettings,
    split: Option<Split>,
}

/// What finds the names of a changed question: [`resolve`], or [`resolve_own`] with its file.
/// A reference, so that what asks again is compiled once for both.
pub type Resolver<'a> = &'a dyn Fn(&Question) -> Result<Resolved, Vec<FieldError>>;

/// Finds everything a question names.
///
/// # Errors
/// Every input that can't be used.
pub fn resolve(question: &Question) -> Result<Resolved, Vec<FieldError>> {
    find(question, None)
}

/// The same about a model of the user's own, in place of one the question names.
///
/// # Errors
/// Every input that can't be used; a name of a model beside the file, too.
pub fn resolve_own(question: &Question, own: &Arc<OwnModel>) -> Result<Resolved, Vec<FieldError>> {
    find(question, Some(own))
}

fn find(question: &Question, own: Option<&Arc<OwnModel>>) -> Result<Resolved, Vec<FieldError>> {
    let mut problems = Vec::new();
    let machine = machine::resolve(question, &mut problems);
    let (subject, named) = match own {
        Some(own) => {
            problems.extend(subject::named_too(question));
            (Some(Subject::own(own)), None)
        }
        None => {
            let named = model(question, &mut problems);
            (named.as_ref().map(|found| Subject::of(found.entry)), named)
        }
    };
    let mut typed = Typed::read(question, &mut problems);
    if let Some(found) = &named
        && typed.format.is_none()
        && !found.rest.is_empty()
    {
        // A format after the model's name, as in "llama 3.3 70b q4".
        typed.format = typed::format(Some(found.rest), Field::Model, &mut problems);
    }
    match (machine, subject) {
        (Some(mut machine), Some(subject)) if problems.is_empty() => {
            if let Some(found) = named {
                let others = found.also.iter().map(|model| model.id.as_str());
                machine
                    .assumed
                    .extend(taken(found.name, &found.entry.id, others));
            }
            let resolved = put_together(&machine, subject, &typed);
            match resolved.scenario().check() {
                Ok(_) => Ok(resolved),
                Err(found) => Err(found
                    .into_iter()
                    .map(|problem| on_what_was_typed(problem, &typed))
                    .collect()),
            }
        }
        _ => Err(problems),
    }
}

/// Puts a problem with the engine on the format where the engine was only chosen for it.
fn on_what_was_typed(problem: FieldError, typed: &Typed) -> FieldError {
    match typed.format {
        Some(format) if problem.field == Field::Engine && typed.engine.is_none() => FieldError {
            field: Field::Format,
            value: format.name(),
            ..problem
        },
        Some(_) if matches!(problem.field, Field::Engine | Field::Format) => FieldError {
            hint: problem
                .hint
                .map(|hint| format!("{hint}; or leave `format` out for the engine's usual one")),
            ..problem
        },
        _ => problem,
    }
}

/// Finds the machine a question names and reads the inputs that stand by themselves, for asking
/// about many models.
///
/// # Errors
/// Every input that can't be used.
pub(crate) fn resolve_machine(question: &Question) -> Result<(Machine, Typed), Vec<FieldError>> {
    let mut problems = Vec::new();
    let machine = machine::resolve(question, &mut problems);
    let typed = Typed::read(question, &mut problems);
    match machine {
        Some(machine) if problems.is_empty() => Ok((machine, typed)),
        _ => Err(problems),
    }
}

fn model<'q>(
    question: &'q Question,
    problems: &mut Vec<FieldError>,
) -> Option<Found<'q, &'static ModelRecord>> {
    let Some(text) = question.get(Field::Model) else {
        problems.push(
            FieldError::new(Field::Model, "", "is missing")
                .hint("name a model, such as `llama-3.1-8b`; the catalogue lists all"),
        );
        return None;
    };
    match model_db::find_with_rest(text) {
        Ok(found) => Some(found),
        Err(unknown) => {
            problems.push(not_found(Field::Model, text, "model", &unknown.nearest));
            None
        }
    }
}

/// A machine, a model and what was typed, with every default filled in. The set-up may still be
/// impossible; [`Scenario::check`] says.
pub(crate) fn put_together(machine: &Machine, subject: Subject, typed: &Typed) -> Resolved {
    let settled = typed.format.or_else(|| {
        let loads = |format: &WeightFormat| {
            typed
                .engine
                .is_none_or(|engine| engine.loads(format.family()))
        };
        subject.settled().filter(loads)
    });
    let own_assumed = subject.assumed();
    let Subject {
        name: model,
        architecture,
        own,
    } = subject;
    let device = with_peak(&machine.device, typed.peak);
    let others: Vec<_> = machine
        .others
        .iter()
        .map(|device| with_peak(device, typed.peak))
        .collect();
    let published = model.published.filter(|_| own.is_none());
    let format = settled.unwrap_or_else(|| usual_format(typed.engine, &device, published));
    let format = match typed.engine {
        // "bf16" for llama.cpp means the GGUF of that name.
        Some(engine)
            if !engine.loads(format.family()) && engine.memory_style() == MemoryStyle::LlamaCpp =>
        {
            format.in_gguf().unwrap_or(format)
        }
        _ => format,
    };
    let engine = typed
        .engine
        .unwrap_or_else(|| Engine::usual(&format, &device));
    let defaults = own_defaults(engine, &device, &others, typed.concurrency);
    let context = match (typed.engine, defaults.context) {
        // Who names these runs them as they come, with the context they choose by themselves.
        (Some(Engine::Ollama | Engine::LmStudio), Some(context)) => context,
        _ => CONTEXT,
    };
    let workload = workload(typed, &architecture, context);
    let split = split(typed.placing.split, engine, &architecture, &others);
    let mut assumed = machine.assumed.clone();
    assumed.extend(own_assumed);
    if settled.is_none() {
        assumed.push(format!("format {}", format.name()));
    }
    for (given, what, value) in [
        (typed.context, "context", workload.context),
        (typed.prompt, "prompt", workload.prompt),
        (typed.output, "output", workload.output),
    ] {
        if given.is_none() {
            assumed.push(format!("{what} {} tokens", crate::text::count(value)));
        }
    }
    Resolved {
        backend: usual_backend(typed.backend, engine, &device, &others),
        model,
        architecture,
        own,
        format,
        kv_type: typed.kv_type,
        engine,
        workload,
        host: machine.host,
        settings: typed.settings.over(defaults.settings),
        assumed,
        chosen: Chosen {
            format: settled.is_some(),
            engine: typed.engine,
            backend: typed.backend,
            settings: typed.settings,
            split: typed.placing.split,
        },
        split,
        placing: typed.placing.clone(),
        device,
        others,
    }
}

/// How the devices share the model: as chosen, else as the engine usually does.
fn split(
    chosen: Option<Split>,
    engine: Engine,
    architecture: &Architecture,
    others: &[Arc<Device>],
) -> Split {
    chosen.unwrap_or_else(|| Split::usual(engine, architecture, machine::count_of(others)))
}

/// The device with the peak a user gives for it.
fn with_peak(device: &Arc<Device>, peak: Option<FlopPerSecond>) -> Arc<Device> {
    let Some(peak) = peak else {
        return Arc::clone(device);
    };
    let mut own = Device::clone(device);
    own.peaks.fp16 = Some(peak);
    own.peaks.assumed = true;
    Arc::new(own)
}

impl Resolved {
    /// The scenario to estimate.
    #[must_use]
    pub fn scenario(&self) -> Scenario<'_> {
        Scenario {
            device: &self.device,
            others: &self.others,
            model: Model {
                name: &self.model.name,
                architecture: &self.architecture,
                file: subject::file(self.own.as_ref()),
            },
            format: self.format,
            kv_type: self.kv_type,
            engine: self.engine,
            backend: self.backend,
            workload: self.workload,
            host: self.host,
            wishes: Wishes {
                split: self.split,
                shares: &self.placing.shares,
                device_layers: self.placing.device_layers,
                // "All" is more than any model has.
                host_experts: self.placing.host_experts.map(|experts| match experts {
                    u32::MAX => self.architecture.layer_count(),
                    experts => experts,
                }),
            },
            settings: self.settings,
        }
    }

    /// All devices, in the engine's order.
    pub fn devices(&self) -> impl Iterator<Item = &Arc<Device>> {
        std::iter::once(&self.device).chain(&self.others)
    }

    /// What the machine is called: its devices and how many.
    #[must_use]
    pub fn machine_name(&self) -> String {
        machine::name_of(&self.device, &self.others)
    }

    /// The inputs as an answer states them.
    #[must_use]
    pub fn inputs(&self) -> Inputs {
        let mut ids: Vec<&str> = self.devices().map(|device| device.id.as_str()).collect();
        let mut names: Vec<&str> = self.devices().map(|device| device.name.as_str()).collect();
        let devices = names.iter().map(|name| (*name).to_owned()).collect();
        // Of one kind, its name and the count say all.
        ids.dedup();
        names.dedup();
        Inputs {
            hardware: ids.join("+"),
            hardware_name: names.join(" + "),
            machine: self.machine_name(),
            count: machine::count_of(&self.others),
            model: self.model.id.to_string(),
            model_name: self.model.name.to_string(),
            format: self.format.name(),
            kv_type: self.kv_type.name().to_owned(),
            engine: self.engine.name().to_owned(),
            backend: self.backend.name().to_owned(),
            context: self.workload.context,
            prompt: self.workload.prompt,
            output: self.workload.output,
            concurrency: self.workload.concurrency,
            ubatch: self.settings.ubatch,
            slots: self.scenario().slots(),
            kv_unified: self.settings.unified,
            split: self.split.name().into(),
            devices,
            assumed: self.assumed.clone(),
        }
    }

    /// Whether the user chose the format.
    #[must_use]
    pub const fn is_format_chosen(&self) -> bool {
        self.chosen.format
    }

    /// The same question for another format, run with the engine the user chose, else the usual one.
    #[must_use]
    pub fn with_format(&self, format: WeightFormat) -> Self {
        let engine = self
            .chosen
            .engine
            .unwrap_or_else(|| Engine::usual(&format, &self.device));
        Self {
            format,
            engine,
            backend: usual_backend(self.chosen.backend, engine, &self.device, &self.others),
            settings: self.chosen.settings.over(
                own_defaults(
                    engine,
                    &self.device,
                    &self.others,
                    self.workload.concurrency,
                )
                .settings,
            ),
            split: split(self.chosen.split, engine, &self.architecture, &self.others),
            ..self.clone()
        }
    }

    /// Whether the engine runs the format on the device at all.
    #[must_use]
    pub fn runs(&self, format: &WeightFormat) -> bool {
        let engine = self
            .chosen
            .engine
            .unwrap_or_else(|| Engine::usual(format, &self.device));
        !matches!(
            engine.support(format, &self.device),
            Support::Unsupported(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Context, prompt and answer that a question gets when only these are typed.
    fn filled_in(typed: &[(Field, &str)]) -> (u64, u64, u64) {
        let start = Question::default()
            .with(Field::Hardware, "rtx-4090")
            .with(Field::Model, "llama-3.1-8b");
        let question = typed.iter().fold(start, |question, (field, text)| {
            question.with(*field, *text)
        });
        let workload = resolve(&question).unwrap().workload;
        (workload.context, workload.prompt, workload.output)
    }

    #[test]
    fn a_context_that_was_not_typed_has_room_for_what_was() {
        use Field::{Context, Output, Prompt};
        assert_eq!(filled_in(&[]), (8192, 512, 256));
        assert_eq!(filled_in(&[(Context, "4096")]), (4096, 512, 256));
        assert_eq!(filled_in(&[(Output, "30000")]), (30_512, 512, 30_000));
        assert_eq!(filled_in(&[(Prompt, "30000")]), (30_256, 30_000, 256));
        let both = [(Prompt, "30000"), (Output, "1000")];
        assert_eq!(filled_in(&both), (31_000, 30_000, 1000));
        // The model was made for 131,072 tokens.
        assert_eq!(filled_in(&[(Prompt, "131000")]), (131_072, 131_000, 72));
        assert_eq!(filled_in(&[(Output, "131071")]), (131_072, 1, 131_071));
    }
}
