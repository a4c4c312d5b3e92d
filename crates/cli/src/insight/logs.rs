//! `packhouse logs`: download logs.

use std::io::{self, Read, Write};

use clap::Args;
use flate2::read::MultiGzDecoder;
use futures_util::TryStreamExt;
use reqwest::Method;

use crate::{
    ConnectionArgs,
    address::{PackageAddress, encode},
    error::{Error, ExitKind, Result},
    output::{size, table},
    session::Session,
};

/// List the download logs of a package, or print one
#[derive(Debug, Args)]
pub struct LogsCommand {
    /// owner/repo/package
    #[arg(value_name = "ADDRESS")]
    at: PackageAddress,
    /// The name of a log, as listed
    name: Option<String>,
    /// Print the stored file, compressed with gzip
    #[arg(long, requires = "name")]
    raw: bool,
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &LogsCommand) -> Result<()> {
    let session = connection.session()?;
    match &command.name {
        None => list(&session, command).await,
        Some(name) => print(&session, command, name).await,
    }
}

async fn list(session: &Session, command: &LogsCommand) -> Result<()> {
    let logs: Vec<api::LogFile> = session.client.get(&format!("/packages/{}/logs", command.at.path())).await?;
    session.output.print(&logs, |logs| {
        let row = |log: &api::LogFile| {
            vec![log.name.clone(), size(u64::try_from(log.size).unwrap_or_default()), log.update.clone()]
        };
        table(&logs.iter().map(row).collect::<Vec<_>>())
    });
    Ok(())
}

/// Prints a log while it is downloaded; the log of a day can be long.
async fn print(session: &Session, command: &LogsCommand, name: &str) -> Result<()> {
    let path = format!("/packages/{}/logs/{}", command.at.path(), encode(name));
    let answer = session.client.patiently(session.client.api(Method::GET, &path)).await?;
    let (sender, receiver) = std::sync::mpsc::sync_channel::<bytes::Bytes>(16);
    let is_raw = command.raw;
    let printing = std::thread::spawn(move || copy(BodyReader { receiver, piece: bytes::Bytes::new() }, is_raw));
    let mut body = answer.bytes_stream();
    let broken = |error: reqwest::Error| Error::new(ExitKind::Transfer, format!("downloading the log failed: {error}"));
    while let Some(piece) = body.try_next().await.map_err(broken)? {
        if tokio::task::block_in_place(|| sender.send(piece)).is_err() {
            break;
        }
    }
    drop(sender);
    let printed = printing.join().map_err(|_| Error::new(ExitKind::Failed, "printing the log failed"))?;
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::local(name, error)),
        _ => Ok(()),
    }
}

fn copy(mut from: BodyReader, is_raw: bool) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    if is_raw {
        io::copy(&mut from, &mut stdout)?;
    } else {
        io::copy(&mut MultiGzDecoder::new(from), &mut stdout)?;
    }
    stdout.flush()
}

/// A response body as a reader.
struct BodyReader {
    receiver: std::sync::mpsc::Receiver<bytes::Bytes>,
    piece: bytes::Bytes,
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.receiver.recv() {
                Ok(piece) => self.piece = piece,
                Err(_) => return Ok(0),
            }
        }
        let length = self.piece.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.piece.split_to(length));
        Ok(length)
    }
}
