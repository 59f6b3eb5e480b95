//! The order of a model's layers, as people write it.
//!
//! A layer is its components joined by `+`; layers are separated by commas; `10 x` repeats a layer
//! or a group in brackets: `10 x (5 x sliding + dense, full + dense), 2 x sliding + dense`. A layer
//! without any component is `nothing`.

/// No model has more layers; guards against a slip that would fill memory.
const MAX_LAYERS: usize = 2000;

/// Why a layout makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// Brackets don't match.
    #[error("the brackets of `{part}` don't match")]
    Brackets {
        /// The part.
        part: String,
    },
    /// A layer is missing.
    #[error("a layer is missing between two commas or at an end")]
    Missing,
    /// A component that isn't described.
    #[error("component `{name}` is not described")]
    Unknown {
        /// The name.
        name: String,
    },
    /// More layers than any model has.
    #[error("more than 2000 layers")]
    TooLong,
}

/// Reads a layout; `layer` makes a layer of the names of its components.
///
/// Each written layer is made once and copied as often as it is repeated.
///
/// # Errors
/// Brackets that don't match, missing layers, too many of them, and what `layer` refuses.
pub fn expand<T: Clone>(
    text: &str,
    layer: &mut impl FnMut(&mut dyn Iterator<Item = &str>) -> Result<T, LayoutError>,
) -> Result<Vec<T>, LayoutError> {
    let mut layers = Vec::new();
    let mut rest = text;
    loop {
        let (item, after) = first_item(rest)?;
        let (times, body) = times(item.trim());
        let body = body.trim();
        let made = match body.strip_prefix('(') {
            Some(inner) => {
                let inner = inner.strip_suffix(')').ok_or_else(|| brackets(body))?;
                expand(inner, layer)?
            }
            None if body.is_empty() => return Err(LayoutError::Missing),
            None => {
                let mut names = body
                    .split('+')
                    .map(str::trim)
                    .filter(|name| *name != "nothing");
                vec![layer(&mut names)?]
            }
        };
        if made.len().saturating_mul(times) > MAX_LAYERS - layers.len() {
            return Err(LayoutError::TooLong);
        }
        for _ in 0..times {
            layers.extend_from_slice(&made);
        }
        match after {
            Some(after) => rest = after,
            None => return Ok(layers),
        }
    }
}

fn brackets(part: &str) -> LayoutError {
    LayoutError::Brackets {
        part: part.to_owned(),
    }
}

/// Up to the first comma outside brackets, and what follows it.
fn first_item(text: &str) -> Result<(&str, Option<&str>), LayoutError> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or_else(|| brackets(text))?,
            ',' if depth == 0 => {
                let (item, after) = text.split_at(at);
                return Ok((item, after.strip_prefix(',')));
            }
            _ => {}
        }
    }
    if depth == 0 {
        Ok((text, None))
    } else {
        Err(brackets(text))
    }
}

/// `5 x rest` as 5 and the rest.
fn times(item: &str) -> (usize, &str) {
    item.split_once(" x ")
        .and_then(|(count, rest)| Some((count.trim().parse().ok()?, rest)))
        .unwrap_or((1, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, LayoutError> {
        expand(text, &mut |names| Ok(names.collect::<Vec<_>>().join("+")))
    }

    #[test]
    fn layers_and_groups_repeat() {
        assert_eq!(read("a").unwrap(), ["a"]);
        assert_eq!(read("2 x a + b, nothing").unwrap(), ["a+b", "a+b", ""]);
        assert_eq!(
            read("2 x (2 x a, b), c").unwrap(),
            ["a", "a", "b", "a", "a", "b", "c"]
        );
        assert_eq!(read("2 x (a, 2 x (b, c))").unwrap().len(), 10);
    }

    #[test]
    fn slips_are_refused() {
        assert_eq!(read(""), Err(LayoutError::Missing));
        assert_eq!(read("a,,b"), Err(LayoutError::Missing));
        assert_eq!(read("a,"), Err(LayoutError::Missing));
        assert_eq!(read("2 x "), Ok(vec!["2 x".to_owned()]));
        assert!(matches!(
            read("2 x (a, b"),
            Err(LayoutError::Brackets { .. })
        ));
        assert!(matches!(read("a), b"), Err(LayoutError::Brackets { .. })));
        assert!(matches!(
            read("2 x (a) b"),
            Err(LayoutError::Brackets { .. })
        ));
        assert_eq!(read("2001 x a"), Err(LayoutError::TooLong));
        assert_eq!(read("100 x (100 x a)"), Err(LayoutError::TooLong));
    }
}
