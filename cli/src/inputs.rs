//! Flags that type a question: one for each input the estimator knows, by the same name.
//!
//! The list of inputs is the estimator's, so a new one gets its flag here or the match in
//! [`describe`] doesn't compile. Values stay texts: what is wrong with one is said by `answer`, in
//! the words that the API and the page use too.

use answer::{Field, Question};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use estimator::engine::{Backend, Engine};
use estimator::kv_cache::KvType;

/// Everything that a question can say.
#[derive(Debug, Clone)]
pub(crate) struct Inputs(pub(crate) Question);

/// Everything but the model.
#[derive(Debug, Clone)]
pub(crate) struct MachineInputs(pub(crate) Question);

/// How help presents an input.
struct Described {
    heading: &'static str,
    value: &'static str,
    help: &'static str,
    /// What long help adds.
    more: String,
}

fn describe(field: Field) -> Described {
    let (heading, value, help) = match field {
        Field::Hardware => ("Machine", "NAME", "The device, by id or any common name"),
        Field::Count => ("Machine", "N", "How many of it [default: 1]"),
        Field::Memory => (
            "Machine",
            "GIB",
            "Memory of the device, where it is sold with several sizes",
        ),
        Field::MemoryOption => (
            "Machine",
            "NAME",
            "Kind of memory, where it is sold with several",
        ),
        Field::Power => ("Machine", "WATTS", "Power limit, where makers choose one"),
        Field::Macos => (
            "Machine",
            "recent|older",
            "Generation of macOS, which decides the GPU's share of memory",
        ),
        Field::System => (
            "Machine",
            "linux|windows",
            "Operating system, which decides the GPU's share of memory",
        ),
        Field::Host => (
            "Machine",
            "NAME",
            "CPU platform around the devices, for layers that don't fit",
        ),
        Field::Ram => (
            "Machine",
            "GIB",
            "RAM of the host, for layers that don't fit",
        ),
        Field::PeakTflops => (
            "Machine",
            "TFLOPS",
            "FP16 peak of a device without a published one",
        ),
        Field::Model => ("Model", "NAME", "The model, by id or any common name"),
        Field::Format => (
            "Model",
            "FORMAT",
            "Weight format, such as Q4_K_M, mlx-4bit or fp8",
        ),
        Field::Context => (
            "Workload",
            "TOKENS",
            "Context to hold for each sequence, such as 4096 or 32K",
        ),
        Field::Prompt => ("Workload", "TOKENS", "Length of a prompt"),
        Field::Output => ("Workload", "TOKENS", "Length of an answer"),
        Field::Concurrency => ("Workload", "N", "Sequences at once [default: 1]"),
        Field::KvType => (
            "Engine",
            "TYPE",
            "Number type of the KV cache [default: f16]",
        ),
        Field::Engine => (
            "Engine",
            "NAME",
            "Engine [default: the usual one for device and format]",
        ),
        Field::Backend => ("Engine", "NAME", "What the engine drives the device with"),
        Field::Ssd => (
            "Machine",
            "GB/S",
            "Read rate of the disk, for weights that find no room in RAM",
        ),
        Field::Split => (
            "Engine",
            "layer|tensor",
            "How several devices share the model",
        ),
        Field::TensorSplit => (
            "Engine",
            "LIST",
            "Shares of the layers, one for each device, such as 3,1",
        ),
        Field::GpuLayers => (
            "Engine",
            "N|all",
            "Layers to keep on the devices [default: as many as fit]",
        ),
        Field::CpuMoe => (
            "Engine",
            "N|all",
            "Layers whose experts stay in RAM [default: as few as fit]",
        ),
        Field::Slots => (
            "Engine",
            "N",
            "Slots of the server [default: one for each sequence]",
        ),
        Field::KvUnified => (
            "Engine",
            "on|off",
            "One cache shared by all slots [default: off]",
        ),
        Field::FlashAttention => ("Engine", "on|off", "Flash attention [default: on]"),
        Field::Vision => ("Engine", "on|off", "Load the vision tower [default: off]"),
        Field::Mtp => (
            "Engine",
            "on|off",
            "Load the layers for multi-token prediction [default: off]",
        ),
        Field::Ubatch => (
            "Engine",
            "TOKENS",
            "Tokens a prefill step works on [default: the engine's]",
        ),
        Field::MemoryFraction => (
            "Engine",
            "SHARE",
            "Share of the memory the engine takes [default: the engine's]",
        ),
        Field::Reserve => (
            "Engine",
            "GIB",
            "Memory that something else holds on the device [default: 0]",
        ),
    };
    Described {
        heading,
        value,
        help,
        more: more(field),
    }
}

