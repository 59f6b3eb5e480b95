//! Measured memory: which part of an answer it stands for.

use answer::answer::{MemoryUse, PlaceMemory};
use answer::{Field, Question};
use run_db::{Placement, Run};

use crate::engines::Relation;
use crate::note;
use crate::reason::Reason;

/// Engines that take their share of memory at the start.
const SERVERS: [&str; 3] = ["vllm", "sglang", "tensorrt-llm"];

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

/// A part of what is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All of it.
    Total,
    /// Weights.
    Weights,
    /// Weights as a file.
    File,
    /// Cache and state.
    Cache,
    /// What a server keeps for caches.
    Pool,
    /// Buffers for intermediate results.
    Compute,
    /// Driver context, kernels and pools.
    Runtime,
}

impl Part {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Weights => "weights",
            Self::File => "file",
            Self::Cache => "kv",
            Self::Pool => "kv_pool",
            Self::Compute => "compute",
            Self::Runtime => "runtime",
        }
    }
}

/// Whose memory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// All devices together.
    Devices,
    /// Each device: what one of several holds.
    OneDevice,
    /// The device of this place in the engine's order.
    Device(usize),
    /// The host beside the devices.
    Host,
}

/// What is asked of the memory of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Which part.
    pub part: Part,
    /// Whose.
    pub whose: Whose,
}

/// What the figure of a memory row is, by its note; sets the context in the question.
///
/// # Errors
/// A part that isn't estimated by itself, or depends on a context that isn't stated.
pub fn ask(run: &Run, relation: Relation, question: &mut Question) -> Result<Asked, Reason> {
    if relation != Relation::Same {
        // Each fork lays memory out in its own way.
        return Err(Reason::Engine(run.engine.clone()));
    }
    let note = run.note.as_deref().unwrap_or_default();
    let what = what(note).unwrap_or("total");
    let unknown = || Reason::MemoryPart(what.to_owned());
    let says = |words: &[&str]| words.iter().any(|word| note.contains(word));
    let part = match what {
        "total" => Part::Total,
        "weights" if says(&["mmproj", "1 layer on GPU"]) => return Err(unknown()),
        "weights" if says(&["file size", "model size"]) => Part::File,
        "weights" => Part::Weights,
        "file" => Part::File,
        "kv" if says(&["KV cache per GPU"]) => Part::Pool,
        "kv" | "state" => Part::Cache,
        "kv_pool" => Part::Pool,
        "compute" if says(&["drafter", "Host compute", "graph capture", "torch memory"]) => {
            return Err(unknown());
        }
        "compute" => Part::Compute,
        "runtime" => Part::Runtime,
        _ => return Err(unknown()),
    };
    if run.speculative.is_some() && part != Part::File {
        return Err(Reason::Speculation(
            run.speculative.clone().unwrap_or_default(),
        ));
    }
    let asked = Asked {
        part,
        whose: whose(run, note),
    };
    if let Some(fraction) = fraction(note) {
        question.set(Field::MemoryFraction, fraction.to_string());
    }
    context(run, part, question)?;
    Ok(asked)
}

fn what(note: &str) -> Option<&str> {
    let (what, _) = note.strip_prefix("what=")?.split_once(';')?;
    Some(what.trim())
}

fn whose(run: &Run, note: &str) -> Whose {
    let several = run.count.unwrap_or(1) > 1 || run.hardware.contains('+');
    let offloads = run.placement.is_some_and(Placement::is_offload);
    let of_host = [
        "CPU model buffer",
        "host model buffer",
        "CPU buffer",
        "kept on host",
        "CUDA_Host",
    ];
    if of_host.iter().any(|words| note.contains(words)) {
        return Whose::Host;
    }
    let of_card = ["CUDA", "ROCm", "card "].iter().find_map(|name| {
        let (_, rest) = note.split_once(name)?;
        let number: usize = rest
            .chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
            .parse()
            .ok()?;
        // Backends count from 0, people from 1.
        if *name == "card " {
            number.checked_sub(1)
        } else {
            Some(number)
        }
    });
    match of_card {
        Some(device) if several => Whose::Device(device),
        _ if note.contains("per device") && (several || offloads) => Whose::OneDevice,
        _ => Whose::Devices,
    }
}

