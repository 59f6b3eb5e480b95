//! Any query string is answered or refused: no panic, no number that isn't one, no speed of zero,
//! and its permalink asks the same.

#![no_main]

use answer::{BadInput, Question, answer::Interval, ask};
use libfuzzer_sys::fuzz_target;

fn sensible(interval: Interval) {
    assert!(interval.low > 0.0, "{interval:?}");
    assert!(interval.low <= interval.typical, "{interval:?}");
    assert!(interval.typical <= interval.high, "{interval:?}");
    assert!(interval.high.is_finite(), "{interval:?}");
}

fuzz_target!(|query: &str| {
    let (question, _) = Question::from_query(query);
    let permalink = question.permalink();
    let (again, unknown) = Question::from_query(permalink.trim_start_matches('/'));
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(again.typed().eq(question.typed()), "{permalink}");
    match ask(&question) {
        Ok(answer) => {
            for speed in answer
                .decode
                .iter()
                .flat_map(|d| [d.tok_s, d.total_tok_s, d.tpot_ms])
            {
                sensible(speed);
            }
            answer
                .prefill
                .iter()
                .for_each(|prefill| sensible(prefill.tok_s));
            answer.ttft_s.into_iter().for_each(sensible);
            for point in &answer.curve {
                assert!(point.tok_s > 0.0 && point.tok_s.is_finite(), "{point:?}");
            }
            for step in &answer.steps {
                assert!(step.value.is_finite(), "{step:?}");
            }
            let memory = &answer.memory;
            let parts = memory.weights_bytes
                + memory.kv_cache_bytes
                + memory.compute_bytes
                + memory.runtime_bytes;
            assert_eq!(parts, memory.total_bytes);
            assert_eq!(answer.permalink, permalink);
            let text = serde_json::to_string(&answer).expect("JSON");
            let read: answer::Answer = serde_json::from_str(&text).expect("its own JSON");
            assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            serde_json::to_string(&BadInput::from(problems)).expect("JSON");
        }
    }
});
