//! Charts: drawn by plotters as SVG, the same to the last letter on the server and in the browser.
//!
//! Colours are roles ([`role`]): the fixed values that plotters writes are how a chart looks in
//! light mode, and the style sheet gives them other values in dark mode by attribute selectors.

use std::fmt::Write as _;

use plotters::{
    chart::{ChartBuilder, LabelAreaPosition},
    drawing::{DrawingAreaErrorKind, IntoDrawingArea},
    element::{Circle, PathElement, Polygon, Text},
    style::{
        Color, IntoFont, RGBColor, ShapeStyle, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use self::backend::Svg;
use crate::markup::Escaped;

mod backend;

/// Colours by what they are for; the style sheet knows the same values.
mod role {
    use plotters::style::RGBColor;

    /// Axes and their labels.
    pub(super) const AXIS: RGBColor = RGBColor(0x5c, 0x62, 0x6b);
    /// The typical value.
    pub(super) const LINE: RGBColor = RGBColor(0x0b, 0x6e, 0x69);
    /// Low to high.
    pub(super) const BAND: RGBColor = RGBColor(0xbf, 0xe3, 0xdf);
    /// The point that the page's numbers are for.
    pub(super) const MARK: RGBColor = RGBColor(0xb4, 0x53, 0x09);
}

/// Width of a chart in its own units; it is scaled to the page.
const WIDTH: u32 = 480;
/// Height of a chart.
const HEIGHT: u32 = 230;
/// Room for labels, wide enough for the larger letters of a phone.
const LEFT: u32 = 52;
const BOTTOM: u32 = 46;
const LETTERS: i32 = 16;

/// A value with its interval at a place on the x axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// Where.
    pub(crate) x: f64,
    /// The low end.
    pub(crate) low: f64,
    /// The value.
    pub(crate) typical: f64,
    /// The high end.
    pub(crate) high: f64,
}

/// What a chart says beside its points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Labels<'a> {
    /// Name of the chart for those who can't see it.
    pub(crate) title: &'a str,
    /// What it shows, for them.
    pub(crate) description: &'a str,
    /// Words under the x axis.
    pub(crate) x: &'a str,
    /// Words above the y axis.
    pub(crate) y: &'a str,
    /// How a place on the x axis is written.
    pub(crate) x_tick: fn(f64) -> String,
    /// How a value is written.
    pub(crate) y_tick: fn(f64) -> String,
}

/// A line with its interval as a band, and one point marked: a whole `<svg>`.
/// Nothing if there are no points to draw.
pub(crate) fn band(
    points: &[Point],
    mark: Option<(f64, f64)>,
    labels: &Labels<'_>,
) -> Option<String> {
    let right = points.iter().map(|point| point.x).fold(0.0, f64::max);
    let top = points.iter().map(|point| point.high).fold(0.0, f64::max);
    if points.len() < 2 || !(right > 0.0 && top > 0.0 && right.is_finite() && top.is_finite()) {
        return None;
    }
    let mut drawn = String::new();
    draw(&mut drawn, points, mark, labels, (right, top)).ok()?;
    Some(accessible(&drawn, labels))
}

fn draw(
    target: &mut String,
    points: &[Point],
    mark: Option<(f64, f64)>,
    labels: &Labels<'_>,
    (right, top): (f64, f64),
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let step = tick_step(top);
    let ceiling = (top / step).ceil() * step;
    let area = Svg::new(target, (WIDTH, HEIGHT)).into_drawing_area();
    let mut chart = ChartBuilder::on(&area)
        .margin_top(28)
        .margin_right(24)
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .set_label_area_size(LabelAreaPosition::Bottom, BOTTOM)
        .build_cartesian_2d(0.0..right, 0.0..ceiling)?;

    let low = points.iter().rev().map(|point| (point.x, point.low));
    let outline: Vec<_> = points
        .iter()
        .map(|point| (point.x, point.high))
        .chain(low)
        .collect();
    chart.draw_series([Polygon::new(outline, role::BAND.filled())])?;
    let line: Vec<_> = points
        .iter()
        .map(|point| (point.x, point.typical))
        .collect();
    chart.draw_series([PathElement::new(line, stroke(role::LINE, 2))])?;
    let axis = vec![(0.0, ceiling), (0.0, 0.0), (right, 0.0)];
    chart.draw_series([PathElement::new(axis, stroke(role::AXIS, 1))])?;
    if let Some(place) = mark {
        chart.draw_series([Circle::new(place, 5, role::MARK.filled())])?;
    }

    // Labels are placed by hand: plotters' own mesh measures text.
    let plane = chart.plotting_area();
    let text = |place: (f64, f64), (dx, dy): (i32, i32), text: String, horizontal, vertical| {
        let (x, y) = plane.map_coordinate(&place);
        let style = TextStyle::from(("sans-serif", LETTERS).into_font())
            .color(&role::AXIS)
            .pos(Pos::new(horizontal, vertical));
        area.draw(&Text::new(text, (x + dx, y + dy), style))
    };
    for quarter in 0..=4 {
        let x = right * f64::from(quarter) / 4.0;
        text(
            (x, 0.0),
            (0, 6),
            (labels.x_tick)(x),
            HPos::Center,
            VPos::Top,
        )?;
    }
    let mut y = step;
    while y <= ceiling * 1.001 {
        text(
            (0.0, y),
            (-8, 0),
            (labels.y_tick)(y),
            HPos::Right,
            VPos::Center,
        )?;
        y += step;
    }
    text(
        (0.0, ceiling),
        (8 - i32::try_from(LEFT).unwrap_or_default(), -14),
        labels.y.to_owned(),
        HPos::Left,
        VPos::Bottom,
    )?;
    text(
        (right / 2.0, 0.0),
        (0, 26),
        labels.x.to_owned(),
        HPos::Center,
        VPos::Top,
    )?;
    area.present()
}

