//! Fresh stores of the stack under test: {SQLite, folder} or {PostgreSQL, S3 store}.

use std::{net::SocketAddr, path::PathBuf};

use database::testing::scratch::{Scratch, is_cluster};
use tempfile::TempDir;

/// A database, a blob store and a data folder for one test alone.
pub struct Stack {
    /// The folder of all data on this machine.
    pub data: TempDir,
    scratch: Scratch,
}

impl Stack {
    /// Creates stores on the stack that `PACKHOUSE_TEST_STACK` names.
    pub async fn create() -> Self {
        let data = tempfile::tempdir().expect("the temporary folder is writable");
        Self { data, scratch: Scratch::create().await }
    }

    /// Creates stores whose database already has the schema, as after the first start of the program.
    pub async fn with_schema() -> Self {
        let data = tempfile::tempdir().expect("the temporary folder is writable");
        Self { data, scratch: Scratch::with_schema().await }
    }

    /// Returns the URL of the database.
    pub fn database_url(&self) -> &str {
        &self.scratch.url
    }

    /// Returns the IP address and port of PostgreSQL; `None` for an embedded database.
    pub fn database_server(&self) -> Option<SocketAddr> {
        let (_, place) = self.scratch.url.strip_prefix("postgres://")?.split_once('@')?;
        place.split('/').next()?.parse().ok()
    }

    /// Returns the file of an embedded database; `None` for PostgreSQL.
    pub fn database_file(&self) -> Option<PathBuf> {
        self.scratch.url.strip_prefix("sqlite://").map(PathBuf::from)
    }

    /// Returns whether this is PostgreSQL and an S3 store.
    pub fn is_cluster(&self) -> bool {
        is_cluster()
    }

    /// Returns the number of nodes of a house: `PACKHOUSE_TEST_NODES`, or one.
    pub fn nodes(&self) -> u64 {
        let Ok(count) = std::env::var("PACKHOUSE_TEST_NODES") else { return 1 };
        assert!(is_cluster(), "an embedded database is for one node: PACKHOUSE_TEST_NODES is for the other stack");
        count.parse().ok().filter(|count| *count > 0).expect("PACKHOUSE_TEST_NODES is a number of nodes")
    }

    /// Returns the file that contains the blob with this digest, for tests that damage it.
    pub fn blob_file(&self, digest: &str) -> PathBuf {
        if is_cluster() {
            let name = format!("sha256/{}/{}/{digest}", &digest[..2], &digest[2..4]);
            let bucket = PathBuf::from(variable("PACKHOUSE_TEST_S3_FOLDER")).join(variable("PACKHOUSE_TEST_S3_BUCKET"));
            bucket.join(&self.scratch.name).join(name)
        } else {
            self.data.path().join(format!("blobs/sha256/{}/{digest}", &digest[..2]))
        }
    }

    /// Returns the settings that name these stores, as pairs of dotted key and value.
    pub fn settings(&self) -> Vec<(String, String)> {
        // Each connection to SQLite reads the whole schema, and each one to PostgreSQL plans its own statements, which costs
        // as much as several requests.
        let connections = if is_cluster() { "3" } else { "2" };
        let mut settings = vec![
            ("data".to_owned(), self.data.path().display().to_string()),
            ("database_url".to_owned(), self.scratch.url.clone()),
            ("database.connections".to_owned(), connections.to_owned()),
        ];
        if is_cluster() {
            let bucket = variable("PACKHOUSE_TEST_S3_BUCKET");
            settings.extend([
                ("blobs".to_owned(), format!("s3://{bucket}/{}", self.scratch.name)),
                ("s3.endpoint".to_owned(), variable("PACKHOUSE_TEST_S3_ENDPOINT")),
                ("s3.access_key_id".to_owned(), variable("PACKHOUSE_TEST_S3_ACCESS_KEY")),
                ("s3.secret_access_key".to_owned(), variable("PACKHOUSE_TEST_S3_SECRET_KEY")),
                ("s3.allow_http".to_owned(), "true".to_owned()),
            ]);
        }
        settings
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("`cargo xtask test` sets {name}"))
}
