//! The facts of a model.

use std::collections::BTreeMap;
use std::fmt::Display;

use estimator::kv_cache::{CacheRule, KvType, cache_bytes};
use estimator::num;
use model_db::entry::{AttentionEntry, CheckEntry, FeedForwardEntry, LinearEntry, LinearKind};
use model_db::provenance::Provenance;
use model_db::{Basis, ModelRecord};

use super::{FactSheet, sheet};
use crate::text;

type Sheet<'a> = sheet::Sheet<'a, Provenance>;

/// Contexts for which the size of the cache is shown.
const CONTEXTS: [u64; 2] = [8192, 32_768];

/// All that is known of a model.
#[must_use]
pub fn model(record: &ModelRecord) -> FactSheet {
    let none = Provenance {
        figures: Vec::new(),
        unknown: Vec::new(),
        check: CheckEntry {
            total: 0,
            active: 0,
            parts: BTreeMap::new(),
        },
        notes: Vec::new(),
    };
    let provenance = model_db::provenance(&record.id).unwrap_or(&none);
    let mut sheet = Sheet::new(provenance);
    sheet.plain("about", "maker", &record.vendor);
    sheet.plain("about", "family", &record.family);
    sheet.figure("about", "released", "released", Some(record.released));
    sheet.figure("about", "licence", "license", record.license.as_ref());
    sheet.plain("about", "repository", &record.repository);
    sheet.figure(
        "about",
        "published in",
        "native_dtype",
        record.native_dtype.as_ref(),
    );
    sheet.remark(record.native_scope.as_deref());
    let limit = record.max_context().map(|limit| tokens(u64::from(limit)));
    sheet.figure("about", "longest context", "max_context", limit);
    parameters(&mut sheet, record);
    architecture(&mut sheet, record);
    cache(&mut sheet, record);
    FactSheet {
        id: record.id.clone(),
        name: record.name.clone(),
        aliases: record.aliases.clone(),
        page: format!("/models/{}", record.id),
        notes: provenance.notes.clone(),
        sources: sheet.source_lines(),
        facts: sheet.facts,
    }
}

fn tokens(count: u64) -> String {
    format!("{} tokens", text::tokens(count))
}

fn parameters(sheet: &mut Sheet<'_>, record: &ModelRecord) {
    let counted = record.architecture().parameters();
    let basis = match record.total_basis {
        Basis::Safetensors => "counted in the published checkpoint",
        Basis::Nominal => "rounded by its maker",
        Basis::Computed => "computed from the architecture",
    };
    let group = "weights";
    sheet.figure(
        group,
        "of the checkpoint",
        "parameters.total",
        Some(text::count(record.total_parameters)),
    );
    sheet.remark(Some(basis));
    sheet.known(
        group,
        "on a token, as stated",
        "parameters.active",
        record.stated_active.map(text::count),
    );
    sheet.plain(group, "of the text trunk", &text::count(counted.total));
    sheet.remark(Some("computed from the architecture"));
    if counted.active != counted.total {
        sheet.plain(group, "on a token", &text::count(counted.active));
        sheet.remark(Some("computed from the architecture"));
    }
    for (part, weights) in counted.by_part.iter() {
        sheet.plain(group, part.name(), &text::count(weights));
    }
    let some = |count: u64| (count > 0).then(|| text::count(count));
    sheet.known(
        group,
        "of vision and audio towers",
        "parameters.vision",
        some(record.vision_parameters),
    );
    sheet.known(
        group,
        "of multi-token prediction",
        "parameters.mtp",
        some(record.mtp_parameters),
    );
    let layers = some(u64::from(record.mtp_layers));
    sheet.known(
        group,
        "layers of multi-token prediction",
        "parameters.mtp_layers",
        layers,
    );
}

fn architecture(sheet: &mut Sheet<'_>, record: &ModelRecord) {
    let entry = record.described();
    let layers = record.architecture().layer_count();
    let mut add = |what: &str, value: &dyn Display| {
        sheet.known("architecture", what, "architecture", Some(value))
    };
    add("type in its config", &entry.family);
    add("width", &text::count(u64::from(entry.hidden)));
    add("vocabulary", &text::count(u64::from(entry.vocabulary)));
    add(
        "output head",
        &if entry.tied_embeddings {
            "the token embedding"
        } else {
            "its own"
        },
    );
    add("layers", &format!("{layers}: {}", entry.layout));
    for (name, attention) in &entry.attention {
        add(&format!("attention `{name}`"), &described(attention));
    }
    for (name, linear) in &entry.linear {
        add(&format!("mixer `{name}`"), &mixer(linear));
    }
    for (name, feed_forward) in &entry.feed_forward {
        add(&format!("feed-forward `{name}`"), &feed(feed_forward));
    }
    if let Some(repeated) = entry.repeated {
        let (first, last) = (repeated.first, repeated.last);
        add(
            "repeated",
            &format!(
                "layers {first} to {last} are passed {} times",
                repeated.passes
            ),
        );
    }
}

