//! The field's rules of thumb, on the same rows.
//!
//! Most calculators divide a device's bandwidth by the size of the file, and many take 55 % or 70 %
//! of that. For a mixture of experts the careful ones count the active weights alone.

use answer::resolve::Resolved;
use estimator::num;
use estimator::scenario::Split;
use estimator::units::BytesPerSecond;

/// A rule of thumb.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Its name in reports.
    pub name: &'static str,
    active: bool,
    factor: f64,
}

/// All of them.
pub const RULES: [Rule; 6] = [
    Rule::new("bandwidth / file", false, 1.0),
    Rule::new("0.55 x bandwidth / file", false, 0.55),
    Rule::new("0.7 x bandwidth / file", false, 0.7),
    Rule::new("bandwidth / active weights", true, 1.0),
    Rule::new("0.55 x bandwidth / active weights", true, 0.55),
    Rule::new("0.7 x bandwidth / active weights", true, 0.7),
];

impl Rule {
    const fn new(name: &'static str, active: bool, factor: f64) -> Self {
        Self {
            name,
            active,
            factor,
        }
    }

    /// Tokens a second of one request; `None` where a bandwidth isn't known.
    #[must_use]
    pub fn decode(self, resolved: &Resolved, file_bytes: u64) -> Option<f64> {
        let bandwidths: Option<Vec<f64>> = resolved
            .devices()
            .map(|device| device.bandwidth.map(BytesPerSecond::get))
            .collect();
        let bandwidths = bandwidths?;
        let bandwidth = match resolved.split {
            Split::Tensor => bandwidths.iter().sum::<f64>(),
            // In turns: each holds its part of the file.
            Split::Layer => {
                let least = bandwidths.iter().copied().fold(f64::INFINITY, f64::min);
                if least.is_finite() {
                    least
                } else {
                    return None;
                }
            }
        };
        let parameters = resolved.architecture.parameters();
        let share = if self.active {
            num::f(parameters.active) / num::f(parameters.total)
        } else {
            1.0
        };
        let read = num::f(file_bytes) * share;
        (read > 0.0).then(|| self.factor * bandwidth / read)
    }
}
