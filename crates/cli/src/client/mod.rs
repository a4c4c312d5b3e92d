//! The HTTP client for a server.

mod answer;
mod pages;

use std::time::Duration;

use reqwest::{ClientBuilder as Builder, Method, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use answer::Unreadable;

use crate::{
    credentials::Login,
    error::{Error, ExitKind, Result},
};

/// Timeout for establishing a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Maximum number of attempts if the server is busy.
const ATTEMPTS: u32 = 4;

/// The longest wait that the client accepts from a busy server.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A server and the credentials for it. Clones share its connections.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    /// The URL of the server, without a trailing slash.
    pub(crate) url: String,
    pub(crate) login: Option<Login>,
    /// Maximum silence of the server.
    pub(crate) timeout: Duration,
}

impl Client {
    pub(crate) fn new(url: String, login: Option<Login>, timeout: Duration) -> Result<Self> {
        // This timeout starts with the request, and again with each part of the response.
        let http = build(&url, Builder::new().read_timeout(timeout))?;
        Ok(Self { http, url, login, timeout })
    }

    /// The same server, for requests whose bodies may take any time. Callers enforce their own timeout.
    pub(crate) fn for_uploads(&self) -> Result<Self> {
        Ok(Self { http: build(&self.url, Builder::new())?, ..self.clone() })
    }

    /// The same server without credentials.
    pub(crate) fn anonymous(&self) -> Self {
        Self { login: None, ..self.clone() }
    }

    /// The user name, for commands that need one.
    pub(crate) fn user(&self) -> Result<&str> {
        let login = self.login.as_ref().ok_or_else(|| {
            let error = Error::new(ExitKind::SignedOut, format!("you are not signed in to {}", self.url));
            error.hint("run `packhouse login`, or set PACKHOUSE_USER and PACKHOUSE_API_KEY")
        })?;
        Ok(&login.user)
    }

    /// A request to a path below the API's base URL.
    pub(crate) fn api(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, &format!("/api{path}"))
    }

    /// A request to a path below the server's URL.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.login {
            Some(login) => request.basic_auth(&login.user, Some(&login.api_key)),
            None => request,
        }
    }

    /// Fetches a resource.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.send(Method::GET, path, None).await
    }

    /// Fetches a resource; `None` if it does not exist.
    pub(crate) async fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>> {
        match self.get(path).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind == ExitKind::Missing => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes a request with or without a JSON body, and parses the JSON of the response.
    pub(crate) async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T> {
        let request = self.api(method, path).timeout(self.timeout);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = self.patiently(request).await?;
        let bytes = answer.bytes().await.map_err(|error| answer::unreachable(&self.url, &error))?;
        serde_json::from_slice(&bytes).map_err(|_| answer::not_ours(&self.url))
    }

    /// Fetches a resource as text.
    pub(crate) async fn text(&self, path: &str) -> Result<String> {
        let answer = self.patiently(self.api(Method::GET, path)).await?;
        answer.text().await.map_err(|error| answer::unreachable(&self.url, &error))
    }

    /// Makes a request, and repeats it when the server asks to retry soon.
    pub(crate) async fn patiently(&self, request: RequestBuilder) -> Result<Response> {
        let mut request = request;
        for attempt in 1..ATTEMPTS {
            let Some(again) = request.try_clone() else { break };
            let answer = self.answer(request).await?;
            let Some(wait) = answer::asks_to_wait(&answer, attempt).filter(|wait| *wait <= LONGEST_WAIT) else {
                return self.accept(answer).await;
            };
            tokio::time::sleep(wait).await;
            request = again;
        }
        self.once(request).await
    }

    /// Makes a request once. A response that is not a success becomes an error.
    pub(crate) async fn once(&self, request: RequestBuilder) -> Result<Response> {
        let answer = self.answer(request).await?;
        self.accept(answer).await
    }

    /// Makes a request once and accepts any response.
    pub(crate) async fn answer(&self, request: RequestBuilder) -> Result<Response> {
        request.send().await.map_err(|error| answer::unreachable(&self.url, &error))
    }

    async fn accept(&self, answer: Response) -> Result<Response> {
        if answer.status().is_success() {
            return Ok(answer);
        }
        Err(answer::refusal(answer, self.login.is_some()).await)
    }
}

fn build(url: &str, builder: Builder) -> Result<reqwest::Client> {
    let agent = concat!("packhouse/", env!("CARGO_PKG_VERSION"));
    // Parallel transfers need one connection each: a shared connection would limit the speed of all of them.
    let builder = builder.user_agent(agent).connect_timeout(CONNECT).tcp_nodelay(true).http1_only();
    builder.build().map_err(|error| answer::unreachable(url, &error))
}
