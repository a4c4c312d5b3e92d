//! `packhouse push` of a container image: a folder in the layout of OCI, or an archive that `docker save`,
//! `podman save` or `skopeo copy` has written.

mod archive;
mod docker;
mod layout;
mod oci;
mod registry;

use futures_util::{StreamExt, stream};

use self::{
    layout::{ImageContent, Layout},
    registry::Registry,
};
use super::{
    PushCommand, release,
    summary::{PushOutcome, SentFile, Summary},
};
use crate::{
    error::{Error, Result},
    progress::Progress,
    session::Session,
};

/// What to push: blobs in any order, then manifests, each after those that it names.
#[derive(Debug, Default)]
pub(super) struct Image {
    blobs: Vec<(String, ImageContent)>,
    manifests: Vec<Manifest>,
}

/// A manifest or an index.
#[derive(Debug, Clone)]
struct Manifest {
    digest: String,
    media_type: String,
    bytes: Vec<u8>,
}

/// The image that the command names, if its repository holds images and its only argument is one.
pub(super) async fn find(session: &Session, command: &PushCommand) -> Result<Option<Image>> {
    let [path] = command.files.as_slice() else { return Ok(None) };
    let Some(layout) = Layout::open(path)? else { return Ok(None) };
    let repo: api::Repo = session.client.get(&format!("/repos/{}", command.at.package.repo.path())).await?;
    if repo.kind != "docker" {
        return Ok(None);
    }
    let tag = &command.at.version;
    Ok(Some(if layout.has("index.json") { oci::read(&layout, tag)? } else { docker::read(&layout, tag)? }))
}

/// Pushes an image. Readers see it after its last manifest, or after it was published if the repository stages pushes.
pub(super) async fn push(session: &Session, command: &PushCommand, image: Image) -> Result<()> {
    if command.sign || command.maven || !command.to.is_empty() {
        return Err(Error::usage("--sign, --maven and --to do not apply to container images"));
    }
    let registry = Registry::new(&session.client, &command.at.package)?;
    let bytes = image.blobs.iter().map(|(_, part)| part.size).sum();
    let progress = Progress::start(&session.output, "all files", bytes);
    let sending = stream::iter(&image.blobs).map(|(digest, part)| send(&registry, digest, part, &progress));
    let mut files: Vec<SentFile> = sending.buffer_unordered(usize::from(command.jobs)).collect().await;
    progress.end();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut summary = Summary::new(&command.at, files);
    let done = finish(session, command, &registry, image.manifests, &mut summary).await;
    session.output.print(&summary, Summary::to_text);
    done
}

async fn finish(
    session: &Session,
    command: &PushCommand,
    registry: &Registry,
    manifests: Vec<Manifest>,
    summary: &mut Summary,
) -> Result<()> {
    summary.check_sent()?;
    let last = manifests.len().saturating_sub(1);
    for (number, manifest) in manifests.iter().enumerate() {
        let reference = if number == last { &command.at.version } else { &manifest.digest };
        registry.put_manifest(reference, &manifest.media_type, manifest.bytes.clone()).await?;
        summary.files.push(SentFile {
            path: format!("manifests/{reference}"),
            size: manifest.bytes.len() as u64,
            sha256: manifest.digest.trim_start_matches("sha256:").to_owned(),
            sent: PushOutcome::Uploaded,
            error: None,
        });
    }
    if command.publish {
        summary.published = Some(release::publish(session, &command.at, &command.passphrase).await?);
    }
    Ok(())
}

async fn send(registry: &Registry, digest: &str, part: &ImageContent, progress: &Progress) -> SentFile {
    let bar = progress.file(digest, part.size);
    let sha256 = digest.trim_start_matches("sha256:").to_owned();
    let mut file = SentFile { path: format!("blobs/{digest}"), size: part.size, sha256, ..SentFile::default() };
    match registry.send_blob(digest, part, &bar).await {
        Ok(sent) => file.sent = sent,
        Err(error) => file.error = Some(error.to_string()),
    }
    bar.end();
    file
}

/// The steps of a push, for a preview.
pub(super) fn steps(command: &PushCommand, image: &Image) -> Vec<String> {
    let blobs = image.blobs.iter().map(|(digest, _)| format!("upload {digest}"));
    let mut steps: Vec<String> = blobs.collect();
    steps.push(format!("push {} manifests as {}", image.manifests.len(), command.at));
    steps
}
