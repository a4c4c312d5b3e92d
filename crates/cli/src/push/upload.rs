//! One file on its way: by its checksum where the server knows the content, else as a body, again when that breaks off.

use std::{path::Path, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, stream};
use reqwest::{Body, Method, RequestBuilder, Response, header};
use tokio::{fs::File, io::AsyncReadExt};

use super::{PushCommand, files::Local, summary::Sent};
use crate::{
    address::{VersionAddress, encode_path},
    client::Client,
    error::{Error, Kind, Result},
    passphrase::Passphrase,
    progress::FileProgress,
};

/// Smaller files are sent at once: asking first would take as long.
const WORTH_ASKING: u64 = 64 << 10;

/// How much of a file is in memory at a time.
const PIECE: usize = 512 << 10;

/// How often a file is sent that does not get through.
const ATTEMPTS: u32 = 5;

/// Where files go, and how.
pub(super) struct Way {
    client: Client,
    at: VersionAddress,
    is_maven: bool,
    replaces: bool,
    passphrase: Passphrase,
}

impl Way {
    pub(super) fn new(client: Client, command: &PushCommand) -> Self {
        Self {
            client,
            at: command.at.clone(),
            is_maven: command.maven,
            replaces: command.replace,
            passphrase: command.passphrase.clone(),
        }
    }

    fn put(&self, target: &str, sha256: Option<&str>) -> Result<RequestBuilder> {
        let path = encode_path(target);
        let query = if self.replaces { "?override=1" } else { "" };
        let path = match self.is_maven {
            true => format!("/maven/{}/{path}{query}", self.at.package.path()),
            false => format!("/content/{}/{path}{query}", self.at.content_path()),
        };
        let request = self.client.api(Method::PUT, &path);
        let request = match sha256 {
            Some(sha256) => request.header("x-checksum-sha2", sha256),
            None => request,
        };
        self.passphrase.add_to(request)
    }
}

/// Sends a file. When it returns, the server has all of it.
pub(super) async fn send(way: &Way, local: &Local, sha256: &str, bar: &FileProgress) -> Result<Sent> {
    patiently(bar, async || try_once(way, local, sha256, bar).await).await
}

/// Sends a file as a body, whose checksum nobody knows yet.
pub(super) async fn send_body(way: &Way, local: &Local, bar: &FileProgress) -> Result<()> {
    patiently(bar, async || body(way, local, None, bar).await.map(drop)).await
}

/// Again, with growing pauses, as long as that may help.
async fn patiently<T>(bar: &FileProgress, send: impl AsyncFn() -> Result<T>) -> Result<T> {
    let mut attempt = 1;
    loop {
        match send().await {
            Err(error) if is_passing(&error) && attempt < ATTEMPTS => {
                bar.restart();
                tokio::time::sleep(Duration::from_millis(250 << attempt)).await;
                attempt += 1;
            }
            Err(error) if error.kind == Kind::Conflict => return Err(explained(error)),
            done => return done,
        }
    }
}

async fn try_once(way: &Way, local: &Local, sha256: &str, bar: &FileProgress) -> Result<Sent> {
    if local.size >= WORTH_ASKING && deploy(way, local, sha256).await? {
        bar.complete();
        return Ok(Sent::Deployed);
    }
    body(way, local, Some(sha256), bar).await?;
    Ok(Sent::Uploaded)
}

/// Whether the server had the content and has stored the file by its checksum.
pub(super) async fn deploy(way: &Way, local: &Local, sha256: &str) -> Result<bool> {
    let request =
        way.put(&local.target, Some(sha256))?.header("x-checksum-deploy", "true").header(header::CONTENT_LENGTH, 0);
    match way.client.once(request).await {
        Ok(_) => Ok(true),
        Err(error) if error.kind == Kind::Missing => Ok(false),
        Err(error) => Err(error),
    }
}

async fn body(way: &Way, local: &Local, sha256: Option<&str>, bar: &FileProgress) -> Result<Response> {
    let pieces = pieces(open(&local.path).await?, bar.clone());
    let request = way.put(&local.target, sha256)?.header(header::CONTENT_LENGTH, local.size);
    way.client.once(request.body(Body::wrap_stream(pieces))).await
}

async fn open(path: &Path) -> Result<File> {
    File::open(path).await.map_err(|error| Error::local(path.display(), error))
}

fn pieces(file: File, bar: FileProgress) -> impl Stream<Item = std::io::Result<Bytes>> {
    stream::try_unfold((file, bar), |(mut file, bar)| async move {
        let mut piece = BytesMut::with_capacity(PIECE);
        let read = file.read_buf(&mut piece).await?;
        bar.advance(read as u64);
        Ok((read > 0).then(|| (piece.freeze(), (file, bar))))
    })
}

/// Whether trying again may help.
fn is_passing(error: &Error) -> bool {
    matches!(error.kind, Kind::Unreachable | Kind::Busy)
}

fn explained(error: Error) -> Error {
    if error.hint.is_some() { error } else { error.hint("--override replaces what is there") }
}
