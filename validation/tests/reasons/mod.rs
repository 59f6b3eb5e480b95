//! Why estimates are off. Where the cause isn't stated by the source, the reason says "likely".

const REASONS: [(&str, &str); 41] = [
    (
        "r252135757922",
        "the source counts activations alone; the estimate's buffers include CUDA graphs",
    ),
    (
        "ra49c73a0df85",
        "likely part of the checkpoint kept in 16 bits: 19 GiB a card and 2.3 GiB for the cache leave 16.7 GiB for weights and buffers, where 4 bits take half",
    ),
    (
        "rab19064217e8",
        "row split leaves one card nearly empty; the estimate splits by layers",
    ),
    (
        "r52aa7b95ee1c",
        "likely the indexer's buffers of a new architecture, which the graph rules don't know",
    ),
    (
        "r130cfcf90acf",
        "mlx-lm keeps the whole context in every layer of Gemma 2 and writes its soft-capped scores to memory; the estimate counts windows and fused attention",
    ),
    (
        "r9a1f692dca06",
        "likely ExLlamaV2 allocates all 32,768 positions, and the estimate a window of 4,096; the context is not stated",
    ),
    (
        "r24f41287f675",
        "the type of the cache is not stated: 262K tokens in 16 bits alone would take 16 GiB, so it was quantized",
    ),
    (
        "r13f3b1e5dd68",
        "vLLM before chunked prefill measures its peak with a prompt of the whole context; the estimate follows today's 2,048 tokens",
    ),
    (
        "rd6d6867265a1",
        "likely flash attention: a quantized cache needs it, and the buffers counted for Ollama are those without",
    ),
    (
        "r8ea19a358333",
        "memory outside of torch varies with the driver: 0.2 to 0.35 GiB in the published runs",
    ),
    (
        "r4b6734b3fc6a",
        "memory outside of torch varies with the driver and NCCL's version",
    ),
    (
        "rc2a87ab9f71d",
        "the source counts activations alone; the estimate's buffers include CUDA graphs",
    ),
    (
        "r2431fe2ab917",
        "likely flash attention: a quantized cache needs it, and the buffers counted for Ollama are those without",
    ),
    (
        "r2f5f72fc4e19",
        "the file's own recipe: its embedding is Q8_0, where the type's usual is smaller",
    ),
    (
        "r08d4d025a824",
        "row split gives one card nearly all; the estimate splits by layers",
    ),
    (
        "rdc490868c755",
        "vLLM before chunked prefill measures its peak with a prompt of the whole context; the estimate follows today's 2,048 tokens",
    ),
    (
        "ra0cac350f56e",
        "approximate in the source, which also says 0.95 of 24 GiB: those are 22.4, as estimated",
    ),
    (
        "r23fe30e8d775",
        "likely CUDA graphs, which the estimate sets memory aside for and the source's build didn't",
    ),
    (
        "r8c66453393a9",
        "likely one layer less on the card: llama.cpp counts the head as the last of 66",
    ),
    (
        "r5b33abbdb3df",
        "likely PyTorch's allocator, which the driver's figure includes",
    ),
    (
        "rf97f6c9ac897",
        "likely the desktop: the driver's figure under Windows is of the whole card",
    ),
    (
        "rbe31917b921a",
        "unit not certain: GB or GiB as printed; the driver's total",
    ),
    (
        "r80fb7fcbf41d",
        "more threads than cores: the same machine reaches three times as much with 24",
    ),
    (
        "r92019546def5",
        "16 GB of RAM don't hold 15.3 GiB of experts beside the system: read from disk",
    ),
    (
        "r7164f1f86d1a",
        "16 GB of RAM don't hold 15.3 GiB of experts beside the system: read from disk",
    ),
    (
        "r2e592b1eafb9",
        "four NUMA nodes without a copy of the weights on each",
    ),
    (
        "r3d1353ece9ac",
        "built without NUMA on two sockets: weights cross between them",
    ),
    (
        "r4ea9f9841581",
        "likely 7 modules over two sockets, unevenly filled",
    ),
    (
        "recf0b8e9e9af",
        "most feed-forward layers moved to RAM by hand; the estimate moves as few as fit",
    ),
    (
        "rae151c2c1ddf",
        "most feed-forward layers moved to RAM by hand; the estimate moves as few as fit",
    ),
    ("r1d2affbe7f27", "likely two sockets without NUMA settings"),
    (
        "r288b83b16362",
        "ik_llama.cpp on a desktop reaches more of the RAM's peak than the factor, which servers set; rate of the modules not stated",
    ),
    (
        "r747a139fae6c",
        "most feed-forward layers moved to RAM by hand; the estimate moves as few as fit",
    ),
    (
        "rb171bd489681",
        "likely 7 modules over two sockets, unevenly filled",
    ),
    (
        "r4e2784aafe14",
        "likely an old CPU's arithmetic: unpacking IQ1 types binds, not memory",
    ),
    (
        "rb154d369f444",
        "an average over whole requests, prompts and start included",
    ),
    (
        "rcae42ab81ee1",
        "measured falls by half over 16K tokens of a q8_0 cache, more than its bytes explain",
    ),
    (
        "r015ab4c9984d",
        "measured falls by half over 16K tokens of a q8_0 cache, more than its bytes explain",
    ),
    (
        "ra0649442c765",
        "measured falls by half over 16K tokens of a q8_0 cache, more than its bytes explain",
    ),
    (
        "r0a20adeb145f",
        "row split; the low end of the range the source gives (10 to 17)",
    ),
    (
        "r5e7dc4de255f",
        "measured falls by half over 16K tokens of a q8_0 cache, more than its bytes explain",
    ),
];

pub(crate) fn of(id: &str) -> Option<&'static str> {
    REASONS
        .iter()
        .find(|(listed, _)| *listed == id)
        .map(|(_, reason)| *reason)
}
