//! The arguments that every client command takes.

use std::{net::IpAddr, time::Duration};

use clap::Args;

use crate::{
    client::Client,
    credentials::{self, Login},
    error::{Error, Result},
    output::Output,
    session::Session,
};

/// The URL of a server that was started without settings.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// The server, the credentials, and the output options.
#[derive(Debug, Clone, Args)]
pub struct ConnectionArgs {
    /// The URL of the server [default: the server of the last login, or http://127.0.0.1:8080]
    #[arg(long, env = "PACKHOUSE_URL", global = true, value_name = "URL", help_heading = "Server")]
    url: Option<String>,
    /// Your user name [default: from the login]
    #[arg(long, env = "PACKHOUSE_USER", global = true, value_name = "NAME", help_heading = "Server")]
    user: Option<String>,
    /// Your API key [default: from the login]
    #[arg(
        long,
        env = "PACKHOUSE_API_KEY",
        hide_env_values = true,
        global = true,
        value_name = "KEY",
        help_heading = "Server"
    )]
    api_key: Option<String>,
    /// Give up when the server is silent for this many seconds
    #[arg(
        long,
        env = "PACKHOUSE_TIMEOUT",
        global = true,
        value_name = "SECONDS",
        default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..=86_400),
        help_heading = "Server"
    )]
    timeout: u64,
    /// Print results and errors as JSON
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print results and errors only
    #[arg(long, short, global = true, help_heading = "Output")]
    quiet: bool,
    /// Show what would be done, and change nothing
    #[arg(long, global = true, help_heading = "Output")]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, short, global = true, help_heading = "Output")]
    yes: bool,
}

impl ConnectionArgs {
    /// Creates the session. Flags override the environment, which overrides the credentials file.
    pub(crate) fn session(&self) -> Result<Session> {
        let stored = credentials::load()?;
        let url = self.url().or_else(|| stored.default.clone()).unwrap_or_else(|| DEFAULT_URL.to_owned());
        let url = url.trim_end_matches('/').to_owned();
        check_scheme(&url)?;
        let login = self.login(stored.servers.get(&url));
        let client = Client::new(url, login, self.timeout())?;
        let output = Output { is_json: self.json, is_quiet: self.quiet };
        Ok(Session { client, output, is_dry_run: self.dry_run, is_sure: self.yes })
    }

    /// Returns the credentials. The stored key is used only with the stored user, because a key belongs to one user.
    fn login(&self, stored: Option<&Login>) -> Option<Login> {
        let stored_user = || stored.map(|login| login.user.clone());
        let user = self.user().or_else(stored_user)?;
        let stored_key = || stored.filter(|login| login.user == user).map(|login| login.api_key.clone());
        let api_key = self.api_key().or_else(stored_key)?;
        Some(Login { user, api_key })
    }

    /// Maximum silence of the server.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// The given URL; an empty variable counts as absent.
    pub(crate) fn url(&self) -> Option<String> {
        self.url.clone().filter(|url| !url.is_empty())
    }

    /// The given user name.
    pub(crate) fn user(&self) -> Option<String> {
        self.user.clone().filter(|user| !user.is_empty())
    }

    /// The given API key.
    pub(crate) fn api_key(&self) -> Option<String> {
        self.api_key.clone().filter(|key| !key.is_empty())
    }
}

/// Refuses a URL without a scheme or a host, and says which one is probably meant.
fn check_scheme(url: &str) -> Result<()> {
    if url.starts_with("http://") || url.starts_with("https://") {
        return Ok(());
    }
    let example = "try --url https://packages.example.com";
    if matches!(url, "http:" | "https:") {
        return Err(Error::usage(format!("`{url}//` is not a URL: it names no server")).hint(example));
    }
    let error = Error::usage(format!("`{url}` is not a URL: it does not begin with https:// or http://"));
    Err(error.hint(match url.split_once("://") {
        Some((_, "")) => example.to_owned(),
        Some((_, rest)) => format!("try --url {}://{rest}", probable_scheme(rest)),
        None => format!("try --url {}://{url}", probable_scheme(url)),
    }))
}

/// The scheme that a server at this address probably has: on the same machine, it is seldom encrypted.
fn probable_scheme(address: &str) -> &'static str {
    let authority = address.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, _)) => host,
        None if authority.matches(':').count() > 1 => authority,
        None => authority.split(':').next().unwrap_or_default(),
    };
    let host = host.to_ascii_lowercase();
    let is_local_name = host == "localhost" || host.ends_with(".localhost");
    let is_loopback = host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    if is_local_name || is_loopback { "http" } else { "https" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_on_this_machine_probably_have_no_certificate() {
        for local in
            ["127.0.0.1:8080", "localhost", "LOCALHOST:8080/x", "my.localhost:1", "[::1]:8080", "::1", "127.9.9.9"]
        {
            assert_eq!(probable_scheme(local), "http", "{local}");
        }
        for other in
            ["packages.example.com", "10.0.0.1:8080", "localhost.example.com", "[2001:db8::1]:80", "", "1270.0.0.1"]
        {
            assert_eq!(probable_scheme(other), "https", "{other}");
        }
    }
}
