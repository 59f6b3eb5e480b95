//! What the catalogue pages and the API say beside the fact sheets of [`answer::facts`].

pub(crate) mod device;
pub(crate) mod model;

/// How like a text a record is when a list is filtered: every word must occur in some name.
pub(crate) fn matches<'a>(words: &str, names: impl IntoIterator<Item = &'a str>) -> bool {
    let plain = |text: &str| {
        text.chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect::<String>()
    };
    let names = names.into_iter().map(plain).collect::<Vec<_>>().join(" ");
    words
        .split_whitespace()
        .map(plain)
        .all(|word| names.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn every_word_of_a_filter_must_occur() {
        assert!(matches("rtx 4090", ["rtx-4090", "GeForce RTX 4090"]));
        assert!(matches("RTX4090", ["GeForce RTX 4090"]));
        assert!(matches("", ["anything"]));
        assert!(!matches("rtx 5090", ["GeForce RTX 4090"]));
    }
}