/// What long help adds to an input.
fn more(field: Field) -> String {
    match field {
        Field::Hardware => "Such as rtx-4090, 4090 or 'm3 ultra 80'; `bandwise hardware list` shows all".to_owned(),
        Field::Count => "Different devices are joined by a plus: --hardware 'rtx-4090 + 2x rtx-3090'".to_owned(),
        Field::Host => "Such as ryzen-9-7950x; two sockets are '2x epyc-9654', of which ktransformers alone uses both".to_owned(),
        Field::Split => {
            "[default: tensor for vllm, sglang and tensorrt-llm where the heads divide, else layer]".to_owned()
        }
        Field::Model => {
            "Such as llama-3.1-8b or 'llama 3.3 70b q4', with the format; `bandwise models list` shows all".to_owned()
        }
        Field::Context => "[default: 8192, what Ollama or LM Studio take when they are named, or the model's limit]; K is 1,024".to_owned(),
        Field::Prompt => "[default: 512, or what the context leaves]".to_owned(),
        Field::Output => "[default: 256, or what the context leaves]".to_owned(),
        Field::KvType => format!("One of {}", KvType::ALL.map(KvType::name).join(", ")),
        Field::Engine => format!("One of {}", Engine::ALL.map(Engine::name).join(", ")),
        Field::Backend => format!("One of {}", Backend::ALL.map(Backend::name).join(", ")),
        _ => String::new(),
    }
}

fn flag(field: Field) -> Arg {
    let Described {
        heading,
        value,
        help,
        more,
    } = describe(field);
    let flag = Arg::new(field.name())
        .long(field.name())
        .help_heading(heading)
        .value_name(value)
        .help(help)
        // `-1` is a value, and what is wrong with it is for `answer` to say.
        .allow_negative_numbers(true);
    if more.is_empty() {
        flag
    } else {
        flag.long_help(format!("{help}\n\n{more}"))
    }
}

/// Adds a flag for each input, heading by heading.
fn add_flags(command: Command, wanted: fn(&Field) -> bool) -> Command {
    let order = ["Machine", "Model", "Workload", "Engine"];
    order.into_iter().fold(command, |command, heading| {
        let fields = Field::ALL.into_iter().filter(wanted);
        command.args(
            fields
                .filter(|field| describe(*field).heading == heading)
                .map(flag),
        )
    })
}

fn read(matches: &ArgMatches, wanted: fn(&Field) -> bool) -> Question {
    Field::ALL
        .into_iter()
        .filter(wanted)
        .fold(Question::default(), |question, field| {
            match matches.get_one::<String>(field.name()) {
                Some(text) => question.with(field, text.clone()),
                None => question,
            }
        })
}

fn any(_: &Field) -> bool {
    true
}

fn no_model(field: &Field) -> bool {
    *field != Field::Model
}

macro_rules! inputs {
    ($name:ident, $wanted:expr) => {
        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
                Ok(Self(read(matches, $wanted)))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
                self.0 = read(matches, $wanted);
                Ok(())
            }
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                add_flags(command, $wanted)
            }

            fn augment_args_for_update(command: Command) -> Command {
                add_flags(command, $wanted)
            }
        }
    };
}

inputs!(Inputs, any);
inputs!(MachineInputs, no_model);
