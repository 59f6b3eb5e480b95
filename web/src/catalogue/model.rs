//! A model as its page and the API show it.

use std::sync::LazyLock;

use answer::{
    facts::{self, FactSheet},
    formats,
    resolve::ModelName,
};
use estimator::{
    architecture::Architecture,
    format::{GgufType, MlxBits, WeightFormat},
    kv_cache::{self, CacheRule, KvType},
    weights::Weights,
};
use model_db::ModelRecord;
use serde::Serialize;
use utoipa::ToSchema;

/// A model in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ModelLine {
    /// The id.
    pub(crate) id: String,
    /// The name.
    pub(crate) name: String,
    /// Who made it.
    pub(crate) vendor: String,
    /// The family it belongs to.
    pub(crate) family: String,
    /// When it came out: a year, a month or a day.
    pub(crate) released: String,
    /// Weights of the text trunk, counted from the architecture.
    pub(crate) parameters: u64,
    /// Those that work on a token.
    pub(crate) active_parameters: u64,
    /// Whether it is a mixture of experts.
    pub(crate) mixture_of_experts: bool,
    /// The longest context it was made for; null when unknown.
    pub(crate) max_context: Option<u32>,
    /// Size of a `Q4_K_M` file in bytes.
    pub(crate) q4_k_m_bytes: u64,
    /// KV cache of 8,192 tokens in 16 bits, with recurrent state, in bytes.
    pub(crate) kv_cache_8k_bytes: u64,
}

/// A model with everything known of it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct ModelPage {
    /// Facts, notes and sources.
    #[serde(flatten)]
    pub(crate) sheet: FactSheet,
    /// Weights of the text trunk, counted from the architecture.
    pub(crate) parameters: u64,
    /// Those that work on a token.
    pub(crate) active_parameters: u64,
    /// Size in each format people use.
    pub(crate) sizes: Vec<Size>,
    /// KV cache by context.
    pub(crate) caches: Vec<Cache>,
}

/// Size of the weights in a format.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct Size {
    /// The format.
    pub(crate) format: String,
    /// Bytes of the weights as a file.
    pub(crate) file_bytes: u64,
    /// Bits a weight, over all of them.
    pub(crate) bits_per_weight: f64,
}

/// KV cache of a context.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct Cache {
    /// Tokens.
    pub(crate) context: u64,
    /// Bytes in 16 bits.
    pub(crate) f16_bytes: u64,
    /// Bytes in `q8_0`.
    pub(crate) q8_0_bytes: u64,
}

/// Every model, in the order of the catalogue; counted once.
pub(crate) fn lines() -> &'static [ModelLine] {
    static LINES: LazyLock<Vec<ModelLine>> = LazyLock::new(|| {
        model_db::models()
            .iter()
            .map(|model| ModelLine::of(model, &model.architecture()))
            .collect()
    });
    &LINES
}

impl ModelLine {
    fn of(model: &ModelRecord, architecture: &Architecture) -> Self {
        let parameters = architecture.parameters();
        Self {
            id: model.id.clone(),
            name: model.name.clone(),
            vendor: model.vendor.clone(),
            family: model.family.clone(),
            released: model.released.to_string(),
            parameters: parameters.total,
            active_parameters: parameters.active,
            mixture_of_experts: architecture.is_moe(),
            max_context: model.max_context(),
            q4_k_m_bytes: Weights::of(architecture, &WeightFormat::gguf(GgufType::Q4_K_M))
                .file()
                .round(),
            kv_cache_8k_bytes: cache(architecture, 8192, KvType::F16),
        }
    }
}

impl ModelPage {
    /// Everything known of a model.
    pub(crate) fn of(model: &'static ModelRecord) -> Self {
        let architecture = model.architecture();
        let limit = architecture.max_context.map_or(u64::MAX, u64::from);
        let contexts = [1024, 8192, 32_768, 131_072, 262_144, 1_048_576]
            .into_iter()
            .filter(|context| *context <= limit);
        let counted = architecture.parameters();
        Self {
            sheet: facts::model(model),
            parameters: counted.total,
            active_parameters: counted.active,
            sizes: usual_formats(ModelName::of(model).published)
                .map(|format| size(&architecture, format))
                .collect(),
            caches: contexts
                .map(|context| Cache {
                    context,
                    f16_bytes: cache(&architecture, context, KvType::F16),
                    q8_0_bytes: cache(&architecture, context, KvType::Q8_0),
                })
                .collect(),
        }
    }
}

fn cache(architecture: &Architecture, context: u64, kind: KvType) -> u64 {
    kv_cache::cache_bytes(architecture, &CacheRule::Exact, context, 1, kind)
        .total()
        .round()
}

fn size(architecture: &Architecture, format: WeightFormat) -> Size {
    let row = formats::row(architecture, format);
    Size {
        format: row.input,
        file_bytes: row.file_bytes,
        bits_per_weight: row.bits_per_weight,
    }
}

/// The format a quantized model is published in, with its GGUF, and those most people download, the
/// most precise first.
fn usual_formats(published: Option<WeightFormat>) -> impl Iterator<Item = WeightFormat> {
    use GgufType as G;
    let gguf = [
        G::Q8_0,
        G::Q6_K,
        G::Q5_K_M,
        G::Q4_K_M,
        G::IQ4_XS,
        G::Q3_K_M,
        G::Q2_K,
    ]
    .map(WeightFormat::gguf);
    let others = [
        WeightFormat::Fp8,
        WeightFormat::mlx(MlxBits::Eight),
        WeightFormat::mlx(MlxBits::Four),
        WeightFormat::Awq,
        WeightFormat::Nvfp4,
    ];
    let as_published = [published, published.and_then(WeightFormat::in_gguf)];
    let usual = [WeightFormat::Bf16].into_iter().chain(gguf).chain(others);
    as_published
        .into_iter()
        .flatten()
        .chain(usual.filter(move |format| Some(*format) != published))
}
