//! A real Chromium, driven over the WebDriver protocol of `chromedriver`.

mod driver;
mod tab;

pub use tab::{Element, Tab};

use serde_json::json;
use tempfile::TempDir;

use driver::Driver;

/// The properties of a window.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Its width and height, in CSS pixels.
    pub size: (u32, u32),
    /// Whether the user prefers a dark color scheme.
    pub is_dark: bool,
    /// Whether pages may run scripts.
    pub has_scripts: bool,
}

impl Window {
    /// A desktop window.
    pub const DESK: Self = Self { size: (1_280, 900), is_dark: false, has_scripts: true };
    /// A phone.
    pub const PHONE: Self = Self { size: (390, 844), ..Self::DESK };
}

/// Starts a browser with its own profile and one tab.
pub async fn open(window: Window) -> Tab {
    let driver = Driver::start().await;
    let profile = TempDir::with_prefix("chromium").expect("a folder");
    let (width, height) = window.size;
    let mut arguments = vec![
        "--headless=new".to_owned(),
        // Tests may run as root, where the sandbox does not work. They only visit their own server.
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--force-color-profile=srgb".to_owned(),
        "--lang=en-GB".to_owned(),
        format!("--window-size={width},{height}"),
        format!("--user-data-dir={}", profile.path().display()),
    ];
    if window.is_dark {
        arguments.push("--force-dark-mode".to_owned());
    }
    let scripts = if window.has_scripts { 1 } else { 2 };
    let options = json!({
        "args": arguments,
        "prefs": { "profile.managed_default_content_settings.javascript": scripts },
    });
    let wanted =
        json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" } });
    let tab = Tab::open(driver, profile, wanted).await;
    tab.set_view(window).await;
    tab
}
