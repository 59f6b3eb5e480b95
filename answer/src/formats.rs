//! The formats a model's weights come in, and what each takes: the file, its tensors, their types.

use std::collections::BTreeMap;

use estimator::architecture::Architecture;
use estimator::error::{Field, FieldError};
use estimator::format::{Extra, FormatFamily, Imatrix, Spread, WeightFormat};
use estimator::num;
use estimator::weights::{Share, Weights};
use model_db::ModelRecord;
use model_file::OwnModel;
use serde::{Deserialize, Serialize};

use crate::answer::Text;
use crate::problem::Problem;
use crate::subject;
use crate::typed::{self, not_found};

/// What a model's weights take in each format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatList {
    /// Id of the model; empty for one of the user's own.
    pub model: String,
    /// Its name.
    pub name: String,
    /// Weights of the text trunk.
    pub parameters: u64,
    /// Formats, by family, in each from the largest to the smallest by its bits.
    pub formats: Vec<FormatRow>,
}

/// A model's weights in a format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatRow {
    /// The format: of a GGUF the name that files carry.
    pub format: String,
    /// What to give as `format` for it.
    pub input: String,
    /// The family of formats: `gguf`, `mlx`, `fp8`, …
    pub family: String,
    /// Size of the file: tensors, and in a GGUF their padding and the header with the tokenizer.
    pub file_bytes: u64,
    /// Bytes of the tensors alone.
    pub tensor_bytes: u64,
    /// Of these, what it takes to run the model.
    pub resident_bytes: u64,
    /// Of these, layers for multi-token prediction, which speed decode up where the engine uses them.
    /// Files made without them are smaller by so much.
    pub prediction_bytes: u64,
    /// Bytes of the tensors by the type they are stored in.
    pub bytes_by_type: BTreeMap<String, u64>,
    /// Bits a weight on average, over all tensors.
    pub bits_per_weight: f64,
    /// How far published files of the name lie from this, where the name has no rule; null where it has.
    pub approximation: Option<Approximation>,
}

/// What a size that has no rule rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Approximation {
    /// The largest miss over the files looked at, in percent of the size.
    pub percent: f64,
    /// How many published files that is over; 0 when none of such a model is known.
    pub files: u16,
    /// What to mind, in words.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub remark: Text,
}

/// What to list, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked<'a> {
    /// The model; a format behind its name counts as `format`.
    pub model: Option<&'a str>,
    /// A family, or `all`; GGUF when nothing is typed.
    pub family: Option<&'a str>,
    /// One format alone.
    pub format: Option<&'a str>,
}

/// Names of the inputs, in the order of [`Asked`].
pub const INPUTS: [&str; 3] = ["model", "family", "format"];

