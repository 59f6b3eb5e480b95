//! The context length as a slider that says what it is set to.

use leptos::prelude::*;

/// A range input for the context length in tokens. Without WebAssembly it is
/// still a form field called `context`.
#[island]
pub(crate) fn ContextSlider(
    /// The length shown at first paint.
    tokens: u32,
) -> impl IntoView {
    let (tokens, set_tokens) = signal(tokens);
    view! {
        <label for="context">"Context length"</label>
        <input
            id="context"
            name="context"
            type="range"
            min="1024"
            max="131072"
            step="1024"
            value=tokens.get_untracked()
            prop:value=move || tokens.get().to_string()
            on:input:target=move |event| {
                if let Ok(chosen) = event.target().value().parse() {
                    set_tokens.set(chosen);
                }
            }
        />
        <output for="context">{move || format!("{} tokens", grouped(tokens.get()))}</output>
    }
}

/// Digits in groups of three: `131,072`.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_024), "1,024");
        assert_eq!(grouped(131_072), "131,072");
        assert_eq!(grouped(4_294_967_295), "4,294,967,295");
    }
}
