//! How far off predictions are.

use std::fmt::Write as _;

/// How far off predictions are, as shares of what was measured.
pub(super) struct Errors(pub(super) Vec<(f64, String)>);

impl Errors {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn add(&mut self, ours: f64, theirs: f64, what: String) {
        self.0.push((ours / theirs - 1.0, what));
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sizes: Vec<_> = self.0.iter().map(|(error, _)| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    }

    pub(super) fn median(&self) -> f64 {
        self.sorted()[self.0.len() / 2]
    }

    pub(super) fn within(&self, share: f64) -> f64 {
        let inside = self.0.iter().filter(|(error, _)| error.abs() <= share);
        inside.count() as f64 / self.0.len() as f64
    }

    pub(super) fn lowest(&self) -> f64 {
        self.0.iter().map(|(error, _)| *error).fold(0.0, f64::min)
    }

    pub(super) fn highest(&self) -> f64 {
        self.0.iter().map(|(error, _)| *error).fold(0.0, f64::max)
    }

    /// As a line of the table in `docs/validation/memory.md`.
    pub(super) fn line(&self, what: &str) -> String {
        format!(
            "| {what} | {} | {:.1} % | {:.0} % | {:+.1} % | {:+.1} % |",
            self.0.len(),
            self.median() * 100.0,
            self.within(0.08) * 100.0,
            self.lowest() * 100.0,
            self.highest() * 100.0,
        )
    }

    pub(super) fn worst(&self) -> String {
        let mut sorted: Vec<_> = self.0.iter().collect();
        sorted.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let mut text = String::new();
        for (error, what) in sorted.iter().take(25) {
            let _ = writeln!(text, "{:+.1} % {what}", error * 100.0);
        }
        text
    }
}
