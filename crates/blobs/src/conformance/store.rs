//! The store that a test runs on.

use std::{
    ops::{Deref, Range},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures_util::TryStreamExt;
use model::digest::Digest;
use tempfile::TempDir;

use super::bodies::OPTIONS;
use crate::{Blobs, CopyLimits, Location, S3Key, S3Settings, SecretKey};

/// A store for one test. The S3 server retains the content that the test leaves, under the test's prefix.
pub(super) struct TestStore {
    blobs: Blobs,
    folder: Option<TempDir>,
}

impl TestStore {
    pub(super) async fn open(test: &str) -> Self {
        let (location, folder) = match std::env::var("PACKHOUSE_TEST_STACK").as_deref() {
            Err(_) | Ok("embedded") => {
                let folder = tempfile::tempdir().expect("a temporary folder");
                (Location::Folder(folder.path().join("blobs")), Some(folder))
            }
            Ok("cluster") => (Location::S3(s3_settings(test)), None),
            Ok(other) => panic!("PACKHOUSE_TEST_STACK is `embedded` or `cluster`, not `{other}`"),
        };
        let blobs = Blobs::open(location, u64::from(std::process::id())).await.expect("the store opens");
        Self { blobs, folder }
    }

    /// Whether content is in files.
    pub(super) fn has_files(&self) -> bool {
        self.folder.is_some()
    }

    /// Receives and commits a body.
    pub(super) async fn put(&self, bytes: impl Into<Bytes>) -> Digest {
        put(&self.blobs, bytes).await
    }

    /// The bytes of a blob, or of a range of it.
    pub(super) async fn get(&self, digest: Digest, range: Option<Range<u64>>) -> Option<Vec<u8>> {
        get(&self.blobs, digest, range).await
    }

    /// Removes the leftover temporaries and returns their number, after those of finished uploads are gone.
    pub(super) async fn count_leftovers(&self) -> u64 {
        let never = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 33);
        self.wait_for_cleanups().await;
        self.sweep_temporaries(Duration::ZERO, never).await.expect("the sweep runs")
    }
}

impl Deref for TestStore {
    type Target = Blobs;

    fn deref(&self) -> &Blobs {
        &self.blobs
    }
}

/// Receives and commits a body.
pub(super) async fn put(blobs: &Blobs, bytes: impl Into<Bytes>) -> Digest {
    let body = futures_util::stream::iter([Ok::<_, std::io::Error>(bytes.into())]);
    let pending = blobs.receive(body, OPTIONS).await.expect("the body is received");
    pending.commit().await.expect("the blob is committed").sha256
}

/// The bytes of a blob, or of a range of it.
pub(super) async fn get(blobs: &Blobs, digest: Digest, range: Option<Range<u64>>) -> Option<Vec<u8>> {
    let content = blobs.read(digest, range).await.expect("the blob opens")?;
    let chunks: Vec<Bytes> = content.stream.try_collect().await.expect("the blob is read");
    Some(chunks.concat())
}

/// The server named by the environment, with a prefix for this test.
fn s3_settings(test: &str) -> S3Settings {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("the `cluster` stack needs {name}"));
    S3Settings {
        bucket: variable("PACKHOUSE_TEST_S3_BUCKET"),
        prefix: format!("blobs/{test}-{}", std::process::id()),
        endpoint: Some(variable("PACKHOUSE_TEST_S3_ENDPOINT")),
        region: "us-east-1".to_owned(),
        key: Some(S3Key {
            id: variable("PACKHOUSE_TEST_S3_ACCESS_KEY"),
            secret: SecretKey::new(variable("PACKHOUSE_TEST_S3_SECRET_KEY")),
        }),
        allow_http: true,
        copy_limits: CopyLimits::default(),
    }
}
