//! The document around [`App`]: head, style sheet, scripts and their policy.

use axum::http::{HeaderValue, header::CONTENT_SECURITY_POLICY};
use leptos::{hydration::HydrationScripts, nonce::use_nonce, prelude::*};
use leptos_axum::ResponseOptions;
use leptos_meta::MetaTags;

use super::{App, FileReader};
use crate::server::{Site, content_security_policy};

/// A whole page. Scripts are written only when the browser part was built.
pub(crate) fn shell(site: &Site, options: &LeptosOptions) -> impl IntoView + use<> {
    allow_only_our_scripts();
    provide_context(FileReader(site.file_reader().map(str::to_owned)));
    let scripts = site
        .has_browser_part()
        .then(|| view! { <HydrationScripts options=options.clone() islands=true/> });
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="icon" href=site.icon().to_owned() type="image/svg+xml"/>
                <link rel="stylesheet" href=site.style_sheet().to_owned()/>
                <MetaTags/>
                {scripts}
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}

/// Names this answer's nonce in its content security policy.
fn allow_only_our_scripts() {
    let (Some(response), Some(nonce)) = (use_context::<ResponseOptions>(), use_nonce()) else {
        return;
    };
    if let Ok(policy) = HeaderValue::try_from(content_security_policy(&nonce)) {
        response.insert_header(CONTENT_SECURITY_POLICY, policy);
    }
}
