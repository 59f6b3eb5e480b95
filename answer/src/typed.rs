//! Inputs that can be read without knowing the machine or the model.

use estimator::engine::{Backend, Engine};
use estimator::error::{Field, FieldError};
use estimator::format::WeightFormat;
use estimator::kv_cache::KvType;
use estimator::scenario::{Settings, Split};
use estimator::units::{Bytes, BytesPerSecond, FlopPerSecond};

use crate::number;
use crate::question::Question;

/// More 16-bit compute than any device has, in TFLOP/s.
const MOST_TFLOPS: f64 = 100_000.0;

/// More than any set of disks is read at, in GB/s.
const MOST_SSD: f64 = 1000.0;

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
    pub(crate) placing: Placing,
    pub(crate) peak: Option<FlopPerSecond>,
}

/// Settings that were typed; the rest follow the engine.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct TypedSettings {
    ubatch: Option<u64>,
    memory_fraction: Option<f64>,
    reserve: Option<Bytes>,
    slots: Option<u64>,
    unified: Option<bool>,
    flash_attention: Option<bool>,
    vision: Option<bool>,
    mtp: Option<bool>,
    ssd: Option<BytesPerSecond>,
}

/// Where the user wants layers to go.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Placing {
    pub(crate) split: Option<Split>,
    pub(crate) shares: Vec<f64>,
    pub(crate) device_layers: Option<u32>,
    pub(crate) host_experts: Option<u32>,
}

impl Placing {
    fn read(question: &Question, problems: &mut Vec<FieldError>) -> Self {
        let split = question.get(Field::Split).and_then(|text| {
            let found = Split::ALL
                .into_iter()
                .find(|split| split.name().eq_ignore_ascii_case(text.trim()));
            if found.is_none() {
                let names = Split::ALL.map(Split::name).join(" or ");
                problems.push(FieldError::new(
                    Field::Split,
                    text,
                    format!("must be {names}"),
                ));
            }
            found
        });
        Self {
            split,
            shares: shares(question, problems),
            device_layers: layers(question, Field::GpuLayers, problems),
            host_experts: layers(question, Field::CpuMoe, problems),
        }
    }
}

/// Shares as llama.cpp takes them: `3,1` or `3/1`.
fn shares(question: &Question, problems: &mut Vec<FieldError>) -> Vec<f64> {
    let Some(text) = question.get(Field::TensorSplit) else {
        return Vec::new();
    };
    let shares: Result<Vec<f64>, _> = text
        .split([',', '/', ':'])
        .map(|part| part.trim().parse::<f64>())
        .collect();
    shares.unwrap_or_else(|_| {
        problems.push(
            FieldError::new(
                Field::TensorSplit,
                text,
                "must be one number for each device, with commas between",
            )
            .hint("such as `3,1` for two devices"),
        );
        Vec::new()
    })
}

/// A number of layers, or `all`.
fn layers(question: &Question, field: Field, problems: &mut Vec<FieldError>) -> Option<u32> {
    let text = question.get(field)?;
    if text.trim().eq_ignore_ascii_case("all") {
        return Some(u32::MAX);
    }
    match text.trim().parse::<u32>() {
        Ok(layers) => Some(layers),
        Err(_) => {
            problems.push(FieldError::new(
                field,
                text,
                "must be a number of layers, or `all`",
            ));
            None
        }
    }
}

/// A switch.
fn on_off(question: &Question, field: Field, problems: &mut Vec<FieldError>) -> Option<bool> {
    let text = question.get(field)?;
    match text.trim().to_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => {
            problems.push(FieldError::new(field, text, "must be on or off"));
            None
        }
    }
}

/// A disk's read rate, above 0.
fn ssd(question: &Question, problems: &mut Vec<FieldError>) -> Option<BytesPerSecond> {
    let rate = decimal(question, Field::Ssd, &["GB/s"], problems)?;
    if rate > 0.0 && rate <= MOST_SSD {
        return Some(BytesPerSecond::gb_per_s(rate));
    }
    let text = question.get(Field::Ssd).unwrap_or_default();
    let allowed = format!("must be above 0 and at most {MOST_SSD} GB/s");
    problems.push(FieldError::new(Field::Ssd, text, allowed));
    None
}

impl TypedSettings {
    /// These over an engine's own.
    pub(crate) fn over(self, defaults: Settings) -> Settings {
        Settings {
            ubatch: self.ubatch.unwrap_or(defaults.ubatch),
            memory_fraction: self.memory_fraction.unwrap_or(defaults.memory_fraction),
            reserve: self.reserve.unwrap_or(defaults.reserve),
            slots: self.slots.or(defaults.slots),
            unified: self.unified.unwrap_or(defaults.unified),
            flash_attention: self.flash_attention.unwrap_or(defaults.flash_attention),
            vision: self.vision.unwrap_or(defaults.vision),
            mtp: self.mtp.unwrap_or(defaults.mtp),
            ssd: self.ssd.or(defaults.ssd),
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
        let slots = whole(Field::Slots);
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
                slots,
                unified: on_off(question, Field::KvUnified, problems),
                flash_attention: on_off(question, Field::FlashAttention, problems),
                vision: on_off(question, Field::Vision, problems),
                mtp: on_off(question, Field::Mtp, problems),
                ssd: ssd(question, problems),
            },
            placing: Placing::read(question, problems),
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
