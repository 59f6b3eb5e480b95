//! A model file of one's own.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
};

use answer::{Field, Question, ask_own, text};
use model_file::{Feed, Progress, assemble, config};
use thirtyfour::error::WebDriverResult;

use crate::harness::{Browser, Scripts, browse};

/// Longer than the model whose header is the sample.
const WHOLE: u64 = 1 << 30;

/// The header of a real GGUF file.
fn sample() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../model-file/tests/data/gguf/smollm2-135m-q4_1.gguf")
}

#[test]
fn choose_model_file_in_live_page() {
    // A file as long as a whole model, of which only the start is there.
    let header = fs::read(sample()).expect("the sample");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("own.gguf");
    fs::write(&path, &header).expect("a file");
    let file = File::options().write(true).open(&path).expect("the file");
    file.set_len(WHOLE).expect("room");
    let mut feed = Feed::new(WHOLE);
    feed.push(&header);
    let Ok(Progress::Done(piece)) = feed.try_read() else {
        panic!("the sample has a whole header");
    };
    let own = Arc::new(assemble(&[piece], None).expect("a model"));
    let question = Question::default()
        .with(Field::Hardware, "rtx-4090")
        .with(Field::Context, "8192");
    let expected = ask_own(&question, &own).expect("an answer");
    browse(
        Scripts::On,
        async move |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let before = requests(&browser).await?;
            assert!(
                before.iter().all(|address| !is_reader(address)),
                "{before:?}"
            );
            let input = browser.find("#model-file").await?;
            input.send_keys(&*path.to_string_lossy()).await?;
            let memory = text::memory(estimator::num::f(expected.memory.total_bytes));
            browser
                .wait_for_text("#memory-use", &format!("Memory: {memory}"))
                .await?;
            let decode = expected.decode.as_ref().expect("a speed").tok_s.typical;
            assert_eq!(browser.text("#decode-typical").await?, text::digits(decode));
            let subject = browser.text(".subject").await?;
            assert!(subject.starts_with(&own.name), "{subject}");
            // What reads files was loaded, nothing was sent, and no link claims to hold the file.
            let since = requests(&browser).await?.split_off(before.len());
            assert_eq!(since.len(), 2, "{since:?}");
            assert!(since.iter().all(|address| is_reader(address)), "{since:?}");
            assert_eq!(browser.address().await?, "/");
            let elsewhere = browser.text("section[aria-labelledby=elsewhere]").await?;
            assert!(elsewhere.contains("isn’t part of any link"), "{elsewhere}");
            browser
                .find("#note-model-file button")
                .await?
                .click()
                .await?;
            browser
                .find(".subject a[href='/models/llama-3.1-8b']")
                .await?;
            // The same file again is a choice too.
            input.send_keys(&*path.to_string_lossy()).await?;
            browser
                .wait_for_text("#memory-use", &format!("Memory: {memory}"))
                .await?;
            Ok(())
        },
    );
}

/// Addresses of what the page asked for so far.
async fn requests(browser: &Browser) -> WebDriverResult<Vec<String>> {
    let script = "performance.getEntriesByType('resource').map(entry => entry.name)";
    browser.texts(script).await
}

/// Whether an address is one of the module that reads files.
fn is_reader(address: &str) -> bool {
    address.contains("/pkg/bandwise-files-") && !address.contains('?')
}

#[test]
fn drop_config_on_live_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sample = root.join("../model-file/tests/data/configs/Qwen--Qwen3-0.6B.json");
    let config = fs::read_to_string(sample).expect("the sample");
    let own = config::read(config.as_bytes(), None).expect("a model");
    let question = Question::common().with(Field::Model, "");
    let expected = ask_own(&question, &Arc::new(own)).expect("an answer");
    browse(
        Scripts::On,
        async move |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let config = serde_json::to_string(&config).expect("JSON");
            let drop = format!(
                "(() => {{ const held = new DataTransfer(); \
                 held.items.add(new File([{config}], 'config.json')); \
                 return document.querySelector('.drop').dispatchEvent(new DragEvent('drop', \
                 {{ dataTransfer: held, bubbles: true, cancelable: true }})) ? 1 : 0; }})()"
            );
            let left = browser.number(&drop).await?;
            assert!(left < 0.5, "the page takes it, the browser doesn't open it");
            let memory = text::memory(estimator::num::f(expected.memory.total_bytes));
            browser
                .wait_for_text("#memory-use", &format!("Memory: {memory}"))
                .await?;
            let said = browser.text("#note-model-file").await?;
            assert!(said.contains("config.json"), "{said}");
            let subject = browser.text(".subject").await?;
            assert!(
                subject.starts_with(&expected.inputs.model_name),
                "{subject}"
            );
            Ok(())
        },
    );
}

#[test]
fn read_without_scripts_what_reads_files() {
    browse(
        Scripts::Off,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            let said = browser.text("#note-model-file").await?;
            assert!(said.contains("WebAssembly"), "{said}");
            assert!(said.contains("bandwise estimate --model-file"), "{said}");
            assert!(!browser.find("#model-file").await?.is_enabled().await?);
            Ok(())
        },
    );
}

#[test]
fn choose_broken_model_file() {
    browse(
        Scripts::On,
        async |browser: Browser| -> WebDriverResult<()> {
            browser.open("/").await?;
            browser.wait_until_alive().await?;
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.gguf");
            fs::write(&path, b"GGUF\x03\0\0\0broken").expect("a file");
            let input = browser.find("#model-file").await?;
            input.send_keys(&*path.to_string_lossy()).await?;
            let said = browser
                .find("#note-model-file .failed")
                .await?
                .text()
                .await?;
            assert!(said.starts_with("broken.gguf: "), "{said}");
            // The answer is still that of the catalogue's model.
            browser
                .find(".subject a[href='/models/llama-3.1-8b']")
                .await?;
            Ok(())
        },
    );
}
