//! `packhouse show`: shows the fields of a thing.

use clap::Args;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    error::{ExitKind, Result},
    output::facts,
    session::Session,
};

/// Show an account, a repository, a package or a version
#[derive(Debug, Args)]
pub struct ShowCommand {
    /// owner, owner/repo, owner/repo/package or owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    place: Address,
}

pub(crate) async fn run(common: &ConnectionArgs, command: &ShowCommand) -> Result<()> {
    let session = common.session()?;
    let found = match &command.place {
        Address::Owner(owner) => account(&session, owner).await?,
        Address::Repo(repo) => session.client.get(&format!("/repos/{}", repo.path())).await?,
        Address::Package(package) => {
            session.client.get(&format!("/packages/{}?attribute_values=1", package.path())).await?
        }
        Address::Version(version) => {
            session.client.get(&format!("/packages/{}?attribute_values=1", version.path())).await?
        }
    };
    session.output.show(&found, to_text);
    Ok(())
}

/// Fetches a user, or else an organization.
async fn account(session: &Session, owner: &str) -> Result<Value> {
    match session.client.get(&format!("/users/{}", encode(owner))).await {
        Err(error) if error.kind == ExitKind::Missing => session.client.get(&format!("/orgs/{}", encode(owner))).await,
        other => other,
    }
}

/// Formats the non-empty fields, one per line, in the order of the server.
pub(crate) fn to_text(value: &Value) -> String {
    let Value::Object(fields) = value else { return word(value) };
    // The contract's misspelling of a field that also exists with the right name.
    let fields = fields.iter().filter(|(name, _)| *name != "lables");
    let pairs: Vec<(&str, String)> = fields.map(|(name, value)| (name.as_str(), word(value))).collect();
    facts(&pairs)
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields.iter().map(|(name, value)| format!("{name}={}", word(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
