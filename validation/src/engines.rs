//! Which engine of ours a printed engine is taken as.

/// An engine as printed, and what it is taken as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The engine that is asked about.
    pub engine: &'static str,
    /// How the two are related.
    pub relation: Relation,
}

/// How a printed engine is related to the one asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// It is that engine.
    Same,
    /// A fork or a shell of it, with its kernels: speed resembles, memory need not.
    Fork,
    /// Another engine that works alike: what it computes is the same, the kernels aren't.
    StandIn,
}

/// What a printed engine is taken as; `None` for one that resembles none of ours.
#[must_use]
pub fn taken(printed: &str) -> Option<Taken> {
    use Relation::{Fork, Same, StandIn};
    let (engine, relation) = match printed {
        "llama.cpp" => ("llama.cpp", Same),
        "ollama" => ("ollama", Same),
        "lm-studio" => ("lm-studio", Same),
        "mlx-lm" | "mlx" => ("mlx", Same),
        "vllm" => ("vllm", Same),
        "sglang" => ("sglang", Same),
        "tensorrt-llm" => ("tensorrt-llm", Same),
        "exllamav2" => ("exllamav2", Same),
        "exllamav3" => ("exllamav3", Same),
        "ik_llama.cpp" => ("ik_llama.cpp", Same),
        "ktransformers" => ("ktransformers", Same),
        other => {
            let name = other.strip_prefix("other:")?;
            let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
            if starts(&["llama.cpp", "koboldcpp", "llama-box", "gpustack-llama-box"])
                || name.ends_with("llama.cpp-fork")
            {
                ("llama.cpp", Fork)
            } else if starts(&["mlx", "vllm-mlx", "rapid-mlx", "omlx"]) {
                ("mlx", Fork)
            } else if name == "exllama" {
                ("exllamav2", StandIn)
            } else {
                return None;
            }
        }
    };
    Some(Taken { engine, relation })
}
