//! Weights known by count, as far as their shapes can be told.

use super::super::{Architecture, Counted, Part};
use super::Layer;
use crate::tensor::{Role, Tensor};

/// The weights known by count only.
pub(in crate::architecture) fn visit_all_counted(
    architecture: &Architecture,
    visit: &mut impl FnMut(Part, Tensor),
) {
    if let Some(embeddings) = LayerEmbeddings::of(architecture) {
        for counted in &architecture.counted {
            match counted.part {
                Part::Other => embeddings.visit(counted.elements, visit),
                _ => visit_counted(*counted, architecture, visit),
            }
        }
        return;
    }
    for counted in &architecture.counted {
        visit_counted(*counted, architecture, visit);
    }
}

/// Gemma 3n's and Gemma 4's embeddings of each layer, told by the size of their table.
struct LayerEmbeddings {
    /// Widths of all layers' embeddings together.
    width: u64,
    layers: u64,
    hidden: u64,
}

impl LayerEmbeddings {
    /// Rows of the table (`vocab_size_per_layer_input` of both families' configs).
    const ROWS: u64 = 262_144;

    fn of(architecture: &Architecture) -> Option<Self> {
        let family = architecture.family.as_str();
        if !(family.starts_with("gemma3n") || family.starts_with("gemma4")) {
            return None;
        }
        let table = architecture
            .counted
            .iter()
            .find(|counted| counted.part == Part::Lookup)?;
        Some(Self {
            width: table.elements.checked_div(Self::ROWS)?,
            layers: u64::from(architecture.layer_count()),
            hidden: u64::from(architecture.hidden),
        })
    }

    /// Two projections a layer, its norm, and what GGUF leaves in 16 bits: the projection of all
    /// layers' embeddings, and in Gemma 3n altup and laurel.
    fn visit(&self, elements: u64, visit: &mut impl FnMut(Part, Tensor)) {
        const PART: Part = Part::Other;
        let width = self.width.checked_div(self.layers).unwrap_or(0);
        let mut rest = elements;
        let mut outside = Layer { visit, layer: None };
        for [row, rows, stack] in [
            [self.hidden, width, self.layers],
            [width, self.hidden, self.layers],
        ] {
            let wanted = row.saturating_mul(rows).saturating_mul(stack);
            if wanted <= rest {
                rest -= wanted;
                for _ in 0..stack {
                    outside.matrix(PART, Role::Other, row, rows);
                }
            }
        }
        let norms = self.hidden.saturating_mul(self.layers).min(rest);
        outside.vector(PART, norms);
        outside.stack(PART, Role::Kept, [rest - norms, 1, 1]);
    }
}

/// Spreads weights known by count evenly over the layers; the remainder goes to the first.
fn visit_counted(
    counted: Counted,
    architecture: &Architecture,
    visit: &mut impl FnMut(Part, Tensor),
) {
    let Counted { part, elements } = counted;
    if part == Part::Lookup || architecture.layers.is_empty() {
        let role = if part == Part::Lookup {
            Role::Lookup
        } else {
            Role::Other
        };
        let mut outside = Layer { visit, layer: None };
        outside.stack(part, role, [elements, 1, 1]);
        return;
    }
    let layers = u64::from(architecture.layer_count());
    let each = elements.checked_div(layers).unwrap_or(0);
    let mut rest = elements - each * layers;
    for number in 0..architecture.layer_count() {
        let mut to = Layer {
            visit: &mut *visit,
            layer: Some(number),
        };
        to.stack(part, Role::Other, [each + rest, 1, 1]);
        rest = 0;
    }
}
