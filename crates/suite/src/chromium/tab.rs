//! A browser tab: its URL, its content, and the actions of a user.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Window, driver::Driver};

/// The longest wait for something to appear.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);

/// The JSON key of an element's id in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The only tab of a browser.
pub struct Tab {
    driver: Driver,
    session: String,
    // Deleted after the browser has stopped.
    _profile: TempDir,
}

/// An element of a page.
pub struct Element<'t> {
    tab: &'t Tab,
    id: String,
}

impl Tab {
    pub(super) async fn open(driver: Driver, profile: TempDir, wanted: Value) -> Self {
        let wanted = json!({ "capabilities": { "alwaysMatch": wanted } });
        let opened = driver.post("/session", &wanted).await.expect("Chromium starts; `cargo xtask test` installs it");
        let id = opened["sessionId"].as_str().expect("a session has an id");
        let session = format!("/session/{id}");
        Self { driver, session, _profile: profile }
    }

    /// Gives the page's viewport this size: windows have borders, and are never as narrow as phones.
    pub(super) async fn set_view(&self, window: Window) {
        let (width, height) = window.size;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await;
        let scheme = if window.is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.cdp("Emulation.setEmulatedMedia", features).await;
        // Otherwise the browser would prompt for these permissions.
        self.cdp(
            "Browser.grantPermissions",
            json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
        )
        .await;
    }

    /// Sends these credentials in a header of every request.
    pub async fn send_credentials(&self, name: &str, key: &str) {
        let credentials = BASE64_STANDARD.encode(format!("{name}:{key}"));
        let headers = json!({ "headers": { "Authorization": format!("Basic {credentials}") } });
        self.cdp("Network.enable", json!({})).await;
        self.cdp("Network.setExtraHTTPHeaders", headers).await;
    }

    async fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let done = self.driver.post(&format!("{}{path}", self.session), &body).await;
        done.unwrap_or_else(|error| panic!("{path} {body}: {error}"))
    }

    async fn get(&self, path: &str) -> Value {
        let found = self.driver.get(&format!("{}{path}", self.session)).await;
        found.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Opens a URL and waits until the page is loaded.
    pub async fn go(&self, url: &str) {
        self.post("/url", json!({ "url": url })).await;
    }

    /// Returns the URL of the page.
    pub async fn url(&self) -> String {
        self.get("/url").await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page has this URL.
    pub async fn wait_for_url(&self, url: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.url().await != url {
            assert!(Instant::now() < deadline, "the page is {}, not {url}", self.url().await);
            tokio::time::sleep(POLL).await;
        }
    }

    /// Returns the page's title.
    pub async fn title(&self) -> String {
        self.get("/title").await.as_str().unwrap_or_default().to_owned()
    }

    /// Returns the first element that matches a CSS selector; waits for one to appear.
    pub async fn find(&self, selector: &str) -> Element<'_> {
        self.find_by("css selector", selector).await
    }

    /// Returns the first link with this text.
    pub async fn find_link(&self, text: &str) -> Element<'_> {
        self.find_by("link text", text).await
    }

    /// Returns the first button with this text.
    pub async fn find_button(&self, text: &str) -> Element<'_> {
        self.find_by("xpath", &format!("//button[normalize-space()='{text}']")).await
    }

    async fn find_by(&self, using: &str, value: &str) -> Element<'_> {
        let (deadline, path) = (Instant::now() + PATIENCE, format!("{}/element", self.session));
        loop {
            match self.driver.post(&path, &json!({ "using": using, "value": value })).await {
                Ok(found) => {
                    let id = found[ELEMENT].as_str().expect("an element has a key").to_owned();
                    return Element { tab: self, id };
                }
                Err(error) if Instant::now() > deadline => panic!("{value} is not on {}: {error}", self.url().await),
                Err(_) => tokio::time::sleep(POLL).await,
            }
        }
    }

    /// Returns the visible text of the page.
    pub async fn text(&self) -> String {
        self.find("body").await.text().await
    }

    /// Returns the visible text; `None` during a navigation.
    async fn text_by_now(&self) -> Option<String> {
        let body = json!({ "using": "css selector", "value": "body" });
        let found = self.driver.post(&format!("{}/element", self.session), &body).await.ok()?;
        let path = format!("{}/element/{}/text", self.session, found[ELEMENT].as_str()?);
        self.driver.get(&path).await.ok()?.as_str().map(str::to_owned)
    }

    /// Waits until the page shows this text.
    pub async fn wait_for_text(&self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.text_by_now().await.is_some_and(|seen| seen.contains(text)) {
            assert!(Instant::now() < deadline, "{} never says {text:?}: {}", self.url().await, self.text().await);
            tokio::time::sleep(POLL).await;
        }
    }

    /// Runs the body of a function in the page and returns its result.
    pub async fn run(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": arguments })).await
    }

    /// Runs the body of a function that passes its result to its last argument, a callback.
    pub async fn run_async(&self, script: &str) -> Value {
        self.post("/execute/async", json!({ "script": script, "args": [] })).await
    }

    /// Saves a screenshot.
    pub async fn save_picture(&self, path: &Path) {
        let picture = self.get("/screenshot").await;
        let picture = BASE64_STANDARD.decode(picture.as_str().unwrap_or_default()).expect("pictures are base64");
        std::fs::write(path, picture).expect("written");
    }

    /// Returns the warnings and errors in the console since the last call.
    pub async fn take_complaints(&self) -> Vec<String> {
        let said = self.post("/se/log", json!({ "type": "browser" })).await;
        let bad = |entry: &&Value| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"));
        said.as_array().into_iter().flatten().filter(bad).map(|entry| entry["message"].to_string()).collect()
    }

    /// Returns the URLs that pages have requested since the last call.
    pub async fn take_requests(&self) -> Vec<String> {
        let said = self.post("/se/log", json!({ "type": "performance" })).await;
        let request = |entry: &Value| {
            let event: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &event["message"];
            (message["method"] == "Network.requestWillBeSent").then_some(())?;
            message["params"]["request"]["url"].as_str().map(str::to_owned)
        };
        said.as_array().into_iter().flatten().filter_map(request).collect()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.driver.end(&self.session);
    }
}

impl Element<'_> {
    async fn post(&self, what: &str, body: Value) -> Value {
        self.tab.post(&format!("/element/{}/{what}", self.id), body).await
    }

    async fn get(&self, what: &str) -> Value {
        self.tab.get(&format!("/element/{}/{what}", self.id)).await
    }

    /// Clicks on the element.
    pub async fn click(&self) {
        self.post("click", json!({})).await;
    }

    /// Types text. In a file field, a path selects that file.
    pub async fn type_text(&self, text: &str) {
        self.post("value", json!({ "text": text })).await;
    }

    /// Clears the field.
    pub async fn clear(&self) {
        self.post("clear", json!({})).await;
    }

    /// Returns its visible text.
    pub async fn text(&self) -> String {
        self.get("text").await.as_str().unwrap_or_default().to_owned()
    }

    /// Returns one of its attributes or properties.
    pub async fn attribute(&self, name: &str) -> Option<String> {
        self.get(&format!("attribute/{name}")).await.as_str().map(str::to_owned)
    }

    /// Returns whether it is visible.
    pub async fn is_shown(&self) -> bool {
        self.get("displayed").await == json!(true)
    }

    /// Returns one of its computed styles.
    pub async fn style(&self, name: &str) -> String {
        self.get(&format!("css/{name}")).await.as_str().unwrap_or_default().to_owned()
    }

    /// Returns it as an argument for a script.
    pub fn argument(&self) -> Value {
        json!({ ELEMENT: self.id })
    }
}
