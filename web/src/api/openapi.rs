//! The OpenAPI document, made from the types.

use answer::{Field, formats};
use axum::Json;
use utoipa::{
    IntoParams, OpenApi,
    openapi::{
        RefOr, Required,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::{ObjectBuilder, Schema, Type},
    },
};

/// Everything the API answers.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Bandwise",
        description = "Does a model fit some hardware, how fast is it, and why. The same answers as the command line and the pages give.",
        license(name = "MIT OR Apache-2.0")
    ),
    paths(
        super::estimate,
        super::flags,
        super::tables::fit,
        super::tables::what_runs,
        super::tables::formats,
        super::catalogue::hardware,
        super::catalogue::device,
        super::catalogue::models,
        super::catalogue::model,
    )
)]
struct Api;

/// `GET /api/openapi.json`.
pub(super) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Api::openapi())
}

/// The parameters of an estimate: one for each [`Field`].
pub(super) struct EstimateQuery;

impl IntoParams for EstimateQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        Field::ALL.into_iter().map(parameter).collect()
    }
}

/// The parameters of a list of formats.
pub(super) struct FormatsQuery;

impl IntoParams for FormatsQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        formats::INPUTS
            .into_iter()
            .map(|name| match name {
                "model" => text(name, about(Field::Model), true),
                "family" => text(
                    name,
                    "Family of formats, such as gguf or mlx, or `all`",
                    false,
                ),
                _ => text(name, about(Field::Format), false),
            })
            .collect()
    }
}

fn parameter(field: Field) -> Parameter {
    let needed = matches!(field, Field::Hardware | Field::Model);
    text(field.name(), about(field), needed)
}

fn text(name: &str, about: &str, needed: bool) -> Parameter {
    let text = Schema::Object(ObjectBuilder::new().schema_type(Type::String).build());
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(if needed {
            Required::True
        } else {
            Required::False
        })
        .description(Some(about))
        .schema(Some(RefOr::T(text)))
        .build()
}

/// What goes into an input.
pub(crate) const fn about(field: Field) -> &'static str {
    match field {
        Field::Hardware => "Device: its id or a name people use; different ones joined by a plus",
        Field::Count => "How many devices share the model; 1 if left out",
        Field::Memory => "Memory size in GB as sold, for a device sold with several",
        Field::MemoryOption => "Kind of memory, for a device sold with several",
        Field::Power => "Power limit in watts, where makers choose one",
        Field::Macos => "macOS version, which decides the GPU's share of memory",
        Field::System => "Operating system, which decides how much of shared memory a GPU gets",
        Field::MemoryFraction => "Share of the memory the engine may take, 0 to 1",
        Field::Reserve => "Memory in GB that something else holds on the device",
        Field::Ram => "RAM of the host in GB",
        Field::Host => "CPU platform of the host: its id or name",
        Field::Model => "Model: its id or a name people use",
        Field::Format => "Weight format, such as Q4_K_M, mlx-4bit or fp8",
        Field::KvType => "Number type of the KV cache, such as f16 or q8_0",
        Field::Engine => "Engine, such as llama.cpp or vllm",
        Field::Backend => "What the engine drives the device with, such as cuda or vulkan",
        Field::Context => "Tokens of context for each request, such as 8192 or 32K",
        Field::Prompt => "Tokens of the prompt",
        Field::Output => "Tokens of the answer",
        Field::Concurrency => "Requests at once",
        Field::Ubatch => "Tokens a prefill step works on",
        Field::Ssd => "Read rate of the disk in GB/s, for weights that find no room in RAM",
        Field::Split => "How several devices share the model: `layer` or `tensor`",
        Field::TensorSplit => "Shares of the layers, one for each device, such as 3,1",
        Field::GpuLayers => "Layers to keep on the devices, or `all`; as many as fit if left out",
        Field::CpuMoe => {
            "Layers whose experts stay in the host's RAM, or `all`; as few as fit if left out"
        }
        Field::Slots => "Slots of the server; one for each request if left out",
        Field::KvUnified => "Whether all slots share one cache: `on` or `off`",
        Field::FlashAttention => "Flash attention: `on` or `off`",
        Field::Vision => "Whether the vision tower is loaded: `on` or `off`",
        Field::Mtp => "Whether the layers for multi-token prediction are loaded: `on` or `off`",
        Field::PeakTflops => "FP16 peak in TFLOP/s, for a device without a published one",
    }
}
