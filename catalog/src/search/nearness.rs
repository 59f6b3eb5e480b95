//! How near a name is to a question, word by word.

/// A word of an entry's name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) word: u32,
    /// Whether it is glued to the one before.
    pub(super) glued: bool,
    /// Whether it tells products apart: a word of letters alone, and no maker.
    pub(super) telling: bool,
    /// Whether it is the "v" of a version.
    pub(super) version: bool,
}

/// A word of a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) word: u32,
    pub(super) number: bool,
    pub(super) place: Place,
}

/// Where a word of a question must stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// Anywhere.
    Free,
    /// Right behind the word before.
    Next,
    /// Right behind the word before, with at most the "v" of a version between.
    Version,
}

/// How far an entry is from a question: less is nearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Distance {
    pub(super) disordered: bool,
    /// Words more that tell products apart.
    pub(super) telling: usize,
    pub(super) unpreferred: bool,
    /// Words more.
    pub(super) words: usize,
}

impl Distance {
    /// Whether only what people usually mean decides between the two.
    pub(super) fn is_level_with(self, other: Self) -> bool {
        (self.disordered, self.telling) == (other.disordered, other.telling)
    }
}

/// How far the nearest of an entry's names is; `None` if none has the words where they belong.
pub(super) fn distance(
    asked: &[Asked],
    names: &[Box<[Token]>],
    preferred: bool,
) -> Option<Distance> {
    names
        .iter()
        .filter_map(|name| {
            let (is_disordered, taken) = match ordered(asked, name) {
                Some(taken) => (false, taken),
                None => (true, disordered(asked, name)?),
            };
            let telling = name.iter().filter(|token| token.telling).count();
            Some(Distance {
                disordered: is_disordered,
                telling: telling.saturating_sub(taken.telling) + taken.cut,
                unpreferred: !preferred,
                words: name.len().saturating_sub(asked.len()),
            })
        })
        .min()
}

/// What a question took of a name.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    /// Words that tell products apart.
    telling: usize,
    /// Numbers that were cut off letters glued to them: `7900` of `7900m`.
    cut: usize,
}

/// Finds the words of a question in a name, in the order typed.
fn ordered(asked: &[Asked], name: &[Token]) -> Option<Taken> {
    let mut taken = Taken::default();
    let mut from = 0;
    for group in groups(asked) {
        from = take(group, name, from, &mut taken)?;
    }
    Some(taken)
}

/// Finds the words of a question in a name, in any order, but numbers where they belong.
fn disordered(asked: &[Asked], name: &[Token]) -> Option<Taken> {
    let mut taken = Taken::default();
    for group in groups(asked) {
        take(group, name, 0, &mut taken)?;
    }
    Some(taken)
}

/// Words that must stand together.
fn groups(asked: &[Asked]) -> impl Iterator<Item = &[Asked]> {
    asked.chunk_by(|_, next| next.place != Place::Free)
}

/// Finds words that stand together, and says where they end.
fn take(group: &[Asked], name: &[Token], from: usize, taken: &mut Taken) -> Option<usize> {
    let (start, end) = (from..name.len()).find_map(|start| {
        let first = name.get(start)?;
        // "3b" is no "a3b".
        let is_cut = first.glued && group.first().is_some_and(|asked| asked.number);
        (!is_cut)
            .then(|| end_of(group, name, start))
            .flatten()
            .map(|end| (start, end))
    })?;
    let words = name.get(start..end)?;
    taken.telling += words.iter().filter(|token| token.telling).count();
    taken.cut += usize::from(
        group.last().is_some_and(|asked| asked.number)
            && name.get(end).is_some_and(|token| token.glued),
    );
    Some(end)
}

fn end_of(group: &[Asked], name: &[Token], start: usize) -> Option<usize> {
    let mut at = start;
    for asked in group {
        if asked.place == Place::Version && name.get(at)?.version {
            at += 1;
        }
        if name.get(at)?.word != asked.word {
            return None;
        }
        at += 1;
    }
    Some(at)
}
