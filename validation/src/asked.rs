//! The question a measured row answers.

use answer::{Field, Question};
use estimator::architecture::AttentionKind;
use hardware_db::Kind;
use run_db::{Metric, Parallel, Placement, Run};

use crate::engines::{Relation, taken};
use crate::host;
use crate::memory::{self, Part};
use crate::note;
use crate::reason::Reason;

/// RAM in GiB where a source doesn't tell how much: the run ran, so there was enough.
const ENOUGH_RAM: &str = "4096";

/// A row's question, and which figure of the answer stands against the measured one.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The figure.
    pub figure: Figure,
    /// How the printed engine is related to the one asked about.
    pub relation: Relation,
}

/// A figure of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// Tokens a second of one request.
    Decode,
    /// Tokens a second of all requests while they write.
    DecodeTotal,
    /// Tokens written a second of all requests from their start to their end.
    Served {
        /// Tokens a request writes.
        output: u32,
        /// Requests at once.
        requests: u32,
    },
    /// Tokens a second of a prompt.
    Prefill {
        /// The same question about the context before the prompt, where there is one.
        before: Option<Box<Question>>,
        /// Tokens of the prompt.
        prompt: u32,
        /// Tokens before it.
        depth: u32,
    },
    /// Time to the first token.
    Ttft,
    /// Time of an output token.
    Tpot,
    /// Memory.
    Memory(memory::Asked),
}

/// The question of a row.
///
/// What the row doesn't say is left to the answer's own defaults, with these exceptions: weights
/// that lay in RAM need a host whose memory is told; a figure that depends on lengths needs them;
/// and RAM nobody counted was enough.
///
/// # Errors
/// Why no question can be made of it.
pub fn ask(run: &Run) -> Result<Asked, Reason> {
    let taken = taken(&run.engine).ok_or_else(|| Reason::Engine(run.engine.clone()))?;
    let mut question = Question::default().with(Field::Engine, taken.engine);
    hardware(run, &mut question)?;
    model(run, &mut question)?;
    backend(run, &mut question)?;
    sharing(run, &mut question)?;
    if let Some(kv) = &run.kv {
        // Latent attention caches what both keys and values come from, as keys.
        let latent = model_db::get(&run.model)
            .and_then(|model| model.architecture().first_attention())
            .is_some_and(|attention| matches!(attention.kind, AttentionKind::Latent { .. }));
        let keys = kv.split_once('/').filter(|_| latent).map(|(keys, _)| keys);
        question.set(Field::KvType, keys.unwrap_or(kv));
    }
    if let Some(flash) = run.flash
        && taken.engine.ends_with("llama.cpp")
    {
        question.set(Field::FlashAttention, if flash { "on" } else { "off" });
    }
    if let Some(watts) = run.power_w {
        question.set(Field::Power, watts.to_string());
    }
    placement(run, &mut question)?;
    let figure = figure(run, taken.relation, &mut question)?;
    Ok(Asked {
        question,
        figure,
        relation: taken.relation,
    })
}

fn hardware(run: &Run, question: &mut Question) -> Result<(), Reason> {
    if run.hardware == "unknown" {
        return Err(Reason::HardwareUnknown);
    }
    let parts: Vec<&str> = run.hardware.split('+').collect();
    let mut cpu = false;
    for part in &parts {
        let device =
            hardware_db::get(part).ok_or_else(|| Reason::NoSuchHardware((*part).to_owned()))?;
        cpu |= device.kind == Kind::CpuPlatform;
    }
    question.set(Field::Hardware, run.hardware.as_str());
    if let [_] = parts.as_slice() {
        let single = matches!(run.parallel, Some(Parallel::None)) || cpu;
        match run.count {
            Some(count) => question.set(Field::Count, count.to_string()),
            None if single => {}
            None => return Err(Reason::CountUnknown),
        }
    }
    if cpu {
        question.set(Field::Ram, ENOUGH_RAM);
    }
    Ok(())
}

