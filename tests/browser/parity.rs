//! The browser's module, the API and the library say the same, to the last digit.

use bandwise_tests::{QUESTIONS, library_json, questions};
use thirtyfour::error::WebDriverResult;

use crate::harness::{Browser, Scripts, browse};

#[test]
fn ask_browser_api_and_library_200_questions() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let questions = questions();
            let queries: Vec<_> = questions
                .iter()
                .map(|question| {
                    let permalink = question.permalink();
                    permalink.trim_start_matches(['/', '?']).to_owned()
                })
                .collect();
            let from_module = browser.answer_json(&queries).await?;
            let from_api = browser.ask_api(&queries).await?;
            assert_eq!((from_module.len(), from_api.len()), (QUESTIONS, QUESTIONS));
            for (at, question) in questions.iter().enumerate() {
                let expected = library_json(question).expect("JSON");
                assert_eq!(from_module[at], expected, "module: {}", queries[at]);
                assert_eq!(from_api[at], expected, "API: {}", queries[at]);
            }
            Ok(())
        },
    );
}
