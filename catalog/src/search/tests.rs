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
                vendor: vendor(name),
                preferred: false,
            }),
    )
}

fn vendor(name: &str) -> &'static str {
    let first = name.split(' ').next().unwrap_or_default();
    match first {
        "GeForce" | "NVIDIA" => "NVIDIA",
        "Radeon" | "AMD" => "AMD",
        "Apple" => "Apple",
        "Llama" => "Meta",
        _ => "",
    }
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
    let position = index.find("llama 3.3 70b").unwrap().entry;
    let found = |text| {
        index
            .find_with_rest(text, |at, rest| at == position && rest == "q4")
            .map(|found| (found.entry, found.name, found.rest))
    };
    assert_eq!(
        found(" llama 3.3 70b  q4 "),
        Ok((position, "llama 3.3 70b", "q4"))
    );
    assert_eq!(found("llama 3.3 70b"), Ok((position, "llama 3.3 70b", "")));
    assert!(found("zzz q4").is_err());
    assert!(found("llama 3.3 70b 8").is_err(), "nobody accepts the 8");
}

#[test]
fn what_is_longer_than_any_name_is_refused_without_trying_every_part_of_it() {
    let index = index();
    // Were each of its beginnings looked up, this would take minutes.
    for text in ["9".repeat(60_000), "qq rtx 4090 ".repeat(5_000)] {
        assert!(index.find(&text).unwrap_err().nearest.is_empty());
        let error = index.find_with_rest(&text, |_, _| true).unwrap_err();
        assert!(error.nearest.is_empty());
        assert_eq!(error.text, text);
    }
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
                vendor: "",
                preferred,
            }),
    );
    assert_eq!(index.resolve("a"), Ok("a-two"));
}

#[test]
fn a_number_must_stand_where_it_was_typed() {
    let index = index();
    for text in [
        "llama 70",
        "llama 4",
        "llama4",
        "m 60",
        "m7",
        "m8 ultra",
        "m3 80",
        "ryzen 395",
        "rtx 7900",
        "qwen 30b 3b",
        "3b",
        "gpt 120",
        "h 80",
    ] {
        assert!(
            index.resolve(text).is_err(),
            "{text}: {:?}",
            index.find(text)
        );
    }
    for (text, id) in [
        ("llama3", "llama-3-8b"),
        ("llama 3", "llama-3-8b"),
        ("llama 70b", "llama-3.3-70b"),
        ("llama 8b", "llama-3-8b"),
        ("qwen3 a3b", "qwen3-30b-a3b"),
        ("h100 80gb sxm5", "h100-sxm5-80gb"),
        ("coder qwen3", "qwen3-coder-30b-a3b"),
    ] {
        assert_eq!(index.resolve(text), Ok(id), "{text}");
    }
}

#[test]
fn the_wrong_maker_excludes_an_entry() {
    let index = index();
    for text in ["apple 4090", "amd rtx 4090", "nvidia 7900 xtx", "apple 80"] {
        assert!(index.resolve(text).is_err(), "{text}");
    }
    assert_eq!(index.resolve("amd 7900 xtx"), Ok("rx-7900-xtx"));
}

#[test]
fn entries_as_near_are_told() {
    let index = index();
    let also = |text: &str| -> Vec<&str> {
        let found = index.find(text).unwrap();
        let ids = found.also.iter().map(|&at| &*index.entries[at].id);
        ids.collect()
    };
    assert_eq!(also("llama 8b"), ["llama-3.1-8b"]);
    assert_eq!(also("7900"), ["rx-7900-xtx"]);
    for text in ["4090", "h100", "m3 ultra", "GeForce RTX 4090", "qwen3 30b"] {
        assert_eq!(also(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn letters_cut_off_a_number_count_as_another_product() {
    let index = Index::new(["rx-79m", "rx-79-xt"].into_iter().map(|id| Named {
        id,
        name: id,
        aliases: &[],
        vendor: "",
        preferred: id == "rx-79-xt",
    }));
    assert_eq!(index.resolve("rx 79"), Ok("rx-79-xt"));
    assert_eq!(index.resolve("rx 79m"), Ok("rx-79m"));
}

#[test]
fn a_version_may_leave_out_its_v() {
    let none = Vec::new();
    let index = Index::new(
        ["deepseek-v3", "deepseek-r1-qwen3"]
            .into_iter()
            .map(|id| Named {
                id,
                name: id,
                aliases: &none,
                vendor: "",
                preferred: false,
            }),
    );
    assert_eq!(index.resolve("deepseek 3"), Ok("deepseek-v3"));
    assert_eq!(
        index.resolve("deepseek3").map_err(|no| no.text),
        Err("deepseek3".to_owned())
    );
}

proptest! {
    #[test]
    fn any_text_is_answered_without_panic(text in ".{0,60}") {
        let index = index();
        let _ = index.resolve(&text);
        let _ = index.find_with_rest(&text, |_, _| true);
    }

    #[test]
    fn every_id_finds_itself_however_it_is_spaced(which in 0_usize..20, separator in "[ _/-]") {
        let index = index();
        let id = index.entries[which].id.to_string();
        prop_assert_eq!(index.resolve(&id.replace('-', &separator).to_uppercase()), Ok(id.as_str()));
    }
}
