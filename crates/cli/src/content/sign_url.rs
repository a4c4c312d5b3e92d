//! `packhouse sign-url`: creates a signed URL for a file.

use clap::Args;
use reqwest::Method;

use crate::{ConnectionArgs, address::RepoAddress, clock::parse_span, error::Result, session::body};

/// Create a signed URL that lets anyone download a file until it expires
#[derive(Debug, Args)]
pub struct SignUrlCommand {
    /// owner/repo
    #[arg(value_name = "ADDRESS")]
    at: RepoAddress,
    /// The path of the file in the repository
    #[arg(value_name = "PATH")]
    file: String,
    /// How long the URL is valid, such as 30m, 24h or 7d
    #[arg(long, value_name = "SPAN", value_parser = parse_span, default_value = "24h")]
    valid_for: i64,
    /// An id for the URL in the download logs
    #[arg(long, value_name = "TEXT")]
    callback_id: Option<String>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &SignUrlCommand) -> Result<()> {
    let session = connection.session()?;
    if session.is_dry_run {
        session.would(&format!("sign a URL for {} of {}", command.file, command.at));
        return Ok(());
    }
    let new = api::NewSignedUrl {
        valid_for_secs: Some(command.valid_for),
        callback_id: command.callback_id.clone(),
        ..api::NewSignedUrl::default()
    };
    let path = format!("/signed_url/{}", command.at.file(&command.file));
    let signed: api::SignedUrl = session.client.send(Method::POST, &path, Some(&body(&new))).await?;
    session.output.print(&signed, |signed| signed.url.clone());
    Ok(())
}
