//! How the weights of a checkpoint are stored, as its config says.

use estimator::format::WeightFormat;

use super::fields::Fields;
use crate::error::ReadError;
use crate::json::{Json, shorten};

/// The format, and what is to be said of it.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) format: Option<WeightFormat>,
    pub(super) assumed: Vec<String>,
}

impl Stored {
    fn named(name: &str) -> Self {
        Self {
            format: WeightFormat::parse(name).ok(),
            assumed: Vec::new(),
        }
    }

    fn but(mut self, assumed: Option<String>) -> Self {
        self.assumed.extend(assumed);
        self
    }

    fn unknown(key: &str, value: &str) -> Self {
        Self {
            format: None,
            assumed: vec![format!(
                "`{key}` is `{}`, a quantization that is not known here: name a format",
                shorten(value)
            )],
        }
    }
}

/// What a config says, in its text part or as a whole.
pub(super) fn read(text: &Fields<'_>, whole: &Fields<'_>) -> Result<Stored, ReadError> {
    for fields in [text, whole] {
        if let Some(quantized) = fields.child("quantization_config")?
            && quantized.get("quant_method").is_some()
        {
            return method(&quantized);
        }
        for key in ["quantization", "quantization_config"] {
            if let Some(mlx) = fields.child(key)?
                && mlx.get("group_size").is_some()
            {
                return self::mlx(&mlx);
            }
        }
    }
    for fields in [text, whole] {
        for key in ["dtype", "torch_dtype"] {
            if let Some(dtype) = fields.text(key)? {
                return Ok(match dtype {
                    "bfloat16" => Stored::named("bf16"),
                    "float16" => Stored::named("fp16"),
                    "float32" => Stored::named("fp32"),
                    other => Stored::unknown(&fields.name(key), other),
                });
            }
        }
    }
    Ok(Stored::default())
}

/// MLX: bits and group, as `mlx_lm.convert` writes them.
fn mlx(fields: &Fields<'_>) -> Result<Stored, ReadError> {
    let mode = fields.text("mode")?.unwrap_or("affine");
    let bits = fields.need(&["bits"])?;
    let group = fields.need(&["group_size"])?;
    let name = match mode {
        "affine" if group == 64 => format!("mlx-{bits}bit"),
        "affine" => format!("mlx-{bits}bit-g{group}"),
        other => format!("mlx-{other}"),
    };
    let stored = Stored::named(&name);
    if stored.format.is_none() {
        return Ok(Stored::unknown(&fields.name("mode"), &name));
    }
    let own = ["group_size", "bits", "mode", "quant_method"];
    let mixed = fields
        .keys()
        .any(|key| !own.contains(&key) && matches!(fields.get(key), Some(Json::Map(_))));
    Ok(stored.but(mixed.then(|| {
        format!("some modules are quantized in their own way; all are counted as {name}")
    })))
}

/// By `quant_method`.
fn method(fields: &Fields<'_>) -> Result<Stored, ReadError> {
    let method = fields.text("quant_method")?.unwrap_or_default();
    let key = fields.name("quant_method");
    Ok(match method {
        "awq" => integers(fields, "awq", &[4])?,
        "gptq" => integers(fields, "gptq", &[4, 8])?,
        "fp8" | "fbgemm_fp8" => Stored::named(if fields.get("weight_block_size").is_some() {
            "fp8-block"
        } else {
            "fp8"
        }),
        "mxfp4" => Stored::named("mxfp4"),
        "compressed-tensors" => compressed(fields)?,
        "modelopt" | "modelopt_fp4" => modelopt(fields)?,
        "bitsandbytes" => {
            let four = fields.flag(&["load_in_4bit", "_load_in_4bit"])?;
            let eight = fields.flag(&["load_in_8bit", "_load_in_8bit"])?;
            match (four, eight) {
                (Some(true), _) => Stored::named("bnb-4bit"),
                (_, Some(true)) => Stored::named("bnb-8bit"),
                _ => Stored::unknown(&key, "bitsandbytes without bits"),
            }
        }
        "exl2" | "exl3" => {
            let bits = match fields.get("bits") {
                Some(Json::Float(bits)) => format!("{bits:.2}"),
                Some(Json::Whole(bits)) => bits.to_string(),
                _ => String::new(),
            };
            let stored = Stored::named(&format!("{method}-{bits}"));
            if stored.format.is_some() {
                stored
            } else {
                Stored::unknown(&fields.name("bits"), &bits)
            }
        }
        other => Stored::unknown(&key, other),
    })
}

