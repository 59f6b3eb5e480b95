//! The browser's module, the API and the library say the same, to the last digit.

use answer::{Field, Problem, Question, ask};
use estimator::{engine::Engine, format::WeightFormat, kv_cache::KvType};
use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;

use crate::harness::{Browser, Scripts, browse};

/// How many questions are put.
const QUESTIONS: usize = 200;

/// Questions all over the catalogues, most of them sensible; the same on every run.
fn questions() -> Vec<Question> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |count: usize| {
        // Xorshift; the high bits, which are the better ones.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap_or_default() % count.max(1)
    };
    let mut pick = |names: &[String]| names.get(below(names.len())).cloned().unwrap_or_default();
    let texts = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let hardware: Vec<_> = hardware_db::devices()
        .iter()
        .map(|device| device.id.clone())
        .collect();
    let models: Vec<_> = model_db::models()
        .iter()
        .map(|model| model.id.clone())
        .collect();
    let mut formats: Vec<_> = WeightFormat::all()
        .iter()
        .map(|format| format.name())
        .collect();
    formats.extend(vec![String::new(); formats.len()]);
    let engines = texts(&[&[""; 9], &Engine::ALL.map(Engine::name)[..]].concat());
    let kv_types = texts(&[&[""; 5], &KvType::ALL.map(KvType::name)[..]].concat());
    let contexts = texts(&[
        "", "512", "4096", "8K", "32K", "100000", "131072", "0", "abc",
    ]);
    let counts = texts(&["", "", "", "1", "2", "4", "8", "65"]);
    let users = texts(&["", "", "1", "2", "8", "64", "-1"]);
    (0..QUESTIONS)
        .map(|_| {
            Question::default()
                .with(Field::Hardware, pick(&hardware))
                .with(Field::Model, pick(&models))
                .with(Field::Format, pick(&formats))
                .with(Field::Engine, pick(&engines))
                .with(Field::KvType, pick(&kv_types))
                .with(Field::Context, pick(&contexts))
                .with(Field::Count, pick(&counts))
                .with(Field::Concurrency, pick(&users))
        })
        .collect()
}

#[test]
fn ask_browser_api_and_library_the_same() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/api").await?;
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let questions = questions();
            let queries: Vec<_> = questions
                .iter()
                .map(|question| {
                    question
                        .permalink()
                        .trim_start_matches(['/', '?'])
                        .to_owned()
                })
                .collect();
            let from_module = browser.answer_json(&queries).await?;
            assert_eq!(from_module.len(), QUESTIONS);
            let mut answered = 0;
            for ((question, query), module) in questions.iter().zip(&queries).zip(from_module) {
                let api = browser.fetch(&format!("/api/v1/estimate?{query}")).await?;
                assert_eq!(module, api, "{query}");
                let body: Value = serde_json::from_str(&api).expect("JSON");
                match ask(question) {
                    Ok(answer) => {
                        answered += 1;
                        assert_eq!(
                            api,
                            serde_json::to_string(&answer).expect("JSON"),
                            "{query}"
                        );
                    }
                    Err(errors) => {
                        let problems: Vec<_> = errors.iter().map(Problem::from).collect();
                        assert_eq!(body["problems"], json!(problems), "{query}");
                    }
                }
            }
            assert!(
                answered >= QUESTIONS / 4,
                "only {answered} questions have an answer"
            );
            Ok(())
        },
    );
}
