//! The catalogue's models have the tensors of real files: the bytes that llama.cpp's quantizer
//! reports for each file type come out to the byte.

use bandwise_model_db::get;
use estimator::format::{GgufType, WeightFormat};
use estimator::weights::Weights;

/// `model,format,bytes` as reported by `llama-quantize --dry-run`.
const REPORTED: &str = include_str!("../../tests/data/filesizes.csv");

#[test]
fn files_have_the_bytes_the_quantizer_reports() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for line in REPORTED.lines() {
        let mut cells = line.split(',');
        let (Some(model), Some(format), Some(bytes)) = (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let kind = GgufType::ALL.iter().find(|kind| kind.name() == format);
        let (Some(model), Some(kind), Ok(bytes)) = (get(model), kind, bytes.parse::<u64>()) else {
            continue;
        };
        let weights = Weights::of(&model.architecture(), &WeightFormat::gguf(*kind));
        let computed = weights.total().bytes;
        compared += 1;
        if computed != bytes {
            let off = computed as f64 / bytes as f64 * 100.0 - 100.0;
            wrong.push(format!(
                "{} {format}: {computed}, not {bytes} ({off:+.3} %)",
                model.id
            ));
        }
    }
    assert!(compared >= 9 * 32, "{compared}");
    assert!(
        wrong.is_empty(),
        "{} of {compared}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
