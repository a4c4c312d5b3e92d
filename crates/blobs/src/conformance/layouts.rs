//! Folders with one level and with two: every layout that a store may have works, and none changes.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use futures_util::TryStreamExt;
use model::digest::Digest;
use tempfile::TempDir;

use super::store::{get, put};
use crate::{Blobs, Error, Location, StoredBlob};

const MARKER: &str = "layout";

/// An empty store of an earlier version, in which an upload has created folders.
fn old_store() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("sha256/ab/cd")).unwrap();
    fs::create_dir(root.path().join("tmp")).unwrap();
    root
}

async fn open(root: &TempDir) -> Blobs {
    try_open(root).await.unwrap()
}

async fn try_open(root: &TempDir) -> Result<Blobs, Error> {
    Blobs::open(Location::Folder(root.path().to_owned()), 1).await
}

/// The path of a blob below the root, by the number of levels.
fn name(digest: Digest, levels: usize) -> PathBuf {
    let hex = digest.to_string();
    let folders: String = (0..levels).map(|level| format!("{}/", &hex[2 * level..2 * level + 2])).collect();
    format!("sha256/{folders}{hex}").into()
}

/// All folders below a folder.
fn folders(path: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    entries.flat_map(|path| folders(&path).into_iter().chain([path])).collect()
}

async fn listed(blobs: &Blobs) -> BTreeSet<Digest> {
    let found: Vec<StoredBlob> = blobs.list().try_collect().await.unwrap();
    found.iter().map(|stored| stored.digest).collect()
}

/// Stores blobs, finds them in the right files, opens the store again, reads, lists and deletes.
async fn assert_works(root: &TempDir, levels: usize) {
    let blobs = open(root).await;
    let digests = [put(&blobs, "one").await, put(&blobs, "two").await, put(&blobs, vec![7; 100_000]).await];
    drop(blobs);
    let blobs = open(root).await;
    assert_eq!(listed(&blobs).await, BTreeSet::from(digests));
    for digest in digests {
        let path = root.path().join(name(digest, levels));
        assert!(path.is_file(), "{levels} levels, but no {}", path.display());
        assert_eq!(blobs.folder_path(digest), Some(path));
        assert!(blobs.stamp(digest).await.unwrap().is_some());
        assert!(blobs.map(digest).await.unwrap().is_some());
    }
    assert_eq!(get(&blobs, digests[0], None).await.unwrap(), b"one");
    assert_eq!(get(&blobs, digests[2], Some(99_998..100_000)).await.unwrap(), [7, 7]);
    assert!(blobs.delete(digests[1]).await.unwrap());
    assert_eq!(blobs.size(digests[1]).await.unwrap(), None);
    assert_eq!(listed(&blobs).await, BTreeSet::from([digests[0], digests[2]]));
    assert_eq!(put(&blobs, "two").await, digests[1]);
}

#[tokio::test]
async fn a_new_store_has_one_level() {
    let root = tempfile::tempdir().unwrap();
    assert_works(&root, 1).await;
    let mode = fs::metadata(root.path().join("sha256/ff")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test]
async fn an_old_store_keeps_two_levels() {
    let root = old_store();
    let before = folders(root.path());
    drop(open(&root).await);
    assert_eq!(folders(root.path()), before, "opening creates nothing");
    assert_works(&root, 2).await;
    assert!(!root.path().join(MARKER).exists());
}

#[tokio::test]
async fn an_upload_to_a_new_store_creates_no_folder() {
    let root = tempfile::tempdir().unwrap();
    let blobs = open(&root).await;
    let before = folders(root.path());
    assert_eq!(before.len(), 256 + 2, "`sha256`, what is in it, and `tmp`");
    for size in [3, 100_000] {
        put(&blobs, vec![9; size]).await;
    }
    assert_eq!(folders(root.path()), before);
}

#[tokio::test]
async fn a_crash_while_a_store_is_created_does_no_harm() {
    for is_marked in [None, Some(""), Some("one level\n")] {
        for count in [0, 1, 0x80, 256] {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir(root.path().join("sha256")).unwrap();
            for first in 0..count {
                fs::create_dir(root.path().join(format!("sha256/{first:02x}"))).unwrap();
            }
            if let Some(text) = is_marked {
                fs::write(root.path().join(MARKER), text).unwrap();
            }
            assert_works(&root, 1).await;
            assert_eq!(fs::read_to_string(root.path().join(MARKER)).unwrap(), "one level\n");
        }
    }
}

#[tokio::test]
async fn a_store_that_lost_its_marker_keeps_its_layout() {
    let root = tempfile::tempdir().unwrap();
    let digest = put(&open(&root).await, "stays").await;
    fs::remove_file(root.path().join(MARKER)).unwrap();
    let blobs = open(&root).await;
    assert_eq!(get(&blobs, digest, None).await.unwrap(), b"stays");
    assert!(root.path().join(MARKER).exists());
}

#[tokio::test]
async fn files_of_the_other_layout_change_no_store() {
    let (new, old) = (tempfile::tempdir().unwrap(), old_store());
    for (root, levels, other) in [(&new, 1, 2), (&old, 2, 1)] {
        let digest = put(&open(root).await, "stays").await;
        let stranger = root.path().join(name(Digest::from_bytes([0xee; 32]), other));
        fs::create_dir_all(stranger.parent().unwrap()).unwrap();
        fs::write(&stranger, "copied from elsewhere").unwrap();
        let blobs = open(root).await;
        assert_eq!(listed(&blobs).await, BTreeSet::from([digest]), "{levels}");
        assert_eq!(get(&blobs, digest, None).await.unwrap(), b"stays");
    }
}

#[tokio::test]
async fn an_unknown_layout_is_refused() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join(MARKER), "three levels\n").unwrap();
    let refused = try_open(&root).await.unwrap_err();
    assert!(matches!(refused, Error::Broken { .. }), "{refused}");
}

#[tokio::test]
async fn a_store_that_is_only_read_has_either_layout_and_may_be_filled_later() {
    for (root, filled) in [(tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()), (old_store(), old_store())] {
        let reader = Blobs::open_to_read(Location::Folder(root.path().join("later"))).unwrap();
        let digest = put(&open(&filled).await, "from elsewhere").await;
        assert_eq!(get(&reader, digest, None).await, None);
        fs::rename(filled.path(), root.path().join("later")).unwrap();
        assert_eq!(get(&reader, digest, None).await.unwrap(), b"from elsewhere");
        assert_eq!(reader.size(digest).await.unwrap(), Some(14));
        assert!(reader.map(digest).await.unwrap().is_some());
        assert!(reader.stamp(digest).await.unwrap().is_some());
        assert_eq!(listed(&reader).await, BTreeSet::from([digest]));
    }
}
