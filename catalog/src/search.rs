//! Finding an entry by what people type: `4090`, `rtx4090`, `m3 ultra 80`, `Qwen3 30B A3B`.
//!
//! Case, spaces, hyphens and other punctuation don't count. The order of trust:
//!
//! 1. the whole text, with or without a maker's name, is an id, an alias or a name;
//! 2. all its words occur in one entry (makers' names are optional); of several, the preferred one,
//!    then the one with the fewest other words, then the shortest name, then the first id.
//!
//! Otherwise [`NoMatch`] lists the nearest ids.

use std::collections::BTreeSet;

/// An entry to be found.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The id.
    pub id: &'a str,
    /// The full name.
    pub name: &'a str,
    /// What else people call it.
    pub aliases: &'a [String],
    /// Whether it wins against other entries with the same words.
    pub preferred: bool,
}

/// No entry fits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing is called `{text}`")]
pub struct NoMatch {
    /// What was asked for.
    pub text: String,
    /// Ids that look alike, nearest first; empty when none does.
    pub nearest: Vec<String>,
}

/// Makers' names: allowed in a question, not needed.
const MAKERS: [&str; 9] = [
    "nvidia",
    "geforce",
    "amd",
    "radeon",
    "apple",
    "intel",
    "meta",
    "google",
    "mistralai",
];

/// At most this many names are suggested.
const SUGGESTIONS: usize = 5;

/// The names of a database, ready to be searched. Built once; a search allocates for the question only.
#[derive(Debug)]
pub struct Index {
    entries: Vec<Entry>,
    /// Squashed ids, aliases and names with the entry they mean, sorted.
    exact: Vec<(Box<str>, u32)>,
    /// All words, sorted; a word's number is its position.
    words: Vec<Box<str>>,
}

#[derive(Debug)]
struct Entry {
    id: Box<str>,
    /// Numbers of its words, sorted.
    words: Box<[u32]>,
    /// What decides between entries with the same words.
    order: (bool, usize, usize),
}

