//! `packhouse push`: uploads local files to a version.
//!
//! All files are staged first; one call at the end publishes them. If anything stops the push before that call, readers
//! see nothing.

mod buffers;
mod checksum_hints;
mod create;
mod file_digest;
mod files;
mod image;
mod large;
mod reading;
mod release;
mod source;
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
    /// Files, and folders with all their contents; or an OCI layout or the archive of an image
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder in the repository to upload to
    #[arg(long, value_name = "FOLDER", default_value = "")]
    to: String,
    /// Create the package and the version if they do not exist
    #[arg(long)]
    create: bool,
    /// Licences of a new package
    #[arg(long, value_name = "NAME", requires = "create")]
    license: Vec<String>,
    /// Publish the version after all files are uploaded
    #[arg(long)]
    publish: bool,
    /// Have the server sign all files of the version
    #[arg(long)]
    sign: bool,
    /// Replace existing files that have other content
    #[arg(long = "override")]
    replace: bool,
    /// Upload in Maven's layout; the server builds the indexes
    #[arg(long)]
    maven: bool,
    /// Number of parallel uploads
    #[arg(long, short, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    #[command(flatten)]
    passphrase: Passphrase,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &PushCommand) -> Result<()> {
    let session = connection.session()?;
    if let Some(image) = image::find(&session, command).await? {
        return push_image(&session, command, image).await;
    }
    let locals = files::gather(&command.files, &command.to)?;
    if session.is_dry_run {
        return preview(&session, command, &locals).await;
    }
    // Dropped as it is when the user interrupts: everything before the publish is only staged.
    tokio::select! {
        result = push(&session, command, locals) => result,
        _ = tokio::signal::ctrl_c() => Err(interrupted(&command.at)),
    }
}

async fn push_image(session: &Session, command: &PushCommand, image: image::Image) -> Result<()> {
    if session.is_dry_run {
        let mut steps = image::steps(command, &image);
        steps.extend(command.publish.then(|| format!("publish {}", command.at)));
        show_steps(session, &steps);
        return Ok(());
    }
    tokio::select! {
        result = image::push(session, command, image) => result,
        _ = tokio::signal::ctrl_c() => {
            Err(Error::new(ExitKind::Interrupted, "interrupted; readers see nothing of the image").hint("push again"))
        }
    }
}

async fn push(session: &Session, command: &PushCommand, locals: Vec<LocalFile>) -> Result<()> {
    create::ensure(session, command).await?;
    let existing = verify::stored(session, &command.at).await?;
    let files = transfer::all(session, command, locals, existing).await?;
    let mut summary = Summary::new(&command.at, files);
    if let Err(error) = finish(session, command, &mut summary).await {
        session.output.print(&summary, Summary::to_text);
        return Err(error);
    }
    session.output.print(&summary, Summary::to_text);
    if !command.publish && !session.output.is_json {
        session.output.notice(&next_step(&summary, &command.at));
    }
    Ok(())
}

/// What makes the files visible, for people who pushed without `--publish`.
fn next_step(summary: &Summary, at: &VersionAddress) -> String {
    if summary.has_new_files() {
        format!("staged: readers see new files after `packhouse publish {at}`")
    } else {
        format!("nothing new; if any of them are still staged, `packhouse publish {at}` publishes them")
    }
}

/// Verifies the stored files, and signs and publishes the version only if all are correct.
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
    show_steps(session, &steps);
    Ok(())
}

fn show_steps(session: &Session, steps: &[String]) {
    session.output.print(&serde_json::json!({"dry_run": true, "would": steps}), |_| {
        steps.iter().map(|step| format!("would {step}")).collect::<Vec<_>>().join("\n")
    });
}

fn interrupted(at: &VersionAddress) -> Error {
    let error =
        Error::new(ExitKind::Interrupted, "interrupted; the uploaded files are staged, and readers do not see them");
    error.hint(format!("push again to continue, or run `packhouse discard {at}` to remove them"))
}
