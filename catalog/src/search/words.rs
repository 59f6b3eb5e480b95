//! A text as words, and what tells two spellings apart.

use super::maker;

/// Lower case without anything but letters, digits and the point of a version; `+` is "plus".
#[must_use]
pub fn squash(text: &str) -> String {
    words(text).map(|word| word.text).collect()
}

/// Like [`squash`], without makers' names.
pub(super) fn squash_without_makers(text: &str) -> String {
    words(text)
        .map(|word| word.text)
        .filter(|word| maker(word).is_none())
        .collect()
}

/// A word of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Word {
    /// In lower case.
    pub(super) text: String,
    /// Whether nothing stands between it and the word before.
    pub(super) glued: bool,
}

impl Word {
    /// Whether it is made of digits.
    pub(super) fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Letter,
    Digit,
}

/// Words, split at punctuation and where letters meet digits: `RTX4090-D` is `rtx`, `4090`, `d`.
///
/// A point between digits belongs to the number: `3.1` is one word.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word> {
    let mut rest = text;
    let mut glued = false;
    std::iter::from_fn(move || {
        let mut word = String::new();
        let mut class = None;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or("");
            let here = match c {
                _ if c.is_ascii_digit() => Some(Class::Digit),
                _ if c.is_alphabetic() => Some(Class::Letter),
                '.' if class == Some(Class::Digit)
                    && after.starts_with(|next: char| next.is_ascii_digit()) =>
                {
                    Some(Class::Digit)
                }
                '+' if word.is_empty() => {
                    rest = after;
                    return Some(Word {
                        text: "plus".to_owned(),
                        glued: std::mem::replace(&mut glued, true),
                    });
                }
                _ => None,
            };
            match (here, class) {
                (None, None) => {
                    glued = false;
                    rest = after;
                }
                (Some(here), known) if known.is_none_or(|known| known == here) => {
                    class = Some(here);
                    word.extend(c.to_lowercase());
                    rest = after;
                }
                _ => break,
            }
        }
        (!word.is_empty()).then(|| Word {
            text: word,
            glued: std::mem::replace(&mut glued, true),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_at_digits_and_keep_versions() {
        let split = |text: &str| words(text).map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(split("RTX4090-D"), ["rtx", "4090", "d"]);
        assert_eq!(split("llama3.1 8B"), ["llama", "3.1", "8", "b"]);
        assert_eq!(split("Max+ 395."), ["max", "plus", "395"]);
        assert_eq!(split("+1 ..2"), ["plus", "1", "2"]);
    }

    #[test]
    fn words_know_what_they_are_glued_to() {
        let glued = |text: &str| words(text).map(|word| word.glued).collect::<Vec<_>>();
        assert_eq!(glued("RTX4090-D"), [false, true, false]);
        assert_eq!(glued(" llama3.1 8B"), [false, true, false, true]);
        assert_eq!(glued("Max+ 395"), [false, true, false]);
    }
}
