//! Where the time of a step goes.

use crate::basis::Bound;
use crate::roofline::RooflineTime;
use crate::units::Seconds;

/// Where the time of a step goes; the parts add up to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepTime {
    /// Moving weights, where that takes longer than computing with them.
    pub weights: Seconds,
    /// Moving KV cache and state, where that takes longer than attention's arithmetic.
    pub cache: Seconds,
    /// Arithmetic, where it takes longer than moving.
    pub compute: Seconds,
    /// Launching kernels, sampling, the scheduler and the host.
    pub overhead: Seconds,
    /// Moving data between devices.
    pub link: Seconds,
}

impl StepTime {
    /// The whole step.
    #[must_use]
    pub fn total(&self) -> Seconds {
        self.weights + self.cache + self.compute + self.overhead + self.link
    }

    /// What most of the step goes to.
    #[must_use]
    pub fn bound(&self) -> Bound {
        self.largest().1
    }

    /// The share of the step that goes to what binds it.
    #[must_use]
    pub fn bound_share(&self) -> f64 {
        self.largest().0.ratio(self.total()).unwrap_or(0.0)
    }

    /// How many times as fast it would be if what binds it were twice as fast and nothing else
    /// changed (Amdahl 1967, doi:10.1145/1465482.1465560): between 1 and 2.
    #[must_use]
    pub fn gain_from_doubling(&self) -> f64 {
        1.0 / (1.0 - self.bound_share() / 2.0)
    }

    fn largest(&self) -> (Seconds, Bound) {
        [
            (self.compute, Bound::Compute),
            (self.overhead, Bound::Overhead),
            (self.link, Bound::Link),
        ]
        .into_iter()
        .fold(
            (self.weights + self.cache, Bound::Bandwidth),
            |most, next| {
                if next.0 > most.0 { next } else { most }
            },
        )
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            weights: self.weights + other.weights,
            cache: self.cache + other.cache,
            compute: self.compute + other.compute,
            overhead: self.overhead + other.overhead,
            link: self.link + other.link,
        }
    }

    /// The longer of the two: a host's compute rate is unknown, and where it binds the host is
    /// taken to be no faster than the device.
    pub(super) fn slower(self, other: Self) -> Self {
        if other.total() > self.total() {
            other
        } else {
            self
        }
    }

    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            weights: self.weights * factor,
            cache: self.cache * factor,
            compute: self.compute * factor,
            overhead: self.overhead * factor,
            link: self.link * factor,
        }
    }

    /// Adds an operator's time: the longer half where moving and computing overlap, else both.
    pub(super) fn add(
        &mut self,
        time: RooflineTime,
        overlap: Overlap,
        moves: impl FnOnce(&mut Self) -> &mut Seconds,
    ) {
        let (memory, compute) = match overlap {
            Overlap::Full if time.compute > time.memory => (Seconds::ZERO, time.compute),
            Overlap::Full => (time.memory, Seconds::ZERO),
            Overlap::None => (time.memory, time.compute),
        };
        self.compute += compute;
        *moves(self) += memory;
    }
}

/// Whether moving and computing overlap in a kernel.
///
/// In decode they do, and one hides the other. In prefill, where arithmetic rules, published runs
/// are met best by adding the little time that moving weights takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlap {
    Full,
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubling_what_takes_three_quarters_makes_it_1_6_times_as_fast() {
        let time = StepTime {
            weights: Seconds::ms(5.0),
            cache: Seconds::ms(1.0),
            overhead: Seconds::ms(2.0),
            ..StepTime::default()
        };
        assert_eq!(time.bound(), Bound::Bandwidth);
        assert!((time.bound_share() - 0.75).abs() < 1e-12);
        assert!((time.gain_from_doubling() - 1.6).abs() < 1e-12);
    }
}
