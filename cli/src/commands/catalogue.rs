//! What the catalogues of devices and models share: searching and filters.

use catalog::search::{Index, Named, squash};

use crate::failure::Failure;

/// Whether every word occurs in one of the names, whatever the case and punctuation.
pub(crate) fn has_words<'a>(words: &[String], names: impl IntoIterator<Item = &'a str>) -> bool {
    let names: Vec<String> = names.into_iter().map(squash).collect();
    let mut words = words
        .iter()
        .flat_map(|word| word.split_whitespace())
        .map(squash);
    words.all(|word| names.iter().any(|name| name.contains(&word)))
}

/// The most values that an error lists.
const LISTED: usize = 20;

/// A filter that must be one of `known`.
pub(crate) fn one_of(field: &'static str, text: &str, known: &[String]) -> Result<String, Failure> {
    let asked = squash(text);
    if let Some(found) = known.iter().find(|name| squash(name) == asked) {
        return Ok(found.clone());
    }
    let names = known.iter().map(|name| Named {
        id: name,
        name,
        aliases: &[],
        vendor: "",
        preferred: false,
    });
    let nearest = match Index::new(names).resolve(text) {
        Ok(found) => vec![found.to_owned()],
        Err(nothing) => nothing.nearest,
    };
    if known.len() > LISTED {
        return Err(Failure::unknown(field, text, field, &nearest));
    }
    let hint = nearest
        .first()
        .map(|name| format!("did you mean `{name}`?"));
    Err(Failure::one(
        field,
        text,
        format!("unknown {field}; there are {}", known.join(", ")),
        hint,
    ))
}

/// A line that counts what was listed.
pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}\n")
    } else {
        format!("{count} {what}s\n")
    }
}

/// Values once each, in order.
pub(crate) fn distinct(values: impl IntoIterator<Item = String>) -> Vec<String> {
    values
        .into_iter()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_name_and_spelling() {
        let words = |text: &str| vec![text.to_owned()];
        assert!(has_words(
            &words("RTX 4090"),
            ["rtx-4090", "GeForce RTX 4090"]
        ));
        assert!(has_words(
            &words("4090 geforce"),
            ["rtx-4090", "GeForce RTX 4090"]
        ));
        assert!(!has_words(
            &words("rtx 3090"),
            ["rtx-4090", "GeForce RTX 4090"]
        ));
    }

    #[test]
    fn a_filter_names_what_there_is() {
        let known = distinct(["nvidia", "amd", "amd"].map(str::to_owned));
        assert_eq!(one_of("vendor", "NVIDIA", &known).unwrap(), "nvidia");
        let refusal = one_of("vendor", "nvida", &known).unwrap_err();
        assert!(
            refusal.json().contains("did you mean `nvidia`?"),
            "{}",
            refusal.json()
        );
    }
}
