//! Answers over many formats, contexts or models at once.

use std::sync::Arc;

use estimator::calibration::Calibration;
use estimator::engine::MemoryStyle;
use estimator::error::{Field, FieldError};
use estimator::estimate::{self, Estimate};
use estimator::fit;
use estimator::format::{GgufType, MlxBits, WeightFormat};
use estimator::kv_cache::KvType;
use estimator::scenario::{Scenario, Workload};
use model_file::OwnModel;
use serde::{Deserialize, Serialize};

use crate::answer::{Interval, Text};
use crate::question::Question;
use crate::resolve::{Resolved, Resolver, put_together, resolve, resolve_machine, resolve_own};
use crate::subject::Subject;
use crate::typed::Typed;

/// Contexts a fit table shows when none is asked for.
const CONTEXTS: [u64; 7] = [4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144];

/// The context a model is held to when a machine's models are listed and none is asked for.
const LIST_CONTEXT: u64 = 8192;

/// Which formats and contexts of a model fit a machine, and how fast they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FitTable {
    /// What the machine is called: its devices and how many.
    pub hardware: String,
    /// How many devices.
    pub count: u32,
    /// Name of the model.
    pub model: String,
    /// Number type of the KV cache.
    pub kv_type: String,
    /// Contexts, the columns.
    pub contexts: Vec<u64>,
    /// Types of the cache that largest contexts are given for.
    pub kv_types: Vec<String>,
    /// For each context, the most precise format that fits; null when none does.
    pub best: Vec<Option<String>>,
    /// Formats, the rows, from the largest to the smallest.
    pub rows: Vec<FitRow>,
}

/// A format in a fit table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FitRow {
    /// The format.
    pub format: String,
    /// The engine it is run with.
    pub engine: String,
    /// Size of the weights as a file.
    pub file_bytes: u64,
    /// The largest context that fits; null when none does.
    pub largest_context: Option<u64>,
    /// The same with the cache in each of the table's `kv_types`.
    pub largest_by_kv_type: Vec<Option<u64>>,
    /// One for each context.
    pub cells: Vec<FitCell>,
}

/// A format at a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FitCell {
    /// Tokens of context.
    pub context: u64,
    /// `fits`, `tight`, `needs_offload`, `does_not_fit` or `unknown`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub verdict: Text,
    /// Memory in all.
    pub total_bytes: u64,
    /// Typical decode speed with the context full; null when it doesn't run.
    pub tok_s: Option<f64>,
}

/// What a machine runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunList {
    /// What the machine is called: its devices and how many.
    pub hardware: String,
    /// How many devices.
    pub count: u32,
    /// Tokens of context each model is held to.
    pub context: u64,
    /// The rule behind the list, in words.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub rule: Text,
    /// Models that run, the largest first.
    pub rows: Vec<RunRow>,
    /// How many models don't fit in any format considered.
    pub too_large: usize,
}

/// A model a machine runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunRow {
    /// Id of the model.
    pub model: String,
    /// Its name.
    pub name: String,
    /// Weights of the text trunk.
    pub parameters: u64,
    /// Those that work on a token.
    pub active_parameters: u64,
    /// The best format that fits.
    pub format: String,
    /// `fits` or `tight`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub verdict: Text,
    /// Memory in all.
    pub total_bytes: u64,
    /// The largest context that fits.
    pub largest_context: Option<u64>,
    /// Decode speed; null when it can't be estimated.
    pub tok_s: Option<Interval>,
    /// Typical time to the first token in seconds.
    pub ttft_s: Option<f64>,
}

/// Formats × contexts of a model on a machine. Speeds are with the context full.
///
/// # Errors
/// Every input that can't be used.
pub fn fit_table(question: &Question) -> Result<FitTable, Vec<FieldError>> {
    resolve(question).map(|resolved| table(question, &resolved))
}

/// The same of a model of the user's own.
///
/// # Errors
/// Every input that can't be used.
pub fn fit_table_own(
    question: &Question,
    own: &Arc<OwnModel>,
) -> Result<FitTable, Vec<FieldError>> {
    resolve_own(question, own).map(|resolved| table(question, &resolved))
}

