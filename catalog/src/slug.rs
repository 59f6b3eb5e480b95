//! The shape of ids: the file's name, the address of its page, the value of `--hardware` or `--model`.

/// Whether `text` is lower-case ASCII letters and digits in groups joined by single `-` or `.`.
///
/// ```
/// assert!(bandwise_catalog::slug::is_slug("llama-3.1-8b"));
/// assert!(!bandwise_catalog::slug::is_slug("RTX 4090"));
/// ```
#[must_use]
pub fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.split(['-', '.']).all(|group| {
            !group.is_empty()
                && group
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::is_slug;

    #[test]
    fn a_slug_has_no_empty_group_and_no_capitals() {
        assert!(is_slug("rtx-4090"));
        assert!(is_slug("t4"));
        for text in [
            "",
            "-",
            "rtx--4090",
            "rtx-4090-",
            "RTX-4090",
            "rtx_4090",
            "rtx 4090",
            "é",
        ] {
            assert!(!is_slug(text), "{text}");
        }
    }
}
