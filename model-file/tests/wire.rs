//! A model handed from one module of a page to another is the same model.

#![expect(
    clippy::expect_used,
    reason = "a test fails by panicking, its helpers too"
)]

use std::fs;
use std::path::Path;

use bandwise_model_file::wire::{pack, unpack};
use bandwise_model_file::{Feed, OwnModel, Progress, assemble};
use estimator::architecture::Part;
use estimator::format::{BlockType, Encoding, WeightFormat};
use estimator::weights::{Share, Stored};

/// Every sample that is a model by itself.
fn samples() -> Vec<OwnModel> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    ["configs", "gguf"]
        .iter()
        .flat_map(|folder| fs::read_dir(data.join(folder)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .filter_map(|path| {
            let bytes = fs::read(path).expect("a file");
            // as long as a whole model: only its start is there
            let gguf = bytes.starts_with(b"GGUF");
            let size = if gguf { 1 << 40 } else { bytes.len() as u64 };
            let mut feed = Feed::new(size);
            feed.push(&bytes);
            match feed.try_read() {
                Ok(Progress::Done(piece)) => assemble(&[piece], None).ok(),
                _ => None,
            }
        })
        .collect()
}

#[test]
fn what_is_unpacked_is_what_was_packed() {
    let samples = samples();
    assert!(samples.len() > 20, "{} samples", samples.len());
    assert!(samples.iter().any(|model| model.inventory.is_some()));
    for model in samples {
        assert_eq!(unpack(&pack(&model)).as_ref(), Some(&model));
    }
}

#[test]
fn every_format_and_encoding_is_handed_on() {
    let mut model = samples().pop().expect("a sample");
    for format in WeightFormat::all().iter().copied() {
        model.format = Some(format);
        assert_eq!(unpack(&pack(&model)).as_ref(), Some(&model), "{format:?}");
    }
    let blocks = BlockType::ALL.map(Encoding::Block);
    let others = [
        Encoding::MlxAffine { bits: 4, group: 64 },
        Encoding::Int4 { group: 32 },
        Encoding::Fp8Block,
        Encoding::Exl2(465),
        Encoding::Exl3(300),
    ];
    let mut inventory = model.inventory.take().unwrap_or_default();
    for (encoding, part) in blocks
        .into_iter()
        .chain(others)
        .zip(Part::ALL.iter().cycle())
    {
        inventory.trunk.push(Stored {
            part: *part,
            layer: Some(7),
            routed: true,
            encoding,
            share: Share {
                elements: u64::MAX,
                bytes: 1,
            },
            tensors: 3,
        });
    }
    model.inventory = Some(inventory);
    assert_eq!(unpack(&pack(&model)), Some(model));
}

#[test]
fn bytes_cut_short_or_too_long_are_no_model() {
    let mut bytes = pack(&samples().pop().expect("a sample"));
    for length in 0..bytes.len() {
        assert_eq!(unpack(&bytes[..length]), None, "{length} bytes");
    }
    bytes.push(0);
    assert_eq!(unpack(&bytes), None);
}
