//! ExLlamaV2 and V3 in their server, TabbyAPI.
//!
//! `theroyallab/tabbyAPI`, `config_sample.yml`. Its main branch runs ExLlamaV3 alone; the branch
//! `exl2-checkpoint` has the last version with ExLlamaV2 (README, 2026).

use estimator::engine::Engine;
use estimator::kv_cache::KvType;
use estimator::num;
use estimator::units::Bytes;

use super::line::{Line, Sheet};
use super::set_up::SetUp;

/// What stands for the folder with the weights.
const MODEL: &str = "MODEL";
/// The cache is a multiple of so many tokens.
const PAGE: u64 = 256;
/// A gibibyte, in which `gpu_split` counts.
const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let third = set_up.resolved.engine == Engine::ExLlamaV3;
    let config = config(set_up, third, &mut sheet);
    sheet.file("config.yml", config);
    sheet.command(
        "serve",
        "Start the server, in TabbyAPI's folder",
        Line::new(&["python", "main.py"]),
    );
    set_up.explain_stand_in(
        &mut sheet,
        MODEL,
        "the folder below `models` with the weights",
    );
    if !third {
        sheet
            .warn("TabbyAPI's main branch runs ExLlamaV3 alone: take the branch `exl2-checkpoint`");
    }
    if set_up.is_tensor_parallel() {
        sheet.warn("not every architecture can be run tensor parallel");
    }
    if set_up.settings().mtp && !third {
        sheet.warn("ExLlamaV2 has no multi-token prediction");
    }
    sheet
}

fn config(set_up: &SetUp<'_>, third: bool, sheet: &mut Sheet) -> String {
    let settings = set_up.settings();
    let mut model = vec![
        (
            "backend",
            set_up.resolved.engine.name().to_owned(),
            "the engine",
        ),
        (
            "max_seq_len",
            set_up.workload().context.to_string(),
            "tokens of context of a request",
        ),
        (
            "cache_size",
            num::round_up(set_up.whole_context(), PAGE).to_string(),
            "tokens of all requests together, in whole pages of 256",
        ),
        (
            "cache_mode",
            cache_mode(set_up.kv_type(), third).to_owned(),
            "number type of the cache",
        ),
        (
            "chunk_size",
            settings.ubatch.to_string(),
            "tokens of a prefill step",
        ),
        (
            "max_batch_size",
            set_up.slots().to_string(),
            "requests that run at once",
        ),
        (
            "vision",
            (settings.vision && set_up.has_vision()).to_string(),
            "whether the vision tower is loaded",
        ),
    ];
    if set_up.count() > 1 {
        let sizes: Vec<_> = set_up
            .memory
            .devices
            .iter()
            .map(|device| tenths(device.holding.total()))
            .collect();
        model.push((
            "tensor_parallel",
            set_up.is_tensor_parallel().to_string(),
            "whether each GPU holds a part of every layer",
        ));
        model.push(("gpu_split_auto", "false".to_owned(), "shares as given"));
        model.push((
            "gpu_split",
            format!("[{}]", sizes.join(", ")),
            "GiB of each GPU, as the estimate has them",
        ));
    }
    let mut text = format!("model:\n  model_dir: models\n  model_name: {MODEL}\n");
    for (name, value, why) in model {
        text.push_str(&format!("  {name}: {value}\n"));
        sheet.note(format!("{name}: {value}"), why);
    }
    if settings.mtp && third {
        text.push_str("draft_model:\n  draft_mode: mtp\n");
        sheet.note(
            "draft_mode: mtp",
            "the layers for multi-token prediction draft ahead",
        );
    }
    text
}

const fn cache_mode(kv: KvType, third: bool) -> &'static str {
    match (kv, third) {
        (KvType::Q8_0, true) => "8,8",
        (KvType::Q8_0, false) => "Q8",
        (KvType::Q4_0, true) => "4,4",
        (KvType::Q4_0, false) => "Q4",
        _ => "FP16",
    }
}

/// Gibibytes, rounded up to a tenth.
fn tenths(bytes: Bytes) -> String {
    let tenths = num::floor(bytes.get() / GIB * 10.0).saturating_add(1);
    format!("{:.1}", num::f(tenths) / 10.0)
}
