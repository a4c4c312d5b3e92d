//! `packhouse publish`: publishes staged files.

use clap::Args;
use reqwest::Method;

use crate::{
    ConnectionArgs,
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    output::count,
    passphrase::Passphrase,
};

/// Publish the staged files of a version
#[derive(Debug, Args)]
pub struct PublishCommand {
    /// The version: owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
    #[command(flatten)]
    passphrase: Passphrase,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &PublishCommand) -> Result<()> {
    let session = connection.session()?;
    if session.is_dry_run {
        session.would(&format!("publish {}", command.at));
        return Ok(());
    }
    let request = session.client.api(Method::POST, &format!("/content/{}/publish", command.at.content_path()));
    let answer = session.client.patiently(command.passphrase.add_to(request)?).await?;
    let published: api::PublishedFiles =
        answer.json().await.map_err(|error| Error::new(ExitKind::Failed, format!("incomplete response: {error}")))?;
    session.output.print(&published, |published| match published.files {
        0 => format!("{} has nothing new to publish", command.at),
        files => format!("published {} of {}", count(usize::try_from(files).unwrap_or(usize::MAX), "file"), command.at),
    });
    Ok(())
}
