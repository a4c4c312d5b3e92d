//! `packhouse doctor`: finds problems between this machine and a server, and says how to fix them.

mod address;
mod body;
mod clock;
mod finding;
mod login;
mod ranges;
mod slashes;

use clap::Args;

use crate::{
    ConnectionArgs,
    error::{Error, ExitKind, Result},
    output::count,
};
use finding::Finding;

/// Find problems between this machine and a server, and how to fix them
#[derive(Debug, Args)]
pub struct DoctorCommand {
    /// The upload size that has to work, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30)]
    upload_size: u64,
    /// A file to test range requests with: owner/repo/path [default: one that a search finds]
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &DoctorCommand) -> Result<()> {
    let session = connection.session()?;
    let client = &session.client;
    let mut findings = vec![address::check(client).await, address::check_tls(client)];
    // The other checks need a server that responds.
    if !findings[0].is_problem() {
        findings.push(login::check(client).await);
        findings.push(clock::check(client).await);
        findings.push(body::check(client, command.upload_size).await);
        findings.push(slashes::check(client).await);
        findings.push(ranges::check(client, command.file.as_deref()).await);
    }
    session.output.print(&findings, |findings| findings.iter().map(Finding::to_text).collect::<Vec<_>>().join("\n"));
    match findings.iter().filter(|finding| finding.is_problem()).count() {
        0 => Ok(()),
        problems => Err(Error::new(ExitKind::Failed, format!("{} found", count(problems, "problem")))),
    }
}
