//! The command line as typed. Nothing is checked here but its shape.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};

use crate::inputs::{Inputs, MachineInputs};

/// What will this hardware do with that language model?
///
/// Bandwise computes whether a model fits a machine, how fast it writes and reads, and why. Names
/// are those people use: `4090`, `m3 ultra 80`, `llama 3.3 70b q4`. What isn't given gets a default
/// that the answer states.
#[derive(Debug, Parser)]
#[command(
    name = "bandwise",
    version = VERSION.as_str(),
    after_help = "Try `bandwise estimate --hardware 4090 --model 'llama 3.1 8b'`",
    after_long_help = MAIN_EXAMPLES,
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How to print.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Print JSON, as the web API gives it
    ///
    /// The text is indented. Input that can't be used gives
    /// `{"error": {"message"}, "problems": [{"field", "value", "problem", "hint"}]}` and exit code 2.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to colour
    ///
    /// `auto` colours in a terminal only, and not if NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say whether a model fits a machine and how fast it runs
    #[command(after_long_help = ESTIMATE_EXAMPLES)]
    Estimate(Estimate),
    /// Show the arithmetic behind an estimate, step by step
    #[command(after_long_help = EXPLAIN_EXAMPLES)]
    Explain(About),
    /// Show which formats and contexts of a model fit a machine
    #[command(after_long_help = FIT_EXAMPLES)]
    Fit(About),
    /// Show what a model takes in each format: file, bits a weight, tensor types
    ///
    /// GGUF file types unless another family is asked for. Which tensor gets which type follows the
    /// engine's own quantizer, so sizes of tensors are exact; the file's header is estimated.
    #[command(after_long_help = FORMATS_EXAMPLES)]
    Formats(Formats),
    /// Show what a model file says of its model
    ///
    /// Of large files only the header is read.
    #[command(after_long_help = MODEL_EXAMPLES)]
    Model(Model),
    /// Print the engine's command for a set-up, with why each flag is there
    ///
    /// Context, slots, cache type and the place of every layer and expert are those of the estimate.
    /// What an engine has no flag for is said.
    #[command(after_long_help = FLAGS_EXAMPLES)]
    Flags(About),
    /// List the models a machine runs
    ///
    /// Each model is taken in the most precise format that fits.
    #[command(after_long_help = WHAT_RUNS_EXAMPLES)]
    WhatRuns(WhatRuns),
    /// Compare estimates with measured runs, by slice
    ///
    /// Without a file, the runs of this project's own database. Rows that can't be answered are
    /// counted by reason.
    #[command(after_long_help = VALIDATE_EXAMPLES)]
    Validate(Validate),
    /// List, show and search devices
    #[command(subcommand, after_long_help = HARDWARE_EXAMPLES)]
    Hardware(Hardware),
    /// List, show and search models
    #[command(subcommand, after_long_help = MODELS_EXAMPLES)]
    Models(Models),
}

