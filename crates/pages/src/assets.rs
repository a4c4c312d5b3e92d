//! The style sheet, the script, the icons and the fonts of all pages, named by their content, so that browsers cache
//! them forever.

use std::{borrow::Cow, sync::LazyLock};

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
    content: Cow<'static, [u8]>,
}

impl Asset {
    fn new(name: &str, ending: &str, media_type: &'static str, content: impl Into<Cow<'static, [u8]>>) -> Self {
        let content = content.into();
        let hash = hex(&Sha256::digest(&content));
        Self { name: format!("{name}.{}.{ending}", &hash[..16]), media_type, content }
    }

    /// Its URL.
    pub(crate) fn address(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// The style sheet of the pages. It names its fonts and their licence.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let fonts =
        [("fonts/geist.woff2", &FONT), ("fonts/geist-mono.woff2", &MONO_FONT), ("fonts/OFL.txt", &FONT_LICENSE)];
    let style = include_str!("../assets/page.css").to_owned();
    let style = fonts.into_iter().fold(style, |style, (path, font)| style.replace(path, &font.address()));
    Asset::new("page", "css", "text/css; charset=utf-8", style.into_bytes())
});

/// The script of the pages.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("page", "js", "text/javascript; charset=utf-8", &include_bytes!("../assets/page.js")[..])
});

/// The icon of the pages in the tabs of browsers.
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", &include_bytes!("../assets/icon.svg")[..]));

/// All icons on pages, in one file.
pub(crate) static ICONS: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icons", "svg", "image/svg+xml", &include_bytes!("../assets/icons.svg")[..]));

/// The font of the pages.
pub(crate) static FONT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("geist", "woff2", "font/woff2", &include_bytes!("../assets/fonts/geist.woff2")[..]));

/// The font of commands and checksums.
static MONO_FONT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("geist-mono", "woff2", "font/woff2", &include_bytes!("../assets/fonts/geist-mono.woff2")[..])
});

/// The licence of the fonts.
static FONT_LICENSE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("OFL", "txt", "text/plain; charset=utf-8", &include_bytes!("../assets/fonts/OFL.txt")[..])
});

/// Serves an asset.
pub async fn asset(path: PathNames) -> Result<Response> {
    let all: [&Asset; 7] = [&STYLE, &SCRIPT, &ICON, &ICONS, &FONT, &MONO_FONT, &FONT_LICENSE];
    let asset = all.into_iter().find(|asset| asset.name == path.asset()).ok_or_else(Failure::nothing)?;
    let mut response = ([(header::CONTENT_TYPE, asset.media_type)], asset.content.to_vec()).into_response();
    let keep = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, keep);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_sheet_names_the_fonts_by_their_content() {
        let style = String::from_utf8_lossy(&STYLE.content);
        for font in [&FONT, &MONO_FONT, &FONT_LICENSE] {
            assert!(style.contains(&font.address()), "{}", font.name);
        }
        assert!(!style.contains("fonts/"));
    }
}
