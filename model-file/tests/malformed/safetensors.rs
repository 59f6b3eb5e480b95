//! Broken safetensors headers and indices, and files that don't belong together.

use crate::support::{Gguf, LLAMA, safetensors};
use crate::{Case, case, length, sized, whole};

/// A header of one tensor, intact.
const ONE: &str = r#"{"__metadata__":{"format":"pt"},"lm_head.weight":{"dtype":"BF16","shape":[4,8],"data_offsets":[0,64]}}"#;

/// An index, intact.
pub(crate) const INDEX: &str = r#"{"metadata":{"total_size":64},"weight_map":{"lm_head.weight":"model-00001-of-00001.safetensors"}}"#;

pub(crate) fn intact() -> Vec<u8> {
    safetensors(ONE)
}

/// The header with a text replaced by another, and room for its tensor.
fn replaced(what: &str, from: &str, to: &str) -> Case {
    assert!(ONE.contains(from), "{from}");
    case(what, safetensors(&ONE.replace(from, to)))
}

pub(crate) fn headers() -> Vec<Case> {
    let mut longer = u64::MAX.to_le_bytes().to_vec();
    longer.extend_from_slice(b"{\"a\":1}  ");
    let mut beyond = 1_000_u64.to_le_bytes().to_vec();
    beyond.extend_from_slice(b"{\"a\":1}  ");
    let two = ONE.replace(
        "\"lm_head.weight\"",
        "\"a\":{\"dtype\":\"BF16\",\"shape\":[4,8],\"data_offsets\":[0,64]},\"b\"",
    );
    let bytes = safetensors(ONE);
    let size = length(&bytes);
    vec![
        whole("a header of 2^64 - 1 bytes", longer),
        whole("a header longer than the file", beyond),
        sized("cut within the tensors", bytes, size + 63),
        case("JSON that ends early", safetensors(&ONE[..40])),
        case("a list in place of an object", safetensors("{\"a\":[]}")),
        replaced("a number for a type", "\"BF16\"", "16"),
        replaced("a type nobody knows", "BF16", "BF17"),
        replaced("no shape", "\"shape\":[4,8],", ""),
        replaced("a negative dimension", "[4,8]", "[-4,8]"),
        replaced("a dimension of 2^63", "[4,8]", "[9223372036854775808,8]"),
        replaced("nine dimensions", "[4,8]", "[4,8,1,1,1,1,1,1,1]"),
        replaced(
            "2^93 elements",
            "[4,8]",
            "[2147483648,2147483648,2147483648]",
        ),
        replaced("more bytes than the shape takes", "[0,64]", "[0,128]"),
        replaced("an end before the begin", "[0,64]", "[64,0]"),
        replaced("a gap before the tensor", "[0,64]", "[64,128]"),
        case("two tensors in the same place", safetensors(&two)),
        case(
            "a tensor twice",
            safetensors(&two.replace("\"b\"", "\"a\"")),
        ),
        replaced("a tensor without a name", "lm_head.weight", ""),
        replaced("a tensor alone, without a config", "lm_head", "head"),
    ]
}

pub(crate) fn indices() -> Vec<Case> {
    let replaced = |what: &str, from: &str, to: &str| {
        assert!(INDEX.contains(from), "{from}");
        whole(what, INDEX.replace(from, to))
    };
    vec![
        replaced("no size", "\"total_size\":64", ""),
        replaced("a negative size", "64", "-64"),
        replaced("a size in words", "64", "\"64\""),
        replaced("a size of 2^64", "64", "18446744073709551616"),
        replaced(
            "an empty map",
            "\"lm_head.weight\":\"model-00001-of-00001.safetensors\"",
            "",
        ),
        replaced(
            "a list for the map",
            "{\"lm_head.weight\":\"model-00001-of-00001.safetensors\"}",
            "[]",
        ),
        replaced(
            "a number for a file",
            "\"model-00001-of-00001.safetensors\"",
            "1",
        ),
        replaced(
            "a tensor twice",
            "{\"lm_head",
            "{\"lm_head.weight\":\"a\",\"lm_head",
        ),
        whole("cut in the middle", &INDEX[..60]),
    ]
}

pub(crate) fn together() -> Vec<Case> {
    let config = || (LLAMA.as_bytes().to_vec(), length(LLAMA.as_bytes()));
    let packed = safetensors(&ONE.replace("BF16", "U32").replace("[0,64]", "[0,128]"));
    let undecided = LLAMA.replace(
        "\"torch_dtype\": \"bfloat16\"",
        "\"quantization_config\": {\"quant_method\": \"brandnew\"}",
    );
    let gguf = Gguf::llama().bytes();
    let with_size = |bytes: Vec<u8>| {
        let size = length(&bytes) + 1_000_000;
        (bytes, size)
    };
    let case = |what: &str, files: Vec<(Vec<u8>, u64)>| Case {
        what: what.to_owned(),
        files,
    };
    let undecided = (undecided.as_bytes().to_vec(), length(undecided.as_bytes()));
    vec![
        case("two configs", vec![config(), config()]),
        case("a GGUF file and a config", vec![with_size(gguf), config()]),
        case(
            "an index alone",
            vec![(INDEX.as_bytes().to_vec(), length(INDEX.as_bytes()))],
        ),
        case(
            "the same safetensors file twice",
            vec![config(), with_size(intact()), with_size(intact())],
        ),
        case(
            "packed weights, and a config that says not how",
            vec![undecided, with_size(packed)],
        ),
    ]
}