fn table(question: &Question, resolved: &Resolved) -> FitTable {
    let limit = resolved
        .architecture
        .max_context
        .map_or(u64::MAX, u64::from);
    let contexts: Vec<u64> = match question.get(Field::Context) {
        Some(_) => vec![resolved.workload.context],
        None if limit < CONTEXTS[0] => vec![limit],
        None => CONTEXTS
            .into_iter()
            .filter(|context| *context <= limit)
            .collect(),
    };
    let formats = if resolved.is_format_chosen() {
        vec![resolved.format]
    } else {
        candidates(resolved)
    };
    let mut rows: Vec<_> = formats
        .into_iter()
        .filter_map(|format| fit_row(&resolved.with_format(format), &contexts))
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.file_bytes));
    let fits = |cell: Option<&FitCell>| {
        cell.is_some_and(|cell| matches!(&*cell.verdict, "fits" | "tight"))
    };
    let best = (0..contexts.len())
        .map(|column| {
            let row = rows.iter().find(|row| fits(row.cells.get(column)))?;
            Some(row.format.clone())
        })
        .collect();
    let kv_types = compared(resolved);
    FitTable {
        kv_types: kv_types.iter().map(|kind| kind.name().to_owned()).collect(),
        best,
        hardware: resolved.machine_name(),
        count: resolved.scenario().count(),
        model: resolved.model.name.to_string(),
        kv_type: resolved.kv_type.name().to_owned(),
        contexts,
        rows,
    }
}

/// A format at each context; `None` for one that doesn't run on the device.
fn fit_row(resolved: &Resolved, contexts: &[u64]) -> Option<FitRow> {
    let mut row = FitRow {
        format: resolved.format.name(),
        engine: resolved.engine.name().to_owned(),
        file_bytes: 0,
        largest_context: None,
        largest_by_kv_type: Vec::new(),
        cells: Vec::with_capacity(contexts.len()),
    };
    for context in contexts {
        let scenario = full(resolved.scenario(), *context).check().ok()?;
        let estimate = estimate::estimate(&scenario, Calibration::priors());
        row.file_bytes = estimate.memory.file.round();
        row.largest_context = estimate.largest_context;
        row.cells.push(FitCell {
            context: *context,
            verdict: verdict(&estimate),
            total_bytes: estimate.memory.together().total().round(),
            tok_s: estimate
                .decode
                .as_ref()
                .ok()
                .map(|speed| speed.rate.typical.get()),
        });
    }
    for kv_type in compared(resolved) {
        let scenario = Scenario {
            kv_type,
            ..full(resolved.scenario(), *contexts.first()?)
        };
        let largest = scenario
            .check()
            .ok()
            .and_then(|scenario| fit::largest_context_of(&scenario));
        row.largest_by_kv_type.push(largest);
    }
    Some(row)
}

/// The types of the cache worth comparing: the one asked for, and the engine's usual smaller ones.
fn compared(resolved: &Resolved) -> Vec<KvType> {
    let mut kinds = vec![resolved.kv_type];
    kinds.extend(
        resolved
            .engine
            .kv_types()
            .iter()
            .filter(|kind| matches!(kind, KvType::Q8_0 | KvType::Q4_0 | KvType::Fp8))
            .filter(|kind| kind.bits() < resolved.kv_type.bits()),
    );
    kinds
}

/// Typical decode speed of one request at each of the values of an input; nothing where there is
/// none. `resolve` finds the names of a question.
#[must_use]
pub fn speeds(
    question: &Question,
    field: Field,
    values: &[u64],
    resolve: Resolver<'_>,
) -> Vec<Option<f64>> {
    values
        .iter()
        .map(|value| {
            let resolved = resolve(&question.clone().with(field, value.to_string())).ok()?;
            let scenario = resolved.scenario().check().ok()?;
            let estimate = estimate::estimate(&scenario, Calibration::priors());
            Some(estimate.decode.ok()?.rate.typical.get())
        })
        .collect()
}

