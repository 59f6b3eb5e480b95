//! Finding an entry by what people type: `4090`, `rtx4090`, `m3 ultra 80`, `Qwen3 30B A3B`.
//!
//! Case, spaces, hyphens and other punctuation don't count. The order of trust:
//!
//! 1. the whole text, with or without a maker's name, is an id, an alias or a name;
//! 2. all its words occur in one id, alias or name of an entry, and its numbers stand where they
//!    were typed: `gemma 4` and `gemma4` want a 4 right behind "gemma", while a number with a unit,
//!    as in `llama 70b`, is a word of its own. Words in the typed order win over any other order.
//!
//! Makers' names may be left out; a wrong one excludes an entry. Of several entries the one with the
//! fewest other words of the kind that make another product ("coder", "laptop") wins, then the
//! preferred one, then the one with the fewest other words, then the shortest name, then the first
//! id; [`Found::also`] has those that were as near.
//!
//! Otherwise [`NoMatch`] lists the nearest ids.

mod nearness;
mod words;

use std::collections::BTreeSet;

use nearness::{Asked, Distance, Place, Token, distance};
pub use words::squash;
use words::{squash_without_makers, words};

/// An entry to be found.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The id.
    pub id: &'a str,
    /// The full name.
    pub name: &'a str,
    /// What else people call it.
    pub aliases: &'a [String],
    /// Who makes it; empty where that doesn't matter.
    pub vendor: &'a str,
    /// Whether it wins against other entries with the same words.
    pub preferred: bool,
}

/// An entry that a text means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'t, T> {
    /// The entry.
    pub entry: T,
    /// The part of the text that names it.
    pub name: &'t str,
    /// What stands behind the name.
    pub rest: &'t str,
    /// Entries that the name may mean as well, the likeliest first.
    pub also: Vec<T>,
}

impl<'t> Found<'t, usize> {
    /// The entries at the positions found; `None` where `all` isn't what was searched.
    #[must_use]
    pub fn of<T>(self, all: &[T]) -> Option<Found<'t, &T>> {
        Some(Found {
            entry: all.get(self.entry)?,
            name: self.name,
            rest: self.rest,
            also: self.also.iter().filter_map(|&at| all.get(at)).collect(),
        })
    }
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

/// Makers' names and brands, allowed in a question but not needed, and how their vendor begins.
const MAKERS: [(&str, &str); 14] = [
    ("nvidia", "nvidia"),
    ("geforce", "nvidia"),
    ("amd", "amd"),
    ("radeon", "amd"),
    ("apple", "apple"),
    ("intel", "intel"),
    ("meta", "meta"),
    ("google", "google"),
    ("mistralai", "mistral"),
    ("microsoft", "microsoft"),
    ("openai", "openai"),
    ("alibaba", "alibaba"),
    ("ibm", "ibm"),
    ("moonshotai", "moonshot"),
];

/// How the vendor begins that a word names, if it names one.
fn maker(word: &str) -> Option<&'static str> {
    MAKERS
        .iter()
        .find(|(maker, _)| *maker == word)
        .map(|(_, vendor)| *vendor)
}

/// At most this many names are suggested.
const SUGGESTIONS: usize = 5;
/// More bytes than a name has, or the address of a model on a hub, with what may stand behind it.
/// A text has as many readings as parts and each costs its length, so a longer one is refused unread.
pub const LONGEST: usize = 400;
/// No name has as many words.
const MOST_WORDS: usize = 32;
/// Nothing longer stands behind a name.
const LONGEST_REST: usize = 40;

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
    vendor: Box<str>,
    /// Numbers of its words, sorted.
    words: Box<[u32]>,
    /// Its id, name and aliases, word by word.
    names: Box<[Box<[Token]>]>,
    preferred: bool,
    name_length: usize,
}

