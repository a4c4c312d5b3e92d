//! The style sheet, the script and the icon of all pages, named by their content, so that browsers cache them forever.

use std::sync::LazyLock;

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use model::digest::hex;
use sha2::{Digest, Sha256};
use web::{
    error::{Failure, Result},
    path_names::PathNames,
};

/// A file that is embedded in the program.
pub(crate) struct Asset {
    /// Its name, which includes a part of its hash.
    name: String,
    media_type: &'static str,
    content: &'static str,
}

impl Asset {
    fn new(name: &str, ending: &str, media_type: &'static str, content: &'static str) -> Self {
        let hash = hex(&Sha256::digest(content));
        Self { name: format!("{name}.{}.{ending}", &hash[..16]), media_type, content }
    }

    /// Its URL.
    pub(crate) fn address(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// The style sheet of the pages.
pub(crate) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("page", "css", "text/css; charset=utf-8", include_str!("../assets/page.css")));

/// The script of the pages.
pub(crate) static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("page", "js", "text/javascript; charset=utf-8", include_str!("../assets/page.js")));

/// The icon of the pages.
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg")));

/// Serves an asset.
pub async fn asset(path: PathNames) -> Result<Response> {
    let found = [&*STYLE, &*SCRIPT, &*ICON].into_iter().find(|asset| asset.name == path.asset());
    let asset = found.ok_or_else(Failure::nothing)?;
    let mut response = ([(header::CONTENT_TYPE, asset.media_type)], asset.content).into_response();
    let keep = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, keep);
    Ok(response)
}
