//! A stack with a part of it on a small disk.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

use suite::{ADMIN_KEY, Ended, Person, Process, Stack};

use crate::{program, shown::Shown, small_disk::SmallDisk, store::Store};

/// Stores whose disk can be full.
pub(super) struct Cramped {
    stack: Stack,
    pub(super) disk: SmallDisk,
    environment: Vec<(&'static str, String)>,
    /// The blob folder, as this process sees it.
    blobs: PathBuf,
    bucket: Option<Child>,
}

impl Cramped {
    /// Puts the blob folder on the disk, but not the database.
    pub(super) async fn with_blobs() -> Self {
        let stack = Stack::create().await;
        let folder = stack.data.path().join("blobs");
        fs::create_dir(&folder).expect("it is new");
        let disk = SmallDisk::mount(&folder);
        let environment = vec![("PACKHOUSE_BLOBS", folder.display().to_string())];
        let blobs = disk.outside();
        Self { stack, disk, environment, blobs, bucket: None }
    }

    /// Puts everything possible on the disk: SQLite and a folder, or a bucket.
    pub(super) async fn with_everything() -> Self {
        let stack = Stack::create().await;
        let disk = SmallDisk::mount(stack.data.path());
        if stack.is_cluster() {
            return Self::with_bucket(stack, disk);
        }
        let url = format!("sqlite://{}", stack.data.path().join("packhouse.db").display());
        let blobs = disk.outside().join("blobs");
        Self { stack, disk, environment: vec![("PACKHOUSE_DATABASE_URL", url)], blobs, bucket: None }
    }

    fn with_bucket(stack: Stack, disk: SmallDisk) -> Self {
        let settings = stack.settings();
        let (_, place) = settings.iter().find(|(name, _)| name == "blobs").expect("content is in a bucket");
        let blobs = disk.outside().join(place.trim_start_matches("s3://"));
        fs::create_dir_all(blobs.parent().expect("the bucket")).expect("there is room");
        let (bucket, endpoint) = serve_bucket(&stack, &disk);
        Self { stack, disk, environment: vec![("PACKHOUSE_S3__ENDPOINT", endpoint)], blobs, bucket: Some(bucket) }
    }

    /// Starts a server on these stores.
    pub(super) async fn start(&self) -> Process {
        let mut command = self.disk.command(program::path(), &self.stack);
        command.envs(self.environment.iter().cloned()).env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY);
        Process::launch(command).await
    }

    /// Collects garbage without a grace period.
    pub(super) async fn collect(&self) {
        self.run(&["admin", "gc", "--grace-hours", "0"]).await.succeeds();
    }

    async fn run(&self, arguments: &[&str]) -> Ended {
        let mut command = self.disk.command(program::path(), &self.stack);
        command.args(arguments).envs(self.environment.iter().cloned());
        Ended::run(command).await
    }

    /// Returns the status of an upload on a full disk: the throw-away S3 server answers 500 then, which may mean
    /// anything.
    pub(super) fn full_status(&self) -> u16 {
        if self.bucket.is_some() { 503 } else { 507 }
    }

    /// Asserts that this many files are published and can be read, and that after a collection the store has exactly
    /// their content.
    pub(super) async fn is_whole(&self, server: &Process, ada: &Person, published: usize) {
        let shown = Shown::of(&server.anyone(), ada, "cat", "1.0").await.expect("the version is there");
        assert_eq!(shown.published.len(), published, "{shown:?}");
        shown.reads_back(&server.anyone(), ada).await;
        self.collect().await;
        self.run(&["admin", "verify"]).await.succeeds();
        assert_eq!(Store::Folder(self.blobs.clone()).digests().await, shown.digests());
        has_nothing(&self.blobs.join("tmp")).await;
    }
}

impl Drop for Cramped {
    fn drop(&mut self) {
        if let Some(bucket) = &mut self.bucket {
            drop(bucket.kill());
            drop(bucket.wait());
        }
    }
}

/// Starts an S3 server for the bucket on the disk, and returns its URL.
fn serve_bucket(stack: &Stack, disk: &SmallDisk) -> (Child, String) {
    let given = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("`cargo xtask` sets {name}"));
    let mut server = disk.command(Path::new(&given("PACKHOUSE_TEST_S3_PROGRAM")), stack);
    server.arg("--access-key").arg(given("PACKHOUSE_TEST_S3_ACCESS_KEY"));
    server.arg("--secret-key").arg(given("PACKHOUSE_TEST_S3_SECRET_KEY"));
    server.arg("--root").arg(stack.data.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = server.spawn().expect("it starts");
    let mut endpoint = String::new();
    BufReader::new(server.stdout.as_mut().expect("a pipe")).read_line(&mut endpoint).expect("it says where it is");
    (server, endpoint.trim_end().to_owned())
}

/// Waits until the folder is empty: temporary files are removed a moment after the response.
async fn has_nothing(folder: &Path) {
    let left = || fs::read_dir(folder).map_or(0, Iterator::count);
    let gone = async {
        while left() > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap_or_else(|_| panic!("{} temporaries stay", left()));
}
