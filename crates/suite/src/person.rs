//! A caller of a server over HTTP.

use std::{future::IntoFuture, pin::Pin};

use reqwest::Method;

use crate::{Answer, Lines};

/// A caller with or without credentials.
#[derive(Clone)]
pub struct Person {
    client: reqwest::Client,
    base: String,
    credentials: Option<(String, String)>,
}

impl Person {
    /// Creates a caller of the server at this URL.
    pub fn new(client: reqwest::Client, base: String, credentials: Option<(String, String)>) -> Self {
        Self { client, base, credentials }
    }

    /// Returns the user's name; empty without credentials.
    pub fn name(&self) -> &str {
        self.credentials.as_ref().map_or("", |(name, _)| name)
    }

    /// Returns the user's API key; empty without credentials.
    pub fn key(&self) -> &str {
        self.credentials.as_ref().map_or("", |(_, key)| key)
    }

    /// GET below the base URL of the API; a path that begins with `//` is below the server's root.
    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    /// HEAD.
    pub fn head(&self, path: &str) -> Call {
        self.call(Method::HEAD, path)
    }

    /// GET of a download: `/subject/repo/path`.
    pub fn download(&self, path: &str) -> Call {
        self.get(&format!("//dl{path}"))
    }

    /// POST.
    pub fn post(&self, path: &str) -> Call {
        self.call(Method::POST, path)
    }

    /// PUT.
    pub fn put(&self, path: &str) -> Call {
        self.call(Method::PUT, path)
    }

    /// PATCH.
    pub fn patch(&self, path: &str) -> Call {
        self.call(Method::PATCH, path)
    }

    /// DELETE.
    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    /// Any method.
    pub fn call(&self, method: Method, path: &str) -> Call {
        let url = match path.strip_prefix('/').filter(|rest| rest.starts_with('/')) {
            Some(rooted) => format!("{}{rooted}", self.base),
            None => format!("{}/api{path}", self.base),
        };
        let mut request = self.client.request(method, url);
        if let Some((name, key)) = &self.credentials {
            request = request.basic_auth(name, Some(key));
        }
        Call { request }
    }
}

/// A request that is sent when it is awaited.
pub struct Call {
    request: reqwest::RequestBuilder,
}

impl Call {
    /// Sets a JSON body.
    pub fn json(self, body: serde_json::Value) -> Self {
        self.body(body.to_string())
    }

    /// Sets these bytes as the body.
    pub fn body(mut self, body: impl Into<reqwest::Body>) -> Self {
        self.request = self.request.body(body);
        self
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    /// Sends the request and returns the streaming response as lines.
    pub async fn follow(self) -> Lines {
        let response = self.open().await;
        assert_eq!(response.status().as_u16(), 200);
        Lines::new(response)
    }

    /// Sends the request and leaves the body of the response unread.
    pub async fn open(self) -> reqwest::Response {
        self.request.send().await.expect("the server answers")
    }

    /// Sends the request; a network failure is an error instead of a panic.
    pub async fn try_send(self) -> Result<Answer, reqwest::Error> {
        Answer::read(self.request.send().await?).await
    }
}

impl IntoFuture for Call {
    type Output = Answer;
    type IntoFuture = Pin<Box<dyn Future<Output = Answer> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.try_send().await.expect("the server answers") })
    }
}
