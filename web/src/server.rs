//! The server: router, middleware, start and graceful end.

use std::{any::Any, future::IntoFuture, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{HeaderName, HeaderValue, Request, StatusCode, header},
    response::{IntoResponse, Response},
};
use leptos::config::LeptosOptions;
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async_with_context};
use tokio::{net::TcpListener, sync::Notify};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    limit::RequestBodyLimitLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
    set_header::SetResponseHeaderLayer,
    timeout::TimeoutLayer,
    trace::{DefaultOnResponse, TraceLayer},
};
use tracing::{Level, info_span};

use crate::{
    api,
    pages::{App, shell},
};

mod assets;

pub use assets::{Site, SiteError};

/// Largest request body taken, in bytes.
const BODY_LIMIT: usize = 64 * 1024;
/// Longest time an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Longest time that open connections get once the server was told to stop.
const STOP_WITHIN: Duration = Duration::from_secs(10);

/// The whole app as a service: pages, assets and middleware.
pub fn app(site: Site) -> Router {
    let site = Arc::new(site);
    let options = LeptosOptions::builder()
        .output_name(site.browser_part().unwrap_or("bandwise"))
        .site_pkg_dir("pkg")
        .build();

    let document = {
        let site = Arc::clone(&site);
        let options = options.clone();
        move || shell(&site, &options)
    };
    let router = Router::new()
        .leptos_routes(&options, generate_route_list(App), document.clone())
        .fallback(render_app_async_with_context(|| {}, document))
        .with_state(options)
        .merge(api::router())
        .merge(assets::router(site));
    with_middleware(router)
}

/// Serves `app` until `stop` completes, then lets open requests finish.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let stopping = Arc::new(Notify::new());
    let told = Arc::clone(&stopping);
    let server = axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            stop.await;
            told.notify_one();
        })
        .into_future();
    tokio::select! {
        ended = server => ended,
        () = async {
            stopping.notified().await;
            tracing::info!("stopping");
            tokio::time::sleep(STOP_WITHIN).await;
        } => {
            tracing::warn!("connections still open were cut");
            Ok(())
        }
    }
}

/// What a page may load and do: only what this server gave it, and of inline
/// scripts only those that carry `nonce`.
///
/// `style` attributes are refused too: set a size by an SVG attribute or a
/// class.
pub(crate) fn content_security_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// Wraps `router` from the inside out.
fn with_middleware(router: Router) -> Router {
    let router = router
        .layer(RequestBodyLimitLayer::new(BODY_LIMIT))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            ANSWER_WITHIN,
        ))
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(CompressionLayer::new());
    with_security_headers(router)
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(request_span)
                .on_response(DefaultOnResponse::new().level(Level::INFO)),
        )
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
}

/// Headers of every answer that doesn't set its own.
fn with_security_headers(router: Router) -> Router {
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=()",
        ),
    ];
    headers.into_iter().fold(router, |router, (name, value)| {
        router.layer(SetResponseHeaderLayer::if_not_present(
            name,
            HeaderValue::from_static(value),
        ))
    })
}

fn request_span(request: &Request<Body>) -> tracing::Span {
    let id = request
        .headers()
        .get("x-request-id")
        .and_then(|id| id.to_str().ok())
        .unwrap_or_default();
    info_span!(
        "request",
        id,
        method = %request.method(),
        path = request.uri().path(),
    )
}

/// A panic is a defect: log it, answer 500, serve on.
fn answer_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(message, "a handler panicked");
    (
        StatusCode::INTERNAL_SERVER_ERROR,
        "something went wrong on our side\n",
    )
        .into_response()
}
