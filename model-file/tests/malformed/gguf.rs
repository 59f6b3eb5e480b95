//! Broken GGUF files.

use crate::support::{F32, Gguf, I32, LIST, TEXT, U32, U64, text};
use crate::{Case, case, length, sized, whole};

/// A small llama with something broken.
fn broken(what: &str, breaks: impl FnOnce(&mut Gguf)) -> Case {
    let mut file = Gguf::llama();
    breaks(&mut file);
    case(what, file.bytes())
}

pub(crate) fn magic() -> Vec<Case> {
    let version = |what: &str, version: u32| broken(what, |file| file.version = version);
    vec![
        whole("nothing at all", b""),
        whole("one byte", b"G"),
        whole("zeros", [0; 64]),
        whole("text", b"Once upon a time there was a model"),
        whole("a GGML file of 2023", b"lmgg\x01\0\0\0\0\0\0\0\0\0\0\0"),
        whole("a pickle of PyTorch", b"PK\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0"),
        broken("the magic in lower case", |file| file.magic = *b"gguf"),
        version("version 0", 0),
        version("version 1", 1),
        version("version 4", 4),
        version("version 3 in big-endian order", 3_u32.swap_bytes()),
    ]
}

pub(crate) fn truncated() -> Vec<Case> {
    let bytes = Gguf::llama().bytes();
    let cut = |what: &str, end: usize| whole(what, bytes.get(..end).expect("a start"));
    let at = |needle: &[u8]| {
        bytes
            .windows(needle.len())
            .position(|window| window == needle)
            .expect("a place")
    };
    vec![
        cut("cut after the magic", 4),
        cut("cut within the version", 6),
        cut("cut within the counts", 18),
        cut("cut after the counts", 24),
        cut("cut within a key", at(b"llama.block_count") + 5),
        cut("cut within a value", at(b"llama.block_count") + 19),
        cut("cut within a tensor's name", at(b"blk.0.attn_k") + 4),
        cut(
            "cut within a tensor's sizes",
            at(b"blk.0.attn_k.weight") + 25,
        ),
        cut("cut before the last offset", bytes.len() - 8),
        cut("the header and nothing of the tensors", bytes.len()),
        sized(
            "cut within the tensors",
            bytes.clone(),
            length(&bytes) + 100_000,
        ),
    ]
}

pub(crate) fn metadata() -> Vec<Case> {
    let endless = u64::MAX;
    vec![
        broken("2^64 - 1 entries", |file| file.claimed.1 = Some(endless)),
        broken("a million entries", |file| file.claimed.1 = Some(1_000_000)),
        broken("one entry more than there are", |file| {
            file.claimed.1 = Some(u64::try_from(file.entries.len()).expect("a number") + 1);
        }),
        broken("a key of 2^63 bytes", |file| {
            file.claimed.1 = Some(u64::try_from(file.entries.len()).expect("a number") + 1);
            file.tensors = Vec::new();
            let (key, value) = file.entries.last_mut().expect("an entry");
            value.extend_from_slice(&(1_u64 << 63).to_le_bytes());
            assert!(!key.is_empty());
        }),
        broken("a key that isn't UTF-8", |file| {
            file.entries[1].0 = vec![0xff, 0xfe, 0xfd];
        }),
        broken("an empty key", |file| file.entries[1].0 = Vec::new()),
        broken("a key twice", |file| file.number("llama.block_count", 2)),
        broken("value type 13", |file| file.raw("llama.odd", 13, &[0; 8])),
        broken("value type 2^32 - 1", |file| {
            file.raw("llama.odd", u32::MAX, &[0; 8]);
        }),
        broken("a text of 2^62 bytes", |file| {
            file.raw("general.odd", TEXT, &(1_u64 << 62).to_le_bytes());
        }),
        broken("a name that isn't UTF-8", |file| {
            file.remove("general.name");
            file.raw("general.name", TEXT, &text(&[0xc3, 0x28]));
        }),
        broken("a list of 2^60 numbers", |file| {
            file.list("tokenizer.ggml.scores", F32, 1 << 60, &[]);
        }),
        broken("a list of 2^61 texts", |file| {
            file.list("tokenizer.ggml.tokens", TEXT, 1 << 61, &[]);
        }),
        broken("a list of 2^64 - 1 numbers of 8 bytes", |file| {
            file.list("tokenizer.ggml.scores", U64, endless, &[]);
        }),
        broken("a list of lists", |file| {
            file.list("tokenizer.ggml.odd", LIST, 1, &[0; 32]);
        }),
        broken("a list of value type 77", |file| {
            file.list("tokenizer.ggml.odd", 77, 1, &[0; 32]);
        }),
        broken("an alignment of 0", |file| {
            file.number("general.alignment", 0);
        }),
        broken("an alignment of 48", |file| {
            file.number("general.alignment", 48);
        }),
        broken("an alignment in words", |file| {
            file.text("general.alignment", "thirty-two");
        }),
        broken("no architecture", |file| {
            file.remove("general.architecture")
        }),
        broken("a number for the architecture", |file| {
            file.set("general.architecture", 7);
        }),
        case("an unknown architecture", {
            let mut file = Gguf::llama();
            file.remove("general.architecture");
            file.text("general.architecture", "qwen4moe");
            file.bytes()
        }),
        case("a vision tower", Gguf::new("clip").bytes()),
        case("a model that embeds", Gguf::new("bert").bytes()),
    ]
}

