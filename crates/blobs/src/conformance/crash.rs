//! A process that is killed during uploads to a folder loses nothing that it acknowledged, and leaves nothing
//! half-done.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use model::digest::Digest;
use sha2::Digest as _;

use crate::{Blobs, Location, ReceiveOptions};

/// Set in the process that this test kills; the value is the folder to upload to.
const FOLDER_VARIABLE: &str = "PACKHOUSE_TEST_CRASH_FOLDER";

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_blobs_survive_a_kill() {
    if let Ok(folder) = std::env::var(FOLDER_VARIABLE) {
        return upload_until_killed(Path::new(&folder)).await;
    }
    for acknowledged in [1, 7, 40] {
        let folder = tempfile::tempdir().unwrap();
        let digests = kill_after(folder.path(), acknowledged);
        assert_survived(folder.path(), &digests).await;
    }
}

async fn open(folder: &Path) -> Blobs {
    Blobs::open(Location::Folder(folder.to_owned()), u64::from(std::process::id())).await.unwrap()
}

/// Uploads distinct bodies, four at a time, from one KiB to a few MiB, and prints the digest of each one after it is
/// stored.
async fn upload_until_killed(folder: &Path) {
    let blobs = open(folder).await;
    let uploads = stream::iter(0_u64..).map(|number| {
        let blobs = blobs.clone();
        async move {
            let size = 1024 << (number % 12);
            let body = number.to_le_bytes().repeat(size / 8);
            let chunks: Vec<_> = body.chunks(50_000).map(Bytes::copy_from_slice).map(Ok::<_, std::io::Error>).collect();
            let options = ReceiveOptions { max_bytes: 1 << 30, ..ReceiveOptions::PLAIN };
            let pending = blobs.receive(stream::iter(chunks), options).await.unwrap();
            println!("stored {}", pending.commit().await.unwrap().sha256);
        }
    });
    uploads.buffer_unordered(4).collect::<()>().await;
}

/// Starts uploads in another process, kills it after some uploads were acknowledged, and returns the printed digests.
fn kill_after(folder: &Path, acknowledged: usize) -> Vec<Digest> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "conformance::crash::acknowledged_blobs_survive_a_kill", "--nocapture"])
        .env(FOLDER_VARIABLE, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut digests = lines.filter_map(|line| line.split_once("stored ")?.1.parse().ok());
    let mut seen: Vec<Digest> = digests.by_ref().take(acknowledged).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    seen.extend(digests);
    assert!(seen.len() >= acknowledged, "the child stopped early");
    seen
}

async fn assert_survived(folder: &Path, digests: &[Digest]) {
    let blobs = open(folder).await;
    for digest in digests {
        assert!(blobs.size(*digest).await.unwrap().is_some(), "{digest} was acknowledged");
    }
    let mut files = Vec::new();
    list_files(&folder.join("sha256"), &mut files);
    assert!(files.len() >= digests.len());
    for file in files {
        let digest = Digest::from_bytes(sha2::Sha256::digest(fs::read(&file).unwrap()).into());
        assert_eq!(blobs.folder_path(digest).unwrap(), file, "a blob has its own bytes");
    }
    let far_future = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 33);
    blobs.sweep_temporaries(Duration::ZERO, far_future).await.unwrap();
    assert_eq!(fs::read_dir(folder.join("tmp")).unwrap().count(), 0);
}

fn list_files(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() { list_files(&entry.path(), files) } else { files.push(entry.path()) }
    }
}
