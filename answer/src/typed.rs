//! Inputs that can be read without knowing the machine or the model.

use estimator::engine::{Backend, Engine};
use estimator::error::{Field, FieldError};
use estimator::format::WeightFormat;
use estimator::kv_cache::KvType;
use estimator::scenario::Settings;
use estimator::units::{Bytes, FlopPerSecond};

use crate::number;
use crate::question::Question;

/// More 16-bit compute than any device has, in TFLOP/s.
const MOST_TFLOPS: f64 = 100_000.0;

/// Of the other entries a name may mean, so many are listed.
const OTHERS: usize = 4;

/// What was typed into the inputs that stand by themselves; `None` where nothing was.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Typed {
    pub(crate) format: Option<WeightFormat>,
    pub(crate) engine: Option<Engine>,
    pub(crate) backend: Option<Backend>,
    pub(crate) kv_type: KvType,
    pub(crate) context: Option<u64>,
    pub(crate) prompt: Option<u64>,
    pub(crate) output: Option<u64>,
    pub(crate) concurrency: u64,
    pub(crate) settings: TypedSettings,
    pub(crate) peak: Option<FlopPerSecond>,
}

/// Settings that were typed; the rest follow the engine.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct TypedSettings {
    ubatch: Option<u64>,
    memory_fraction: Option<f64>,
    reserve: Option<Bytes>,
}

impl TypedSettings {
    /// These over an engine's own.
    pub(crate) fn over(self, defaults: Settings) -> Settings {
        Settings {
            ubatch: self.ubatch.unwrap_or(defaults.ubatch),
            memory_fraction: self.memory_fraction.unwrap_or(defaults.memory_fraction),
            reserve: self.reserve.unwrap_or(defaults.reserve),
        }
    }
}

impl Typed {
    /// Reads them; what can't be used is added to the problems and counts as left out.
    pub(crate) fn read(question: &Question, problems: &mut Vec<FieldError>) -> Self {
        let mut whole = |field| {
            let text = question.get(field)?;
            number::whole(field, text)
                .map_err(|problem| problems.push(problem))
                .ok()
        };
        let context = whole(Field::Context);
        let prompt = whole(Field::Prompt);
        let output = whole(Field::Output);
        let concurrency = whole(Field::Concurrency).unwrap_or(1);
        let ubatch = whole(Field::Ubatch);
        let peak = decimal(
            question,
            Field::PeakTflops,
            &["TFLOPS", "TFLOP/s"],
            problems,
        );
        if peak.is_some_and(|peak| peak <= 0.0 || peak > MOST_TFLOPS) {
            let text = question.get(Field::PeakTflops).unwrap_or_default();
            let allowed = format!("must be above 0 and at most {MOST_TFLOPS} TFLOP/s");
            problems.push(FieldError::new(Field::PeakTflops, text, allowed));
        }
        Self {
            format: format(question.get(Field::Format), Field::Format, problems),
            engine: engine(question, problems),
            backend: backend(question, problems),
            kv_type: kv_type(question, problems),
            context,
            prompt,
            output,
            concurrency,
            settings: TypedSettings {
                ubatch,
                memory_fraction: decimal(question, Field::MemoryFraction, &[], problems),
                reserve: decimal(question, Field::Reserve, &["GB", "GiB"], problems)
                    .map(Bytes::gib),
            },
            peak: peak.map(FlopPerSecond::tera),
        }
    }
}

/// The format of a text, if there is one.
pub(crate) fn format(
    text: Option<&str>,
    field: Field,
    problems: &mut Vec<FieldError>,
) -> Option<WeightFormat> {
    let text = text?;
    WeightFormat::parse(text)
        .map_err(|unknown| problems.push(not_found(field, text, "weight format", &unknown.nearest)))
        .ok()
}

/// The problem with a name no catalogue has.
pub(crate) fn not_found(field: Field, text: &str, what: &str, nearest: &[String]) -> FieldError {
    let error = FieldError::new(field, text, format!("unknown {what}"));
    match nearest {
        [] => error.hint(format!("the catalogue lists every {what}")),
        [only] => error.hint(format!("did you mean `{only}`?")),
        [first, ..] => error.hint(format!(
            "did you mean `{first}`? close names: {}",
            nearest.join(", ")
        )),
    }
}

/// What a name was taken for, where it may mean others as well.
pub(crate) fn taken<'a>(
    name: &str,
    id: &str,
    also: impl ExactSizeIterator<Item = &'a str>,
) -> Option<String> {
    let others = also.len();
    let mut listed: Vec<&str> = also.take(OTHERS).collect();
    let more = others.saturating_sub(listed.len());
    let more = format!("{more} more");
    if others > listed.len() {
        listed.push(&more);
    }
    (others > 0).then(|| format!("`{name}` taken for {id}; also {}", listed.join(", ")))
}

/// A typed decimal number, if any; a problem is noted.
pub(crate) fn decimal(
    question: &Question,
    field: Field,
    units: &[&str],
    problems: &mut Vec<FieldError>,
) -> Option<f64> {
    match question
        .get(field)
        .map(|text| number::decimal(field, text, units))
    {
        None => None,
        Some(Ok(value)) => Some(value),
        Some(Err(problem)) => {
            problems.push(problem);
            None
        }
    }
}

fn engine(question: &Question, problems: &mut Vec<FieldError>) -> Option<Engine> {
    let text = question.get(Field::Engine)?;
    let engine = Engine::parse(text);
    if engine.is_none() {
        let names = Engine::ALL.map(Engine::name);
        let nearest = nearest(text, &names);
        problems.push(
            FieldError::new(
                Field::Engine,
                text,
                format!("unknown engine; there are {}", names.join(", ")),
            )
            .hint(format!("did you mean `{nearest}`?")),
        );
    }
    engine
}

fn backend(question: &Question, problems: &mut Vec<FieldError>) -> Option<Backend> {
    let text = question.get(Field::Backend)?;
    let backend = Backend::parse(text);
    if backend.is_none() {
        let names = Backend::ALL.map(Backend::name);
        let nearest = nearest(text, &names);
        problems.push(
            FieldError::new(
                Field::Backend,
                text,
                format!("unknown backend; there are {}", names.join(", ")),
            )
            .hint(format!("did you mean `{nearest}`?")),
        );
    }
    backend
}

fn kv_type(question: &Question, problems: &mut Vec<FieldError>) -> KvType {
    let Some(text) = question.get(Field::KvType) else {
        return KvType::default();
    };
    KvType::parse(text).unwrap_or_else(|_| {
        let names = KvType::ALL.map(KvType::name);
        let nearest = nearest(text, &names);
        problems.push(
            FieldError::new(
                Field::KvType,
                text,
                format!("unknown KV cache type; there are {}", names.join(", ")),
            )
            .hint(format!("did you mean `{nearest}`?")),
        );
        KvType::default()
    })
}

/// How many letters of a text are compared with names: more than any name has, since comparing
/// costs their number.
const COMPARED: usize = 64;

/// The name most like a text.
pub(crate) fn nearest<'a>(text: &str, names: &[&'a str]) -> &'a str {
    let text: String = text
        .chars()
        .take(COMPARED)
        .collect::<String>()
        .to_lowercase();
    names
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(&text, a).total_cmp(&strsim::jaro_winkler(&text, b)))
        .copied()
        .unwrap_or_default()
}
