//! A model file of the user's own: read in the browser, never sent anywhere.
//!
//! Listening for files is JavaScript (`files.js`), which takes a fraction of the bytes that views
//! and bindings of the same would.

use std::sync::Arc;

use leptos::prelude::*;
use model_file::OwnModel;

use super::state::State;
use crate::markup::Markup;

#[cfg(feature = "hydrate")]
pub(super) use self::reading::watch;

/// What takes files; it is switched on where the page is alive.
const INPUT: &str = r#"<label for="model-file">or drop a model file of yours</label>
<input type="file" id="model-file" multiple disabled accept=".gguf,.json,.safetensors" aria-describedby="note-model-file">"#;

/// Said where a file can be chosen.
const OFFERED: &str = "GGUF, or config.json with what lies beside it. Only its header is read, here in your browser; nothing is uploaded.";

/// Said where the page isn't alive.
const NEEDS: &str = "Reading a file here needs scripts and WebAssembly. In a terminal, `bandwise estimate --model-file FILE` reads it.";

/// The field that takes files.
pub(super) fn drop_zone(state: State) -> AnyView {
    view! {
        <div class="field drop">
            <div inner_html=INPUT></div>
            <p class="note" id="note-model-file" role="status" inner_html=move || said(state)></p>
        </div>
    }
    .into_any()
}

/// How far it is, in words.
fn said(state: State) -> String {
    let mut html = Markup::default();
    let file = state.file();
    if !state.is_live() {
        return html.marked(NEEDS).take();
    }
    match file {
        Reading::None => html.text(OFFERED),
        Reading::Busy(names) => html.text(&format!("Reading the header of {names} …")),
        Reading::Failed(problem) => html
            .open("span", &[("class", "failed")])
            .marked(&problem)
            .close("span"),
        Reading::Done(own) => html
            .text(&format!(
                "Answered for {}, a {} of yours, in place of the model named above. ",
                own.name,
                own.kind.name()
            ))
            .open("button", &[("type", "button"), ("class", "term")])
            .text("Back to the catalogue")
            .close("button"),
    };
    html.take()
}

/// How far a file of the user's own is.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    not(feature = "hydrate"),
    expect(dead_code, reason = "files are read in the browser")
)]
pub(super) enum Reading {
    /// There is none.
    #[default]
    None,
    /// They are being read.
    Busy(String),
    /// They can't be used; what is wrong, after the name.
    Failed(String),
    /// It is what the question is about.
    Done(Arc<OwnModel>),
}

impl Reading {
    /// The model, once it is read.
    pub(super) fn own(&self) -> Option<Arc<OwnModel>> {
        match self {
            Self::Done(own) => Some(Arc::clone(own)),
            _ => None,
        }
    }
}

#[cfg(not(feature = "hydrate"))]
pub(super) fn watch(_: State, _: &str) {}

#[cfg(feature = "hydrate")]
mod reading {
    use std::sync::Arc;

    use answer::Field;
    use js_sys::Uint8Array;
    use leptos::wasm_bindgen::{JsValue, closure::Closure};
    use model_file::wire;

    use super::Reading;
    use crate::islands::estimate::state::State;

    mod module {
        use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

        #[wasm_bindgen(module = "/src/islands/estimate/files.js")]
        extern "C" {
            pub(super) fn watch(address: &str, told: &JsValue);
        }
    }

    /// Said where the reader can't be used.
    const NO_READER: &str = "the part of this page that reads model files can’t be loaded; try again, or ask `bandwise estimate --model-file FILE` in a terminal";

    /// Takes files from now on, read by the module at an address without its endings.
    pub(crate) fn watch(state: State, address: &str) {
        let told: Closure<dyn FnMut(u8, JsValue)> =
            Closure::new(move |what, said| hear(state, what, &said));
        module::watch(address, &told.into_js_value());
    }

    /// Notes what `files.js` tells.
    fn hear(state: State, what: u8, said: &JsValue) {
        let text = || said.as_string().unwrap_or_else(|| NO_READER.to_owned());
        let reading = match what {
            0 => Reading::None,
            1 => Reading::Busy(text()),
            3 => match wire::unpack(&Uint8Array::new(said).to_vec()) {
                Some(own) => {
                    // The file's own format is what it is asked in.
                    if own.format.is_some() {
                        state.set(Field::Format, String::new());
                    }
                    Reading::Done(Arc::new(own))
                }
                None => Reading::Failed(NO_READER.to_owned()),
            },
            _ => Reading::Failed(text()),
        };
        state.read(reading);
    }
}