/// vLLM's share of memory: `util 0.95`, `gpu_memory_utilization 0.99`.
fn fraction(note: &str) -> Option<f64> {
    ["util ", "gpu_memory_utilization "]
        .iter()
        .find_map(|name| {
            let (_, rest) = note.split_once(name)?;
            let number = rest.split([' ', ';', ',']).next()?;
            number
                .parse()
                .ok()
                .filter(|share| *share > 0.0 && *share <= 1.0)
        })
}

/// The context held: as stated; else what was read and written, for engines that hold no more and
/// for llama-bench, which allocates that; else what the engine does by itself.
fn context(run: &Run, part: Part, question: &mut Question) -> Result<(), Reason> {
    if let Some(concurrency) = run.concurrency {
        question.set(Field::Concurrency, concurrency.to_string());
    }
    let note = run.note.as_deref().unwrap_or_default();
    let lengths = match (run.prompt, run.output) {
        (None, None) => None,
        (prompt, output) => Some((prompt.unwrap_or(0).max(1), output.unwrap_or(0).max(1))),
    };
    let filled = lengths.map(|(prompt, output)| prompt.saturating_add(output));
    let stated = run
        .depth
        .filter(|depth| *depth > 0)
        .or_else(|| note::context(note));
    let engine = question.get(Field::Engine).unwrap_or_default().to_owned();
    let held = match stated {
        Some(stated) => Some(stated.max(filled.unwrap_or(0))),
        None if engine == "mlx" || note.contains("llama-bench") => filled,
        // ExLlama allocates what the model was made for.
        None if engine.starts_with("exllama") => {
            model_db::get(&run.model).and_then(|model| model.architecture().max_context)
        }
        None => None,
    };
    match held {
        Some(held) => {
            question.set(Field::Context, held.max(2).to_string());
            if let Some((prompt, output)) = lengths {
                question.set(Field::Prompt, prompt.to_string());
                question.set(Field::Output, output.to_string());
            }
            Ok(())
        }
        // What a server takes doesn't depend on the longest context it allows.
        None if SERVERS.contains(&engine.as_str()) && part != Part::Cache => Ok(()),
        None if matches!(part, Part::Weights | Part::File | Part::Runtime) => Ok(()),
        None => Err(Reason::LengthsUnknown),
    }
}

impl Asked {
    /// The figure in GiB.
    ///
    /// # Errors
    /// A part the answer doesn't have.
    pub fn of(self, memory: &MemoryUse) -> Result<f64, Reason> {
        let unknown = || Reason::MemoryPart(self.part.name().to_owned());
        let devices = u64::try_from(memory.devices.len()).unwrap_or(1).max(1);
        // A server holds its whole pool, whatever is in it.
        let pool = memory.pool.as_ref().map(|pool| pool.bytes / devices);
        let bytes = match self.part {
            Part::File => memory.file_bytes,
            Part::Pool => {
                let pool = memory.pool.as_ref().ok_or_else(unknown)?.bytes;
                match self.whose {
                    Whose::Devices => pool,
                    _ => pool / devices,
                }
            }
            part => {
                let of = |place: &PlaceMemory| match part {
                    Part::Weights => place.weights_bytes,
                    Part::Cache => place.kv_cache_bytes,
                    Part::Compute => place.compute_bytes,
                    Part::Runtime => place.runtime_bytes,
                    _ => match pool {
                        Some(pool) => place
                            .total_bytes
                            .saturating_sub(place.kv_cache_bytes)
                            .saturating_add(pool),
                        None => place.total_bytes,
                    },
                };
                match self.whose {
                    Whose::Devices => memory.devices.iter().map(of).sum(),
                    Whose::OneDevice => memory.devices.iter().map(of).max().ok_or_else(unknown)?,
                    Whose::Device(at) => memory.devices.get(at).map(of).ok_or_else(unknown)?,
                    Whose::Host => of(&memory.host),
                }
            }
        };
        // Both are below 2^53.
        Ok(bytes_as_f64(bytes) / GIB)
    }
}

fn bytes_as_f64(bytes: u64) -> f64 {
    estimator::num::f(bytes)
}
