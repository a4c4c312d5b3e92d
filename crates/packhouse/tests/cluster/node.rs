//! One node of packhouse, with its own relay to the database.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use nix::sys::signal::Signal;
use suite::{ADMIN_KEY, Process, Relay};

use crate::{
    garage::{ACCESS_KEY, BUCKET, SECRET_KEY},
    postgres::Postgres,
    program::send,
};

/// How long running requests may take after a node was asked to stop.
const DRAIN: Duration = Duration::from_secs(20);

/// The program that this test run has built.
pub(crate) fn path() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_packhouse"))
}

/// The folder, stores and address of a node.
#[derive(Clone)]
pub(crate) struct NodeFolder {
    pub(crate) address: SocketAddr,
    pub(crate) front: SocketAddr,
    pub(crate) store: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) master_key: PathBuf,
}

impl NodeFolder {
    /// Returns a command with the settings of the node and the database at this address.
    pub(crate) fn command(&self, program: &Path, database: SocketAddr) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::vars().filter(|(name, _)| !name.starts_with("PACKHOUSE_")));
        command.current_dir(&self.data).envs([
            ("PACKHOUSE_DATA", self.data.display().to_string()),
            ("PACKHOUSE_DATABASE_URL", Postgres::url_at(database)),
            ("PACKHOUSE_DATABASE__TIMEOUT_SECS", "2".into()),
            ("PACKHOUSE_BLOBS", format!("s3://{BUCKET}/content")),
            ("PACKHOUSE_S3__ENDPOINT", format!("http://{}", self.store)),
            ("PACKHOUSE_S3__ACCESS_KEY_ID", ACCESS_KEY.into()),
            ("PACKHOUSE_S3__SECRET_ACCESS_KEY", SECRET_KEY.into()),
            ("PACKHOUSE_S3__ALLOW_HTTP", "true".into()),
            ("PACKHOUSE_MASTER_KEY_FILE", self.master_key.display().to_string()),
            ("PACKHOUSE_PUBLIC_URL", format!("http://{}", self.front)),
            ("PACKHOUSE_TRUSTED_PROXIES", "127.0.0.1".into()),
            ("PACKHOUSE_OUTGOING__ALLOW_PRIVATE", "true".into()),
            ("PACKHOUSE_ADMIN_KEY", ADMIN_KEY.into()),
        ]);
        command
    }
}

/// A running node.
pub(crate) struct Node {
    pub(crate) place: NodeFolder,
    pub(crate) relay: Relay,
    process: Process,
}

impl Node {
    /// Starts a node. The first node of a house creates the master key, which the others use.
    pub(crate) async fn start(place: NodeFolder, database: SocketAddr) -> Self {
        std::fs::create_dir_all(&place.data).expect("a folder can be made");
        let relay = Relay::start(database);
        let process = launch(&place, &relay).await;
        Self { place, relay, process }
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks it to stop, and waits until it has exited successfully.
    pub(crate) async fn stop(&mut self) {
        send(self.process.id(), Signal::SIGTERM);
        assert_eq!(self.process.ends_within(DRAIN).await, Some(0), "{}", self.process.log());
    }

    /// Starts it again.
    pub(crate) async fn restart(&mut self) {
        self.process = launch(&self.place, &self.relay).await;
    }

    /// Freezes it in the middle of its work.
    pub(crate) fn freeze(&self) {
        send(self.process.id(), Signal::SIGSTOP);
    }

    /// Lets it continue.
    pub(crate) fn thaw(&self) {
        send(self.process.id(), Signal::SIGCONT);
    }

    /// Returns its log since its start.
    pub(crate) fn log(&self) -> String {
        self.process.log()
    }
}

async fn launch(place: &NodeFolder, relay: &Relay) -> Process {
    Process::launch_at(place.command(path(), relay.address), &place.address.to_string()).await
}