impl<'a> Asked<'a> {
    /// What the pairs of a query string ask for.
    ///
    /// # Errors
    /// Each name that is no input.
    fn from_pairs<K: AsRef<str>>(
        pairs: impl IntoIterator<Item = (K, &'a str)>,
    ) -> Result<Self, Vec<Problem>> {
        let mut asked = Self::default();
        let mut problems = Vec::new();
        for (name, value) in pairs {
            let value = Some(value).filter(|value| !value.trim().is_empty());
            match name.as_ref() {
                "model" => asked.model = value,
                "family" => asked.family = value,
                "format" => asked.format = value,
                other => problems.push(Problem {
                    field: other.to_owned().into(),
                    value: String::new(),
                    problem: "is no parameter".to_owned(),
                    hint: Some(format!(
                        "did you mean `{}`?",
                        typed::nearest(other, &INPUTS)
                    )),
                }),
            }
        }
        if problems.is_empty() {
            Ok(asked)
        } else {
            Err(problems)
        }
    }
}

/// What the query string of an address asks for.
///
/// # Errors
/// Every input that can't be used, and every one there isn't.
pub fn from_query(query: &str) -> Result<FormatList, Vec<Problem>> {
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let pairs = pairs.iter().map(|(name, value)| (name, value.as_ref()));
    formats(&Asked::from_pairs(pairs)?)
}

/// What a model's weights take in each format asked for.
///
/// # Errors
/// Every input that can't be used.
pub fn formats(asked: &Asked<'_>) -> Result<FormatList, Vec<Problem>> {
    let mut fields: Vec<FieldError> = Vec::new();
    let found = match asked.model {
        Some(text) => model_db::find_with_rest(text)
            .map_err(|unknown| {
                fields.push(not_found(Field::Model, text, "model", &unknown.nearest));
            })
            .ok(),
        None => {
            let missing = FieldError::new(Field::Model, "", "is missing");
            fields.push(missing.hint("such as `llama-3.1-8b`"));
            None
        }
    };
    let rest = found.as_ref().map_or("", |found| found.rest);
    let format = asked
        .format
        .or_else(|| Some(rest).filter(|rest| !rest.is_empty()));
    let only = typed::format(format, Field::Format, &mut fields);
    let mut problems: Vec<Problem> = fields.iter().map(Problem::from).collect();
    let listed = listed(asked.family, only).map_err(|problem| problems.push(problem));
    match (found, listed) {
        (Some(found), Ok(mut listed)) if problems.is_empty() => {
            let experts = found.entry.architecture().is_moe();
            listed.retain(|format| Some(*format) == only || seen(*format, experts));
            Ok(of(found.entry, &listed))
        }
        _ => Err(problems),
    }
}

/// What a model of the user's own takes in each format asked for, by the rules of the formats.
///
/// # Errors
/// Every input that can't be used; a name of a model beside the file, too.
pub fn formats_own(own: &OwnModel, asked: &Asked<'_>) -> Result<FormatList, Vec<Problem>> {
    let mut fields: Vec<FieldError> = Vec::new();
    fields.extend(asked.model.map(subject::beside_a_file));
    let only = typed::format(asked.format, Field::Format, &mut fields);
    let mut problems: Vec<Problem> = fields.iter().map(Problem::from).collect();
    let listed = listed(asked.family, only).map_err(|problem| problems.push(problem));
    match listed {
        Ok(mut listed) if problems.is_empty() => {
            let architecture = &own.architecture;
            listed.retain(|format| Some(*format) == only || seen(*format, architecture.is_moe()));
            Ok(FormatList {
                model: String::new(),
                name: own.name.clone(),
                parameters: architecture.parameters().total,
                formats: listed
                    .iter()
                    .map(|format| row(architecture, *format))
                    .collect(),
            })
        }
        _ => Err(problems),
    }
}

/// Whether the format has a rule, or files of such models that its size rests on.
fn seen(format: WeightFormat, experts: bool) -> bool {
    format.spread(experts).is_none_or(|spread| spread.files > 0)
}

/// A model's weights in these formats.
#[must_use]
pub fn of(record: &ModelRecord, formats: &[WeightFormat]) -> FormatList {
    let architecture = record.architecture();
    FormatList {
        model: record.id.clone(),
        name: record.name.clone(),
        parameters: architecture.parameters().total,
        formats: formats
            .iter()
            .map(|format| row(&architecture, *format))
            .collect(),
    }
}

/// A model's weights in one format.
#[must_use]
pub fn row(architecture: &Architecture, format: WeightFormat) -> FormatRow {
    let weights = Weights::of(architecture, &format);
    let extra = Extra::of(architecture, format);
    let mut all = Share::default();
    let mut bytes_by_type = BTreeMap::new();
    for (encoding, share) in weights.encodings().chain(extra.encodings.iter().copied()) {
        all.count(share);
        let sum = bytes_by_type.entry(encoding.to_string()).or_insert(0_u64);
        *sum = sum.saturating_add(share.bytes);
    }
    FormatRow {
        format: match format {
            WeightFormat::Gguf(kind, Imatrix::Without) => kind.name().to_owned(),
            other => other.name(),
        },
        input: format.name(),
        family: format.family().key().to_owned(),
        file_bytes: weights.file().round(),
        tensor_bytes: all.bytes,
        resident_bytes: weights.total().bytes,
        prediction_bytes: extra.prediction.bytes,
        bytes_by_type,
        bits_per_weight: num::f(all.bytes) * 8.0 / num::f(all.elements.max(1)),
        approximation: format
            .spread(architecture.is_moe())
            .map(|spread| approximation(format, spread)),
    }
}

/// What a size that has no rule rests on, with words for it.
fn approximation(format: WeightFormat, spread: Spread) -> Approximation {
    let percent = spread.percent();
    let mut remark = match spread.files {
        0 => "the name has no rule, and no published file of such a model was looked at".to_owned(),
        1 => format!("the name has no rule; within {percent:.1} % of one published file"),
        files => format!("the name has no rule; within {percent:.1} % of {files} published files"),
    };
    if matches!(format, WeightFormat::Named(named) if named.needs_ik_llama()) {
        remark.push_str("; only ik_llama.cpp loads it");
    }
    Approximation {
        percent,
        files: spread.files,
        remark: remark.into(),
    }
}

/// The formats of a family, of all, or the one.
fn listed(family: Option<&str>, only: Option<WeightFormat>) -> Result<Vec<WeightFormat>, Problem> {
    let wanted = match family.map(str::trim) {
        None if only.is_some() => None,
        None => Some(FormatFamily::Gguf),
        Some(text) if text.eq_ignore_ascii_case("all") => None,
        Some(text) => Some(FormatFamily::parse(text).ok_or_else(|| unknown_family(text))?),
    };
    Ok(every()
        .filter(|format| only.is_none_or(|only| only == *format))
        .chain(only)
        .filter(|format| wanted.is_none_or(|family| format.family() == family))
        .fold(Vec::new(), |mut list, format| {
            if !list.contains(&format) {
                list.push(format);
            }
            list
        }))
}

/// Every format there is, where an importance matrix changes the types once with and once without.
fn every() -> impl Iterator<Item = WeightFormat> {
    let menus = WeightFormat::all().iter().flat_map(|format| {
        let with = match format {
            WeightFormat::Gguf(kind, Imatrix::Without) if kind.depends_on_imatrix() => {
                Some(WeightFormat::Gguf(*kind, Imatrix::With))
            }
            _ => None,
        };
        [Some(*format), with].into_iter().flatten()
    });
    menus.chain(WeightFormat::named())
}

fn unknown_family(text: &str) -> Problem {
    let keys = FormatFamily::ALL.map(FormatFamily::key);
    Problem {
        field: "family".into(),
        value: text.to_owned(),
        problem: format!("unknown family; there are all, {}", keys.join(", ")),
        hint: Some(format!("did you mean `{}`?", typed::nearest(text, &keys))),
    }
}
