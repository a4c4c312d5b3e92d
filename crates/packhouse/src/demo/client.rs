//! Requests of the people in the catalogue.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::COUNTRY;

/// A client of the server in this process.
pub(super) struct DemoClient {
    http: reqwest::Client,
    base: String,
    keys: Vec<(String, String)>,
}

impl DemoClient {
    pub(super) fn new(base: String, keys: Vec<(String, String)>) -> Result<Self, String> {
        let http = reqwest::Client::builder().no_proxy().build().map_err(|error| error.to_string())?;
        Ok(Self { http, base, keys })
    }

    /// Sends JSON to the API as this person.
    pub(super) async fn send(&self, who: &str, method: Method, path: &str, body: &Value) -> Result<(), String> {
        self.check(path, self.signed(who, method, path).json(body)).await
    }

    /// Uploads a file.
    pub(super) async fn upload(&self, who: &str, path: &str, content: Vec<u8>) -> Result<(), String> {
        self.check(path, self.signed(who, Method::PUT, path).body(content)).await
    }

    /// Downloads a file from a country, like one of its users.
    pub(super) async fn download(&self, path: &str, number: u32, country: &str) -> Result<(), String> {
        let request = self.http.get(format!("{}/dl/{path}", self.base)).header(COUNTRY, country);
        self.check(path, request.header("x-forwarded-for", format!("198.51.100.{}", number % 250 + 1))).await
    }

    fn signed(&self, who: &str, method: Method, path: &str) -> RequestBuilder {
        let key = self.keys.iter().find(|(name, _)| name == who).map(|(_, key)| key);
        let request = self.http.request(method, format!("{}/api{path}", self.base));
        // Credentials are taken only from proxies that speak TLS to their clients.
        request.basic_auth(who, key).header("x-forwarded-proto", "https").header("x-forwarded-for", "198.51.100.1")
    }

    async fn check(&self, path: &str, request: RequestBuilder) -> Result<(), String> {
        let answer = request.send().await.map_err(|error| format!("{path}: {error}"))?;
        let (status, body) = (answer.status(), answer.bytes().await.map_err(|error| format!("{path}: {error}"))?);
        if status.is_success() {
            return Ok(());
        }
        Err(format!("{path}: the server answered {status}: {}", String::from_utf8_lossy(&body)))
    }
}