impl Index {
    /// Builds the index. Positions returned later count in the order of `entries`.
    pub fn new<'a>(entries: impl Iterator<Item = Named<'a>> + Clone) -> Self {
        let words: BTreeSet<String> = entries
            .clone()
            .flat_map(names)
            .flat_map(words)
            .map(|word| word.text)
            .collect();
        let words: Vec<Box<str>> = words.into_iter().map(String::into_boxed_str).collect();
        let mut exact: Vec<(Box<str>, u8, u32)> = Vec::new();
        let mut list = Vec::new();
        for (position, named) in (0_u32..).zip(entries) {
            exact.push((squash(named.id).into(), 0, position));
            for alias in named.aliases {
                exact.push((squash(alias).into(), 1, position));
            }
            exact.push((squash(named.name).into(), 2, position));
            let names: Box<[Box<[Token]>]> =
                names(named).map(|name| tokens(&words, name)).collect();
            let mut numbers: Vec<u32> = names
                .iter()
                .flat_map(|name| name.iter().map(|token| token.word))
                .collect();
            numbers.sort_unstable();
            numbers.dedup();
            list.push(Entry {
                id: named.id.into(),
                vendor: squash(named.vendor).into(),
                words: numbers.into(),
                names,
                preferred: named.preferred,
                name_length: named.name.len(),
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
        self.find(text)
            .map(|found| self.entries.get(found.entry).map_or("", |entry| &entry.id))
    }

    /// The position, in the order given to [`Index::new`], of the entry that `text` means.
    ///
    /// # Errors
    /// [`NoMatch`] with the nearest ids.
    pub fn find<'t>(&self, text: &'t str) -> Result<Found<'t, usize>, NoMatch> {
        self.look_up(text).ok_or_else(|| self.no_match(text))
    }

    /// Like [`Index::find`], but trailing words may be something else, where `accepts` says so of
    /// the entry's position and those words: in `llama 3.3 70b q4` the last is a format. The longest
    /// part that means something wins.
    ///
    /// # Errors
    /// [`NoMatch`] with the ids nearest to the whole text.
    pub fn find_with_rest<'t>(
        &self,
        text: &'t str,
        accepts: impl Fn(usize, &str) -> bool,
    ) -> Result<Found<'t, usize>, NoMatch> {
        self.look_up_with_rest(text, accepts)
            .ok_or_else(|| self.no_match(text))
    }

    /// Like [`Index::find_with_rest`], without the work of suggesting names.
    pub fn look_up_with_rest<'t>(
        &self,
        text: &'t str,
        accepts: impl Fn(usize, &str) -> bool,
    ) -> Option<Found<'t, usize>> {
        let text = text.trim();
        if text.len() > LONGEST {
            return None;
        }
        let mut name = text;
        loop {
            let rest = text.get(name.len()..)?.trim_start();
            if name.is_empty() || rest.len() > LONGEST_REST {
                return None;
            }
            if let Some(found) = self.look_up(name)
                && (rest.is_empty() || accepts(found.entry, rest))
            {
                return Some(Found { rest, ..found });
            }
            name = name
                .rfind(char::is_whitespace)
                .and_then(|at| name.get(..at))
                .unwrap_or("")
                .trim_end();
        }
    }

    /// Like [`Index::find`], without the work of suggesting names.
    #[must_use]
    pub fn look_up<'t>(&self, text: &'t str) -> Option<Found<'t, usize>> {
        if text.len() > LONGEST {
            return None;
        }
        let squashed = squash(text);
        if squashed.is_empty() {
            return None;
        }
        let exact = self.exact_match(&squashed).or_else(|| {
            let at = self.exact_match(&squash_without_makers(text))?;
            let entry = self.entries.get(at)?;
            makers(text)
                .all(|maker| entry.is_made_by(maker))
                .then_some(at)
        });
        let (entry, also) = match exact {
            Some(at) => (at, Vec::new()),
            None => self.by_words(text)?,
        };
        Some(Found {
            entry,
            name: text.trim(),
            rest: "",
            also,
        })
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

    /// The nearest entry with all the words, and those as near.
    fn by_words(&self, text: &str) -> Option<(usize, Vec<usize>)> {
        let asked = self.asked(text)?;
        let makers: Vec<_> = makers(text).collect();
        let mut near: Vec<(Distance, usize)> = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| {
                entry.has_words(&asked) && makers.iter().all(|maker| entry.is_made_by(maker))
            })
            .filter_map(|(position, entry)| {
                Some((distance(&asked, &entry.names, entry.preferred)?, position))
            })
            .collect();
        let nearest = near.iter().map(|(distance, _)| *distance).min()?;
        near.retain(|(distance, _)| distance.is_level_with(nearest));
        let key = |&(distance, at): &(Distance, usize)| {
            let entry = self.entries.get(at);
            (distance, entry.map(|entry| (entry.name_length, &entry.id)))
        };
        near.sort_by(|a, b| key(a).cmp(&key(b)));
        let mut positions = near.into_iter().map(|(_, position)| position);
        Some((positions.next()?, positions.collect()))
    }

    /// The words of a question without makers' names; `None` if one is in no name, or if they are
    /// too few or too many to mean anything.
    fn asked(&self, text: &str) -> Option<Vec<Asked>> {
        let mut asked: Vec<Asked> = Vec::with_capacity(8);
        let mut behind_maker = false;
        let mut all = words(text).peekable();
        while let Some(word) = all.next() {
            if maker(&word.text).is_some() {
                behind_maker = true;
                continue;
            }
            let number = word.is_number();
            let has_unit = number
                && all
                    .peek()
                    .is_some_and(|next| next.glued && !next.is_number());
            let place = if asked.is_empty() {
                // A short number alone, as in "apple 64", is a size of something.
                if number && !has_unit && word.text.len() < 3 && all.peek().is_none() {
                    return None;
                }
                Place::Free
            } else if word.glued && !behind_maker {
                Place::Next
            } else if number && !has_unit {
                Place::Version
            } else {
                Place::Free
            };
            behind_maker = false;
            asked.push(Asked {
                word: number_of(&self.words, &word.text)?,
                number,
                place,
            });
            if asked.len() > MOST_WORDS {
                return None;
            }
        }
        (!asked.is_empty()).then_some(asked)
    }

    /// The error for a text that means no entry.
    #[must_use]
    pub fn no_match(&self, text: &str) -> NoMatch {
        let squashed = if text.len() > LONGEST {
            String::new()
        } else {
            squash(text)
        };
        // Long questions can't be a slip of a name, and comparing costs their length.
        if squashed.is_empty() || squashed.len() > 100 {
            return NoMatch {
                text: text.to_owned(),
                nearest: Vec::new(),
            };
        }
        // One letter of two is a slip, too.
        let is_short = squashed.len() < 4;
        let least = if is_short { 0.5 } else { 0.55 };
        let mut scored: Vec<(f64, u32, u32)> = self
            .exact
            .iter()
            .map(|(key, position)| {
                let score = strsim::normalized_damerau_levenshtein(key, &squashed);
                let gap = if is_short { gap(key, &squashed) } else { 0 };
                (score, gap, *position)
            })
            .filter(|(score, ..)| *score >= least)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut nearest: Vec<String> = Vec::new();
        for entry in scored
            .iter()
            .filter_map(|(.., position)| self.entries.get(*position as usize))
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

impl Entry {
    fn has_words(&self, asked: &[Asked]) -> bool {
        asked
            .iter()
            .all(|asked| self.words.binary_search(&asked.word).is_ok())
    }

    fn is_made_by(&self, maker: &str) -> bool {
        self.vendor.is_empty() || self.vendor.starts_with(maker)
    }
}

fn names<'a>(named: Named<'a>) -> impl Iterator<Item = &'a str> {
    let aliases = named.aliases.iter().map(String::as_str);
    [named.id, named.name].into_iter().chain(aliases)
}

