//! Starts the Bandwise server.
//!
//! Set up by environment: `BANDWISE_ADDR` (default `127.0.0.1:3000`),
//! `BANDWISE_SITE` (folder of the browser part, default `target/site`),
//! `BANDWISE_LOG` (`error`, `warn`, `info`, `debug` or `trace`) and
//! `BANDWISE_LOG_FORMAT` (`text` or `json`).

use std::{env, error::Error, path::PathBuf, process::ExitCode};

use bandwise_web::server::{Site, app, serve};
use tokio::{net::TcpListener, signal};
use tracing_subscriber::filter::LevelFilter;

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error, "the server can't run");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<(), Box<dyn Error>> {
    start_log();
    let folder = env::var_os("BANDWISE_SITE").map_or_else(|| "target/site".into(), PathBuf::from);
    let site = Site::load(&folder)?;
    if !site.has_browser_part() {
        tracing::warn!(
            folder = %folder.display(),
            "no browser part: pages work without live updates; `cargo xtask build-web` builds it",
        );
    }
    let address = env::var("BANDWISE_ADDR").unwrap_or_else(|_| "127.0.0.1:3000".to_owned());
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(async {
            let listener = TcpListener::bind(&address)
                .await
                .map_err(|error| format!("can't listen on `{address}`: {error}"))?;
            tracing::info!("listening on http://{}", listener.local_addr()?);
            serve(listener, app(site), told_to_stop()).await?;
            Ok(())
        })
}

fn start_log() {
    let level = env::var("BANDWISE_LOG")
        .ok()
        .and_then(|level| level.parse().ok())
        .unwrap_or(LevelFilter::INFO);
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr);
    if env::var("BANDWISE_LOG_FORMAT").as_deref() == Ok("json") {
        log.json().init();
    } else {
        log.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .init();
    }
}

/// Completes on Ctrl-C or a polite kill.
async fn told_to_stop() {
    let interrupt = async {
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match signal::unix::signal(signal::unix::SignalKind::terminate()) {
            Ok(mut asked) => {
                asked.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
