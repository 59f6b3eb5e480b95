//! The page of documentation names what is read, and what isn't.

use bandwise_model_file::{config, gguf, limits};

#[test]
fn every_family_and_limit_stands_on_the_page() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/model-files.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let missing: Vec<&str> = gguf::known()
        .chain(config::known())
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert_eq!(missing, [""; 0]);
    for (limit, row) in [
        (
            limits::GGUF_HEADER_BYTES,
            (128 << 20, "header of a GGUF file | 128 MiB"),
        ),
        (
            limits::GGUF_ENTRIES,
            (4_096, "entries of its metadata | 4096"),
        ),
        (limits::TENSORS, (1_000_000, "tensors | 1,000,000")),
        (limits::LAYERS, (2_000, "layers | 2000")),
        (
            limits::SAFETENSORS_HEADER_BYTES,
            (100_000_000, "header of a safetensors file | 100 MB"),
        ),
    ] {
        assert_eq!(limit, row.0, "{}", row.1);
        assert!(page.contains(row.1), "{}", row.1);
    }
}
