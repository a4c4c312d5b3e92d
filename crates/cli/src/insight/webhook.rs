//! `packhouse webhook`: URLs that are called on events.

use clap::{Subcommand, ValueEnum};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    ConnectionArgs,
    address::{Address, PackageAddress, VersionAddress, encode},
    error::{Error, ExitKind, Result},
    output::{listing, object},
    session::{Change, Session},
};

/// What can be done with webhooks.
#[derive(Debug, Subcommand)]
pub enum WebhookCommand {
    /// Register an address for a package, and print the secret that signs its calls
    Add {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
        /// The address to call; %r stands for the repository, %p for the package
        #[arg(value_name = "URL")]
        callback: String,
        /// How to call it
        #[arg(long, default_value = "post")]
        method: HookMethod,
        /// An event to call it on; repeat it for more [default: release]
        #[arg(long = "event", value_name = "EVENT")]
        events: Vec<HookEvent>,
    },
    /// List webhooks
    Ls {
        /// owner or owner/repo
        #[arg(value_name = "ADDRESS")]
        address: Address,
    },
    /// Call an address now, as if a version were released
    Test {
        /// owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        at: VersionAddress,
        /// The address to call
        #[arg(value_name = "URL")]
        callback: String,
    },
    /// Remove the webhooks of a package
    Rm {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
    },
    /// Send a finished call again, with the same id and the same body
    Replay {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
        /// The id of the call, as `deliveries` lists it
        #[arg(value_name = "ID")]
        delivery: String,
    },
    /// List the last calls for a package, and how they ended
    Deliveries {
        /// owner/repo/package
        #[arg(value_name = "ADDRESS")]
        at: PackageAddress,
    },
}

/// How an address is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HookMethod {
    /// With a body
    Post,
    /// With a body
    Put,
    /// With a query
    Get,
}

/// An event that an address is called on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HookEvent {
    /// A version is published for the first time
    Release,
    /// Files of a version are published
    Publish,
    /// A file is uploaded
    Upload,
    /// A file or a version is deleted
    Delete,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &WebhookCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        WebhookCommand::Add { at, callback, method, events } => add(session, at, callback, *method, events).await,
        WebhookCommand::Ls { address } => list(session, address).await,
        WebhookCommand::Test { at, callback } => test(session, at, callback).await,
        WebhookCommand::Rm { at } => {
            let (path, what) = (format!("/webhooks/{}", at.path()), format!("the webhooks of {at}"));
            session.confirm(&format!("remove {what}"))?;
            let (method, verb, done) = (Method::DELETE, "remove", "removed");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
        WebhookCommand::Replay { at, delivery } => {
            let path = format!("/webhooks/{}/replay/{}", at.path(), encode(delivery));
            let (verb, done, what) = ("send again", "queued again:", format!("the call {delivery} of {at}"));
            session.apply(Change { method: Method::POST, path, body: None, verb, done, what }).await
        }
        WebhookCommand::Deliveries { at } => deliveries(session, at).await,
    }
}

async fn add(
    session: &Session,
    at: &PackageAddress,
    url: &str,
    method: HookMethod,
    events: &[HookEvent],
) -> Result<()> {
    let events: Vec<String> = events.iter().map(|event| format!("{event:?}").to_lowercase()).collect();
    let when = match &events[..] {
        [] => format!("when {at} is released"),
        events => format!("on {} of {at}", events.join(", ")),
    };
    if session.is_dry_run {
        session.would(&format!("call {url} {when}"));
        return Ok(());
    }
    let mut body = json!({"url": url, "method": format!("{method:?}").to_lowercase()});
    // Absent without a choice, as servers before this field expect it.
    if !events.is_empty() {
        body["events"] = json!(events);
    }
    let made: Value = session.client.send(Method::POST, &format!("/webhooks/{}", at.path()), Some(&body)).await?;
    session.output.print(&made, |made| {
        let secret = made["secret"].as_str().map(|secret| format!("\nsecret  {secret}")).unwrap_or_default();
        format!("{url} is called {when}{secret}")
    });
    Ok(())
}

async fn list(session: &Session, address: &Address) -> Result<()> {
    let path = match address {
        Address::Owner(owner) => encode(owner),
        Address::Repo(repo) => repo.path(),
        _ => return Err(Error::usage("webhooks are listed for owner or owner/repo")),
    };
    let hooks: Vec<Value> = session.client.get(&format!("/webhooks/{path}")).await?;
    session
        .output
        .print(&hooks, |hooks| listing(hooks, &["package", "url", "method", "active", "failure_count", "events"]));
    Ok(())
}

async fn test(session: &Session, at: &VersionAddress, url: &str) -> Result<()> {
    if session.is_dry_run {
        session.would(&format!("call {url} as if {at} were released"));
        return Ok(());
    }
    let path = format!("/webhooks/{}", at.content_path());
    let outcome: Value = session.client.send(Method::POST, &path, Some(&json!({"url": url}))).await?;
    session.output.print(&outcome, object);
    match outcome["error"].as_str() {
        None => Ok(()),
        Some(error) => Err(Error::new(ExitKind::Failed, format!("{url} did not take the call: {error}"))),
    }
}

async fn deliveries(session: &Session, at: &PackageAddress) -> Result<()> {
    let found: Vec<Value> = session.client.get(&format!("/webhooks/{}/deliveries", at.path())).await?;
    session.output.print(&found, |found| listing(found, &["at", "version", "status", "duration_ms", "error", "id"]));
    Ok(())
}
