//! Sliders beside number inputs, with how the speed moves along them.

use answer::Field;
use leptos::prelude::*;

use super::{fields, state::State};
use crate::chart;

/// Stops of the context slider: powers of two and halfway between.
pub(super) const CONTEXTS: &[u64] = &[
    512, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768, 49_152, 65_536,
    98_304, 131_072, 196_608, 262_144, 524_288, 1_048_576,
];

/// Stops of the slider for requests at once.
pub(super) const REQUESTS: &[u64] = &[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];

/// A slider over `stops` and a line of the decode speed at each.
pub(super) fn slider(state: State, field: Field, stops: &'static [u64]) -> AnyView {
    let place = Memo::new(move |_| nearest(stops, current(state, field)));
    // The line is the same wherever on it the question is.
    let others = Memo::new(move |_| state.question().with(field, ""));
    let speeds = Memo::new(move |before: Option<&Vec<Option<f64>>>| {
        // Without scripts nobody sees the line; and to a question with a problem there is none.
        if !state.is_live() {
            Vec::new()
        } else if state.is_stale() {
            before.cloned().unwrap_or_default()
        } else {
            others.with(|question| state.speeds(question, field, stops))
        }
    });
    let line = move || {
        speeds
            .with(|speeds| chart::sparkline(speeds, Some(place.get())))
            .unwrap_or_default()
    };
    let label = format!("{}, slider", fields::label(field));
    view! {
        <div class="slide">
            <input
                id=format!("{}-slider", field.name())
                type="range"
                min="0"
                max=stops.len().saturating_sub(1)
                value=place.get_untracked()
                prop:value=move || place.get().to_string()
                aria-label=label
                aria-valuetext=move || stops.get(place.get()).copied().map(answer::text::tokens)
                on:input:target=move |event| {
                    let stop = event.target().value().parse().ok().and_then(|place: usize| stops.get(place));
                    if let Some(stop) = stop {
                        state.set(field, stop.to_string());
                    }
                }
            />
            <span class="spark" title="decode speed as this alone changes" inner_html=line></span>
        </div>
    }
    .into_any()
}

/// The value an input stands for now.
fn current(state: State, field: Field) -> u64 {
    state
        .answer(|answer| match field {
            Field::Concurrency => answer.inputs.concurrency,
            _ => answer.inputs.context,
        })
        .unwrap_or_default()
}

/// The stop nearest to a value, by ratio.
fn nearest(stops: &[u64], value: u64) -> usize {
    stops
        .iter()
        .rposition(|stop| *stop <= value)
        .map_or(0, |below| {
            let next = stops.get(below + 1).copied();
            let (low, value) = (
                u128::from(stops.get(below).copied().unwrap_or(1)),
                u128::from(value),
            );
            match next.map(u128::from) {
                Some(next) if value * value > low * next => below + 1,
                _ => below,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_stop_is_nearest_by_ratio() {
        for (value, stop) in [
            (0, 512),
            (512, 512),
            (700, 512),
            (750, 1024),
            (8192, 8192),
            (u64::MAX, 1_048_576),
        ] {
            assert_eq!(CONTEXTS[nearest(CONTEXTS, value)], stop, "{value}");
        }
    }
}