fn stroke(color: RGBColor, width: u32) -> ShapeStyle {
    color.stroke_width(width)
}

/// The step between labels of an axis that ends at `top`: 1, 2 or 5 times a power of ten, for two
/// to five labels.
fn tick_step(top: f64) -> f64 {
    let mut step = 1.0;
    while step > top {
        step /= 10.0;
    }
    while step * 10.0 <= top {
        step *= 10.0;
    }
    match top / step {
        times if times >= 5.0 => step * 2.0,
        times if times >= 2.0 => step,
        _ => step / 2.0,
    }
}

/// Gives the drawn `<svg>` its role, name and description.
fn accessible(drawn: &str, labels: &Labels<'_>) -> String {
    let body = drawn.split_once('>').map_or(drawn, |(_, body)| body);
    let mut svg = String::with_capacity(drawn.len() + 512);
    let (title, description) = (Escaped(labels.title), Escaped(labels.description));
    // Writing to a string can't fail.
    let _ = write!(
        svg,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{title}: {description}\">\
         <title>{title}</title><desc>{description}</desc>{}",
        body.trim_start().replace(" \"", "\"").replace('\n', "")
    );
    svg
}

/// A line without axes, as tall as a line of text: how the answer moves as one input changes.
/// The point at `here` is marked. Nothing if there is nothing to see.
pub(crate) fn sparkline(values: &[Option<f64>], here: Option<usize>) -> Option<String> {
    const WIDTH: f64 = 120.0;
    const HEIGHT: f64 = 28.0;
    const EDGE: f64 = 4.0;
    let top = values.iter().flatten().copied().fold(0.0, f64::max);
    let steps = f64::from(u32::try_from(values.len().checked_sub(1)?).ok()?);
    if top <= 0.0 || steps <= 0.0 || !top.is_finite() {
        return None;
    }
    let place = |index: usize, value: f64| {
        let x = EDGE
            + (WIDTH - 2.0 * EDGE) * f64::from(u32::try_from(index).unwrap_or_default()) / steps;
        (x, HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * value / top)
    };
    let mut path = String::new();
    let mut drawing = false;
    for (index, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let (x, y) = place(index, *value);
            let _ = write!(path, "{}{x:.1} {y:.1}", if drawing { 'L' } else { 'M' });
        }
        drawing = value.is_some();
    }
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=\"true\"><path d=\"{path}\"/>");
    if let Some((index, value)) = here.and_then(|index| Some((index, (*values.get(index)?)?))) {
        let (x, y) = place(index, value);
        let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
    }
    svg.push_str("</svg>");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: Labels<'static> = Labels {
        title: "Speed <over> context",
        description: "falls \"slowly\"",
        x: "tokens in the context",
        y: "tok/s",
        x_tick: |x| format!("{x:.0}"),
        y_tick: |y| format!("{y:.0}"),
    };

    fn points() -> Vec<Point> {
        (0..5)
            .map(|index| {
                let x = f64::from(index) * 2048.0;
                let typical = 130.0 - f64::from(index) * 4.0;
                Point {
                    x,
                    low: typical * 0.9,
                    typical,
                    high: typical * 1.1,
                }
            })
            .collect()
    }

    #[test]
    fn a_chart_names_itself_and_escapes_what_it_says() {
        let svg = band(&points(), Some((4096.0, 122.0)), &LABELS).expect("points");
        assert!(svg.starts_with("<svg viewBox"));
        assert!(svg.contains("role=\"img\""));
        assert!(svg.contains("<title>Speed &lt;over&gt; context</title>"));
        assert!(svg.ends_with("</svg>"));
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.len() < 4000, "{}", svg.len());
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(band(&[], None, &LABELS), None);
        let zero = Point {
            x: 0.0,
            low: 0.0,
            typical: 0.0,
            high: 0.0,
        };
        assert_eq!(band(&[zero, zero], None, &LABELS), None);
        assert_eq!(sparkline(&[], None), None);
        assert_eq!(sparkline(&[Some(1.0)], None), None);
        assert_eq!(sparkline(&[None, None], Some(0)), None);
    }

    #[test]
    fn axes_have_two_to_five_steps() {
        for top in [
            0.013, 0.5, 0.99, 1.0, 3.0, 9.99, 10.0, 47.0, 152.0, 5800.0, 123_456.0,
        ] {
            let steps = (top / tick_step(top)).ceil();
            assert!((2.0..=5.0).contains(&steps), "{top}: {steps}");
        }
    }

    #[test]
    fn a_sparkline_breaks_where_there_is_no_value() {
        let svg = sparkline(&[Some(1.0), Some(2.0), None, Some(1.0)], Some(1)).expect("values");
        assert_eq!(svg.matches('M').count(), 2);
        assert!(svg.contains("<circle"));
    }
}
