//! `cargo xtask shots`: pages as people see them.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{
    build_web::build_web,
    debian,
    serve::build_server,
    step::{run, say, step},
    workspace,
};

const CHROMIUM: &str = "/usr/bin/chromium";

/// What to take pictures of.
#[derive(Args)]
pub(crate) struct Options {
    /// Addresses below the server, such as `/` or `/models?q=qwen`
    #[arg(default_value = "/")]
    pages: Vec<String>,
    /// Height of the pictures in pixels
    #[arg(long, default_value_t = 1600)]
    height: u32,
}

/// Builds, serves on a free port, takes pictures.
pub(crate) fn shots(options: &Options) -> Result<()> {
    debian::provide(&["chromium"], &[CHROMIUM])?;
    build_web()?;
    // Pictures are the same from a debug build, which is there much sooner.
    let program = build_server("dev")?;
    let folder = workspace::target().join("shots");
    fs::create_dir_all(&folder)?;
    let server = Server::start(&program)?;
    for page in &options.pages {
        for (device, width) in [("desktop", 1280), ("phone", 390)] {
            for (scheme, setting) in [("light", 1), ("dark", 0)] {
                let picture = folder.join(format!("{}-{device}-{scheme}.png", file_name(page)));
                step(&format!("{page} on {device}, {scheme}"), || {
                    let profile = folder.join("profile");
                    run(Command::new(CHROMIUM)
                        .args([
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--hide-scrollbars",
                            "--virtual-time-budget=5000",
                        ])
                        .arg(format!("--user-data-dir={}", profile.display()))
                        .arg(format!("--blink-settings=preferredColorScheme={setting}"))
                        .arg(format!("--window-size={width},{}", options.height))
                        .arg(format!("--screenshot={}", picture.display()))
                        .arg(format!("{}{page}", server.address))
                        .stderr(Stdio::null()))?;
                    fs::remove_dir_all(profile)?;
                    Ok(())
                })?;
            }
        }
    }
    say(&format!("pictures are in {}", folder.display()));
    Ok(())
}

/// A running server; stopped when dropped.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(program: &Path) -> Result<Self> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let mut server = Self {
            process: Command::new(program)
                .env("BANDWISE_ADDR", free.to_string())
                .env("BANDWISE_SITE", workspace::site())
                .env("BANDWISE_LOG", "warn")
                .spawn()
                .context("can't start the server")?,
            address: format!("http://{free}"),
        };
        for _ in 0..100 {
            if TcpStream::connect(free).is_ok() {
                return Ok(server);
            }
            if let Some(status) = server.process.try_wait()? {
                bail!("the server ended with {status}");
            }
            thread::sleep(Duration::from_millis(100));
        }
        bail!("the server didn't answer within 10 s")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.process.kill().is_ok() {
            self.process.wait().ok();
        }
    }
}

/// `/models?q=qwen` → `models-q-qwen`; `/` → `home`.
fn file_name(page: &str) -> String {
    let name = page
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    if name.is_empty() {
        "home".to_owned()
    } else {
        name
    }
}
