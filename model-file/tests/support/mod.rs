//! Files for tests, written by hand.

#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

use std::io::Write as _;

/// A GGUF file in the making: its header; the tensors are never written.
#[derive(Debug, Clone)]
pub struct Gguf {
    pub magic: [u8; 4],
    pub version: u32,
    pub entries: Vec<(Vec<u8>, Vec<u8>)>,
    pub tensors: Vec<Tensor>,
    /// Counts to claim instead of the true ones.
    pub claimed: (Option<u64>, Option<u64>),
    pub alignment: u64,
}

/// A tensor of it.
#[derive(Debug, Clone)]
pub struct Tensor {
    pub name: Vec<u8>,
    pub dimensions: Vec<u64>,
    pub kind: u32,
    /// An offset to claim instead of the true one.
    pub offset: Option<u64>,
}

/// Numbers of value types.
pub const U32: u32 = 4;
pub const I32: u32 = 5;
pub const F32: u32 = 6;
pub const TEXT: u32 = 8;
pub const LIST: u32 = 9;
pub const U64: u32 = 10;

/// A text as files have it: its length in front.
pub fn text(text: &[u8]) -> Vec<u8> {
    let mut out = u64::try_from(text.len())
        .expect("a length")
        .to_le_bytes()
        .to_vec();
    out.extend_from_slice(text);
    out
}

impl Gguf {
    pub fn new(architecture: &str) -> Self {
        let mut file = Self {
            magic: *b"GGUF",
            version: 3,
            entries: Vec::new(),
            tensors: Vec::new(),
            claimed: (None, None),
            alignment: 32,
        };
        file.text("general.architecture", architecture);
        file
    }

    /// A llama of two layers.
    pub fn llama() -> Self {
        let mut file = Self::new("llama");
        file.text("general.name", "Small");
        file.number("llama.block_count", 2);
        file.number("llama.context_length", 512);
        file.number("llama.embedding_length", 64);
        file.number("llama.feed_forward_length", 128);
        file.number("llama.attention.head_count", 4);
        file.number("llama.attention.head_count_kv", 2);
        file.number("general.file_type", 1);
        file.tensor("token_embd.weight", &[64, 100], 1);
        for layer in 0..2 {
            let name = |stem: &str| format!("blk.{layer}.{stem}.weight");
            file.tensor(&name("attn_norm"), &[64], 0);
            file.tensor(&name("attn_q"), &[64, 64], 1);
            file.tensor(&name("attn_k"), &[64, 32], 1);
            file.tensor(&name("attn_v"), &[64, 32], 1);
            file.tensor(&name("attn_output"), &[64, 64], 1);
            file.tensor(&name("ffn_norm"), &[64], 0);
            file.tensor(&name("ffn_gate"), &[64, 128], 1);
            file.tensor(&name("ffn_up"), &[64, 128], 1);
            file.tensor(&name("ffn_down"), &[128, 64], 1);
        }
        file.tensor("output_norm.weight", &[64], 0);
        file
    }

    pub fn raw(&mut self, key: &str, kind: u32, value: &[u8]) {
        let mut encoded = kind.to_le_bytes().to_vec();
        encoded.extend_from_slice(value);
        self.entries.push((key.as_bytes().to_vec(), encoded));
    }

    pub fn number(&mut self, key: &str, value: u32) {
        self.raw(key, U32, &value.to_le_bytes());
    }

    pub fn text(&mut self, key: &str, value: &str) {
        self.raw(key, TEXT, &text(value.as_bytes()));
    }

    /// A list that claims so many elements of a kind and has these bytes.
    pub fn list(&mut self, key: &str, kind: u32, count: u64, bytes: &[u8]) {
        let mut value = kind.to_le_bytes().to_vec();
        value.extend_from_slice(&count.to_le_bytes());
        value.extend_from_slice(bytes);
        self.raw(key, LIST, &value);
    }

    /// Replaces a number, or adds it.
    pub fn set(&mut self, key: &str, value: u32) {
        self.remove(key);
        self.number(key, value);
    }

    pub fn remove(&mut self, key: &str) {
        self.entries.retain(|(name, _)| name != key.as_bytes());
    }

    pub fn tensor(&mut self, name: &str, dimensions: &[u64], kind: u32) {
        self.tensors.push(Tensor {
            name: name.as_bytes().to_vec(),
            dimensions: dimensions.to_vec(),
            kind,
            offset: None,
        });
    }

    /// The tensor of this name.
    pub fn find(&mut self, name: &str) -> &mut Tensor {
        self.tensors
            .iter_mut()
            .find(|tensor| tensor.name == name.as_bytes())
            .expect("a tensor of this name")
    }

    pub fn drop(&mut self, name: &str) {
        self.tensors.retain(|tensor| tensor.name != name.as_bytes());
    }

    /// The header.
    pub fn bytes(&self) -> Vec<u8> {
        let count = |length: usize| u64::try_from(length).expect("a length");
        let mut out = self.magic.to_vec();
        out.extend_from_slice(&self.version.to_le_bytes());
        let tensors = self.claimed.0.unwrap_or(count(self.tensors.len()));
        let entries = self.claimed.1.unwrap_or(count(self.entries.len()));
        out.extend_from_slice(&tensors.to_le_bytes());
        out.extend_from_slice(&entries.to_le_bytes());
        for (key, value) in &self.entries {
            out.extend_from_slice(&text(key));
            out.extend_from_slice(value);
        }
        let mut offset = 0_u64;
        for tensor in &self.tensors {
            out.extend_from_slice(&text(&tensor.name));
            let dimensions = u32::try_from(tensor.dimensions.len()).expect("a number");
            out.extend_from_slice(&dimensions.to_le_bytes());
            for size in &tensor.dimensions {
                out.extend_from_slice(&size.to_le_bytes());
            }
            out.extend_from_slice(&tensor.kind.to_le_bytes());
            out.extend_from_slice(&tensor.offset.unwrap_or(offset).to_le_bytes());
            let elements = tensor
                .dimensions
                .iter()
                .fold(1_u64, |all, size| all.wrapping_mul(*size));
            let bytes = match tensor.kind {
                0 | 26 => elements.wrapping_mul(4),
                8 => elements / 32 * 34,
                12 => elements / 256 * 144,
                14 => elements / 256 * 210,
                _ => elements.wrapping_mul(2),
            };
            offset = offset.wrapping_add(bytes.div_ceil(self.alignment) * self.alignment);
        }
        out
    }
}

/// A safetensors header of this JSON.
pub fn safetensors(json: &str) -> Vec<u8> {
    let mut out = u64::try_from(json.len())
        .expect("a length")
        .to_le_bytes()
        .to_vec();
    out.write_all(json.as_bytes()).expect("memory");
    out
}

/// A small config of Llama's make.
pub const LLAMA: &str = r#"{
  "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
  "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100,
  "max_position_embeddings": 512, "tie_word_embeddings": true, "torch_dtype": "bfloat16"
}"#;
