//! A server, a ChromeDriver and a fresh Chromium for each test.

use std::{
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use bandwise_web::server::{Site, app, serve};
use http::Method;
use serde_json::{Value, json};
use thirtyfour::{
    ChromeCapabilities, ChromiumLikeCapabilities, common::command::ExtensionCommand, prelude::*,
};
use tokio::{net::TcpListener, sync::oneshot};

const CHROMEDRIVER: &str = "chromedriver";

/// Whether pages may run scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scripts {
    /// As people have it: the islands come alive.
    On,
    /// As without WebAssembly: what the server sent is all there is.
    Off,
}

/// A browser looking at our server.
#[derive(Clone)]
pub(crate) struct Browser {
    driver: WebDriver,
    server: SocketAddr,
}

impl Browser {
    /// Goes to a page, such as `/`.
    pub(crate) async fn open(&self, page: &str) -> WebDriverResult<()> {
        self.driver
            .goto(format!("http://{}{page}", self.server))
            .await
    }

    /// Waits until the islands of the open page react.
    pub(crate) async fn wait_until_alive(&self) -> WebDriverResult<()> {
        self.driver
            .query(By::Css("html[data-alive]"))
            .desc("the page to come alive")
            .first()
            .await?;
        Ok(())
    }

    /// The first element that matches, waited for.
    pub(crate) async fn find(&self, css: &str) -> WebDriverResult<WebElement> {
        self.driver.query(By::Css(css.to_owned())).first().await
    }

    /// The text a person sees in an element.
    pub(crate) async fn text(&self, css: &str) -> WebDriverResult<String> {
        self.find(css).await?.text().await
    }

    /// Waits until an element's text is `text`.
    pub(crate) async fn wait_for_text(&self, css: &str, text: &str) -> WebDriverResult<()> {
        // Asked in one go: an element that is found may be gone before its text is read.
        let said = format!(
            "[...document.querySelectorAll({})].map(found => found.innerText.trim())",
            json!(css)
        );
        for _ in 0..200 {
            if self.texts(&said).await?.iter().any(|said| said == text) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let found = self.texts(&said).await?;
        Err(WebDriverError::from_inner(
            thirtyfour::error::WebDriverErrorInner::Timeout(format!(
                "`{css}` says {found:?}, not `{text}`"
            )),
        ))
    }

    /// The address shown, without the server's part.
    pub(crate) async fn address(&self) -> WebDriverResult<String> {
        let url = self.driver.current_url().await?;
        Ok(match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        })
    }

    /// Waits until the address is `address`.
    pub(crate) async fn wait_for_address(&self, address: &str) -> WebDriverResult<()> {
        for _ in 0..100 {
            if self.address().await? == address {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let found = self.address().await?;
        Err(WebDriverError::from_inner(
            thirtyfour::error::WebDriverErrorInner::Timeout(format!(
                "the address is `{found}`, not `{address}`"
            )),
        ))
    }

    /// What the page's own script gets from an address of the server.
    pub(crate) async fn fetch(&self, address: &str) -> WebDriverResult<String> {
        let script =
            "const done = arguments[1]; fetch(arguments[0]).then(r => r.text()).then(done)";
        let got = self.driver.execute_async(script, vec![address.into()]);
        got.await?.convert()
    }

    /// What the server's API says to many queries, asked by the page's own script.
    pub(crate) async fn ask_api(&self, queries: &[String]) -> WebDriverResult<Vec<String>> {
        let script = "const done = arguments[1]; \
            const ask = query => fetch('/api/v1/estimate?' + query).then(answer => answer.text()); \
            Promise.all(arguments[0].map(ask)).then(done)";
        let got = self.driver.execute_async(script, vec![queries.into()]);
        got.await?.convert()
    }

    /// What the browser's module says to many queries.
    pub(crate) async fn answer_json(&self, queries: &[String]) -> WebDriverResult<Vec<String>> {
        let script = "const done = arguments[1]; \
            const address = document.querySelector('link[rel=modulepreload]').href; \
            import(address).then(module => done(arguments[0].map(module.answer_json)))";
        let got = self.driver.execute_async(script, vec![queries.into()]);
        got.await?.convert()
    }

    /// A number that a script works out in the page.
    pub(crate) async fn number(&self, script: &str) -> WebDriverResult<f64> {
        let script = format!("return {script}");
        self.driver.execute(script, Vec::new()).await?.convert()
    }

    /// Texts that a script works out in the page.
    pub(crate) async fn texts(&self, script: &str) -> WebDriverResult<Vec<String>> {
        let script = format!("return {script}");
        self.driver.execute(script, Vec::new()).await?.convert()
    }

    /// Looks at pages as a phone does.
    pub(crate) async fn be_a_phone(&self) -> WebDriverResult<()> {
        let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
        self.tell_chromium("Emulation.setDeviceMetricsOverride", phone)
            .await
    }

    /// Asks pages to be dark.
    pub(crate) async fn prefer_dark(&self) -> WebDriverResult<()> {
        let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        self.tell_chromium("Emulation.setEmulatedMedia", dark).await
    }

    /// Presses a key wherever the focus is.
    pub(crate) async fn press(&self, key: Key) -> WebDriverResult<()> {
        // Not sent to the element: an input of files takes what it is sent for a name.
        let press = self.driver.action_chain().send_keys(key);
        press.perform().await
    }

    async fn tell_chromium(&self, command: &'static str, parameters: Value) -> WebDriverResult<()> {
        let command = DevTools {
            command,
            parameters,
        };
        self.driver
            .handle()
            .cmd(Box::new(command).into_command())
            .await?;
        Ok(())
    }

    /// What the console has that isn't meant to be there.
    async fn console_errors(&self) -> WebDriverResult<Vec<Value>> {
        let answer = self
            .driver
            .handle()
            .cmd(Box::new(ConsoleLog).into_command())
            .await?;
        let entries: Vec<Value> = answer.value()?;
        Ok(entries
            .into_iter()
            .filter(|entry| entry["level"] == "SEVERE" && !is_answer_to_bad_input(entry))
            .collect())
    }
}

/// Lets `visitor` browse with a server and a browser of its own. Fails when
/// the visitor does, or when the console has an error in the end.
pub(crate) fn browse<F, V>(scripts: Scripts, visitor: F)
where
    F: FnOnce(Browser) -> V,
    V: Future<Output = WebDriverResult<()>> + Send + 'static,
{
    let site = Site::load(&site_folder()).expect("the folder of the browser part is readable");
    if scripts == Scripts::On {
        assert!(
            site.has_browser_part(),
            "no browser part in {}: run `cargo xtask build-web`, or `cargo xtask test` for all",
            site_folder().display()
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("a free port");
        let server = listener.local_addr().expect("the port");
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(listener, app(site), async {
            stopped.await.ok();
        }));

        let chromedriver = ChromeDriver::start();
        let driver = WebDriver::new(&chromedriver.address, capabilities(scripts))
            .await
            .expect("Chromium starts");
        let browser = Browser { driver, server };
        let visit = tokio::spawn(visitor(browser.clone())).await;
        let errors = browser.console_errors().await;
        // Chromium ends before any failure is told, so that none stays behind.
        browser.driver.quit().await.expect("Chromium ends");
        match visit {
            Ok(outcome) => outcome.expect("the visit succeeds"),
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
        let errors = errors.expect("the console can be read");
        assert!(errors.is_empty(), "errors in the console: {errors:#?}");

        stop.send(()).ok();
        tokio::time::timeout(Duration::from_secs(5), serving)
            .await
            .expect("the server stops when told")
            .expect("the server doesn't panic")
            .expect("the server ends well");
    });
}

fn capabilities(scripts: Scripts) -> ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,900",
    ];
    for argument in arguments {
        capabilities.add_arg(argument).expect("an argument");
    }
    if scripts == Scripts::Off {
        let blocked = json!({ "profile.managed_default_content_settings.javascript": 2 });
        capabilities
            .add_experimental_option("prefs", blocked)
            .expect("a preference");
    }
    capabilities
        .set("goog:loggingPrefs", json!({ "browser": "ALL" }))
        .expect("a capability");
    capabilities
}