impl Index {
    /// Builds the index. Positions returned later count in the order of `entries`.
    pub fn new<'a>(entries: impl Iterator<Item = Named<'a>> + Clone) -> Self {
        let words: BTreeSet<String> = entries.clone().flat_map(entry_words).collect();
        let words: Vec<Box<str>> = words.into_iter().map(String::into_boxed_str).collect();
        let mut exact: Vec<(Box<str>, u8, u32)> = Vec::new();
        let mut list = Vec::new();
        for (position, named) in (0_u32..).zip(entries) {
            exact.push((squash(named.id).into(), 0, position));
            for alias in named.aliases {
                exact.push((squash(alias).into(), 1, position));
            }
            exact.push((squash(named.name).into(), 2, position));
            let mut numbers: Vec<u32> = entry_words(named)
                .iter()
                .filter_map(|word| number_of(&words, word))
                .collect();
            numbers.sort_unstable();
            numbers.dedup();
            list.push(Entry {
                id: named.id.into(),
                order: (!named.preferred, numbers.len(), named.name.len()),
                words: numbers.into(),
            });
        }
        exact.sort();
        exact.dedup_by(|b, a| a.0 == b.0);
        let exact = exact
            .into_iter()
            .map(|(key, _, position)| (key, position))
            .collect();
        Self {
            entries: list,
            exact,
            words,
        }
    }

    /// The id that `text` means.
    ///
    /// # Errors
    /// [`NoMatch`] with the nearest ids.
    pub fn resolve(&self, text: &str) -> Result<&str, NoMatch> {
        self.position(text)
            .map(|position| self.entries.get(position).map_or("", |entry| &entry.id))
    }

    /// The position, in the order given to [`Index::new`], of the entry that `text` means.
    ///
    /// # Errors
    /// [`NoMatch`] with the nearest ids.
    pub fn position(&self, text: &str) -> Result<usize, NoMatch> {
        self.find(text).ok_or_else(|| self.no_match(text))
    }

    /// Like [`Index::position`], but trailing words that belong to no name are given back: in
    /// `llama 3.3 70b q4` the last is a format. The longest part that means something wins.
    ///
    /// # Errors
    /// [`NoMatch`] when not even the first word means anything.
    pub fn position_and_rest<'t>(&self, text: &'t str) -> Result<(usize, &'t str), NoMatch> {
        let mut end = text.trim_end().len();
        while let Some(head) = text.get(..end).filter(|head| !head.trim().is_empty()) {
            if let Some(position) = self.find(head) {
                return Ok((position, text.get(end..).unwrap_or("").trim()));
            }
            end = head
                .rfind(char::is_whitespace)
                .map_or(0, |at| head[..at].trim_end().len());
        }
        Err(self.no_match(text))
    }

    fn find(&self, text: &str) -> Option<usize> {
        let squashed = squash(text);
        if squashed.is_empty() {
            return None;
        }
        self.exact_match(&squashed)
            .or_else(|| self.exact_match(&squash_without_makers(text)))
            .or_else(|| self.by_words(text))
    }

    fn exact_match(&self, squashed: &str) -> Option<usize> {
        let found = self
            .exact
            .binary_search_by(|(key, _)| (**key).cmp(squashed))
            .ok()?;
        self.exact
            .get(found)
            .map(|&(_, position)| position as usize)
    }

    fn by_words(&self, text: &str) -> Option<usize> {
        let mut asked = Vec::with_capacity(8);
        for word in words(text) {
            match number_of(&self.words, &word) {
                _ if MAKERS.contains(&word.as_str()) => {}
                Some(number) => asked.push(number),
                None => return None,
            }
        }
        if asked.is_empty() {
            return None;
        }
        let fits = |entry: &Entry| {
            asked
                .iter()
                .all(|word| entry.words.binary_search(word).is_ok())
        };
        self.entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| fits(entry))
            .min_by(|(_, a), (_, b)| (a.order, &a.id).cmp(&(b.order, &b.id)))
            .map(|(position, _)| position)
    }

    fn no_match(&self, text: &str) -> NoMatch {
        let squashed = squash(text);
        // Long questions can't be a slip of a name, and comparing costs their length.
        if squashed.is_empty() || squashed.len() > 100 {
            return NoMatch {
                text: text.to_owned(),
                nearest: Vec::new(),
            };
        }
        let mut scored: Vec<(f64, u32)> = self
            .exact
            .iter()
            .map(|(key, position)| {
                (
                    strsim::normalized_damerau_levenshtein(key, &squashed),
                    *position,
                )
            })
            .filter(|(score, _)| *score >= 0.55)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut nearest: Vec<String> = Vec::new();
        for entry in scored
            .iter()
            .filter_map(|(_, position)| self.entries.get(*position as usize))
        {
            if nearest.len() < SUGGESTIONS && !nearest.iter().any(|id| **id == *entry.id) {
                nearest.push(entry.id.clone().into());
            }
        }
        NoMatch {
            text: text.to_owned(),
            nearest,
        }
    }
}

fn entry_words(named: Named<'_>) -> Vec<String> {
    let aliases = named.aliases.iter().map(String::as_str);
    [named.id, named.name]
        .into_iter()
        .chain(aliases)
        .flat_map(words)
        .collect()
}

fn number_of(words: &[Box<str>], word: &str) -> Option<u32> {
    words
        .binary_search_by(|known| (**known).cmp(word))
        .ok()
        .and_then(|at| u32::try_from(at).ok())
}

/// Lower case without anything but letters, digits and the point of a version; `+` is "plus".
#[must_use]
pub fn squash(text: &str) -> String {
    words(text).collect()
}

fn squash_without_makers(text: &str) -> String {
    words(text)
        .filter(|word| !MAKERS.contains(&word.as_str()))
        .collect()
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Letter,
    Digit,
}

/// Words, split at punctuation and where letters meet digits: `RTX4090-D` is `rtx`, `4090`, `d`.
///
/// A point between digits belongs to the number: `3.1` is one word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
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
                    return Some("plus".to_owned());
                }
                _ => None,
            };
            match (here, class) {
                (None, None) if c == '+' => {}
                (None, None) => rest = after,
                (Some(here), known) if known.is_none_or(|known| known == here) => {
                    class = Some(here);
                    word.extend(c.to_lowercase());
                    rest = after;
                }
                _ => return Some(word),
            }
        }
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests;