fn model(run: &Run, question: &mut Question) -> Result<(), Reason> {
    if run.model == "unknown" {
        return Err(Reason::ModelUnknown);
    }
    if model_db::get(&run.model).is_none() {
        return Err(Reason::NoSuchModel(run.model.clone()));
    }
    question.set(Field::Model, run.model.as_str());
    let format = run.format.as_deref().ok_or(Reason::FormatUnknown)?;
    // A gpt-oss file keeps its experts in MXFP4 whatever its label; the rest differs a little.
    let format = match format.strip_prefix("MXFP4-") {
        Some(_) => "MXFP4",
        None => format,
    };
    question.set(Field::Format, format);
    Ok(())
}

fn backend(run: &Run, question: &mut Question) -> Result<(), Reason> {
    let Some(printed) = run.backend.as_deref() else {
        return Ok(());
    };
    let backend = match printed {
        "mlx" => "metal",
        "cuda" | "rocm" | "vulkan" | "sycl" | "metal" | "cpu" => printed,
        "hpu" | "cann" | "tt-metalium" => "native",
        other => return Err(Reason::Backend(other.to_owned())),
    };
    question.set(Field::Backend, backend);
    Ok(())
}

fn sharing(run: &Run, question: &mut Question) -> Result<(), Reason> {
    let devices = match run.hardware.split('+').count() {
        1 => run.count.unwrap_or(1),
        several => u32::try_from(several).unwrap_or(u32::MAX),
    };
    if devices == 1 {
        return Ok(());
    }
    match run.parallel {
        // Row split is llama.cpp's older way to share each matrix; beside experts in RAM one card
        // does nearly all.
        Some(Parallel::RowSplit) if run.placement.is_some_and(Placement::is_offload) => {
            question.set(Field::Split, "layer");
        }
        Some(Parallel::Tensor | Parallel::RowSplit) => {
            if run
                .tp
                .is_some_and(|tp| tp.saturating_mul(run.pp.unwrap_or(1)) != devices)
            {
                return Err(Reason::Parallel("replicas or data parallel".to_owned()));
            }
            question.set(Field::Split, "tensor");
        }
        Some(Parallel::LayerSplit | Parallel::Pipeline) => question.set(Field::Split, "layer"),
        // As the engine usually does.
        None => {}
        Some(other) => return Err(Reason::Parallel(other.name().to_owned())),
    }
    Ok(())
}

fn placement(run: &Run, question: &mut Question) -> Result<(), Reason> {
    let Some(placement) = run.placement.filter(|placement| placement.is_offload()) else {
        return Ok(());
    };
    let text = run.host.as_deref().unwrap_or_default();
    let unified = hardware_db::get(&run.hardware)
        .is_some_and(|device| !matches!(device.kind, Kind::DiscreteGpu | Kind::DatacenterGpu));
    if !unified {
        let host = host::read(text).ok_or_else(|| Reason::HostUnknown(text.to_owned()))?;
        question.set(Field::Host, host.name);
        match host.ram_gib {
            Some(ram) => question.set(Field::Ram, ram.to_string()),
            None => question.set(Field::Ram, ENOUGH_RAM),
        }
    }
    let note = run.note.as_deref().unwrap_or_default();
    if let Some(context) = note::context(note)
        && run.metric != Metric::MemoryGib
    {
        let filled = run.depth.or(run.prompt).unwrap_or(512);
        let needed = filled.saturating_add(run.output.unwrap_or(256));
        question.set(Field::Context, context.max(needed).to_string());
    }
    match placement {
        Placement::Ssd => {
            let rate = disk(text).ok_or(Reason::DiskUnknown)?;
            question.set(Field::Ssd, rate.to_string());
        }
        Placement::ExpertOffload => {
            let all = run.engine == "ktransformers";
            match run.cpu_experts.as_deref() {
                Some(layers) => question.set(Field::CpuMoe, layers),
                None if all => question.set(Field::CpuMoe, "all"),
                // Left to the search for the fastest placement that fits.
                None => {}
            }
        }
        _ => layers(run, question),
    }
    Ok(())
}

