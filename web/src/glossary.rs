//! The words of the field, each defined once.

use leptos::prelude::*;

/// A word and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Part of addresses and ids.
    pub(crate) id: &'static str,
    /// The word as it stands in a sentence.
    pub(crate) word: &'static str,
    /// What it means, in a sentence or two.
    pub(crate) meaning: &'static str,
}

macro_rules! entries {
    ($($name:ident = $id:literal, $word:literal: $meaning:literal;)*) => {
        $(
            #[doc = $word]
            pub(crate) const $name: Entry = Entry { id: $id, word: $word, meaning: $meaning };
        )*

        /// Every word, in the order a newcomer would ask for them.
        #[cfg(feature = "ssr")]
        pub(crate) const ALL: &[Entry] = &[$($name),*];
    };
}

entries! {
    TOKEN = "token", "token":
        "The unit a model reads and writes: about three quarters of an English word.";
    CONTEXT = "context", "context":
        "All tokens the model has in view at once: prompt, files, earlier turns and the answer so far. Memory is set aside for this many.";
    PROMPT = "prompt", "prompt":
        "The tokens sent in: instructions, documents, history.";
    OUTPUT = "output", "output":
        "The tokens the model writes, thinking included.";
    PREFILL = "prefill", "prefill":
        "Reading the prompt. Many tokens are worked on at once, so arithmetic usually sets the pace.";
    DECODE = "decode", "decode":
        "Writing the answer, one token after another. Each token needs the weights read from memory once, so bandwidth usually sets the pace.";
    TTFT = "ttft", "TTFT":
        "Time to first token: from sending the prompt to the first token of the answer, with nobody else waiting.";
    TPOT = "tpot", "TPOT":
        "Time per output token: the pause between two tokens of an answer. 1 ÷ TPOT is the decode speed.";
    CONCURRENCY = "concurrency", "concurrency":
        "Requests answered at the same time. A step reads the weights once for all of them, but each needs a KV cache of its own.";
    WEIGHTS = "weights", "weights":
        "The numbers a model consists of. All of them lie in memory; a step reads those it uses.";
    KV_CACHE = "kv-cache", "KV cache":
        "What attention keeps of each token in the context, so that it isn't computed again. Grows with the context and is read for every new token.";
    COMPUTE_BUFFERS = "compute-buffers", "compute buffers":
        "Room for intermediate results of one step. Grows with the micro-batch and the vocabulary.";
    RUNTIME = "runtime", "runtime":
        "What driver and engine hold before any model is loaded: contexts, kernels, pools.";
    QUANTIZATION = "quantization", "quantization":
        "Storing weights in fewer bits. Less memory and faster decode, at some loss of precision.";
    FORMAT = "format", "weight format":
        "How the weights are stored. Q4_K_M, say, is a mix: most tensors in 4 bits, some in 6.";
    ACTIVE_PARAMETERS = "active-parameters", "active parameters":
        "The parameters that work on one token. In a mixture of experts far fewer than there are in all.";
    MOE = "moe", "mixture of experts":
        "A model whose feed-forward layers are split into experts, of which a router picks a few for each token. All experts need memory; only those picked cost time.";
    BANDWIDTH = "bandwidth", "bandwidth":
        "Bytes a second that memory delivers, in decimal GB/s.";
    BOUND = "bound", "bound":
        "The resource that most of the time goes to. More of anything else hardly helps.";
    BASIS = "basis", "basis":
        "What an estimate rests on: factors fitted on runs of this kind of machine, factors of its class, the roofline alone, or an assumption.";
    INTERVAL = "interval", "interval":
        "Low to high: of ten real runs about eight should fall inside.";
    HEADROOM = "headroom", "headroom":
        "Usable memory that is left when everything is loaded.";
    USABLE = "usable", "usable memory":
        "The part of a device's memory a model may take, after what the system, the driver and other programs hold.";
    OFFLOAD = "offload", "offload":
        "Keeping some layers in the host's RAM. It makes a model fit, at the speed of that RAM.";
    HOST = "host", "the host":
        "The computer around the devices: its CPU and RAM take what the devices can’t hold.";
    SPLIT = "split", "a split over devices":
        "By layer, each device holds some layers and they work in turn: memory adds up, speed doesn’t. By tensor, each holds a share of every layer and they work together, exchanging results in each.";
    SHARES = "tensor-split", "a share of layers":
        "How the layers are divided over the devices, as in 3,1: three quarters on the first. Left out, the engine divides by free memory.";
    DEVICE_LAYERS = "gpu-layers", "a layer on a device":
        "How many of the model’s layers lie on the devices, the last ones first; the others stay in RAM.";
    HOST_EXPERTS = "cpu-moe", "an expert in RAM":
        "Of how many layers the experts stay in RAM, while attention and all that every token uses lie on the devices. Slower than all on the devices, much faster than whole layers in RAM.";
    DISK = "ssd", "the disk’s read rate":
        "Weights that find no room in RAM are read from disk at every step that needs them.";
    SLOTS = "slots", "a slot":
        "Requests a llama.cpp server keeps a context for. Each takes its part of the KV cache, used or not.";
    UNIFIED = "kv-unified", "a unified cache":
        "All slots share one KV cache instead of each having a part of it.";
    FLASH_ATTENTION = "flash-attention", "flash attention":
        "Attention worked out piece by piece, without a table of all pairs of tokens: less memory, and needed for a quantized KV cache.";
    MEMORY_FRACTION = "memory-fraction", "the memory fraction":
        "The share of a device’s memory that the engine takes for itself: weights, buffers, and all that is left as KV cache.";
    VISION = "vision", "the vision tower":
        "The part that turns images into tokens, with weights and buffers of its own. Text needs none of it.";
    MTP = "mtp", "multi-token prediction":
        "Extra layers that draft the next tokens, so that a step can confirm several. They need memory where they are loaded.";
    RESERVE = "reserve", "what others hold":
        "Memory of the device that isn’t the model’s: a desktop, a browser, another model.";
    UBATCH = "micro-batch", "micro-batch":
        "Tokens of a prompt that are worked on at once. Larger is faster to a point and takes more memory.";
    ENGINE = "engine", "engine":
        "The program that runs the model: llama.cpp, vLLM, MLX and others. They differ in speed and in how they use memory.";
    BACKEND = "backend", "backend":
        "What the engine drives the device with: CUDA, ROCm, Vulkan, Metal, SYCL or the CPU itself.";
    ROOFLINE = "roofline", "roofline":
        "The time of an operation is at least that of moving its bytes and at least that of its arithmetic, whichever is longer.";
}

/// A word whose meaning shows on hover, focus or tap. `place` tells two uses on a page apart.
#[component]
pub(crate) fn Defined(
    /// The word.
    entry: Entry,
    /// Where it stands; part of an id.
    place: &'static str,
    /// The word as this sentence needs it.
    #[prop(optional, into)]
    text: Option<String>,
) -> impl IntoView {
    let id = format!("meaning-{place}-{}", entry.id);
    let described_by = id.clone();
    view! {
        <button type="button" class="term" aria-describedby=described_by>
            {text.unwrap_or_else(|| entry.word.to_owned())}
            <span class="tip" role="tooltip" id=id>{entry.meaning}</span>
        </button>
    }
}

/// A question mark beside a label that says what its word means.
#[component]
pub(crate) fn AskMeaning(
    /// The word.
    entry: Entry,
) -> impl IntoView {
    let id = format!("meaning-of-{}", entry.id);
    let described_by = id.clone();
    let label = format!("What is {}?", entry.word);
    view! {
        <button type="button" class="term mark" aria-label=label aria-describedby=described_by>
            "?"
            <span class="tip" role="tooltip" id=id>{entry.meaning}</span>
        </button>
    }
}
