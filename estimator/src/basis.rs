//! What an estimate rests on.

/// What a speed rests on, from strongest to weakest; combining keeps the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// Factors fitted on runs of this kind of machine and engine.
    Calibrated,
    /// Class factors: typical of the backend and format class, not of this device.
    Prior,
    /// The roofline with the factors of a similar backend, for want of any runs.
    Roofline,
    /// A peak that itself rests on an assumption.
    Assumed,
}

impl Basis {
    /// The word used on every surface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::Prior => "prior",
            Self::Roofline => "roofline",
            Self::Assumed => "assumed",
        }
    }
}

/// What a phase spends most of its time on: what a faster machine would need more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Moving weights and KV cache through memory.
    Bandwidth,
    /// Arithmetic.
    Compute,
    /// Launching kernels, sampling and the host: nothing a data sheet lists.
    Overhead,
    /// Moving data between devices.
    Link,
}

impl Bound {
    /// The word used on every surface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bandwidth => "bandwidth",
            Self::Compute => "compute",
            Self::Overhead => "overhead",
            Self::Link => "link",
        }
    }
}