pub(crate) fn tensors() -> Vec<Case> {
    let key = "blk.0.attn_k.weight";
    let tensor = |what: &str, dimensions: &[u64], kind: u32| {
        broken(what, |file| {
            let tensor = file.find(key);
            tensor.dimensions = dimensions.to_vec();
            tensor.kind = kind;
        })
    };
    vec![
        broken("2^64 - 1 tensors", |file| file.claimed.0 = Some(u64::MAX)),
        broken("one tensor more than there are", |file| {
            file.claimed.0 = Some(u64::try_from(file.tensors.len()).expect("a number") + 1);
            file.tensors.truncate(1);
        }),
        broken("no tensors", |file| file.tensors = Vec::new()),
        broken("a tensor without a name", |file| {
            file.find(key).name = Vec::new();
        }),
        broken("a tensor's name that isn't UTF-8", |file| {
            file.find(key).name = vec![0x80; 5];
        }),
        broken("a tensor's name of 2,000 bytes", |file| {
            file.find(key).name = vec![b'a'; 2_000];
        }),
        broken("a tensor twice", |file| {
            file.find(key).name = b"blk.0.attn_q.weight".to_vec();
        }),
        tensor("no dimensions", &[], 1),
        tensor("five dimensions", &[64, 32, 1, 1, 1], 1),
        tensor("a dimension of 0", &[64, 0], 1),
        tensor("a dimension of -1", &[64, u64::MAX], 1),
        tensor("2^93 elements", &[1 << 31, 1 << 31, 1 << 31], 1),
        tensor("type 4, withdrawn in 2023", &[64, 32], 4),
        tensor("type 99", &[64, 32], 99),
        tensor("32-bit integers for weights", &[64, 32], 26),
        tensor("rows of 64 in blocks of 256", &[64, 32], 12),
        broken("an offset that isn't aligned", |file| {
            file.find(key).offset = Some(7);
        }),
        broken("an offset into the tensor before", |file| {
            file.find(key).offset = Some(32);
        }),
        broken("an offset of 2^64 - 1", |file| {
            file.find(key).offset = Some(u64::MAX);
        }),
    ]
}

pub(crate) fn disagreeing() -> Vec<Case> {
    let set = |what: &str, key: &str, value: u32| broken(what, |file| file.set(key, value));
    let without = |what: &str, key: &str| broken(what, |file| file.remove(key));
    let without_tensor = |what: &str, name: &str| broken(what, |file| file.drop(name));
    vec![
        without("no number of layers", "llama.block_count"),
        set("no layers", "llama.block_count", 0),
        set("a billion layers", "llama.block_count", 1_000_000_000),
        set("one layer, tensors of two", "llama.block_count", 1),
        set(
            "another width than the embedding's",
            "llama.embedding_length",
            128,
        ),
        set(
            "another vocabulary than the embedding's",
            "llama.vocab_size",
            101,
        ),
        without("no number of heads", "llama.attention.head_count"),
        set("no heads", "llama.attention.head_count", 0),
        set("heads that don't divide", "llama.attention.head_count", 3),
        set(
            "key heads that don't divide",
            "llama.attention.head_count_kv",
            5,
        ),
        set("another width of a head", "llama.attention.key_length", 24),
        set("another inner width", "llama.feed_forward_length", 256),
        broken("a text for a number", |file| {
            file.remove("llama.block_count");
            file.text("llama.block_count", "two");
        }),
        broken("a negative number", |file| {
            file.remove("llama.block_count");
            file.raw("llama.block_count", I32, &(-2_i32).to_le_bytes());
        }),
        broken("NaN for a number", |file| {
            file.remove("llama.block_count");
            file.raw("llama.block_count", F32, &f32::NAN.to_le_bytes());
        }),
        broken("fewer numbers of heads than layers", |file| {
            file.remove("llama.attention.head_count_kv");
            file.list(
                "llama.attention.head_count_kv",
                U32,
                1,
                &2_u32.to_le_bytes(),
            );
        }),
        set(
            "more prediction layers than layers",
            "llama.nextn_predict_layers",
            2,
        ),
        without_tensor("no embedding", "token_embd.weight"),
        without_tensor("no values' projection back", "blk.0.ffn_down.weight"),
        broken("experts without their number", |file| {
            file.tensor("blk.1.ffn_down_exps.weight", &[64, 64, 8], 1);
        }),
        broken("more experts a token than there are", |file| {
            file.number("llama.expert_count", 8);
            file.number("llama.expert_used_count", 9);
            file.tensor("blk.1.ffn_down_exps.weight", &[64, 64, 8], 1);
            file.tensor("blk.1.ffn_up_exps.weight", &[64, 64, 8], 1);
        }),
        broken("another number of experts than the tensors'", |file| {
            file.number("llama.expert_count", 16);
            file.tensor("blk.1.ffn_down_exps.weight", &[64, 64, 8], 1);
        }),
        broken("a mixer nobody knows", |file| {
            file.tensor("blk.1.time_mix_w1.weight", &[64, 64], 1);
        }),
    ]
}

/// Part `number` of `count`.
fn part(number: u32, count: u32) -> (Vec<u8>, u64) {
    let mut file = Gguf::llama();
    file.number("split.no", number);
    file.number("split.count", count);
    let bytes = file.bytes();
    let size = length(&bytes) + 1_000_000;
    (bytes, size)
}

pub(crate) fn parts() -> Vec<Case> {
    let case = |what: &str, files: Vec<(Vec<u8>, u64)>| Case {
        what: what.to_owned(),
        files,
    };
    vec![
        case("the first of three parts alone", vec![part(0, 3)]),
        case("the second of three parts alone", vec![part(1, 3)]),
        case("two of three parts", vec![part(0, 3), part(1, 3)]),
        case("the first part twice", vec![part(0, 2), part(0, 2)]),
        case("parts of two files", vec![part(0, 2), part(1, 3)]),
    ]
}
