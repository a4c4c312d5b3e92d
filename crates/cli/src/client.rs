//! Talking to a server.

use std::time::Duration;

use clap::Args;
use serde::de::DeserializeOwned;

/// The server and the credentials to use.
#[derive(Debug, Args)]
pub struct Server {
    /// The address of the server
    #[arg(long, env = "PACKHOUSE_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Your user name
    #[arg(long, env = "PACKHOUSE_USER")]
    pub(crate) user: String,
    /// Your API key
    #[arg(long, env = "PACKHOUSE_API_KEY", hide_env_values = true)]
    api_key: String,
}

/// Why a command did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server could not be asked.
    #[error("{url} does not answer: {cause}\nhint: is the address right? set it with --url or PACKHOUSE_URL")]
    Unreachable {
        /// The server's address.
        url: String,
        /// What the network said.
        cause: String,
    },
    /// The server said no.
    #[error("the server answered {status}: {message}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// What the server said.
        message: String,
    },
}

impl Server {
    /// Asks for a resource below the API's base address.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        let url = format!("{}/api{path}", self.url.trim_end_matches('/'));
        let unreachable = |error: reqwest::Error| Error::Unreachable { url: self.url.clone(), cause: chain(&error) };
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30)).build().map_err(unreachable)?;
        let answer = client.get(url).basic_auth(&self.user, Some(&self.api_key)).send().await.map_err(unreachable)?;
        let status = answer.status();
        if status.is_success() {
            return answer.json().await.map_err(unreachable);
        }
        let message = answer.json::<api::Message>().await.map_or_else(|_| status.to_string(), |body| body.message);
        Err(Error::Refused { status: status.as_u16(), message })
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}