fn described(attention: &AttentionEntry) -> String {
    let mut parts = vec![format!("{} heads", attention.heads)];
    if let Some(latent) = attention.latent {
        parts.push(format!(
            "latent (MLA) of {} + {} for rope",
            latent.kv_rank, latent.rope
        ));
    } else if let Some(vector) = attention.shared_vector {
        parts.push(format!("one shared vector of {}", vector.width));
    } else {
        parts.push(format!(
            "{} KV heads of width {}",
            attention.kv_heads, attention.head_dim
        ));
        if let Some(width) = attention
            .v_head_dim
            .filter(|width| *width != attention.head_dim)
        {
            parts.push(format!("values of width {width}"));
        }
    }
    if let Some(window) = attention.window {
        parts.push(format!("sliding window of {}", tokens(u64::from(window))));
    }
    if let Some(chunk) = attention.chunk {
        parts.push(format!("in chunks of {}", tokens(u64::from(chunk))));
    }
    if let Some(compress) = attention.compress {
        let window = tokens(u64::from(compress.window));
        parts.push(format!(
            "window of {window}, before it one entry for {} tokens",
            compress.rate
        ));
    }
    if let Some(indexer) = attention.indexer {
        parts.push(format!(
            "sparse: looks at {}",
            tokens(u64::from(indexer.topk))
        ));
    }
    if attention.k_equals_v {
        parts.push("values are the keys".to_owned());
    }
    if attention.shares_cache {
        parts.push("reads an earlier layer's cache".to_owned());
    }
    if attention.cross {
        parts.push("attends to an image".to_owned());
    }
    parts.join(", ")
}

fn mixer(linear: &LinearEntry) -> String {
    match linear.kind {
        LinearKind::GatedDeltanet => format!(
            "Gated DeltaNet, {} heads of v, {} of k",
            linear.v_heads, linear.k_heads
        ),
        LinearKind::Kda => format!(
            "Kimi Delta Attention, {} heads of width {}",
            linear.heads, linear.head_dim
        ),
        LinearKind::Lightning => format!(
            "lightning attention, {} heads of width {}",
            linear.heads, linear.head_dim
        ),
        LinearKind::Mamba1 => format!(
            "Mamba, {} channels with a state of {}",
            linear.inner, linear.state
        ),
        LinearKind::Mamba2 => {
            format!(
                "Mamba-2, {} heads of width {}, state of {}",
                linear.heads, linear.head_dim, linear.state
            )
        }
        LinearKind::ShortConv => format!(
            "short convolution of {} over {} channels",
            linear.kernel, linear.channels
        ),
    }
}

fn feed(feed_forward: &FeedForwardEntry) -> String {
    let width = text::count(u64::from(feed_forward.width));
    if feed_forward.experts == 0 {
        return format!("width {width}");
    }
    let shared = match feed_forward.shared {
        0 => String::new(),
        shared => format!(", shared width {}", text::count(u64::from(shared))),
    };
    format!(
        "{} experts of width {width}, {} a token{shared}",
        feed_forward.experts, feed_forward.active
    )
}

/// What a sequence keeps, by the formula alone.
fn cache(sheet: &mut Sheet<'_>, record: &ModelRecord) {
    let architecture = record.architecture();
    for context in CONTEXTS {
        if record
            .max_context()
            .is_some_and(|limit| context > u64::from(limit))
        {
            continue;
        }
        let bytes = cache_bytes(&architecture, &CacheRule::Exact, context, 1, KvType::F16).total();
        let what = format!("{} in f16", tokens(context));
        sheet.plain("KV cache", &what, &text::memory(num::f(bytes.round())));
        sheet.remark(Some("computed from the architecture"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_every_model_is_shown_with_its_sources() {
        for record in model_db::models() {
            let sheet = model(record);
            let provenance = model_db::provenance(&record.id).unwrap();
            for (key, _) in &provenance.figures {
                let key = model_db::key(*key);
                let fact = sheet.facts.iter().find(|fact| fact.key == key);
                let fact = fact.unwrap_or_else(|| panic!("{}: `{key}` is not shown", record.id));
                assert!(!fact.sources.is_empty(), "{}: {key}", record.id);
            }
            for (key, why) in &provenance.unknown {
                let key = model_db::key(*key);
                let said = sheet
                    .facts
                    .iter()
                    .any(|fact| fact.key == key && fact.note.as_deref() == Some(why));
                assert!(
                    said,
                    "{}: `{key}` is unknown and that is not said",
                    record.id
                );
            }
        }
    }
}
