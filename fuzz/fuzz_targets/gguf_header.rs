//! A GGUF header is read, waited for or refused, however it is cut; what is read can be estimated.

#![no_main]

use libfuzzer_sys::fuzz_target;
use model_file::{Feed, Piece, Progress, ReadError, assemble, gguf};

fuzz_target!(|bytes: &[u8]| {
    let size = u64::try_from(bytes.len()).expect("a length");
    let whole = gguf::read(bytes, None);
    // half a header asks for more than half, or is refused for the same reason
    let half = &bytes[..bytes.len() / 2];
    match (gguf::read(half, None), &whole) {
        (Ok(Progress::NeedMore { at_least }), _) => {
            assert!(at_least > u64::try_from(half.len()).expect("a length"));
        }
        (Ok(Progress::Done(half)), Ok(Progress::Done(whole))) => {
            assert_eq!(format!("{half:?}"), format!("{whole:?}"));
        }
        (Err(half), Err(whole)) => assert_eq!(half, *whole),
        (half, whole) => panic!("{half:?} of {whole:?}"),
    }
    // a file that ends here
    let mut feed = Feed::new(size);
    feed.push(bytes);
    assert!(!matches!(feed.try_read(), Ok(Progress::NeedMore { .. })));

    let Ok(Progress::Done(header)) = whole else {
        return;
    };
    let piece = [Piece::Gguf(header)];
    for assume in [None, Some("llama"), Some("gemma4")] {
        match assemble(&piece, assume) {
            Ok(model) => {
                let total = model.architecture.parameters().total;
                let inventory = model.inventory.as_ref().expect("tensors");
                assert_eq!(total, inventory.total().elements);
                if let Some(format) = model.format {
                    assert_eq!(model.weights(&format).total(), inventory.total());
                }
            }
            Err(error) => refused(&error),
        }
    }
});

/// An error is one line without a full stop, and so is its hint.
fn refused(error: &ReadError) {
    for text in [Some(error.to_string()), error.hint()].into_iter().flatten() {
        assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
    }
}
