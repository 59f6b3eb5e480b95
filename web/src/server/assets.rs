//! Style sheet, icon and browser part: held in memory, named by their content,
//! cached forever.

use std::{
    collections::HashMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
};
use thiserror::Error;

/// The file in which `cargo xtask build-web` leaves the name of the browser part.
const NAME_FILE: &str = "browser-part";
/// The one in which it leaves the name of the module that reads model files.
const READER_FILE: &str = "file-reader";

/// Everything the server sends besides pages.
#[derive(Debug)]
pub struct Site {
    assets: HashMap<String, Asset>,
    style_sheet: String,
    icon: String,
    browser_part: Option<String>,
    file_reader: Option<String>,
}

/// Why the folder of the browser part can't be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SiteError {
    /// A file of the folder can't be read.
    #[error("can't read `{path}`")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// One file, with its compressed forms where they were made ahead.
#[derive(Debug, Clone)]
struct Asset {
    content_type: &'static str,
    plain: Bytes,
    brotli: Option<Bytes>,
    gzip: Option<Bytes>,
}

impl Site {
    /// What is compiled into the server: pages work, without live updates.
    #[must_use]
    pub fn embedded() -> Self {
        let mut site = Self {
            assets: HashMap::new(),
            style_sheet: String::new(),
            icon: String::new(),
            browser_part: None,
            file_reader: None,
        };
        site.style_sheet = site.embed("style", "css", include_str!("../../style/main.css"));
        site.icon = site.embed("icon", "svg", include_str!("../../style/icon.svg"));
        site
    }

    /// Adds the browser part that `cargo xtask build-web` wrote to `folder`.
    /// If none was built there, the site is [`Site::embedded`].
    ///
    /// # Errors
    ///
    /// When the folder holds a browser part that can't be read.
    pub fn load(folder: &Path) -> Result<Self, SiteError> {
        let mut site = Self::embedded();
        let name = match fs::read_to_string(folder.join(NAME_FILE)) {
            Ok(name) => name.trim().to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(site),
            Err(source) => return Err(read_error(&folder.join(NAME_FILE), source)),
        };
        site.add_folder(&folder.join("pkg"), "/pkg")?;
        site.browser_part = Some(name);
        site.file_reader = fs::read_to_string(folder.join(READER_FILE))
            .ok()
            .map(|name| format!("/pkg/{}", name.trim()));
        Ok(site)
    }

    /// Whether pages can come alive in the browser.
    #[must_use]
    pub fn has_browser_part(&self) -> bool {
        self.browser_part.is_some()
    }

    /// Name of the script and module below `/pkg`, without their endings.
    pub(crate) fn browser_part(&self) -> Option<&str> {
        self.browser_part.as_deref()
    }

    /// Address of the module that reads model files, without its endings.
    pub(crate) fn file_reader(&self) -> Option<&str> {
        self.file_reader.as_deref()
    }

    /// Address of the style sheet.
    pub(crate) fn style_sheet(&self) -> &str {
        &self.style_sheet
    }

    /// Address of the icon.
    pub(crate) fn icon(&self) -> &str {
        &self.icon
    }

    fn embed(&mut self, name: &str, ending: &str, content: &'static str) -> String {
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let address = format!("/assets/{name}-{:016x}.{ending}", hasher.finish());
        let asset = Asset {
            content_type: content_type(ending),
            plain: Bytes::from_static(content.as_bytes()),
            brotli: None,
            gzip: None,
        };
        self.assets.insert(address.clone(), asset);
        address
    }

    fn add_folder(&mut self, folder: &Path, address: &str) -> Result<(), SiteError> {
        let entries = fs::read_dir(folder).map_err(|source| read_error(folder, source))?;
        for entry in entries {
            let path = entry.map_err(|source| read_error(folder, source))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let address = format!("{address}/{name}");
            if path.is_dir() {
                self.add_folder(&path, &address)?;
                continue;
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            if matches!(ending, Some("br" | "gz")) {
                continue;
            }
            let asset = Asset {
                content_type: content_type(ending.unwrap_or_default()),
                plain: fs::read(&path)
                    .map_err(|source| read_error(&path, source))?
                    .into(),
                brotli: fs::read(beside(&path, "br")).ok().map(Bytes::from),
                gzip: fs::read(beside(&path, "gz")).ok().map(Bytes::from),
            };
            self.assets.insert(address, asset);
        }
        Ok(())
    }
}

/// The routes of all assets.
pub(super) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/assets/{*path}", get(send))
        .route("/pkg/{*path}", get(send))
        .with_state(site)
}

async fn send(State(site): State<Arc<Site>>, address: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = site.assets.get(address.path()) else {
        return (StatusCode::NOT_FOUND, "no such file\n").into_response();
    };
    let accepts = |encoding| accepts(&headers, encoding);
    let (encoding, body) = match asset {
        Asset {
            brotli: Some(body), ..
        } if accepts("br") => (Some("br"), body),
        Asset {
            gzip: Some(body), ..
        } if accepts("gzip") => (Some("gzip"), body),
        Asset { plain, .. } => (None, plain),
    };
    (
        [
            (header::CONTENT_TYPE, asset.content_type),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            (header::VARY, "accept-encoding"),
        ],
        encoding.map(|encoding| [(header::CONTENT_ENCODING, encoding)]),
        body.clone(),
    )
        .into_response()
}

/// Whether the request takes `encoding` by name.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|offer| {
            let (name, weight) = offer.split_once(';').unwrap_or((offer, "q=1"));
            let refused = weight
                .trim()
                .strip_prefix("q=")
                .is_some_and(|weight| weight.trim().parse() == Ok(0.0_f32));
            name.trim().eq_ignore_ascii_case(encoding) && !refused
        })
}

fn content_type(ending: &str) -> &'static str {
    match ending {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// `a.js` and `br` → `a.js.br`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn read_error(path: &Path, source: io::Error) -> SiteError {
    SiteError::Read {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn offering(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn an_encoding_is_taken_only_when_offered_with_weight() {
        assert!(accepts(&offering("gzip, deflate, br"), "br"));
        assert!(accepts(&offering("BR;q=0.5"), "br"));
        assert!(!accepts(&offering("gzip, br;q=0"), "br"));
        assert!(!accepts(&offering("brotli"), "br"));
        assert!(!accepts(&HeaderMap::new(), "br"));
    }

    #[test]
    fn a_folder_without_browser_part_is_no_error() {
        let site = Site::load(Path::new("no/such/folder")).expect("embedded site");
        assert!(!site.has_browser_part());
    }
}
