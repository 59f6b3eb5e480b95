//! The engine's command for a set-up, from the estimate's own placement.
//!
//! What the estimate assumes is what the command says: context, slots, cache type, and which layers
//! and experts lie where. Each engine's module names the source of its flags. What an engine has no
//! flag for is said as a warning, never left out in silence.

use std::sync::Arc;

use estimator::calibration::Calibration;
use estimator::engine::Engine;
use estimator::error::{Field, FieldError};
use estimator::estimate::{self, Estimate};
use estimator::memory::Verdict;
use model_file::OwnModel;
use serde::{Deserialize, Serialize};

use crate::answer::{Inputs, Text};
use crate::question::Question;
use crate::resolve::{Resolved, Resolver, resolve, resolve_own};
use crate::text;
use crate::ways::ways_out;

mod exllama;
mod ktransformers;
mod line;
mod llama_cpp;
mod lm_studio;
mod mlx;
mod ollama;
mod set_up;
mod sglang;
mod tensorrt_llm;
#[cfg(test)]
mod tests;
mod vllm;

use set_up::SetUp;

/// How to start an engine so that it does what the estimate is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Flags {
    /// The engine.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub engine: Text,
    /// What it is for, with every default filled in.
    pub inputs: Inputs,
    /// `fits`, `tight`, `needs_offload` or `unknown`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub verdict: Text,
    /// Commands, in the order to type them.
    pub commands: Vec<CommandLine>,
    /// Files the commands read.
    pub files: Vec<ConfigFile>,
    /// Why each flag is there.
    pub notes: Vec<Note>,
    /// What the estimate assumes and the commands can't say.
    pub warnings: Vec<String>,
    /// The page with the estimate, from the root of the site; empty for a model of the user's own.
    pub permalink: String,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CommandLine {
    /// `prepare`, `serve` or `measure`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub purpose: Text,
    /// What it does, in words.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub about: Text,
    /// Variables of its environment.
    pub environment: Vec<Variable>,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// All of it as text for a POSIX shell, one flag a line.
    pub shell: String,
}

/// A variable of a command's environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Variable {
    /// Its name.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub name: Text,
    /// Its value.
    pub value: String,
}

/// A file that a command reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConfigFile {
    /// What to save it as.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub name: Text,
    /// What goes in.
    pub text: String,
}

/// Why a flag is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Note {
    /// The flag, variable or setting, with its value.
    pub flag: String,
    /// Why, in a line.
    pub why: String,
}

/// Why there is no command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoFlags {
    /// Inputs can't be used.
    BadInput(Vec<FieldError>),
    /// The set-up doesn't fit; the hint says the ways out.
    DoesNotFit(Box<FieldError>),
}

impl From<NoFlags> for Vec<FieldError> {
    fn from(why: NoFlags) -> Self {
        match why {
            NoFlags::BadInput(errors) => errors,
            NoFlags::DoesNotFit(error) => vec![*error],
        }
    }
}

/// The commands that start the engine as a question asks.
///
/// # Errors
/// Every input that can't be used, or that the set-up doesn't fit, with the ways out.
pub fn flags(question: &Question) -> Result<Flags, NoFlags> {
    found(question, &resolve)
}

/// The same for a model file of the user's own.
///
/// # Errors
/// Every input that can't be used, or that the set-up doesn't fit, with the ways out.
pub fn flags_own(question: &Question, own: &Arc<OwnModel>) -> Result<Flags, NoFlags> {
    found(question, &|question| resolve_own(question, own))
}

fn found(question: &Question, resolve: Resolver<'_>) -> Result<Flags, NoFlags> {
    let resolved = resolve(question).map_err(NoFlags::BadInput)?;
    let estimate = estimate::estimate(&resolved.scenario(), Calibration::priors());
    if let Ok(Verdict::DoesNotFit(missing)) = estimate.verdict {
        return Err(NoFlags::DoesNotFit(Box::new(does_not_fit(
            question,
            &resolved,
            &estimate,
            missing.get(),
            resolve,
        ))));
    }
    let set_up = SetUp::new(&resolved, &estimate);
    let mut sheet = match resolved.engine {
        Engine::LlamaCpp | Engine::IkLlamaCpp => llama_cpp::sheet(&set_up),
        Engine::Ollama => ollama::sheet(&set_up),
        Engine::LmStudio => lm_studio::sheet(&set_up),
        Engine::KTransformers => ktransformers::sheet(&set_up),
        Engine::Mlx => mlx::sheet(&set_up),
        Engine::Vllm => vllm::sheet(&set_up),
        Engine::Sglang => sglang::sheet(&set_up),
        Engine::TensorRtLlm => tensorrt_llm::sheet(&set_up),
        Engine::ExLlamaV2 | Engine::ExLlamaV3 => exllama::sheet(&set_up),
    };
    set_up.warn(&mut sheet);
    // What the estimate warns of and the command would run into.
    for warning in &estimate.warnings {
        if matches!(warning.code, "context-above-model" | "queue") {
            sheet.warnings.push(warning.text.clone());
        }
        if warning.code == "context-above-model" && resolved.engine == Engine::Vllm {
            sheet.warnings.push(
                "vLLM refuses a length above the model's unless VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 is set"
                    .to_owned(),
            );
        }
    }
    Ok(Flags {
        engine: resolved.engine.name().into(),
        inputs: resolved.inputs(),
        verdict: match &estimate.verdict {
            Ok(verdict) => verdict.name().into(),
            Err(_) => "unknown".into(),
        },
        commands: sheet.commands,
        files: sheet.files,
        notes: sheet.notes,
        warnings: sheet.warnings,
        permalink: resolved.permalink(question),
    })
}

fn does_not_fit(
    question: &Question,
    resolved: &Resolved,
    estimate: &Estimate,
    missing: f64,
    resolve: Resolver<'_>,
) -> FieldError {
    let error = FieldError::new(
        Field::Model,
        resolved.model.name.clone(),
        format!(
            "doesn't fit {} in {} with {} tokens of context: {} are missing",
            resolved.machine_name(),
            resolved.format.name(),
            text::count(resolved.workload.context),
            text::memory(missing),
        ),
    );
    let ways: Vec<_> = ways_out(question, resolved, estimate, resolve)
        .into_iter()
        .map(|way| {
            let set: Vec<_> = way
                .set
                .iter()
                .map(|set| format!("`{}` to `{}`", set.field, set.value))
                .collect();
            format!("{} (set {})", way.change, set.join(" and "))
        })
        .collect();
    match ways.as_slice() {
        [] => error.hint("`bandwise fit` shows what of the model fits"),
        ways => error.hint(ways.join("; or ")),
    }
}
