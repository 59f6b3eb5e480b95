//! The command for a set-up.

use answer::{Question, flags};
use thirtyfour::error::WebDriverResult;

use crate::harness::{Browser, Scripts, browse};

#[test]
fn read_command_of_a_set_up() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            let flags = flags::flags(&Question::common()).expect("a command");
            browser.open("/").await?;
            let shown = browser
                .text("section[aria-labelledby=run] .command")
                .await?;
            assert_eq!(shown, flags.commands[0].shell.trim());
            let reasons = browser
                .number("document.querySelectorAll('#run-reasons dt').length")
                .await?;
            assert_eq!(estimator::num::whole(reasons), flags.notes.len() as u64);
            // Without scripts there is nothing to press.
            let buttons = browser
                .number(
                    "[...document.querySelectorAll('.copy')].filter(b => b.offsetParent).length",
                )
                .await?;
            assert!(buttons == 0.0);
            Ok(())
        },
    );
}

#[test]
fn copy_command_in_live_page() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let button = browser.find(".copy").await?;
            assert!(button.is_displayed().await?);
            button.click().await?;
            browser.wait_for_text(".copy", "Copied").await?;
            Ok(())
        },
    );
}
