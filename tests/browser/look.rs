//! What pages look like: on a phone, in the dark, by keyboard.

use thirtyfour::{Key, error::WebDriverResult};

use crate::harness::{Browser, Scripts, browse};

const PAGES: [&str; 16] = [
    "/",
    "/?hardware=rtx4900&model=no-such-model&context=abc&modle=x",
    "/hardware",
    "/?hardware=rtx-4090&count=3&model=llama-3.3-70b&context=32K&ram=64",
    "/?hardware=rtx-3090&model=qwen3-32b&format=Q4_K_M&context=32K",
    "/?hardware=rtx-4090+%2B+2x+rtx-3090&model=gpt-oss-120b&host=desktop-ddr5-5600-dual&ram=64",
    "/?hardware=h100-sxm&count=4&model=llama-3.3-70b&engine=vllm&split=tensor&concurrency=64",
    "/hardware/rtx-4090",
    "/hardware/m3-ultra-80c",
    "/what-runs?hardware=rtx-4090",
    "/fit?hardware=rtx-3090&model=qwen3-32b",
    "/fit?hardware=rtx-3090&model=nothing&modle=x",
    "/models",
    "/models/llama-3.1-8b",
    "/api",
    "/glossary",
];

/// How many elements reach beyond the right edge, outside of what scrolls by itself.
const CUT_OFF: &str = "[...document.querySelectorAll('main *')].filter(element => \
    element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.scroll, svg')).length";

#[test]
fn scroll_no_page_sideways_on_phone() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.be_a_phone().await?;
            for page in PAGES {
                browser.open(page).await?;
                let width = browser
                    .number("document.documentElement.scrollWidth")
                    .await?;
                assert!(width <= 390.0, "{page} is {width} pixels wide");
                let cut = browser.number(CUT_OFF).await?;
                assert!(cut == 0.0, "{page}: {cut} elements reach beyond the edge");
            }
            Ok(())
        },
    );
}

#[test]
fn read_pages_in_the_dark() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.prefer_dark().await?;
            for page in PAGES {
                browser.open(page).await?;
                for (what, least) in [("body", 7.0), ("h1", 7.0), (".site-header a", 4.5)] {
                    let contrast = browser.number(&contrast(what)).await?;
                    assert!(
                        contrast >= least,
                        "{page}: {what} has contrast {contrast:.1}"
                    );
                }
                let paper = format!("{LUMINANCE}(getComputedStyle(document.body).backgroundColor)");
                let paper = browser.number(&paper).await?;
                assert!(paper < 0.05, "{page} is bright");
            }
            Ok(())
        },
    );
}

/// Relative luminance of a colour as WCAG defines it.
const LUMINANCE: &str = "(colour => { \
    const [r, g, b] = colour.match(/[\\d.]+/g).map(v => v / 255) \
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); \
    return 0.2126 * r + 0.7152 * g + 0.0722 * b })";

/// Contrast of an element's letters with the page, as WCAG defines it.
fn contrast(css: &str) -> String {
    format!(
        "(() => {{ const ink = {LUMINANCE}(getComputedStyle(document.querySelector('{css}')).color), \
         paper = {LUMINANCE}(getComputedStyle(document.body).backgroundColor); \
         return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) }})()"
    )
}

#[test]
fn reach_everything_by_keyboard() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let seen = "document.activeElement.getBoundingClientRect().top >= 0 ? 1 : 0";
            browser.press(Key::Tab).await?;
            let skip = browser.number("document.activeElement.matches('.skip') ? 1 : 0");
            assert!(skip.await? > 0.0, "the first stop is the skip link");
            assert!(
                browser.number(seen).await? > 0.0,
                "the skip link shows itself"
            );

            let wanted = [
                "#hardware",
                "#count",
                "#model",
                "#format",
                "#context",
                "#context-slider",
                "#concurrency",
                "#engine",
                "details.more > summary",
                "#arithmetic > summary",
                "#json",
            ];
            let mut missing = wanted.to_vec();
            for _ in 0..80 {
                browser.press(Key::Tab).await?;
                let mut still = Vec::new();
                for css in missing {
                    let here = format!("document.activeElement.matches('{css}') ? 1 : 0");
                    if browser.number(&here).await? == 0.0 {
                        still.push(css);
                    } else {
                        let outline = "getComputedStyle(document.activeElement).outlineStyle == 'none' ? 0 : 1";
                        assert!(
                            browser.number(outline).await? > 0.0,
                            "the focus on {css} doesn't show"
                        );
                    }
                }
                missing = still;
                if missing.is_empty() {
                    return Ok(());
                }
            }
            panic!("not reached by the Tab key: {missing:?}");
        },
    );
}

#[test]
fn show_meaning_of_a_word_on_focus() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            let tip = browser.find(".figures .tip").await?;
            assert!(!tip.is_displayed().await?);
            let word = browser.find(".figures .term").await?;
            word.focus().await?;
            assert!(tip.is_displayed().await?);
            Ok(())
        },
    );
}

#[test]
fn close_meaning_of_a_word_by_escape() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let tip = browser.find(".figures .tip").await?;
            browser.find(".figures .term").await?.focus().await?;
            assert!(tip.is_displayed().await?);
            browser.press(Key::Escape).await?;
            assert!(!tip.is_displayed().await?, "Escape closes it");
            // It isn't gone for good.
            browser.find("#hardware").await?.focus().await?;
            browser.find(".figures .term").await?.focus().await?;
            assert!(tip.is_displayed().await?);
            Ok(())
        },
    );
}

#[test]
fn keep_layout_still_while_typing() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let tops = "[...document.querySelectorAll('.ask > fieldset input, .ask > fieldset select')] \
                .reduce((sum, field) => sum + field.getBoundingClientRect().top, 0)";
            let before = browser.number(tops).await?;
            let slider = browser.find("#context-slider").await?;
            for _ in 0..6 {
                slider.send_keys(Key::Right).await?;
            }
            browser.find("#count").await?.send_keys("4").await?;
            let after = browser.number(tops).await?;
            assert!(
                (before - after).abs() < 1.0,
                "fields moved by {}",
                after - before
            );
            Ok(())
        },
    );
}
