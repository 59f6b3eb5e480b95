//! The question beside its answer. Every change of an input is answered at once by the engine in
//! the browser; without WebAssembly the form asks the server, which renders the same.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use self::{form::form, result::result, state::State};
use answer::Question;

#[cfg(feature = "ssr")]
pub(crate) use self::state::answered;

mod address;
mod arithmetic;
mod curve;
mod fields;
mod form;
mod headline;
mod memory;
mod own;
mod remarks;
mod result;
mod run;
mod share;
mod slider;
mod state;
mod ways;

/// A parameter of the address that is no input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strange {
    /// Its name.
    pub name: String,
    /// What to try instead.
    pub hint: String,
}

/// The estimate: a form and its answer.
#[island]
pub(crate) fn Estimate(
    /// What was typed.
    question: Question,
    /// Parameters that are no inputs.
    strange: Vec<Strange>,
    /// Address of the module that reads model files, without its endings; none where none was built.
    reader: Option<String>,
) -> impl IntoView {
    let state = State::new(question);
    // Runs in the browser only: from here on, inputs answer at once.
    Effect::new(move |_| {
        state.come_alive();
        own::watch(state, reader.as_deref().unwrap_or_default());
    });
    address::keep(state);
    view! {
        <div class="bench" class:live=move || state.is_live()>
            {form(state)}
            {result(state, &strange)}
        </div>
    }
}
