//! Names most like one that isn't known.

/// How many are suggested.
const SUGGESTIONS: usize = 3;
/// Nothing longer is compared.
const LONGEST: usize = 64;

/// The known names most like this one, the likest first; none when nothing is.
pub(crate) fn nearest(name: &str, known: impl IntoIterator<Item = &'static str>) -> Vec<String> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let squash = |text: &str| -> String {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = squash(name);
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(&wanted, &squash(known)), known))
        .filter(|(score, _)| *score >= 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored
        .into_iter()
        .take(SUGGESTIONS)
        .map(|(_, name)| name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_successor_is_near_its_predecessor() {
        let known = ["llama", "qwen2", "qwen3moe", "gemma3"];
        assert_eq!(nearest("qwen4_moe", known).first().unwrap(), "qwen3moe");
        assert!(nearest("zzz", known).is_empty());
    }
}