/// A machine and a model, of the catalogue or of the user's own.
#[derive(Debug, Args)]
pub(crate) struct About {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// A model file of your own in place of a name: GGUF, config.json, safetensors, or their folder
    ///
    /// Of large files only the header is read. May be given several times for files of one model
    #[arg(long, help_heading = "Model", value_name = "PATH")]
    pub(crate) model_file: Vec<PathBuf>,
    /// The family to take the model file for, where its own isn't known
    #[arg(
        long,
        help_heading = "Model",
        value_name = "FAMILY",
        requires = "model_file"
    )]
    pub(crate) assume_family: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Model {
    /// GGUF, config.json, safetensors with its index, or the folder they lie in
    #[arg(required = true, value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    /// The family to take it for, where its own isn't known
    #[arg(long, help_heading = "Model", value_name = "FAMILY")]
    pub(crate) assume_family: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Estimate {
    #[command(flatten)]
    pub(crate) about: About,
    /// Exit with 1 unless all of it fits on the devices
    #[arg(long, help_heading = "Output")]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WhatRuns {
    #[command(flatten)]
    pub(crate) inputs: MachineInputs,
    /// Only models that write at least so many tokens a second
    #[arg(
        long,
        help_heading = "Output",
        value_name = "NUMBER",
        allow_negative_numbers = true
    )]
    pub(crate) min_tok_s: Option<String>,
    /// What comes first: the largest model or the fastest
    #[arg(long, help_heading = "Output", value_enum, value_name = "ORDER", default_value_t = Sort::Size)]
    pub(crate) sort: Sort,
    /// Show at most so many models; 0 for all [default: 20 in a table, all in JSON]
    #[arg(
        long,
        help_heading = "Output",
        value_name = "N",
        allow_negative_numbers = true
    )]
    pub(crate) limit: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Formats {
    /// The model, by id or any common name
    ///
    /// A format behind the name shows that one alone; `bandwise models list` shows all models
    #[arg(long, help_heading = "Model", value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// A model file of your own in place of a name: GGUF, config.json, safetensors, or their folder
    #[arg(long, help_heading = "Model", value_name = "PATH")]
    pub(crate) model_file: Vec<PathBuf>,
    /// The family to take the model file for, where its own isn't known
    #[arg(
        long,
        help_heading = "Model",
        value_name = "FAMILY",
        requires = "model_file"
    )]
    pub(crate) assume_family: Option<String>,
    /// Only this format
    #[arg(long, help_heading = "Filter", value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Formats of this family, such as gguf, mlx or fp8 [default: gguf]
    #[arg(long, help_heading = "Filter", value_name = "FAMILY")]
    pub(crate) family: Option<String>,
    /// Formats of every family
    #[arg(long, help_heading = "Filter", conflicts_with = "family")]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// A CSV file of measured runs, `-` for standard input
    ///
    /// Columns as in `docs/validation/README.md`; needed are hardware, model, engine, metric and value
    #[arg(long, help_heading = "Input", value_name = "FILE")]
    pub(crate) runs: Option<PathBuf>,
    /// Show each row with its estimate or the reason there is none, the worst first
    #[arg(long, help_heading = "Output")]
    pub(crate) each: bool,
    /// Only rows of this metric, such as decode
    #[arg(long, help_heading = "Filter", value_name = "METRIC")]
    pub(crate) metric: Option<String>,
    /// Only rows of this slice, such as `engine=vllm`
    #[arg(long, help_heading = "Filter", value_name = "SLICE")]
    pub(crate) slice: Option<String>,
}

/// An order of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// Largest model first
    Size,
    /// Fastest first
    Speed,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Hardware {
    /// List devices
    List(HardwareList),
    /// Show all that is known of a device, with the source of each figure
    Show {
        /// Id or any common name
        #[arg(required = true, value_name = "NAME")]
        name: Vec<String>,
    },
    /// Find devices by a part of their names
    Search {
        /// Words that occur in the name
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct HardwareList {
    /// Only devices of this vendor, such as nvidia
    #[arg(long, help_heading = "Filter", value_name = "VENDOR")]
    pub(crate) vendor: Option<String>,
    /// Only devices of this kind, such as discrete-gpu
    #[arg(long, help_heading = "Filter", value_name = "KIND")]
    pub(crate) kind: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    /// List models
    List(ModelsList),
    /// Show all that is known of a model, with the source of each figure
    Show {
        /// Id or any common name
        #[arg(required = true, value_name = "NAME")]
        name: Vec<String>,
    },
    /// Find models by a part of their names
    Search {
        /// Words that occur in the name
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ModelsList {
    /// Only models of this family, such as qwen3
    #[arg(long, help_heading = "Filter", value_name = "FAMILY")]
    pub(crate) family: Option<String>,
}

/// The version of the program and of the method behind its numbers.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} (methodology {})",
        env!("CARGO_PKG_VERSION"),
        estimator::estimate::METHODOLOGY
    )
});

/// What `--color` says, looked up before parsing since parsing may end in help or an error.
pub(crate) fn color_asked(arguments: &[OsString]) -> ColorChoice {
    let mut words = flags(arguments);
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(choice) = value.and_then(|value| ColorChoice::from_str(value, false).ok()) {
            return choice;
        }
    }
    ColorChoice::Auto
}

/// Whether `--json` was given, for answering a command line that can't be parsed.
pub(crate) fn json_asked(arguments: &[OsString]) -> bool {
    flags(arguments).any(|word| word == "--json")
}

fn flags(arguments: &[OsString]) -> impl Iterator<Item = &str> {
    arguments
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .take_while(|word| *word != "--")
}

