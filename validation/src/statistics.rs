//! Errors of many estimates in a few numbers.

use serde::Serialize;

/// Errors of some estimates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    /// The middle of estimate ÷ measured.
    pub median_ratio: f64,
    /// The middle of |estimate ÷ measured − 1|.
    pub median_ape: f64,
    /// The share of estimates within 10 % of the measured figure.
    pub within_10: f64,
    /// The share within 25 %.
    pub within_25: f64,
}

impl Errors {
    /// The errors of these ratios of estimate to measured; `None` of none.
    #[must_use]
    pub fn of(ratios: &[f64]) -> Option<Self> {
        let off: Vec<f64> = ratios.iter().map(|ratio| (ratio - 1.0).abs()).collect();
        Some(Self {
            median_ratio: median(ratios)?,
            median_ape: median(&off)?,
            within_10: share(&off, |off| off <= 0.10)?,
            within_25: share(&off, |off| off <= 0.25)?,
        })
    }
}

/// The middle of some numbers; of an even count the mean of the two in the middle.
#[must_use]
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let high = sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(*high);
    }
    let low = sorted.get((sorted.len() / 2).checked_sub(1)?)?;
    Some(f64::midpoint(*low, *high))
}

/// The share of items that satisfy a condition; `None` of none.
pub fn share<T: Copy>(items: &[T], is: impl Fn(T) -> bool) -> Option<f64> {
    let count = |length: usize| u32::try_from(length).ok().map(f64::from);
    let all = count(items.len())?;
    let some = count(items.iter().filter(|item| is(**item)).count())?;
    (all > 0.0).then(|| some / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_count_lies_between() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn errors_count_both_directions() {
        let errors = Errors::of(&[0.8, 1.0, 1.05, 1.3]).unwrap();
        assert_eq!(errors.median_ratio, 1.025);
        assert!((errors.median_ape - 0.125).abs() < 1e-12);
        assert_eq!((errors.within_10, errors.within_25), (0.5, 0.75));
        assert_eq!(Errors::of(&[]), None);
    }
}
