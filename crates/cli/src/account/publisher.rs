//! `packhouse publisher`: trusted publishers, which are builds that publish without a stored secret.

mod fields;

use clap::Subcommand;
use reqwest::Method;

use crate::{
    ConnectionArgs,
    account::subject,
    address::encode,
    error::{Error, Result},
    session::{Change, Session, body},
};
use fields::PublisherFields;

/// The subcommands of `packhouse publisher`.
#[derive(Debug, Subcommand)]
pub enum PublisherCommand {
    /// List your trusted publishers, or those of an organization
    Ls {
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
    /// Trust builds: let them publish in an account, a repository or a package
    Add {
        /// The name of the publisher
        name: String,
        /// Where its builds may publish: owner, owner/repo or owner/repo/package
        #[arg(value_name = "ADDRESS")]
        resource: String,
        #[command(flatten)]
        fields: PublisherFields,
    },
    /// Stop trusting builds; tokens that they have expire within 15 minutes
    Rm {
        /// The name or the id of the publisher
        publisher: String,
        /// The user or the organization; you if absent
        #[arg(long, value_name = "ACCOUNT")]
        of: Option<String>,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &PublisherCommand) -> Result<()> {
    let session = &connection.session()?;
    match command {
        PublisherCommand::Ls { of } => {
            let found: Vec<api::TrustedPublisher> = session.client.get(&all(session, of.as_deref()).await?).await?;
            session.output.print(&found, |found| found.iter().map(line).collect::<Vec<_>>().join("\n"));
            Ok(())
        }
        PublisherCommand::Add { name, resource, fields } => {
            let owner = resource.split('/').next().unwrap_or_default();
            let (path, new) = (all(session, Some(owner)).await?, fields.new_publisher(name, resource)?);
            let what = format!("the trusted publisher {name} in {resource}");
            let (method, verb, done) = (Method::POST, "add", "added");
            session.apply(Change { method, path, body: Some(body(&new)), verb, done, what }).await
        }
        PublisherCommand::Rm { publisher, of } => {
            let path = one(session, of.as_deref(), publisher).await?;
            let what = format!("the trusted publisher {publisher}");
            session.confirm(&format!("remove {what}"))?;
            let (method, verb, done) = (Method::DELETE, "remove", "removed");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
    }
}

async fn all(session: &Session, of: Option<&str>) -> Result<String> {
    let owner = match of {
        Some(owner) => owner,
        None => session.client.user()?,
    };
    Ok(format!("{}/trusted_publishers", subject::path(&session.client, owner).await?))
}

/// The path of a publisher, by its name or its id.
async fn one(session: &Session, of: Option<&str>, publisher: &str) -> Result<String> {
    let all = all(session, of).await?;
    let found: Vec<api::TrustedPublisher> = session.client.get(&all).await?;
    let by_name = found.iter().find(|one| one.name == publisher);
    let found = by_name.or_else(|| found.iter().find(|one| one.id == publisher));
    let found = found.ok_or_else(|| Error::usage(format!("there is no trusted publisher '{publisher}'")))?;
    Ok(format!("{all}/{}", encode(&found.id)))
}

fn line(one: &api::TrustedPublisher) -> String {
    let claims: Vec<String> = one.claims.iter().map(|(claim, value)| format!("{claim}={value}")).collect();
    format!("{}  {}  {}  {}", one.name, one.provider, one.resource, claims.join(" "))
}