/// The scenario with a context that its prompt and answer fill.
fn full(scenario: Scenario<'_>, context: u64) -> Scenario<'_> {
    // Slots of one cache have the context together.
    let share = if scenario.settings.unified {
        context / scenario.workload.concurrency.max(1)
    } else {
        context
    };
    let output = scenario.workload.output.min(share / 4).max(1);
    let prompt = share.saturating_sub(output).max(1);
    Scenario {
        workload: Workload {
            context,
            prompt,
            output,
            ..scenario.workload
        },
        ..scenario
    }
}

/// Every model that runs on a machine, each in the most precise format that fits.
///
/// # Errors
/// Every input that can't be used.
pub fn what_runs(question: &Question) -> Result<RunList, Vec<FieldError>> {
    let (machine, typed) = resolve_machine(question)?;
    let context = typed.context.unwrap_or(LIST_CONTEXT);
    // What makes a question impossible has nothing to do with the model, so one tells for all.
    if let Some(record) = model_db::models().first() {
        let asked = Typed {
            context: Some(context),
            ..typed.clone()
        };
        put_together(&machine, Subject::of(record), &asked)
            .scenario()
            .check()?;
    }
    let mut rows = Vec::new();
    let (mut too_large, mut too_short) = (0, 0);
    for record in model_db::models() {
        let limit = record.max_context().map_or(u64::MAX, u64::from);
        // A context that was asked for is a condition; the usual one gives way to the model's limit.
        if typed.context.is_some() && limit < context {
            too_short += 1;
            continue;
        }
        let held_to = Typed {
            context: Some(context.min(limit)),
            ..typed.clone()
        };
        let resolved = put_together(&machine, Subject::of(record), &held_to);
        let formats = if resolved.is_format_chosen() {
            vec![resolved.format]
        } else {
            ladder(&resolved)
        };
        match formats
            .into_iter()
            .find_map(|format| fitting(&resolved.with_format(format)))
        {
            Some(row) => rows.push(row),
            None => too_large += 1,
        }
    }
    rows.sort_by(|a, b| {
        b.parameters
            .cmp(&a.parameters)
            .then_with(|| a.model.cmp(&b.model))
    });
    Ok(RunList {
        hardware: machine.name(),
        count: machine.count(),
        context,
        rule: rule(too_short),
        rows,
        too_large,
    })
}

fn rule(too_short: usize) -> Text {
    let rule = "each model in the most precise format that fits with this context";
    match too_short {
        0 => format!("{rule}, or with the longest it was made for").into(),
        _ => format!("{rule}; {too_short} models were made for less and are left out").into(),
    }
}

fn fitting(resolved: &Resolved) -> Option<RunRow> {
    let scenario = resolved.scenario().check().ok()?;
    let estimate = estimate::estimate(&scenario, Calibration::priors());
    if !estimate
        .verdict
        .as_ref()
        .is_ok_and(|verdict| verdict.fits())
    {
        return None;
    }
    let parameters = resolved.architecture.parameters();
    Some(RunRow {
        model: resolved.model.id.to_string(),
        name: resolved.model.name.to_string(),
        parameters: parameters.total,
        active_parameters: parameters.active,
        format: resolved.format.name(),
        verdict: verdict(&estimate),
        total_bytes: estimate.memory.together().total().round(),
        largest_context: estimate.largest_context,
        tok_s: estimate.decode.as_ref().ok().map(|speed| Interval {
            low: speed.rate.low.get(),
            typical: speed.rate.typical.get(),
            high: speed.rate.high.get(),
        }),
        ttft_s: estimate.ttft.map(|range| range.typical.get()),
    })
}

fn verdict(estimate: &Estimate) -> Text {
    estimate
        .verdict
        .as_ref()
        .map_or("unknown", |verdict| verdict.name())
        .into()
}

/// The formats worth comparing: those people download, of the families the engine loads.
fn candidates(resolved: &Resolved) -> Vec<WeightFormat> {
    WeightFormat::all()
        .iter()
        .filter(|format| {
            let offered = is_common(**format) || published(resolved) == Some(**format);
            offered && resolved.engine.loads(format.family()) && resolved.runs(format)
        })
        .copied()
        .collect()
}

/// The quantized format the model is published in, as the engine loads it.
fn published(resolved: &Resolved) -> Option<WeightFormat> {
    let published = resolved.model.published?;
    let loads = |format: &WeightFormat| resolved.engine.loads(format.family());
    Some(published)
        .filter(loads)
        .or_else(|| published.in_gguf().filter(loads))
}

/// Formats people download, of the many there are.
const fn is_common(format: WeightFormat) -> bool {
    use GgufType as G;
    match format {
        WeightFormat::Gguf(kind, _) => matches!(
            kind,
            G::BF16 | G::Q8_0 | G::Q6_K | G::Q5_K_M | G::Q4_K_M | G::IQ4_XS | G::Q3_K_M | G::Q2_K
        ),
        WeightFormat::Fp32 | WeightFormat::Fp16 | WeightFormat::Nf4 | WeightFormat::BnbInt8 => {
            false
        }
        _ => true,
    }
}

/// Formats from the most to the least precise that a model is tried in. None is more precise than
/// the one it was published in.
pub(crate) fn ladder(resolved: &Resolved) -> Vec<WeightFormat> {
    use GgufType as G;
    let steps: Vec<WeightFormat> = match resolved.engine.memory_style() {
        MemoryStyle::LlamaCpp => [
            G::Q8_0,
            G::Q6_K,
            G::Q5_K_M,
            G::Q4_K_M,
            G::IQ4_XS,
            G::Q3_K_M,
            G::Q2_K,
        ]
        .into_iter()
        .map(WeightFormat::gguf)
        .collect(),
        MemoryStyle::Mlx => [MlxBits::Eight, MlxBits::Six, MlxBits::Four, MlxBits::Three]
            .into_iter()
            .map(WeightFormat::mlx)
            .collect(),
        MemoryStyle::Fraction if resolved.model.published.is_some() => {
            vec![WeightFormat::Fp8, WeightFormat::Awq]
        }
        MemoryStyle::Fraction => vec![WeightFormat::Bf16, WeightFormat::Fp8, WeightFormat::Awq],
        MemoryStyle::Resident => candidates(resolved),
    };
    published(resolved).into_iter().chain(steps).collect()
}