/// Where `cargo xtask build-web` puts the browser part.
fn site_folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => root.join(target).join("site"),
        None => root.join("target/site"),
    }
}

/// A running ChromeDriver; ended when dropped.
struct ChromeDriver {
    process: Child,
    address: String,
}

impl ChromeDriver {
    fn start() -> Self {
        let mut process = Command::new(CHROMEDRIVER)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!(
                    "can't start `{CHROMEDRIVER}`: {error}\n  \
                     hint: `cargo xtask test` installs Debian's chromium and chromium-driver"
                )
            });
        let output = BufReader::new(process.stdout.take().expect("its output"));
        let port = output
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                port.trim_end_matches('.').parse::<u16>().ok()
            })
            .expect("ChromeDriver says its port");
        Self {
            process,
            address: format!("http://127.0.0.1:{port}"),
        }
    }
}

impl Drop for ChromeDriver {
    fn drop(&mut self) {
        if self.process.kill().is_ok() {
            self.process.wait().ok();
        }
    }
}

/// ChromeDriver's own command for the console.
#[derive(Debug)]
struct ConsoleLog;

impl ConsoleLog {
    fn into_command(self: Box<Self>) -> thirtyfour::common::command::Command {
        thirtyfour::common::command::Command::ExtensionCommand(self)
    }
}

impl ExtensionCommand for ConsoleLog {
    fn parameters_json(&self) -> Option<Value> {
        Some(json!({ "type": "browser" }))
    }

    fn method(&self) -> Method {
        Method::POST
    }

    fn endpoint(&self) -> Arc<str> {
        "/se/log".into()
    }
}

/// Whether Chromium tells of a page or an answer with status 422: that is how they are meant.
fn is_answer_to_bad_input(entry: &Value) -> bool {
    let message = entry["message"].as_str().unwrap_or_default();
    entry["source"] == "network" && message.contains("the server responded with a status of 422")
}

/// A command of Chromium's DevTools.
#[derive(Debug)]
struct DevTools {
    command: &'static str,
    parameters: Value,
}

impl DevTools {
    fn into_command(self: Box<Self>) -> thirtyfour::common::command::Command {
        thirtyfour::common::command::Command::ExtensionCommand(self)
    }
}

impl ExtensionCommand for DevTools {
    fn parameters_json(&self) -> Option<Value> {
        Some(json!({ "cmd": self.command, "params": self.parameters }))
    }

    fn method(&self) -> Method {
        Method::POST
    }

    fn endpoint(&self) -> Arc<str> {
        "/goog/cdp/execute".into()
    }
}
