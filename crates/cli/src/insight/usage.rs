//! `packhouse usage`: storage and traffic.

use clap::Args;
use reqwest::Method;
use serde_json::{Map, Value};

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    error::{Error, Result},
    output::{size, table},
};

/// Show the storage and the traffic of an account, a repository or a package
#[derive(Debug, Args)]
pub struct UsageCommand {
    /// owner, owner/repo or owner/repo/package [default: your account]
    #[arg(value_name = "ADDRESS")]
    address: Option<Address>,
    /// The packages of a repository, instead of its months
    #[arg(long)]
    packages: bool,
    /// The first day, such as 2026-01-15
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &UsageCommand) -> Result<()> {
    let session = connection.session()?;
    let (path, is_by_package) = match &command.address {
        None => (format!("/usage/{}", encode(session.client.user()?)), false),
        Some(Address::Owner(owner)) => (format!("/usage/{}", encode(owner)), false),
        Some(Address::Repo(repo)) if command.packages => (format!("/usage/package_usage/{}", repo.path()), true),
        Some(Address::Repo(repo)) => (format!("/usage/{}", repo.path()), false),
        Some(Address::Package(package)) => (format!("/usage/package_usage/{}", package.path()), true),
        Some(Address::Version(_)) => return Err(Error::usage("the usage of single versions is not recorded")),
    };
    let days = [("from", &command.from), ("to", &command.to)];
    let days: Map<String, Value> =
        days.iter().filter_map(|(name, day)| Some(((*name).to_owned(), day.as_deref()?.into()))).collect();
    let body = (!is_by_package && !days.is_empty()).then_some(Value::Object(days));
    let found: Value = session.client.send(Method::POST, &path, body.as_ref()).await?;
    session.output.print(&found, |found| text(found, is_by_package));
    Ok(())
}

fn text(found: &Value, is_by_package: bool) -> String {
    let bytes = |record: &Value, field: &str| record[field].as_u64().map(size).unwrap_or_default();
    let word = |record: &Value, field: &str| match &record[field] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let head: &[&str] =
        if is_by_package { &["PACKAGE", "STORAGE", "FILES"] } else { &["FROM", "TO", "STORAGE", "DOWNLOADED"] };
    let row = |record: &Value| {
        if is_by_package {
            vec![word(record, "package"), bytes(record, "storage_bytes"), word(record, "file_count")]
        } else {
            let (storage, downloads) = (bytes(record, "storage_bytes"), bytes(record, "download_bytes"));
            vec![word(record, "from"), word(record, "to"), storage, downloads]
        }
    };
    let records = match found {
        Value::Array(records) => &records[..],
        one => std::slice::from_ref(one),
    };
    let head = head.iter().map(|&name| name.to_owned()).collect();
    table(&std::iter::once(head).chain(records.iter().map(row)).collect::<Vec<_>>())
}
