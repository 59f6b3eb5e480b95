//! LM Studio's `lms load`.
//!
//! `--gpu`, `--context-length`, `--identifier`: lmstudio.ai/docs/cli/load and
//! `lmstudio-ai/lms`, `src/subcommands/load.ts`. `--parallel` (Max Concurrent Predictions, from
//! LM Studio 0.4 on) is in the program's help, not in those pages. The other settings are in the app
//! only (lmstudio.ai/docs/app/advanced).

use estimator::engine::Backend;
use estimator::kv_cache::KvType;

use super::line::{Line, Sheet};
use super::set_up::SetUp;

/// What stands for the model.
const MODEL: &str = "MODEL";

pub(super) fn sheet(set_up: &SetUp<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let mut line = Line::new(&["lms", "load", MODEL]);
    line.plain(&["--identifier", set_up.id()]);
    line.flag(
        "--context-length",
        set_up.whole_context().to_string(),
        set_up.context_of_slots(),
    );
    let layers = set_up.layers();
    let here = layers.saturating_sub(set_up.host_layers());
    let (ratio, why) = if set_up.backend() == Backend::Cpu {
        ("off".to_owned(), "no layer on a GPU".to_owned())
    } else if here == layers {
        ("max".to_owned(), "all layers on the GPUs".to_owned())
    } else {
        (
            set_up.memory.device_share(layers).to_string(),
            format!("{here} of {layers} layers on the GPU"),
        )
    };
    line.flag("--gpu", ratio, why);
    line.flag(
        "--parallel",
        set_up.slots().to_string(),
        "requests at once; LM Studio 0.4 and newer",
    );
    sheet.command("serve", "Load the model", line);
    sheet.warn(format!(
        "`{MODEL}` stands for the key that `lms ls` shows for the {} file of {}",
        set_up.resolved.format.name(),
        set_up.resolved.model.name
    ));
    warn(set_up, &mut sheet);
    sheet
}

fn warn(set_up: &SetUp<'_>, sheet: &mut Sheet) {
    let settings = set_up.settings();
    let mut set = vec![format!(
        "flash attention {}",
        if settings.flash_attention {
            "on"
        } else {
            "off"
        }
    )];
    if set_up.kv_type() != KvType::F16 {
        set.push(format!("K and V cache in {}", set_up.kv_type().name()));
    }
    set.push(format!("evaluation batch of {}", settings.ubatch));
    if set_up.slots() > 1 {
        let unified = if settings.unified { "on" } else { "off" };
        set.push(format!("unified KV cache {unified}"));
    }
    if let Some(experts) = set_up.host_experts() {
        set.push(format!("experts of {experts} layers in RAM"));
    }
    sheet.warn(format!(
        "`lms load` has no flags for these; set them when loading in the app: {}",
        set.join(", ")
    ));
    if set_up.count() > 1 {
        let layers: Vec<_> = set_up.device_layers().iter().map(u32::to_string).collect();
        sheet.warn(if set_up.is_tensor_parallel() {
            "LM Studio has no tensor parallel: it splits by layers".to_owned()
        } else {
            format!(
                "how GPUs share layers is set in the app; the estimate has {} on them in turn",
                layers.join(", ")
            )
        });
    }
    if settings.mtp {
        sheet.warn("LM Studio has no flag for multi-token prediction");
    }
}
