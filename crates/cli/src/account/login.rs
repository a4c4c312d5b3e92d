//! `packhouse login`: checks and stores credentials.

use std::io::{self, IsTerminal, Read};

use clap::Args;
use console::Term;
use serde_json::json;

use crate::{
    ConnectionArgs,
    account::device,
    address::encode,
    client::Client,
    credentials::{self, Login},
    error::{Error, Result},
};

/// Check credentials with a server and store them
#[derive(Debug, Args)]
pub struct LoginCommand {
    /// Read the API key from standard input
    #[arg(long)]
    key_stdin: bool,
    /// Sign in on a page of the server, with single sign-on or a password, instead of with an API key
    #[arg(long, conflicts_with = "key_stdin")]
    sso: bool,
    /// The scope of the token that --sso creates: read, publish, manage or admin
    #[arg(long, value_name = "SCOPE", default_value = "manage", requires = "sso")]
    scope: String,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &LoginCommand) -> Result<()> {
    let session = connection.session()?;
    let url = session.client.url.clone();
    let login = if command.sso {
        device::sign_in(&session.client.anonymous(), &command.scope).await?
    } else {
        with_key(connection, command)?
    };
    let client = Client::new(url.clone(), Some(login.clone()), connection.timeout())?;
    let seen: api::User = client.get(&format!("/users/{}", encode(&login.user))).await?;
    if session.is_dry_run {
        session.would(&format!("store the credentials of {} for {url}", seen.name));
        return Ok(());
    }
    let mut stored = credentials::load()?;
    stored.default = Some(url.clone());
    stored.servers.insert(url.clone(), login);
    let path = credentials::save(&stored)?;
    session.output.print(&json!({"url": url, "user": seen.name, "file": path}), |_| {
        format!("signed in to {url} as {}; the key is in {}", seen.name, path.display())
    });
    Ok(())
}

fn with_key(connection: &ConnectionArgs, command: &LoginCommand) -> Result<Login> {
    let user = match connection.user() {
        Some(user) => user,
        None => ask("User name", connection)?,
    };
    let api_key = match connection.api_key() {
        _ if command.key_stdin => piped()?,
        Some(key) => key,
        None => ask("API key", connection)?,
    };
    Ok(Login { user, api_key })
}

/// Asks on the terminal; a key is not echoed.
fn ask(what: &str, connection: &ConnectionArgs) -> Result<String> {
    let term = Term::stderr();
    if connection.json || !io::stdin().is_terminal() || !term.is_term() {
        let error = Error::usage(format!("the {} is missing", what.replace("User", "user")));
        return Err(error.hint("pass --user and pipe the key to --key-stdin, or sign in on a terminal"));
    }
    let failed = |error| Error::local("the terminal", error);
    term.write_str(&format!("{what}: ")).map_err(failed)?;
    let typed = if what == "API key" { term.read_secure_line() } else { term.read_line() };
    filled(what, typed.map_err(failed)?)
}

fn piped() -> Result<String> {
    let mut key = String::new();
    // No key is longer; larger input is not read to its end.
    let read = io::stdin().take(4_096).read_to_string(&mut key);
    read.map_err(|error| Error::local("standard input", error))?;
    filled("API key", key)
}

fn filled(what: &str, text: String) -> Result<String> {
    match text.trim() {
        "" => Err(Error::usage(format!("the {} is empty", what.replace("User", "user")))),
        text => Ok(text.to_owned()),
    }
}
