use super::*;
use proptest::prelude::*;

fn index() -> Index {
    let rows: &[(&str, &str, &[&str])] = &[
        ("rtx-4090", "GeForce RTX 4090", &[]),
        ("rtx-4090-d", "GeForce RTX 4090 D", &[]),
        ("rtx-4090-laptop", "GeForce RTX 4090 Laptop GPU", &[]),
        ("rtx-4080", "GeForce RTX 4080", &[]),
        ("rtx-5090", "GeForce RTX 5090", &[]),
        ("rx-7900-xtx", "Radeon RX 7900 XTX", &[]),
        ("rx-7900-xt", "Radeon RX 7900 XT", &[]),
        ("h100-sxm5-80gb", "NVIDIA H100 SXM5 80GB", &["h100"]),
        ("h100-pcie-80gb", "NVIDIA H100 PCIe 80GB", &[]),
        ("m3-ultra-60c", "Apple M3 Ultra (60-core GPU)", &[]),
        (
            "m3-ultra-80c",
            "Apple M3 Ultra (80-core GPU)",
            &["m3 ultra"],
        ),
        (
            "ryzen-ai-max-plus-395",
            "AMD Ryzen AI Max+ 395 (Radeon 8060S)",
            &["strix halo"],
        ),
        ("llama-3.3-70b", "Llama 3.3 70B Instruct", &[]),
        ("llama-3.1-8b", "Llama 3.1 8B", &[]),
        ("llama-3-8b", "Llama 3 8B", &[]),
        ("qwen3-30b-a3b", "Qwen3 30B-A3B", &[]),
        ("qwen3-coder-30b-a3b", "Qwen3 Coder 30B-A3B", &[]),
        ("gpt-oss-120b", "gpt-oss-120b", &[]),
        ("deepseek-r1", "DeepSeek R1", &[]),
        (
            "deepseek-r1-distill-qwen-7b",
            "DeepSeek R1 Distill Qwen 7B",
            &[],
        ),
    ];
    let aliases: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.2.iter().map(|&alias| alias.to_owned()).collect())
        .collect();
    Index::new(
        rows.iter()
            .zip(&aliases)
            .map(|(&(id, name, _), aliases)| Named {
                id,
                name,
                aliases,
                preferred: false,
            }),
    )
}

#[test]
fn people_find_what_they_mean() {
    let index = index();
    for (text, id) in [
        ("4090", "rtx-4090"),
        ("RTX 4090", "rtx-4090"),
        ("rtx4090", "rtx-4090"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("4090 laptop", "rtx-4090-laptop"),
        ("4090d", "rtx-4090-d"),
        ("5090", "rtx-5090"),
        ("7900 xtx", "rx-7900-xtx"),
        ("7900XT", "rx-7900-xt"),
        ("h100", "h100-sxm5-80gb"),
        ("H100 PCIe", "h100-pcie-80gb"),
        ("m3 ultra 80", "m3-ultra-80c"),
        ("M3 Ultra 80-core", "m3-ultra-80c"),
        ("apple m3 ultra 60", "m3-ultra-60c"),
        ("m3 ultra", "m3-ultra-80c"),
        ("Apple M3 Ultra", "m3-ultra-80c"),
        ("Strix Halo", "ryzen-ai-max-plus-395"),
        ("ryzen ai max+ 395", "ryzen-ai-max-plus-395"),
        ("8060S", "ryzen-ai-max-plus-395"),
        ("llama 3.3 70b", "llama-3.3-70b"),
        ("Llama-3.3-70B-Instruct", "llama-3.3-70b"),
        ("llama 3 8b", "llama-3-8b"),
        ("llama3.1 8B", "llama-3.1-8b"),
        ("qwen3 30b a3b", "qwen3-30b-a3b"),
        ("gpt oss 120b", "gpt-oss-120b"),
        ("deepseek r1", "deepseek-r1"),
        ("r1 distill 7b", "deepseek-r1-distill-qwen-7b"),
    ] {
        assert_eq!(index.resolve(text), Ok(id), "{text}");
    }
}

#[test]
fn a_slip_is_answered_with_the_nearest_names() {
    let no_match = index().resolve("rtx4900").unwrap_err();
    assert_eq!(
        no_match.nearest.first().map(String::as_str),
        Some("rtx-4090"),
        "{no_match:?}"
    );
    assert!(no_match.nearest.len() > 1 && no_match.nearest.len() <= SUGGESTIONS);
    let no_match = index().resolve("lama 3.3 70b").unwrap_err();
    assert_eq!(
        no_match.nearest.first().map(String::as_str),
        Some("llama-3.3-70b")
    );
}

#[test]
fn nonsense_has_no_neighbours() {
    for text in ["", "  ", "-", "xyzzy plugh", "🦀", &"4090 ".repeat(1000)] {
        let _ = index().resolve(text);
    }
    assert_eq!(
        index().resolve("").unwrap_err().nearest,
        Vec::<String>::new()
    );
    assert_eq!(
        index().resolve("xyzzyplugh").unwrap_err().nearest,
        Vec::<String>::new()
    );
}

#[test]
fn a_maker_alone_names_nothing() {
    assert!(index().resolve("nvidia").is_err());
}

#[test]
fn the_rest_after_the_longest_name_is_given_back() {
    let index = index();
    let position = index.position("llama 3.3 70b").unwrap();
    assert_eq!(
        index.position_and_rest("llama 3.3 70b  q4 "),
        Ok((position, "q4"))
    );
    assert_eq!(index.position_and_rest("llama 3.3 70b"), Ok((position, "")));
    assert!(index.position_and_rest("zzz q4").is_err());
}

#[test]
fn preference_decides_between_equal_words() {
    let none = Vec::new();
    let index = Index::new(
        [("a-one", false), ("a-two", true), ("a-six", false)]
            .into_iter()
            .map(|(id, preferred)| Named {
                id,
                name: id,
                aliases: &none,
                preferred,
            }),
    );
    assert_eq!(index.resolve("a"), Ok("a-two"));
}

proptest! {
    #[test]
    fn any_text_is_answered_without_panic(text in ".{0,60}") {
        let index = index();
        let _ = index.resolve(&text);
        let _ = index.position_and_rest(&text);
    }

    #[test]
    fn every_id_finds_itself_however_it_is_spaced(which in 0_usize..20, separator in "[ _/-]") {
        let index = index();
        let id = index.entries[which].id.to_string();
        prop_assert_eq!(index.resolve(&id.replace('-', &separator).to_uppercase()), Ok(id.as_str()));
    }
}
