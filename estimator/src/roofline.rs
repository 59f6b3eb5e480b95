//! Time from work: what moves through memory, what is computed, and which takes longer.

use crate::units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};

/// The traffic and the arithmetic of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Bytes moved through memory.
    pub bytes: Bytes,
    /// Operations computed.
    pub flop: Flop,
}

/// How long each half of an operator's work takes alone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RooflineTime {
    /// Moving the bytes.
    pub memory: Seconds,
    /// Computing; zero where the device's rate is unknown.
    pub compute: Seconds,
}

/// The rates an operator reaches on a device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Bandwidth it reaches.
    pub bandwidth: BytesPerSecond,
    /// Compute it reaches; `None` when the device's peak is unknown.
    pub compute: Option<FlopPerSecond>,
}

impl Rates {
    /// How long work takes at these rates.
    #[must_use]
    pub fn time(&self, work: Work) -> RooflineTime {
        RooflineTime {
            memory: work.bytes / self.bandwidth,
            compute: self.compute.map_or(Seconds::ZERO, |rate| work.flop / rate),
        }
    }
}

impl RooflineTime {
    /// The time when memory and arithmetic overlap fully: the roofline
    /// (Williams, Waterman, Patterson 2009, doi:10.1145/1498765.1498785).
    #[must_use]
    pub const fn overlapped(self) -> Seconds {
        self.memory.max(self.compute)
    }

    /// The time when they don't overlap at all: at most twice [`Self::overlapped`].
    #[must_use]
    pub fn serial(self) -> Seconds {
        self.memory + self.compute
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_half_decides_and_serial_is_at_most_twice_it() {
        let rates = Rates {
            bandwidth: BytesPerSecond::gb_per_s(1000.0),
            compute: Some(FlopPerSecond::tera(100.0)),
        };
        let time = rates.time(Work {
            bytes: Bytes::gb(5.0),
            flop: Flop::giga(16.0),
        });
        assert!((time.overlapped().to_ms() - 5.0).abs() < 1e-9);
        assert!(time.serial() <= time.overlapped() * 2.0);
    }
}
