//! `packhouse push`: files of this machine become files of a version.
//!
//! All files are staged first; one call at the end publishes them. Whatever stops it before that call leaves nothing
//! that readers could see.

mod buffers;
mod create;
mod files;
mod large;
mod likely;
mod reading;
mod release;
mod source;
mod sum;
mod summary;
mod transfer;
mod upload;
mod verify;

use std::path::PathBuf;

use clap::Args;

use crate::{
    ConnectionArgs,
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    passphrase::Passphrase,
    session::Session,
};
use files::LocalFile;
use summary::Summary;

/// Upload files to a version
#[derive(Debug, Args)]
pub struct PushCommand {
    /// The version: owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    at: VersionAddress,
    /// Files, and folders with all that is in them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder of the repository to put them into
    #[arg(long, value_name = "FOLDER", default_value = "")]
    to: String,
    /// Create the package and the version where they are missing
    #[arg(long)]
    create: bool,
    /// Licences of a package that is created
    #[arg(long, value_name = "NAME", requires = "create")]
    license: Vec<String>,
    /// Publish the version when all files are there
    #[arg(long)]
    publish: bool,
    /// Let the server sign all files of the version
    #[arg(long)]
    sign: bool,
    /// Replace files that are there with other content
    #[arg(long = "override")]
    replace: bool,
    /// Upload in Maven's layout; the server builds the indexes
    #[arg(long)]
    maven: bool,
    /// How many files to upload at the same time
    #[arg(long, short, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    #[command(flatten)]
    passphrase: Passphrase,
}

pub(crate) async fn run(common: &ConnectionArgs, command: &PushCommand) -> Result<()> {
    let session = common.session()?;
    let locals = files::gather(&command.files, &command.to)?;
    if session.is_dry_run {
        return preview(&session, command, &locals).await;
    }
    // Dropped where it is when the user stops it: everything up to the publish is staged only.
    tokio::select! {
        result = push(&session, command, locals) => result,
        _ = tokio::signal::ctrl_c() => Err(interrupted(&command.at)),
    }
}

async fn push(session: &Session, command: &PushCommand, locals: Vec<LocalFile>) -> Result<()> {
    create::ensure(session, command).await?;
    let known = verify::stored(session, &command.at).await?;
    let files = transfer::all(session, command, locals, known).await?;
    let mut summary = Summary::new(&command.at, files);
    if let Err(error) = finish(session, command, &mut summary).await {
        session.output.show(&summary, Summary::to_text);
        return Err(error);
    }
    session.output.show(&summary, Summary::to_text);
    Ok(())
}

/// Looks at what is there now, and releases it only when all of it is right.
async fn finish(session: &Session, command: &PushCommand, summary: &mut Summary) -> Result<()> {
    summary.check_sent()?;
    verify::check(session, command, summary).await?;
    if command.sign {
        release::sign(session, &command.at, &command.passphrase).await?;
        summary.signed = true;
    }
    if command.publish {
        summary.published = Some(release::publish(session, &command.at, &command.passphrase).await?);
    }
    Ok(())
}

async fn preview(session: &Session, command: &PushCommand, locals: &[LocalFile]) -> Result<()> {
    let exists = session.client.find::<api::Version>(&format!("/packages/{}", command.at.path())).await?.is_some();
    let mut steps = Vec::new();
    if !exists && !command.create {
        return Err(create::missing(&command.at));
    }
    if !exists {
        steps.push(format!("create {}", command.at));
    }
    steps.extend(locals.iter().map(|local| format!("upload {} as {}", local.path.display(), local.target)));
    steps.extend(command.sign.then(|| format!("sign {}", command.at)));
    steps.extend(command.publish.then(|| format!("publish {}", command.at)));
    session.output.show(&serde_json::json!({"dry_run": true, "would": steps}), |_| {
        steps.iter().map(|step| format!("would {step}")).collect::<Vec<_>>().join("\n")
    });
    Ok(())
}

fn interrupted(at: &VersionAddress) -> Error {
    let error = Error::new(ExitKind::Interrupted, "interrupted; what was uploaded is staged, and no reader sees it");
    error.hint(format!("push again to go on, or drop it with `packhouse discard {at}`"))
}
