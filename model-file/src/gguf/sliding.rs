//! Which layers attend to a window.

use estimator::architecture::Span;

use super::families::{Family, Pattern};
use super::keys::Keys;
use super::value::Value;
use crate::error::ReadError;

/// What chunks are where a file of Llama 4 doesn't say (`src/llama-model.cpp`, `LLM_ARCH_LLAMA4`).
const CHUNK: u32 = 8_192;

/// What layers attend to.
#[derive(Debug)]
pub(super) struct Spans<'a> {
    window: Option<u32>,
    how: How<'a>,
}

#[derive(Debug)]
enum How<'a> {
    Pattern(Pattern),
    Listed(&'a [Value]),
}

impl<'a> Spans<'a> {
    /// As a file and its engine have it; the second is what had to be assumed.
    pub(super) fn of(keys: Keys<'a>, family: Family) -> Result<(Self, Option<String>), ReadError> {
        const WINDOW: &str = "attention.sliding_window";
        const PATTERN: &str = "attention.sliding_window_pattern";
        let window = match keys.get(WINDOW) {
            // some files list a window for each layer, 0 for none
            Some(Value::List(list)) => {
                let mut widest = 0;
                for (number, value) in (0_u32..).zip(list) {
                    let key = format!("{}[{number}]", keys.name(WINDOW));
                    widest = widest.max(super::keys::number(&key, value)?);
                }
                Some(widest)
            }
            _ => keys.number(WINDOW)?,
        };
        let window = window.filter(|window| *window > 0);
        let how = match (family.pattern, keys.get(PATTERN)) {
            (Pattern::Never, _) | (_, None) => How::Pattern(family.pattern),
            (_, Some(Value::List(list))) => How::Listed(list),
            (Pattern::Chunks(_), Some(_)) => How::Pattern(Pattern::Chunks(keys.required(PATTERN)?)),
            (_, Some(_)) => How::Pattern(Pattern::Every(keys.required(PATTERN)?)),
        };
        let missing = window.is_some() && matches!(how, How::Pattern(Pattern::Listed));
        let assumed = missing.then(|| {
            format!(
                "`{}` is there but not which layers use it: all are taken to attend to everything",
                keys.name(WINDOW)
            )
        });
        Ok((Self { window, how }, assumed))
    }

    /// What a layer attends to.
    pub(super) fn at(&self, layer: u32) -> Span {
        let every = |period: u32| {
            layer
                .checked_rem(period)
                .is_some_and(|place| place.saturating_add(1) < period)
        };
        let slides = match &self.how {
            How::Pattern(Pattern::Never | Pattern::Listed) => false,
            How::Pattern(Pattern::Every(period)) => every(*period),
            How::Pattern(Pattern::FullFirst(period)) => {
                layer.checked_rem(*period).is_some_and(|place| place != 0)
            }
            How::Pattern(Pattern::Chunks(period)) => {
                return if every(*period) {
                    Span::Chunked {
                        size: self.window.unwrap_or(CHUNK),
                    }
                } else {
                    Span::Full
                };
            }
            How::Listed(list) => {
                let value = usize::try_from(layer).ok().and_then(|at| list.get(at));
                match value {
                    Some(Value::Flag(slides)) => *slides,
                    Some(Value::Whole(number)) => *number != 0,
                    _ => false,
                }
            }
        };
        match self.window {
            Some(window) if slides => Span::Sliding { window },
            _ => Span::Full,
        }
    }
}
