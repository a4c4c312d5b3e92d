//! `packhouse discard`: discards staged files.

use clap::Args;
use reqwest::Method;
use serde_json::json;

use crate::{ConnectionArgs, address::VersionAddress, error::Result, output::count};

/// Discard the staged (uploaded but unpublished) files of a version
#[derive(Debug, Args)]
pub struct DiscardCommand {
    /// The version: owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &DiscardCommand) -> Result<()> {
    let session = connection.session()?;
    let what = format!("discard the staged files of {}", command.at);
    session.confirm(&what)?;
    if session.is_dry_run {
        session.would(&what);
        return Ok(());
    }
    let path = format!("/content/{}/publish", command.at.content_path());
    let dropped: api::PublishedFiles =
        session.client.send(Method::POST, &path, Some(&json!({"discard": true}))).await?;
    session.output.print(&dropped, |dropped| {
        let files = count(usize::try_from(dropped.files).unwrap_or(usize::MAX), "file");
        format!("discarded {files} of {}", command.at)
    });
    Ok(())
}
