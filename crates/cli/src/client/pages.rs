//! Lists that the server returns in pages.

use reqwest::{Method, Response};
use serde::de::DeserializeOwned;

use super::{Client, answer};
use crate::error::Result;

impl Client {
    /// Fetches all items of a list, up to a limit.
    pub(crate) async fn pages<T: DeserializeOwned>(&self, path: &str, limit: usize) -> Result<Vec<T>> {
        let mut items: Vec<T> = Vec::new();
        let separator = if path.contains('?') { '&' } else { '?' };
        loop {
            let page = format!("{path}{separator}start_pos={}", items.len());
            let answer = self.patiently(self.api(Method::GET, &page)).await?;
            let total = total(&answer);
            let bytes = answer.bytes().await.map_err(|error| answer::unreachable(&self.url, &error))?;
            let page: Vec<T> = serde_json::from_slice(&bytes).map_err(|_| answer::not_ours(&self.url))?;
            let is_last = page.is_empty();
            items.extend(page);
            if is_last || items.len() >= total || items.len() >= limit {
                items.truncate(limit);
                return Ok(items);
            }
        }
    }
}

fn total(answer: &Response) -> usize {
    let header = answer.headers().get("x-rangelimit-total");
    header.and_then(|total| total.to_str().ok()?.parse().ok()).unwrap_or_default()
}