/// AWQ and GPTQ, whose sizes are known in groups of 128.
fn integers(fields: &Fields<'_>, name: &str, known: &[u32]) -> Result<Stored, ReadError> {
    let bits = fields.number(&["bits", "w_bit"])?.unwrap_or(4);
    if !known.contains(&bits) {
        return Ok(Stored::unknown(&fields.name("bits"), &bits.to_string()));
    }
    let group = match fields.get("group_size") {
        Some(Json::Negative(-1)) => None,
        _ => fields.number(&["group_size", "q_group_size"])?,
    };
    let assumed = match group {
        Some(128) => None,
        Some(group) => Some(format!(
            "`{}` is `{group}`: sizes are those of groups of 128",
            fields.name("group_size")
        )),
        None => Some("each row is one group: sizes are those of groups of 128".to_owned()),
    };
    Ok(Stored::named(&format!("{name}-{bits}bit")).but(assumed))
}

/// compressed-tensors, by the weights of its first group.
fn compressed(fields: &Fields<'_>) -> Result<Stored, ReadError> {
    let unknown = |value: &str| Ok(Stored::unknown(&fields.name("format"), value));
    let format = fields.text("format")?.unwrap_or_default();
    let Some(groups) = fields.child("config_groups")? else {
        return unknown(format);
    };
    let mut weights = None;
    let mut kinds = 0_u32;
    for key in groups.keys() {
        let found = match groups.child(key)? {
            Some(group) => group.child("weights")?,
            None => None,
        };
        if let Some(found) = found {
            kinds = kinds.saturating_add(1);
            weights = weights.or(Some(found));
        }
    }
    let Some(weights) = weights else {
        return unknown(format);
    };
    let bits = weights.need(&["num_bits"])?;
    let kind = weights.text("type")?.unwrap_or("int");
    let strategy = weights.text("strategy")?.unwrap_or_default();
    let name = match (kind, bits) {
        ("float", 8) if strategy == "block" => "fp8-block",
        ("float", 8) => "fp8",
        ("float", 4) if format.starts_with("mxfp4") => "mxfp4",
        ("float", 4) => "nvfp4",
        ("int", 8) => "int8",
        ("int", 4) => "int4",
        _ => return unknown(&format!("{bits}-bit {kind}")),
    };
    Ok(Stored::named(name).but(
        (kinds > 1)
            .then(|| format!("weights are quantized in {kinds} ways; all are counted as {name}")),
    ))
}

/// NVIDIA's ModelOpt.
pub(super) fn modelopt(fields: &Fields<'_>) -> Result<Stored, ReadError> {
    // older ones keep it one level deeper, as `hf_quant_config.json` does
    let inner = fields.child("quantization")?;
    let fields = inner.as_ref().unwrap_or(fields);
    let algorithm = fields.text("quant_algo")?.unwrap_or_default();
    Ok(match algorithm {
        "NVFP4" | "W4A16_NVFP4" | "NVFP4_AWQ" => Stored::named("nvfp4"),
        "FP8" | "FP8_PER_CHANNEL_PER_TOKEN" => Stored::named("fp8"),
        "FP8_PB_WO" => Stored::named("fp8-block"),
        "MXFP4" => Stored::named("mxfp4"),
        other => Stored::unknown(&fields.name("quant_algo"), other),
    })
}
