//! Direct access to the blob store of a stack.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use futures_util::TryStreamExt;
use object_store::{
    ObjectStore, ObjectStoreExt,
    aws::{AmazonS3, AmazonS3Builder},
    path::Path,
};
use suite::Stack;

/// The blob store of a stack.
pub(crate) enum Store {
    Folder(PathBuf),
    Bucket(AmazonS3, String),
}

impl Store {
    pub(crate) fn of(stack: &Stack) -> Self {
        let settings = stack.settings();
        let setting = |key: &str| settings.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
        let Some(place) = setting("blobs") else { return Self::Folder(stack.data.path().join("blobs")) };
        let (bucket, prefix) = place.trim_start_matches("s3://").split_once('/').expect("a bucket and a prefix");
        let client = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region("us-east-1")
            .with_endpoint(setting("s3.endpoint").expect("an endpoint"))
            .with_access_key_id(setting("s3.access_key_id").expect("a key"))
            .with_secret_access_key(setting("s3.secret_access_key").expect("a secret"))
            .with_allow_http(true)
            .build();
        Self::Bucket(client.expect("a client"), prefix.to_owned())
    }

    /// Stores any bytes under a digest.
    pub(crate) async fn put(&self, digest: &str, bytes: &str) {
        match self {
            Self::Folder(root) => {
                let path = root.join(file_name(digest));
                fs::create_dir_all(path.parent().expect("a folder")).expect("made");
                fs::write(&path, bytes).expect("written");
                // Sets an old modification time.
                let file = fs::File::options().write(true).open(&path).expect("opened");
                file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 30)).expect("dated");
            }
            Self::Bucket(client, prefix) => {
                client
                    .put(&Path::from(format!("{prefix}/{}", object_name(digest))), bytes.to_owned().into())
                    .await
                    .expect("put");
            }
        }
    }

    /// Returns the digests of all blobs.
    pub(crate) async fn digests(&self) -> BTreeSet<String> {
        match self {
            Self::Folder(root) => {
                files_below(&root.join("sha256")).iter().map(|file| last_part(&file.to_string_lossy())).collect()
            }
            Self::Bucket(client, prefix) => {
                let listed = client.list(Some(&Path::from(format!("{prefix}/sha256"))));
                listed.map_ok(|object| last_part(object.location.as_ref())).try_collect().await.expect("listed")
            }
        }
    }

    /// Removes a blob.
    pub(crate) async fn remove(&self, digest: &str) {
        match self {
            Self::Folder(root) => fs::remove_file(root.join(file_name(digest))).expect("removed"),
            Self::Bucket(client, prefix) => {
                client.delete(&Path::from(format!("{prefix}/{}", object_name(digest)))).await.expect("removed");
            }
        }
    }
}

fn file_name(digest: &str) -> String {
    format!("sha256/{}/{digest}", &digest[..2])
}

fn object_name(digest: &str) -> String {
    format!("sha256/{}/{}/{digest}", &digest[..2], &digest[2..4])
}

/// Returns the files below a folder: of a store with one level of folders, or of a bucket's with two.
fn files_below(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("listed").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn last_part(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}
