//! `packhouse attributes`: typed values of packages and versions.

mod clause;
mod value;

use clap::Subcommand;
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    error::{Error, Result},
    output::table,
    session::{Change, Session},
};

/// The subcommands of `packhouse attributes`.
#[derive(Debug, Subcommand)]
pub enum AttributesCommand {
    /// Show the attributes of a package or a version
    Get {
        /// owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// Only these attributes [default: all]
        names: Vec<String>,
    },
    /// Set attributes of a package or a version
    Set {
        /// owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// name=value or name:type=value; a value can be JSON, or null for no value
        #[arg(required = true, value_name = "NAME=VALUE")]
        attributes: Vec<String>,
        /// Remove all other attributes
        #[arg(long)]
        replace: bool,
    },
    /// Delete attributes of a package or a version
    Delete {
        /// owner/repo/package or owner/repo/package/version
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// Only these attributes [default: all]
        names: Vec<String>,
    },
    /// Find packages of a repository, or versions of a package, by attributes
    Search {
        /// owner/repo for packages, owner/repo/package for versions
        #[arg(value_name = "ADDRESS")]
        address: Address,
        /// name=value; a value can be JSON or an interval such as `[1,5[`
        #[arg(required = true, value_name = "CLAUSE")]
        clauses: Vec<String>,
    },
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &AttributesCommand) -> Result<()> {
    let session = connection.session()?;
    match command {
        AttributesCommand::Get { address, names } => get(&session, address, names).await,
        AttributesCommand::Set { address, attributes, replace } => {
            let attributes = attributes.iter().map(|text| value::parse(text)).collect::<Result<Vec<_>>>()?;
            let method = if *replace { Method::POST } else { Method::PATCH };
            let body = serde_json::to_value(attributes).expect("attributes are plain data");
            let what = format!("attributes of {address}");
            let (path, verb, done) = (path(address)?, "set", "set");
            session.apply(Change { method, path, body: Some(body), verb, done, what }).await
        }
        AttributesCommand::Delete { address, names } => {
            let what = match names[..] {
                [] => format!("all attributes of {address}"),
                _ => format!("{} of {address}", names.join(", ")),
            };
            session.confirm(&format!("delete {what}"))?;
            let path = format!("{}{}", path(address)?, query(names));
            let (method, verb, done) = (Method::DELETE, "delete", "deleted");
            session.apply(Change { method, path, body: None, verb, done, what }).await
        }
        AttributesCommand::Search { address, clauses } => search(&session, address, clauses).await,
    }
}

fn path(address: &Address) -> Result<String> {
    match address {
        Address::Package(package) => Ok(format!("/packages/{}/attributes", package.path())),
        Address::Version(version) => Ok(format!("/packages/{}/attributes", version.path())),
        _ => Err(Error::usage("only packages and versions have attributes")),
    }
}

fn query(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| encode(name)).collect();
    if names.is_empty() { String::new() } else { format!("?names={}", names.join(",")) }
}

async fn get(session: &Session, address: &Address, names: &[String]) -> Result<()> {
    let found: Vec<api::Attribute> = session.client.get(&format!("{}{}", path(address)?, query(names))).await?;
    session.output.print(&found, |found| {
        let row = |attribute: &api::Attribute| {
            let values = attribute.values.as_ref().map(|values| values.iter().map(value::word).collect::<Vec<_>>());
            vec![attribute.name.clone(), attribute.kind.clone(), values.unwrap_or_default().join(", ")]
        };
        table(&found.iter().map(row).collect::<Vec<_>>())
    });
    Ok(())
}

async fn search(session: &Session, address: &Address, clauses: &[String]) -> Result<()> {
    let clauses = clauses.iter().map(|text| clause::parse(text)).collect::<Result<Vec<Value>>>()?;
    let path = match address {
        Address::Repo(repo) => format!("/search/attributes/{}", repo.path()),
        Address::Package(package) => format!("/search/attributes/{}/versions", package.path()),
        _ => return Err(Error::usage("search in owner/repo for packages, or in owner/repo/package for versions")),
    };
    let found: Vec<Value> = session.client.send(Method::POST, &path, Some(&Value::Array(clauses))).await?;
    session
        .output
        .print(&found, |found| found.iter().filter_map(|item| item["name"].as_str()).collect::<Vec<_>>().join("\n"));
    Ok(())
}
