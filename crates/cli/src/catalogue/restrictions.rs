//! `packhouse restrictions`: the countries and networks that may download from a repository.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    address::RepoAddress,
    error::{Error, Result},
    output::facts,
    session::{Change, Session},
};

/// The subcommands of `packhouse restrictions`.
#[derive(Debug, Subcommand)]
pub enum RestrictionsCommand {
    /// Show the countries and networks
    Show {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
    },
    /// Set the countries: either the allowed ones or the denied ones
    Countries {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
        #[command(flatten)]
        lists: Lists,
    },
    /// Set the networks
    Networks {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
        #[command(flatten)]
        lists: Lists,
    },
    /// Remove all restrictions
    Clear {
        /// owner/repo
        #[arg(value_name = "ADDRESS")]
        at: RepoAddress,
    },
}

/// What is allowed and what is denied.
#[derive(Debug, Args)]
pub struct Lists {
    /// Only these: countries such as DE, or networks such as 192.0.2.0/24
    #[arg(long, value_delimiter = ',', required_unless_present = "deny")]
    allow: Vec<String>,
    /// All but these
    #[arg(long, value_delimiter = ',')]
    deny: Vec<String>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &RestrictionsCommand) -> Result<()> {
    let session = &connection.session()?;
    let (at, path, body, what) = match command {
        RestrictionsCommand::Show { at } => return show(session, at).await,
        RestrictionsCommand::Clear { at } => return clear(session, at).await,
        RestrictionsCommand::Countries { at, lists } => {
            let body = match (&lists.allow[..], &lists.deny[..]) {
                (allowed, []) => json!({"white_list": allowed}),
                ([], denied) => json!({"black_list": denied}),
                _ => return Err(Error::usage("countries are either allowed or denied; give one of the two")),
            };
            (at, "geo_restrictions", body, "countries")
        }
        RestrictionsCommand::Networks { at, lists } => {
            let body = json!({"white_cidrs": lists.allow, "black_cidrs": lists.deny});
            (at, "ip_restrictions", body, "networks")
        }
    };
    let (path, what) = (format!("/repos/{}/{path}", at.path()), format!("the {what} of {at}"));
    session.apply(Change { method: Method::PUT, path, body: Some(body), verb: "set", done: "set", what }).await
}

async fn show(session: &Session, at: &RepoAddress) -> Result<()> {
    let countries: Value = session.client.get(&format!("/repos/{}/geo_restrictions", at.path())).await?;
    let networks: Value = session.client.get(&format!("/repos/{}/ip_restrictions", at.path())).await?;
    let list = |value: &Value| {
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
    };
    let lines = facts(&[
        ("allowed countries", list(&countries["white_list"])),
        ("denied countries", list(&countries["black_list"])),
        ("allowed networks", list(&networks["white_cidrs"])),
        ("denied networks", list(&networks["black_cidrs"])),
    ]);
    let both = json!({"countries": countries, "networks": networks});
    session.output.print_or(&format!("{at} has no restrictions"), &both, |_| lines);
    Ok(())
}

async fn clear(session: &Session, at: &RepoAddress) -> Result<()> {
    session.confirm(&format!("remove all restrictions of {at}"))?;
    for (call, what) in [("geo_restrictions", "countries"), ("ip_restrictions", "networks")] {
        let (path, what) = (format!("/repos/{}/{call}", at.path()), format!("the {what} of {at}"));
        let (method, verb, done) = (Method::DELETE, "remove", "removed");
        session.apply(Change { method, path, body: None, verb, done, what }).await?;
    }
    Ok(())
}
