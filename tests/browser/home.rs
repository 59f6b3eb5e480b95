//! `/`.

use answer::{Field, Question, ask, text};
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
            browser
                .wait_for_text("#memory-use", &heading(&answer))
                .await?;
            assert_eq!(browser.text("#decode-typical").await?, decode(&question));
            browser
                .wait_for_address(&question.permalink())
                .await
                .expect("the address follows");

            // The same question put to the API gives the same JSON, and so does the module.
            let address = question.permalink().replacen('/', "/api/v1/estimate", 1);
            let json = browser.fetch(&address).await?;
            assert_eq!(json, serde_json::to_string(&answer).expect("JSON"));
            Ok(())
        },
    );
}

#[test]
fn type_bad_and_good_input_in_live_page() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let context = browser.find("#context").await?;
            context.send_keys("x").await?;
            browser.find(".answer.stale").await?;
            context.send_keys(Key::Tab).await?;
            browser.find("#context[aria-invalid]").await?;
            assert_eq!(
                browser
                    .find("#context")
                    .await?
                    .prop("value")
                    .await?
                    .as_deref(),
                Some("8192x")
            );
            // The last answer stays, dimmed.
            assert_eq!(
                browser.text("#decode-typical").await?,
                decode(&Question::common())
            );
            context.send_keys(Key::End + Key::Backspace).await?;
            browser.find(".answer:not(.stale)").await?;
            assert_eq!(context.attr("aria-invalid").await?, None);
            Ok(())
        },
    );
}

#[test]
fn change_question_with_arithmetic_open() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            browser.find("#arithmetic > summary").await?.click().await?;
            browser.find("#arithmetic[open]").await?;
            browser
                .find("#concurrency-slider")
                .await?
                .send_keys(Key::Right)
                .await?;
            let question = Question::common().with(Field::Concurrency, "2");
            browser.wait_for_address(&question.permalink()).await?;
            browser.find("#arithmetic[open]").await?;
            let chart = browser
                .number("document.querySelectorAll('.chart svg polyline').length")
                .await?;
            assert!(chart >= 2.0, "the chart is there");
            Ok(())
        },
    );
}

fn heading(answer: &answer::Answer) -> String {
    let total = answer.memory.total_bytes;
    format!("Memory: {}", text::memory(estimator::num::f(total)))
}
