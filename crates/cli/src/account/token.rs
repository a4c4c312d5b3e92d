//! `packhouse token`: tokens of users and organizations.

mod fields;

use clap::Subcommand;
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    account::subject,
    address::encode,
    clock::{parse_span, utc},
    error::{Error, Result},
    session::{Change, Session, body},
};
use fields::TokenFields;

/// The subcommands of `packhouse token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// List your tokens, or those of an organization
    Ls {
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
    /// Create a token and print it; it is shown only once
    Create {
        /// The name of the token
        name: String,
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
        #[command(flatten)]
        fields: TokenFields,
    },
    /// Replace the secret of a token and print the new one
    Rotate {
        /// The name or the id of the token
        token: String,
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
        /// How long the old secret stays valid, such as 10m or 24h
        #[arg(long, value_name = "SPAN", value_parser = parse_span)]
        overlap: Option<i64>,
    },
    /// Revoke a token: it stops working at once
    Revoke {
        /// The name or the id of the token
        token: String,
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &TokenCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        TokenCommand::Ls { of } => {
            let tokens: Vec<api::ListedToken> = session.client.get(&all(session, of.as_deref()).await?).await?;
            session.output.print(&tokens, |tokens| tokens.iter().map(line).collect::<Vec<_>>().join("\n"));
            Ok(())
        }
        TokenCommand::Create { name, of, fields } => {
            let path = all(session, of.as_deref()).await?;
            made(session, &path, Some(body(&fields.new_token(name)?)), &format!("create the token {name}")).await
        }
        TokenCommand::Rotate { token, of, overlap } => {
            let path = one(session, of.as_deref(), token).await?;
            let what = format!("replace the secret of the token {token}");
            session.confirm(&what)?;
            let rotation = api::TokenRotation { overlap_secs: *overlap };
            made(session, &format!("{path}/rotate"), Some(body(&rotation)), &what).await
        }
        TokenCommand::Revoke { token, of } => {
            let (path, what) = (one(session, of.as_deref(), token).await?, format!("the token {token}"));
            session.confirm(&format!("revoke {what}"))?;
            let (method, verb, done) = (Method::DELETE, "revoke", "revoked");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
    }
}

async fn all(session: &Session, of: Option<&str>) -> Result<String> {
    let owner = match of {
        Some(owner) => owner,
        None => session.client.user()?,
    };
    Ok(format!("{}/tokens", subject::path(&session.client, owner).await?))
}

/// The path of a token, by its name or its id.
async fn one(session: &Session, of: Option<&str>, token: &str) -> Result<String> {
    let all = all(session, of).await?;
    let tokens: Vec<api::ListedToken> = session.client.get(&all).await?;
    let by_name = tokens.iter().find(|found| found.token.name == token);
    let found = by_name.or_else(|| tokens.iter().find(|found| found.token.id == token));
    let found = found.ok_or_else(|| Error::usage(format!("there is no token '{token}'")))?;
    Ok(format!("{all}/{}", encode(&found.token.id)))
}

fn line(listed: &api::ListedToken) -> String {
    let api::Token { name, scopes, resources, expiry, .. } = &listed.token;
    let place = resources.as_ref().map_or_else(|| "everywhere".to_owned(), |all| all.join(" "));
    let used = listed.last_used.as_deref().unwrap_or("never");
    let expires = expiry.map_or_else(|| "never".to_owned(), utc);
    format!("{name}  {}  {place}  last used {used}  expires {expires}", scopes.join(","))
}

async fn made(session: &Session, path: &str, body: Option<Value>, what: &str) -> Result<()> {
    if session.is_dry_run {
        session.would(what);
        return Ok(());
    }
    let made: api::CreatedToken = session.client.send(Method::POST, path, body.as_ref()).await?;
    session.output.print(&made, |made| made.token.clone());
    Ok(())
}
