//! What mlx-lm holds beside weights and cache.

use crate::num;
use crate::units::Bytes;
use crate::widths::Widths;

/// Bytes of an intermediate result's element.
const RESULT: f64 = 2.0;

/// What a process holds of the GPU beside all that can be counted: 0.45 GiB is the middle of what 22
/// peaks that mlx-lm printed leave, on an M3 Ultra and an M4 Max, for models from 4B to
/// 671B; they spread from 0.2 to 0.7 GiB without a pattern in widths, bits or context.
const REST: Bytes = Bytes::gib(0.45);

/// Intermediate results of a prefill step of so many tokens. Logits of a prompt are only computed
/// for its last token (`mlx_lm/generate.py`, `generate_step`).
#[must_use]
pub fn activation(widths: &Widths, tokens: u64) -> Bytes {
    let experts = 3.0 * widths.experts_used * widths.expert + 3.0 * widths.shared;
    let dense = widths.dense_results * widths.dense;
    let inside = dense.max(experts) + 4.0 * widths.hidden;
    Bytes::new(inside * num::f(tokens) * RESULT) + REST
}
