//! To which part of a model a tensor of a checkpoint belongs, by its name in transformers.

use estimator::architecture::{Architecture, Layer, Part};

/// Where a tensor belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A part of the text trunk, in a layer or outside.
    Trunk(Part, Option<u32>),
    /// Layers for multi-token prediction.
    Mtp,
    /// Towers for images and sound.
    Tower,
}

/// What names of towers' tensors contain.
const TOWERS: [&str; 12] = [
    "vision_",
    "visual.",
    "vision.",
    "image_",
    "audio_",
    "embed_vision",
    "embed_audio",
    "mm_projector",
    "multi_modal_projector",
    "mm_input_projection",
    "patch_merger",
    "vit.",
];

/// Where a tensor of this name belongs in a model.
pub(super) fn place(name: &str, architecture: &Architecture) -> Place {
    if TOWERS.iter().any(|tower| name.contains(tower)) {
        return Place::Tower;
    }
    let segments: Vec<&str> = name.split('.').collect();
    if segments.iter().any(|segment| segment.starts_with("mtp")) {
        return Place::Mtp;
    }
    let numbered = segments
        .windows(2)
        .enumerate()
        .find_map(|(at, pair)| match pair {
            ["layers" | "h" | "blocks" | "block" | "layer", number] => {
                number.parse::<u32>().ok().map(|number| (at, number))
            }
            _ => None,
        });
    match numbered {
        Some((_, number)) if number >= architecture.layer_count() => Place::Mtp,
        Some((at, number)) => {
            let rest = segments.get(at.saturating_add(2)..).unwrap_or_default();
            let part = within(rest, architecture.layer(number));
            Place::Trunk(part, Some(number))
        }
        None => Place::Trunk(outside(name), None),
    }
}

fn outside(name: &str) -> Part {
    let has = |part: &str| name.contains(part);
    if has("per_layer") {
        if has("embed_tokens_per_layer") {
            Part::Lookup
        } else {
            Part::Other
        }
    } else if has("lm_head") || has("embed_out") {
        Part::Output
    } else if has("norm") || has("ln_f") {
        Part::Norm
    } else if has("embed") || has("wte") || has("wpe") {
        Part::Embedding
    } else {
        Part::Other
    }
}

/// By what follows a layer's number.
fn within(segments: &[&str], layer: Option<&Layer>) -> Part {
    let is = |wanted: &[&str]| segments.iter().any(|segment| wanted.contains(segment));
    let begins = |wanted: &str| segments.iter().any(|segment| segment.starts_with(wanted));
    if begins("shared_expert") || begins("share_expert") || is(&["shared_mlp"]) {
        return Part::Shared;
    }
    if begins("fc1_latent") || begins("fc2_latent") {
        return Part::Shared;
    }
    if begins("experts") || is(&["input_linear", "output_linear"]) {
        return Part::Experts;
    }
    if is(&["gate", "router", "expert_bias"]) && layer.is_some_and(|layer| layer.experts.is_some())
    {
        return Part::Router;
    }
    if is(&["indexer"]) {
        return Part::Indexer;
    }
    let norm = segments
        .first()
        .is_some_and(|first| first.contains("norm") || first.starts_with("ln_"));
    if norm {
        return Part::Norm;
    }
    let linear = ["linear_attn", "mamba", "conv", "ssm", "short_conv"];
    if is(&linear) {
        return Part::Linear;
    }
    // Nemotron-H calls whatever a layer has its mixer
    if is(&["mixer"]) {
        return match layer {
            Some(layer) if layer.linear.is_some() => Part::Linear,
            Some(layer) if layer.attention.is_some() => Part::Attention,
            _ => Part::Dense,
        };
    }
    if is(&[
        "self_attn",
        "attn",
        "attention",
        "self_attention",
        "cross_attn",
    ]) {
        let only_linear =
            layer.is_some_and(|layer| layer.attention.is_none() && layer.linear.is_some());
        return if only_linear {
            Part::Linear
        } else {
            Part::Attention
        };
    }
    if is(&[
        "mlp",
        "feed_forward",
        "ffn",
        "fc1",
        "fc2",
        "block_sparse_moe",
    ]) {
        return Part::Dense;
    }
    Part::Other
}
