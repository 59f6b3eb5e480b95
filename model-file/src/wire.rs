//! A model as bytes: how one module of a page hands it to another.
//!
//! Both ends are of one build, so there is no version: what can't be taken apart is refused, and
//! kept nowhere. [`unpack`] is the inverse of [`pack`].

use estimator::architecture::{
    Architecture, Attention, AttentionKind, CacheOwner, Counted, Dense, Experts, Gate, Indexer,
    Layer, Linear, Part, Passes, Span,
};
use estimator::format::{BlockType, Encoding, WeightFormat};
use estimator::weights::{Inventory, Share, Stored};

use crate::own::{FileKind, OwnModel};

/// The model as bytes.
#[must_use]
pub fn pack(model: &OwnModel) -> Vec<u8> {
    let mut bytes = Vec::new();
    model.put(&mut bytes);
    bytes
}

/// The model that [`pack`] made these bytes of; `None` when they are not whole, or not of it.
#[must_use]
pub fn unpack(mut bytes: &[u8]) -> Option<OwnModel> {
    let model = OwnModel::take(&mut bytes)?;
    bytes.is_empty().then_some(model)
}

/// What can be written one after the other, and read in the same order.
trait Wire: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

/// Reads one value; the name only tells how many there are.
macro_rules! next {
    ($bytes:ident, $name:ident) => {
        Wire::take($bytes)?
    };
}

/// Whole numbers, the lowest byte first.
macro_rules! numbers {
    ($($kind:ty)*) => { $(
        impl Wire for $kind {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*number))
            }
        }
    )* };
}

/// Structs, field by field: none can be forgotten.
macro_rules! records {
    ($($name:ident { $($field:ident),* $(,)? })*) => { $(
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($field.put(out);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: next!(bytes, $field)),* })
            }
        }
    )* };
}

/// Enums: the number of the variant, then what it holds.
macro_rules! choices {
    ($($name:ident {
        $($tag:literal $variant:ident $({ $($field:ident),* })? $(( $inner:ident ))?,)*
    })*) => { $(
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $({ $($field),* })? $(( $inner ))? => {
                        out.push($tag);
                        $($($field.put(out);)*)?
                        $($inner.put(out);)?
                    })*
                }
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(match u8::take(bytes)? {
                    $($tag => Self::$variant
                        $({ $($field: next!(bytes, $field)),* })?
                        $(( next!(bytes, $inner) ))?,)*
                    _ => return None,
                })
            }
        }
    )* };
}

/// What has a list of all: its place there.
macro_rules! listed {
    ($($name:ident)*) => { $(
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let place = Self::ALL.iter().position(|one| one == self);
                out.push(place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX));
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Self::ALL.get(usize::from(u8::take(bytes)?)).copied()
            }
        }
    )* };
}

numbers! { u8 u16 u32 u64 }

listed! { BlockType Part }

records! {
    OwnModel { name, kind, architecture, format, inventory, assumed, notes }
    Architecture {
        family, hidden, vocabulary, output_vocabulary, tied_embeddings, output_bias, positions,
        norms, layers, counted, max_context, vision_parameters, mtp_layers, mtp_parameters,
    }
    Counted { part, elements }
    Layer { attention, linear, dense, experts, norms, passes }
    Attention {
        heads, kind, span, cache, gate, qkv_bias, output_bias, fused_qkv, q_norm, k_norm, small,
        indexer,
    }
    Indexer { heads, head_dim, kv_heads, q_input, topk, rate, own, shaped }
    Dense { width, gated, bias, fused }
    Experts {
        count, per_token, width, gated, bias, latent, shared_width, shared_gate, zero_count,
        router_small,
    }
    Inventory { trunk, mtp, vision, file }
    Stored { part, layer, routed, encoding, share, tensors }
    Share { elements, bytes }
}

choices! {
    FileKind { 0 Gguf, 1 Config, 2 ConfigAndIndex, 3 ConfigAndHeaders, }
    AttentionKind {
        0 Grouped { kv_heads, head_dim, v_head_dim, k_equals_v },
        1 Latent { q_rank, kv_rank, rope_dim, nope_dim, v_head_dim },
        2 SharedVector { head_dim, q_rank, o_rank, o_groups },
    }
    Span {
        0 Full,
        1 Sliding { window },
        2 Chunked { size },
        3 Compressed { window, rate },
        4 Cross,
    }
    CacheOwner { 0 Own, 1 Earlier, }
    Gate { 0 None, 1 PerHead, 2 PerElement, }
    Linear {
        0 GatedDeltaNet { k_heads, v_heads, k_head_dim, v_head_dim, kernel },
        1 Kda { heads, head_dim, kernel, full_rank_decay, full_rank_gate },
        2 Lightning { heads, head_dim },
        3 Mamba1 { inner, state, dt_rank, kernel, inner_norms },
        4 Mamba2 { heads, head_dim, state, groups, kernel, norm },
        5 ShortConv { channels, kernel },
    }
    Encoding {
        0 Block(block),
        1 MlxAffine { bits, group },
        2 MlxNvfp4,
        3 Nvfp4,
        4 AwqInt4,
        5 GptqInt4,
        6 GptqInt8,
        7 Int4 { group },
        8 Int8,
        9 Fp8,
        10 Fp8Block,
        11 Exl2(rate),
        12 Exl3(rate),
        13 Nf4,
        14 BnbInt8,
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        match u8::take(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for Passes {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u32::take(bytes).map(Self)
    }
}

/// By its name, which is read as a user's is.
impl Wire for WeightFormat {
    fn put(&self, out: &mut Vec<u8>) {
        self.name().put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Self::parse(&String::take(bytes)?).ok()
    }
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        length(self.len()).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::try_from(u64::take(bytes)?).ok()?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Self::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::take(bytes)? {
            Some(T::take(bytes)?)
        } else {
            None
        })
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        length(self.len()).put(out);
        for item in self {
            item.put(out);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        // No room is made by a number that isn't checked: the items say when they end.
        let count = u64::take(bytes)?;
        let mut items = Self::new();
        for _ in 0..count {
            items.push(T::take(bytes)?);
        }
        Some(items)
    }
}

fn length(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
