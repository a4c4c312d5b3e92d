//! A streaming response, read line by line.

use std::time::Duration;

use serde_json::Value;

/// The longest wait for a line.
const PATIENCE: Duration = Duration::from_secs(20);

/// A stream of lines that end with CRLF.
pub struct Lines {
    response: reqwest::Response,
    received: Vec<u8>,
}

impl Lines {
    pub(crate) fn new(response: reqwest::Response) -> Self {
        Self { response, received: Vec::new() }
    }

    /// Returns a header as text; empty if it is absent.
    pub fn header(&self, name: &str) -> String {
        let value = self.response.headers().get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    }

    /// Returns the next line without its line break; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.received.windows(2).position(|two| two == b"\r\n") {
                let line: Vec<u8> = self.received.drain(..end + 2).collect();
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("a line comes in time");
            match chunk {
                Ok(Some(chunk)) => self.received.extend_from_slice(&chunk),
                Ok(None) => return None,
                Err(error) => panic!("the stream broke: {error}"),
            }
        }
    }

    /// Returns the next event; skips keep-alive lines.
    pub async fn event(&mut self) -> Value {
        loop {
            let line = self.next().await.expect("the stream goes on");
            if !line.is_empty() {
                return serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            }
        }
    }
}