/// Layers on the devices, where some of them are elsewhere. "All" in an offloaded run means that
/// single tensors were moved: as the note says, else left to the search.
fn layers(run: &Run, question: &mut Question) {
    let model = model_db::get(&run.model).map(|model| model.architecture());
    let note = run.note.as_deref().unwrap_or_default();
    if let Some(model) = model.as_ref().filter(|model| model.is_moe())
        && let Some(kept) = note::feed_forward_on_devices(note)
    {
        let moved = model.layer_count().saturating_sub(kept);
        question.set(Field::CpuMoe, moved.to_string());
        return;
    }
    let all = model.map(|model| model.layer_count());
    if let (Some(layers), Some(all)) = (run.gpu_layers.as_deref(), all)
        && layers.parse::<u32>().is_ok_and(|layers| layers < all)
    {
        question.set(Field::GpuLayers, layers);
    }
}

/// A disk's rate in a host's text: `nvme 7 GB/s`.
fn disk(text: &str) -> Option<f64> {
    let words: Vec<&str> = text.split([' ', ',']).collect();
    let at = words.iter().position(|word| *word == "GB/s")?;
    words.get(at.checked_sub(1)?)?.parse().ok()
}

fn figure(run: &Run, relation: Relation, question: &mut Question) -> Result<Figure, Reason> {
    let speculates = || match &run.speculative {
        Some(how) => Err(Reason::Speculation(how.clone())),
        None => Ok(()),
    };
    match run.metric {
        Metric::Decode => {
            speculates()?;
            requests(run, question);
            writing(run, question);
            Ok(Figure::Decode)
        }
        Metric::TpotMs => {
            speculates()?;
            requests(run, question);
            writing(run, question);
            Ok(Figure::Tpot)
        }
        Metric::DecodeTotal => {
            speculates()?;
            let count = run.concurrency.ok_or(Reason::ConcurrencyUnknown)?;
            requests(run, question);
            writing(run, question);
            // A server's throughput is over the whole of each request; a tool that fills the
            // contexts first times the writing alone.
            let served = !matches!(question.get(Field::Engine), Some("llama.cpp" | "mlx"));
            Ok(match (run.prompt, run.output) {
                (Some(_), Some(output)) if served => Figure::Served {
                    output,
                    requests: count,
                },
                _ => Figure::DecodeTotal,
            })
        }
        Metric::Prefill => prefill(run, question),
        Metric::TtftS => {
            let prompt = run.prompt.ok_or(Reason::LengthsUnknown)?;
            requests(run, question);
            question.set(Field::Prompt, prompt.max(1).to_string());
            if let Some(output) = run.output {
                question.set(Field::Output, output.max(1).to_string());
            }
            Ok(Figure::Ttft)
        }
        Metric::MemoryGib => memory::ask(run, relation, question).map(Figure::Memory),
        Metric::Speedup | Metric::TotalInOut => Err(Reason::Metric(run.metric.name())),
    }
}

fn requests(run: &Run, question: &mut Question) {
    if let Some(concurrency) = run.concurrency {
        question.set(Field::Concurrency, concurrency.to_string());
    }
}

/// How far the context was filled, and how much was written.
fn writing(run: &Run, question: &mut Question) {
    if let Some(before) = run.depth.or(run.prompt) {
        question.set(Field::Prompt, before.max(1).to_string());
    }
    if let Some(output) = run.output {
        question.set(Field::Output, output.max(1).to_string());
    }
}

/// A prompt read after `depth` tokens takes as long as all of it without what came before.
fn prefill(run: &Run, question: &mut Question) -> Result<Figure, Reason> {
    let depth = run.depth.unwrap_or(0);
    // A prompt nobody counted is as long as the answer's default.
    let Some(prompt) = run.prompt.filter(|prompt| *prompt > 0) else {
        if depth > 0 {
            return Err(Reason::LengthsUnknown);
        }
        question.set(Field::Output, "1");
        return Ok(Figure::Prefill {
            before: None,
            prompt: 0,
            depth: 0,
        });
    };
    question.set(Field::Output, "1");
    let before = (depth > 0).then(|| {
        let before = question.clone().with(Field::Prompt, depth.to_string());
        Box::new(before)
    });
    question.set(Field::Prompt, prompt.saturating_add(depth).to_string());
    Ok(Figure::Prefill {
        before,
        prompt,
        depth,
    })
}

impl Figure {
    /// The part of memory it is, if it is memory.
    #[must_use]
    pub fn part(&self) -> Option<Part> {
        match self {
            Self::Memory(asked) => Some(asked.part),
            _ => None,
        }
    }
}
