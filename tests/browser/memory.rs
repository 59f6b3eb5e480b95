//! Where the bytes go, and what to do where they don't fit.

use answer::{Answer, Field, Question, ask, tables::fit_table};
use thirtyfour::{Key, error::WebDriverResult};

use crate::harness::{Browser, Scripts, browse};

/// Three cards of two kinds and a host, which a large mixture of experts fills.
fn mixed() -> Question {
    Question::default()
        .with(Field::Hardware, "rtx-4090 + 2x rtx-3090")
        .with(Field::Model, "gpt-oss-120b")
        .with(Field::Host, "desktop-ddr5-5600-dual")
        .with(Field::Ram, "64")
}

/// What doesn't fit as asked.
fn too_large() -> Question {
    Question::default()
        .with(Field::Hardware, "rtx-3090")
        .with(Field::Model, "qwen3-32b")
        .with(Field::Format, "Q4_K_M")
        .with(Field::Context, "32768")
}

fn answered(question: &Question) -> Answer {
    ask(question).expect("an answer")
}

#[test]
fn see_memory_of_every_place() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            let question = mixed();
            let memory = answered(&question).memory;
            browser.open(&question.permalink()).await?;
            let rows = browser
                .number("document.querySelectorAll('#memory-values tbody tr').length")
                .await?;
            let host = usize::from(memory.host.total_bytes > 0);
            let places = memory.devices.len() + host;
            assert_eq!(estimator::num::whole(rows), places as u64);
            // Who can't see the bars is told every part of them.
            let said = browser
                .find(".place svg")
                .await?
                .attr("aria-label")
                .await?
                .unwrap_or_default();
            for word in ["GeForce RTX 4090", "weights", "KV cache", "usable", "free"] {
                assert!(said.contains(word), "`{word}` is not in: {said}");
            }
            let total = format!("{} bytes in all", answer::text::count(memory.total_bytes));
            browser
                .find("#memory-values > summary")
                .await?
                .click()
                .await?;
            assert_eq!(browser.text("#memory-values caption").await?, total);
            Ok(())
        },
    );
}

#[test]
fn read_pages_of_a_paging_engine() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            let question = Question::default()
                .with(Field::Hardware, "h100-sxm")
                .with(Field::Model, "llama-3.1-8b")
                .with(Field::Engine, "vllm");
            let pool = answered(&question).memory.pool.expect("a pool");
            browser.open(&question.permalink()).await?;
            let said = browser.text("#pool").await?;
            let tokens = answer::text::count(pool.tokens);
            assert!(
                said.contains(&format!("room for {tokens} tokens")),
                "{said}"
            );
            Ok(())
        },
    );
}

#[test]
fn take_way_out_in_live_page() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            let question = too_large();
            let ways = answered(&question).ways;
            assert!(ways.len() >= 2, "{ways:#?}");
            for (index, way) in ways.iter().enumerate() {
                browser.open(&question.permalink()).await?;
                browser.wait_until_alive().await?;
                let link = format!("a[data-way='{index}']");
                browser.find(&link).await?.click().await?;
                browser.wait_for_address(&way.permalink).await?;
                // The form has the change, in sight.
                for setting in &way.set {
                    let field = browser.find(&format!("#{}", setting.field)).await?;
                    assert_eq!(field.prop("value").await?.as_deref(), Some(&*setting.value));
                    assert!(field.is_displayed().await?, "{} is hidden", setting.field);
                }
                let verdict = format!("#verdict.{}", way.verdict);
                browser.find(&verdict).await?;
                let here = "document.activeElement.id == 'answer' ? 1 : 0";
                assert!(
                    browser.number(here).await? > 0.0,
                    "the answer has the focus"
                );
            }
            Ok(())
        },
    );
}

#[test]
fn take_way_out_without_scripts() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            let question = too_large();
            let way = answered(&question).ways.remove(0);
            browser.open(&question.permalink()).await?;
            browser.find("a[data-way='0']").await?.click().await?;
            browser.wait_for_address(&way.permalink).await?;
            browser.find(&format!("#verdict.{}", way.verdict)).await?;
            Ok(())
        },
    );
}