fn tokens(known: &[Box<str>], name: &str) -> Box<[Token]> {
    let mut all = words(name).peekable();
    let mut tokens = Vec::new();
    while let Some(word) = all.next() {
        let is_split = word.glued || all.peek().is_some_and(|next| next.glued);
        tokens.extend(number_of(known, &word.text).map(|number| Token {
            word: number,
            glued: word.glued,
            telling: !is_split && !word.is_number() && maker(&word.text).is_none(),
            version: word.text == "v" && is_split,
        }));
    }
    tokens.into()
}

fn number_of(words: &[Box<str>], word: &str) -> Option<u32> {
    words
        .binary_search_by(|known| (**known).cmp(word))
        .ok()
        .and_then(|at| u32::try_from(at).ok())
}

/// How the vendors begin that a text names.
fn makers(text: &str) -> impl Iterator<Item = &'static str> {
    words(text).filter_map(|word| maker(&word.text))
}

/// How far the letters of two texts are apart, to tell neighbours at the same distance: `m6` is
/// nearer to `m7` than `m1`.
fn gap(one: &str, other: &str) -> u32 {
    one.bytes()
        .zip(other.bytes())
        .map(|(a, b)| u32::from(a.abs_diff(b)))
        .sum()
}

#[cfg(test)]
mod tests;
