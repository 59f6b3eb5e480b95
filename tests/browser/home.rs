//! `/`.

use thirtyfour::{Key, error::WebDriverResult};

use crate::harness::{Browser, Scripts, browse};

#[test]
fn submit_form_without_scripts() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            assert_eq!(browser.text("output").await?, "8,192 tokens");
            browser.find("button").await?.click().await?;
            assert_eq!(browser.address().await?, "/?context=8192");
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
            browser
                .find("#context")
                .await?
                .send_keys(Key::Right)
                .await?;
            browser.wait_for_text("output", "9,216 tokens").await
        },
    );
}