#[test]
fn tell_nothing_wrong_while_typing() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let hardware = browser.find("#hardware").await?;
            for letters in ["no ", "such ", "card"] {
                hardware.send_keys(letters).await?;
                browser.find("#answer.stale").await?;
                assert_eq!(hardware.attr("aria-invalid").await?, None, "{letters}");
            }
            hardware.send_keys(Key::Tab).await?;
            browser.find("#hardware[aria-invalid]").await?;
            let told = browser.text("[role=alert]").await?;
            assert!(told.contains("unknown device"), "{told}");
            // What is wrong is told no longer once it isn't.
            hardware.clear().await?;
            hardware.send_keys("rtx 3090").await?;
            browser.find("#hardware:not([aria-invalid])").await?;
            Ok(())
        },
    );
}

#[test]
fn see_inputs_where_they_matter() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            browser.find("#placement > summary").await?.click().await?;
            let shown =
                async |id: &str| browser.find(&format!("#{id}")).await?.is_displayed().await;
            assert!(shown("host").await?);
            for field in ["split", "tensor-split", "cpu-moe", "ssd"] {
                assert!(!shown(field).await?, "{field} matters to one card");
            }
            browser.find("#count").await?.send_keys("2").await?;
            browser
                .find("div:not([hidden]) > .pair > #tensor-split")
                .await?;
            assert!(shown("split").await?);
            browser
                .find("#tensor-split")
                .await?
                .send_keys("3,1")
                .await?;
            // What was typed stays in sight where it doesn't matter.
            browser
                .open("/?hardware=rtx-4090&model=llama-3.1-8b&split=layer")
                .await?;
            browser.wait_until_alive().await?;
            browser.find("#placement[open]").await?;
            assert!(shown("split").await?);
            Ok(())
        },
    );
}

#[test]
fn give_mixed_cards_in_one_field() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let hardware = browser.find("#hardware").await?;
            hardware.clear().await?;
            hardware.send_keys("4090 + 2x 3090").await?;
            browser
                .wait_for_text("#note-hardware", "GeForce RTX 4090 + 2 × GeForce RTX 3090")
                .await?;
            for id in ["rtx-4090", "rtx-3090"] {
                browser
                    .find(&format!(".subject a[href='/hardware/{id}']"))
                    .await?;
            }
            Ok(())
        },
    );
}

#[test]
fn see_what_fits() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.find("nav a[href='/fit']").await?.click().await?;
            let question = Question::default()
                .with(Field::Hardware, "rtx-3090")
                .with(Field::Model, "qwen3-32b");
            for (field, text) in question.typed() {
                let input = browser.find(&format!("#{}", field.name())).await?;
                input.clear().await?;
                input.send_keys(text).await?;
            }
            browser.find("button.do").await?.click().await?;
            let table = fit_table(&question).expect("a table");
            let cells = browser
                .number("document.querySelectorAll('.fit td.cell').length")
                .await?;
            let all = table.rows.len() * table.contexts.len();
            assert_eq!(estimator::num::whole(cells), all as u64);
            let best = browser
                .number("document.querySelectorAll('.fit td.best').length")
                .await?;
            let fitting = table.best.iter().flatten().count();
            assert_eq!(estimator::num::whole(best), fitting as u64);
            // A cell leads to its estimate.
            browser.find(".fit td.best a").await?.click().await?;
            browser.find("#verdict").await?;
            let address = browser.address().await?;
            assert!(
                address.contains("format=") && address.contains("context="),
                "{address}"
            );
            Ok(())
        },
    );
}

#[test]
fn sort_what_fits_on_phone() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.be_a_phone().await?;
            browser
                .open("/fit?hardware=rtx-4090&model=llama-3.1-8b")
                .await?;
            let sort = browser.find("#sort").await?;
            assert!(sort.is_displayed().await?);
            sort.send_keys("Format, Z").await?;
            browser.find("button.do").await?.click().await?;
            assert!(browser.address().await?.contains("sort=-format"));
            let first = browser.text(".fit tbody th").await?;
            let table = fit_table(
                &Question::default()
                    .with(Field::Hardware, "rtx-4090")
                    .with(Field::Model, "llama-3.1-8b"),
            );
            let last = table
                .expect("a table")
                .rows
                .into_iter()
                .map(|row| row.format)
                .max();
            assert_eq!(Some(first), last);
            Ok(())
        },
    );
}