const MAIN_EXAMPLES: &str = "\
Examples:
  Does it fit, and how fast is it?
    bandwise estimate --hardware 4090 --model 'llama 3.1 8b' --format Q4_K_M --context 4096
  Which formats and contexts of a model fit?
    bandwise fit --hardware 'm3 ultra 80' --model 'llama 3.3 70b'
  What can this machine run?
    bandwise what-runs --hardware 'rtx 3060' --min-tok-s 20
  What do I type to run it so?
    bandwise flags --hardware 4090 --model 'llama 3.1 8b q4' --context 32K
  What is known of a device, and from where?
    bandwise hardware show 'strix halo'

Exit codes: 0; 1 when the model does not fit and --check was given, or `flags`; 2 for input that can't be used";

const ESTIMATE_EXAMPLES: &str = "\
Examples:
  bandwise estimate --hardware rtx-4090 --model llama-3.1-8b --format Q4_K_M --context 4096
  bandwise estimate --hardware 3090 --count 2 --model 'llama 3.3 70b q4' --context 16K --kv-type q8_0
  bandwise estimate --hardware 4090 --model gpt-oss-120b --ram 128 --json
  bandwise estimate --hardware 4060 --model 'qwen3 14b' --check && echo it fits";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  bandwise explain --hardware rtx-4090 --model llama-3.1-8b --format Q4_K_M --context 4096
  bandwise explain --hardware m4-max-40 --model 'qwen3 30b a3b' --json";

const FIT_EXAMPLES: &str = "\
Examples:
  bandwise fit --hardware 4090 --model 'qwen3 32b'
  bandwise fit --hardware 4090 --model 'qwen3 32b' --kv-type q8_0
  bandwise fit --hardware h100 --count 2 --model 'llama 3.3 70b' --engine vllm";

const MODEL_EXAMPLES: &str = "\
Examples:
  bandwise model Qwen3-8B-Q4_K_M.gguf
  bandwise model big-00001-of-00003.gguf --json
  bandwise model path/to/a/checkpoint
  bandwise estimate --hardware 4090 --model-file Qwen3-8B-Q4_K_M.gguf";

const FORMATS_EXAMPLES: &str = "\
Examples:
  bandwise formats --model llama-3.1-8b
  bandwise formats --model 'qwen3 30b a3b q4' --json
  bandwise formats --model gemma-3-12b --family mlx";

const FLAGS_EXAMPLES: &str = "\
Examples:
  bandwise flags --hardware 4090 --model 'llama 3.1 8b q4' --context 32K
  bandwise flags --hardware 'rtx-4090 + rtx-3090' --model 'llama 3.3 70b' --format Q4_K_M
  bandwise flags --hardware h100 --count 2 --model 'llama 3.3 70b' --engine vllm --json";

const WHAT_RUNS_EXAMPLES: &str = "\
Examples:
  bandwise what-runs --hardware 'rtx 3060'
  bandwise what-runs --hardware 4090 --context 32K --min-tok-s 30 --sort speed
  bandwise what-runs --hardware 'm4 pro' --memory 48 --limit 0 --json";

const HARDWARE_EXAMPLES: &str = "\
Examples:
  bandwise hardware list --vendor apple
  bandwise hardware show 'm3 ultra 80'
  bandwise hardware search 4090";

const VALIDATE_EXAMPLES: &str = "\
Examples:
  bandwise validate
  bandwise validate --runs my-runs.csv --json
  bandwise validate --metric decode --slice placement=expert-offload --each";

const MODELS_EXAMPLES: &str = "\
Examples:
  bandwise models list --family qwen3
  bandwise models show 'gpt oss 120b'
  bandwise models search coder";

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_choice_of_colour_is_found_wherever_it_stands() {
        assert_eq!(
            color_asked(&words("bandwise --color always fit")),
            ColorChoice::Always
        );
        assert_eq!(
            color_asked(&words("bandwise fit --color=never")),
            ColorChoice::Never
        );
        assert_eq!(
            color_asked(&words("bandwise fit --color")),
            ColorChoice::Auto
        );
        assert_eq!(
            color_asked(&words("bandwise -- --color=never")),
            ColorChoice::Auto
        );
    }
}
