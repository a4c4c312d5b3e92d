//! `packhouse sign`: has the server sign files.

use clap::Args;
use reqwest::Method;

use crate::{
    ConnectionArgs,
    address::Address,
    error::{Error, Result},
    passphrase::Passphrase,
};

/// Have the server sign the files of a version, or one file
#[derive(Debug, Args)]
pub struct SignCommand {
    /// owner/repo/package/version; with --file, owner/repo
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// Sign only this file of the repository
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    #[command(flatten)]
    passphrase: Passphrase,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &SignCommand) -> Result<()> {
    let session = connection.session()?;
    let (path, what) = match (&command.address, &command.file) {
        (Address::Version(version), None) => (version.path(), format!("all files of {version}")),
        (Address::Repo(repo), Some(file)) => (repo.file(file), format!("{file} of {repo}")),
        (_, None) => return Err(Error::usage("a version is written as owner/repo/package/version")),
        (_, Some(_)) => return Err(Error::usage("to sign a file, run `packhouse sign owner/repo --file PATH`")),
    };
    if session.is_dry_run {
        session.would(&format!("sign {what}"));
        return Ok(());
    }
    let request = command.passphrase.add_to(session.client.api(Method::POST, &format!("/gpg/{path}")))?;
    session.client.patiently(request).await?;
    session.output.print(&api::Message::success(), |_| format!("signed {what}"));
    Ok(())
}
