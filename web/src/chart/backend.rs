//! plotters' SVG backend, with text measured the same way everywhere.

use std::io;

use plotters::backend::SVGBackend;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

type Result<T = ()> = std::result::Result<T, DrawingErrorKind<io::Error>>;

/// [`SVGBackend`], except that the size of a text is guessed from its letters. plotters guesses
/// too on the server, but asks the document in the browser: charts would differ, and every label
/// would make the browser lay out the page.
pub(super) struct Svg<'a>(SVGBackend<'a>);

impl<'a> Svg<'a> {
    pub(super) fn new(target: &'a mut String, size: (u32, u32)) -> Self {
        Self(SVGBackend::with_string(target, size))
    }
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Result {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Result {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Result {
        self.0.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result {
        self.0.draw_line(from, to, style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result {
        self.0.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Result {
        self.0.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result {
        self.0.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Result {
        self.0.draw_text(text, style, at)
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Result<(u32, u32)> {
        let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        // Sizes are of fonts in pixels: small, and never negative.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a font size"
        )]
        let height = style.size().round() as u32;
        Ok((letters.saturating_mul(height) * 3 / 5, height))
    }
}
