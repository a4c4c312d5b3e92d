//! Talking to a server.

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

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// How often a call is made that finds the server busy.
const ATTEMPTS: u32 = 4;

/// The longest wait that a busy server may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A server, and who one is to it. Clones share its connections.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    /// The address of the server, without a slash at its end.
    pub(crate) url: String,
    pub(crate) login: Option<Login>,
    /// How long the server may be silent.
    pub(crate) timeout: Duration,
}

impl Client {
    pub(crate) fn new(url: String, login: Option<Login>, timeout: Duration) -> Result<Self> {
        // This counts from the request on, and again from each part of the answer.
        let http = build(&url, Builder::new().read_timeout(timeout))?;
        Ok(Self { http, url, login, timeout })
    }

    /// The same server, for requests whose bodies may take as long as they need. Callers look at the time themselves.
    pub(crate) fn for_uploads(&self) -> Result<Self> {
        Ok(Self { http: build(&self.url, Builder::new())?, ..self.clone() })
    }

    /// The same server, for somebody whom it does not know.
    pub(crate) fn anonymous(&self) -> Self {
        Self { login: None, ..self.clone() }
    }

    /// The name of the user, for commands that need one.
    pub(crate) fn user(&self) -> Result<&str> {
        let login = self.login.as_ref().ok_or_else(|| {
            let error = Error::new(ExitKind::SignedOut, format!("you are not signed in to {}", self.url));
            error.hint("`packhouse login`, or set PACKHOUSE_USER and PACKHOUSE_API_KEY")
        })?;
        Ok(&login.user)
    }

    /// A request to an address below the API's base.
    pub(crate) fn api(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, &format!("/api{path}"))
    }

    /// A request to an address below the server's.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.login {
            Some(login) => request.basic_auth(&login.user, Some(&login.api_key)),
            None => request,
        }
    }

    /// Asks for a resource.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.send(Method::GET, path, None).await
    }

    /// A resource, or `None` where there is none.
    pub(crate) async fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>> {
        match self.get(path).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind == ExitKind::Missing => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes a call with or without a JSON body, and reads the JSON of its answer.
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

    /// The text of a resource.
    pub(crate) async fn text(&self, path: &str) -> Result<String> {
        let answer = self.patiently(self.api(Method::GET, path)).await?;
        answer.text().await.map_err(|error| answer::unreachable(&self.url, &error))
    }

    /// Makes a request, and again when the server asks to come back soon.
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

    /// Makes a request once. What is not a success becomes an error.
    pub(crate) async fn once(&self, request: RequestBuilder) -> Result<Response> {
        let answer = self.answer(request).await?;
        self.accept(answer).await
    }

    /// Makes a request once and takes any answer.
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
    // Transfers go side by side, each on a connection of its own: one shared by all would have one speed.
    let builder = builder.user_agent(agent).connect_timeout(CONNECT).tcp_nodelay(true).http1_only();
    builder.build().map_err(|error| answer::unreachable(url, &error))
}
