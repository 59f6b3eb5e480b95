//! `/`.

use answer::{Field, Question, ask, text};
use serde_json::Value;
use thirtyfour::{Key, error::WebDriverResult};

use crate::harness::{Browser, Scripts, browse};

/// The typical decode speed a page shows for a question.
fn decode(question: &Question) -> String {
    let answer = ask(question).expect("an answer");
    text::digits(answer.decode.expect("a speed").tok_s.typical)
}

#[test]
fn submit_form_without_scripts() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            assert_eq!(
                browser.text("#decode-typical").await?,
                decode(&Question::common())
            );
            let context = browser.find("#context").await?;
            context.clear().await?;
            context.send_keys("32K").await?;
            browser.find("button.do").await?.click().await?;
            let question = Question::common().with(Field::Context, "32K");
            assert_eq!(browser.text("#decode-typical").await?, decode(&question));
            assert!(browser.address().await?.contains("context=32K"));
            Ok(())
        },
    );
}

#[test]
fn submit_bad_input_without_scripts() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser
                .open("/?hardware=rtx4900&model=llama-3.1-8b&context=abc")
                .await?;
            let context = browser.find("#context").await?;
            assert_eq!(context.prop("value").await?.as_deref(), Some("abc"));
            assert_eq!(context.attr("aria-invalid").await?.as_deref(), Some("true"));
            assert!(
                browser
                    .text("#note-hardware")
                    .await?
                    .contains("did you mean")
            );
            Ok(())
        },
    );
}

#[test]
fn move_slider_in_live_page() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let slider = browser.find("#context-slider").await?;
            // By keyboard: from 8,192 two stops up, to 16,384.
            slider.send_keys(Key::Right).await?;
            slider.send_keys(Key::Right).await?;
            let question = Question::common().with(Field::Context, "16384");
            let answer = ask(&question).expect("an answer");
            browser.wait_for_text("#memory", &heading(&answer)).await?;
            assert_eq!(browser.text("#decode-typical").await?, decode(&question));
            browser
                .wait_for_address(&question.permalink())
                .await
                .expect("the address follows");

            // The same question put to the API gives the same JSON, and so does the module.
            let address = question.permalink().replacen('/', "/api/v1/estimate", 1);
            let json = browser.fetch(&address).await?;
            let json: Value = serde_json::from_str(&json).expect("JSON");
            assert_eq!(json, serde_json::to_value(&answer).expect("JSON"));
            Ok(())
        },
    );
}

fn heading(answer: &answer::Answer) -> String {
    let total = answer.memory.total_bytes;
    format!("Memory: {}", text::memory(estimator::num::f(total)))
}
