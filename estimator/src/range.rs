//! A value with its uncertainty.

/// Low, typical and high of one quantity, in that order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range<Q> {
    /// One run in ten comes out below.
    pub low: Q,
    /// The middle of what runs give.
    pub typical: Q,
    /// One run in ten comes out above.
    pub high: Q,
}

impl<Q: Copy> Range<Q> {
    /// The same range in another unit or form; `change` must keep the order.
    pub fn map<R>(self, change: impl Fn(Q) -> R) -> Range<R> {
        Range {
            low: change(self.low),
            typical: change(self.typical),
            high: change(self.high),
        }
    }

    /// The range of a quantity that falls as this one grows; `change` must reverse the order.
    pub fn map_reversed<R>(self, change: impl Fn(Q) -> R) -> Range<R> {
        Range {
            low: change(self.high),
            typical: change(self.typical),
            high: change(self.low),
        }
    }
}
