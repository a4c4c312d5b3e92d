//! `packhouse pull`: downloads and verifies the files of a version.

mod destination;
mod fetch;
mod resume;
mod signatures;
mod summary;

use std::path::PathBuf;

use clap::Args;
use futures_util::{StreamExt, stream};

use crate::{
    ConnectionArgs,
    address::{Address, PackageAddress, VersionAddress},
    error::{Error, ExitKind, Result},
    pattern,
    progress::Progress,
    session::Session,
};
use destination::Target;
use signatures::Keys;
use summary::{PulledFile, Summary};

/// Download the files of a version
#[derive(Debug, Args)]
pub struct PullCommand {
    /// owner/repo/package/version, or owner/repo/package for the newest version
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// Only these files: paths or names, with the wildcards * and ?
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// The folder to download to
    #[arg(long, short, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    /// Replace existing files that have other content
    #[arg(long)]
    force: bool,
    /// Include files that are not published
    #[arg(long)]
    unpublished: bool,
    /// Number of parallel requests
    #[arg(long, short, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Refuse files without a signature
    #[arg(long, conflicts_with = "no_signatures")]
    require_signatures: bool,
    /// Do not verify signatures
    #[arg(long)]
    no_signatures: bool,
    /// Public keys to trust [default: those that the server has for the owner and for itself]
    #[arg(long, value_name = "FILE")]
    key: Vec<PathBuf>,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &PullCommand) -> Result<()> {
    let session = connection.session()?;
    let at = version(&session, &command.address).await?;
    let files = selected_files(&session, command, &at).await?;
    if session.is_dry_run {
        let steps: Vec<String> = files.iter().map(|file| format!("download {}", file.path)).collect();
        session.would(&steps.join(", "));
        return Ok(());
    }
    tokio::select! {
        result = pull(&session, command, &at, files) => result,
        _ = tokio::signal::ctrl_c() => {
            let error = Error::new(ExitKind::Interrupted, "interrupted; unfinished files end with .part");
            Err(error.hint("pull again to resume"))
        }
    }
}

/// Returns the version of an address; for a package, its newest.
async fn version(session: &Session, address: &Address) -> Result<VersionAddress> {
    match address {
        Address::Version(at) if at.version != "_latest" => Ok(at.clone()),
        Address::Version(at) => newest(session, &at.package).await,
        Address::Package(package) => newest(session, package).await,
        _ => Err(Error::usage("a version is written as owner/repo/package/version")),
    }
}

async fn newest(session: &Session, package: &PackageAddress) -> Result<VersionAddress> {
    let version: api::Version = session.client.get(&format!("/packages/{}/versions/_latest", package.path())).await?;
    Ok(package.version(&version.name))
}

async fn selected_files(session: &Session, command: &PullCommand, at: &VersionAddress) -> Result<Vec<api::File>> {
    let unpublished = if command.unpublished { "?include_unpublished=1" } else { "" };
    let path = format!("/packages/{}/files{unpublished}", at.path());
    let all: Vec<api::File> = session.client.pages(&path, usize::MAX).await?;
    for pattern in &command.files {
        if !all.iter().any(|file| pattern::matches(pattern, file)) {
            let error = Error::new(ExitKind::Missing, format!("{at} has no file `{pattern}`"));
            return Err(error.hint(format!("`packhouse ls {at}` lists its files")));
        }
    }
    let is_selected = |file: &api::File| {
        command.files.is_empty() || command.files.iter().any(|pattern| pattern::matches(pattern, file))
    };
    let mut files: Vec<api::File> = all.iter().filter(|file| is_selected(file)).cloned().collect();
    if !command.no_signatures {
        // A file is downloaded with its signature.
        let signed: Vec<String> = files.iter().map(|file| format!("{}.asc", file.path)).collect();
        files.extend(all.into_iter().filter(|file| signed.contains(&file.path) && !is_selected(file)));
    }
    if files.is_empty() {
        return Err(no_files(at, command.unpublished));
    }
    Ok(files)
}

fn no_files(at: &VersionAddress, with_unpublished: bool) -> Error {
    if with_unpublished {
        return Error::new(ExitKind::Missing, format!("{at} has no files"));
    }
    let error = Error::new(ExitKind::Missing, format!("{at} has no published files"));
    error.hint(format!("`packhouse publish {at}` publishes staged files; --unpublished pulls them as they are"))
}

async fn pull(session: &Session, command: &PullCommand, at: &VersionAddress, files: Vec<api::File>) -> Result<()> {
    let targets = destination::targets(&command.output, files)?;
    let progress = Progress::start(&session.output, "all files", targets.iter().map(Target::size).sum());
    let jobs = fetch::Jobs::new(session.client.clone(), at.package.repo.clone(), command.jobs);
    let fetching = stream::iter(&targets).map(|target| {
        let (jobs, progress) = (jobs.clone(), progress.clone());
        async move {
            let bar = progress.file(&target.file.path, target.size());
            let pulled = fetch::file(&jobs, target, command.force, &bar).await;
            bar.end();
            PulledFile::new(target, pulled)
        }
    });
    let mut pulled: Vec<PulledFile> = fetching.buffer_unordered(usize::from(command.jobs)).collect().await;
    progress.end();
    pulled.sort_by(|one, other| one.path.cmp(&other.path));
    let mut summary = Summary { address: at.to_string(), files: pulled };
    let checked =
        if command.no_signatures { Ok(()) } else { verify(session, command, at, &targets, &mut summary).await };
    session.output.print(&summary, Summary::to_text);
    checked.and_then(|()| summary.check())
}

async fn verify(
    session: &Session,
    command: &PullCommand,
    at: &VersionAddress,
    targets: &[Target],
    summary: &mut Summary,
) -> Result<()> {
    let is_signed =
        |target: &Target| targets.iter().any(|other| other.file.path == format!("{}.asc", target.file.path));
    if !command.require_signatures && !targets.iter().any(is_signed) {
        return Ok(());
    }
    let keys = Keys::load(session, &at.package.repo.owner, &command.key).await?;
    signatures::check(&keys, targets, summary, command.require_signatures).await;
    Ok(())
}
