//! What a llama.cpp process holds on a CPU beside cache and graph.

use crate::architecture::{Architecture, Part};
use crate::format::{BlockType, Encoding, ModelFacts, WeightFormat};
use crate::tensor::{Role, Tensor};
use crate::units::Bytes;

/// A process beside its buffers: 27 MB in 97 runs of `llama-bench` (llama.cpp 0c1e57098).
pub const PROCESS: Bytes = Bytes::new(27e6);

/// The vector instructions of a CPU that matrix kernels are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// x86 with AVX2.
    Avx2,
    /// x86 with AVX-512.
    Avx512,
    /// Arm with NEON and dot products.
    Neon,
    /// None that weights are rearranged for.
    Other,
}

/// Bytes of the copies of matrices in the order the CPU's kernels want (`--repack`, on by default):
/// they stand beside the mapped file. Without mapping (`--no-mmap`) they replace what they are made
/// of, and with `--no-repack` there are none.
///
/// Embeddings are looked up, not multiplied with, so they and tied heads aren't copied
/// (`ggml/src/ggml-cpu/repack.cpp`, `ggml_repack_get_optimal_repack_type`, at 0c1e57098).
#[must_use]
pub fn repacked(
    architecture: &Architecture,
    format: &WeightFormat,
    instructions: Instructions,
) -> Bytes {
    let facts = ModelFacts::of(architecture);
    let mut encoder = format.encoder(&facts);
    let mut bytes = Bytes::ZERO;
    architecture.visit_parts(&mut |part: Part, tensor: Tensor| {
        let encoding = encoder.encode(&tensor);
        let looked_up = matches!(part, Part::Embedding | Part::Lookup) || tensor.role == Role::Norm;
        if looked_up || !tensor.rows.is_multiple_of(8) {
            return;
        }
        if let Encoding::Block(block) = encoding
            && rearranges(block, instructions)
        {
            bytes += Bytes::whole(encoding.bytes(&tensor));
        }
    });
    bytes
}

/// Whether kernels of these instructions work on rearranged blocks of a type.
const fn rearranges(block: BlockType, instructions: Instructions) -> bool {
    use BlockType as B;
    let everywhere = matches!(block, B::Q4_0 | B::Q4_K | B::IQ4_NL | B::MXFP4);
    match instructions {
        Instructions::Avx2 => everywhere,
        Instructions::Avx512 => everywhere || matches!(block, B::Q2_K),
        Instructions::Neon => everywhere || matches!(block, B::Q5_K | B::Q6_K | B::Q8_0),
        Instructions::Other => false,
    }
}
