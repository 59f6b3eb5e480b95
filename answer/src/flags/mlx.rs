//! mlx-lm's server.
//!
//! mlx-lm 0.32.2: `mlx_lm/server.py`, `mlx_lm/benchmark.py` and `mlx_lm/convert.py` (`main`).

use estimator::format::{MlxBits, MlxGroup, WeightFormat};
use estimator::kv_cache::KvType;

use super::line::{Line, Sheet};
use super::set_up::SetUp;

/// What stands for the folder of converted weights.
const MODEL: &str = "MODEL-mlx";

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let checkpoint = set_up.checkpoint(false, MODEL);
    if checkpoint.placeholder {
        convert(set_up, &mut sheet);
    }
    let workload = set_up.workload();
    let mut line = Line::new(&["mlx_lm.server"]);
    line.plain(&["--model", &checkpoint.name]);
    line.flag(
        "--prefill-step-size",
        set_up.settings().ubatch.to_string(),
        "tokens of a prefill step",
    );
    line.flag(
        "--decode-concurrency",
        workload.concurrency.to_string(),
        "requests that decode at once",
    );
    line.flag(
        "--prompt-cache-size",
        set_up.slots().to_string(),
        "caches kept, one for each slot; more would stay in memory when requests end",
    );
    line.flag(
        "--max-tokens",
        workload.output.to_string(),
        "tokens of an answer when a request doesn't say",
    );
    if let Some(bits) = bits(set_up.kv_type()) {
        line.flag("--kv-bits", bits.to_owned(), "bits of the cache");
        line.flag(
            "--kv-group-size",
            "64".to_owned(),
            "numbers that share a scale",
        );
        line.flag(
            "--quantized-kv-start",
            "0".to_owned(),
            "quantizes the cache from the first token",
        );
    }
    sheet.command("serve", "Start the server", line);
    let mut line = Line::new(&["mlx_lm.benchmark"]);
    line.plain(&["--model", &checkpoint.name]);
    line.plain(&["--prompt-tokens", &workload.prompt.to_string()]);
    line.plain(&["--generation-tokens", &workload.output.to_string()]);
    line.plain(&["--batch-size", &workload.concurrency.to_string()]);
    line.plain(&["--prefill-step-size", &set_up.settings().ubatch.to_string()]);
    sheet.command("measure", "Measure prefill and decode", line);
    if checkpoint.placeholder {
        set_up.explain_stand_in(&mut sheet, MODEL, "the folder with the weights");
    }
    sheet.warn(format!(
        "mlx-lm has no limit of context: the cache grows with use, and the estimate has {}",
        set_up.context_of_slots()
    ));
    if bits(set_up.kv_type()).is_some() && workload.concurrency > 1 {
        sheet.warn("with a quantized cache the server takes one request after another");
    }
    if set_up.settings().vision && set_up.has_vision() {
        sheet.warn("mlx-lm loads no vision tower; mlx-vlm does");
    }
    if set_up.settings().mtp {
        sheet.warn("the server has no flag for multi-token prediction");
    }
    sheet
}

/// How the weights are made.
fn convert(set_up: &SetUp<'_>, sheet: &mut Sheet) {
    let Some(repository) = set_up.repository() else {
        return;
    };
    let mode = match set_up.resolved.format {
        WeightFormat::Mlx(bits, group) => [
            Some("--q-bits"),
            Some(match bits {
                MlxBits::Two => "2",
                MlxBits::Three => "3",
                MlxBits::Four => "4",
                MlxBits::Five => "5",
                MlxBits::Six => "6",
                MlxBits::Eight => "8",
            }),
            Some("--q-group-size"),
            Some(match group {
                MlxGroup::G32 => "32",
                MlxGroup::G64 => "64",
                MlxGroup::G128 => "128",
            }),
        ],
        WeightFormat::MlxMxfp4 => [Some("--q-mode"), Some("mxfp4"), None, None],
        WeightFormat::MlxNvfp4 => [Some("--q-mode"), Some("nvfp4"), None, None],
        _ => return,
    };
    let mode: Vec<_> = mode.into_iter().flatten().collect();
    let mut line = Line::new(&["mlx_lm.convert"]);
    line.plain(&["--hf-path", repository]);
    line.plain(&["--mlx-path", MODEL]);
    line.plain(&["-q"]);
    for pair in mode.chunks(2) {
        line.plain(pair);
    }
    sheet.command("prepare", "Make the weights, unless you have them", line);
}

const fn bits(kv: KvType) -> Option<&'static str> {
    match kv {
        KvType::Q8_0 => Some("8"),
        KvType::Q4_0 => Some("4"),
        _ => None,
    }
}
