//! The database of a cluster, which can be restarted, and frozen with all its processes.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use nix::sys::signal::Signal;

use crate::{
    ports::free_address,
    program::{find, send},
};

/// PostgreSQL, run by xtask. Dropping it stops it.
pub(crate) struct Postgres {
    folder: PathBuf,
    pub(crate) address: SocketAddr,
    keeper: Child,
    /// The id of the main process.
    process: u32,
}

impl Postgres {
    pub(crate) fn start(folder: &Path) -> Self {
        let address = free_address();
        let folder = folder.join("postgres");
        let (keeper, process) = serve(&folder, address);
        Self { folder, address, keeper, process }
    }

    /// Returns its URL for a program that reaches it at another address.
    pub(crate) fn url_at(place: SocketAddr) -> String {
        format!("postgres://packhouse@{place}/postgres")
    }

    /// Stops it like a crash, with every connection.
    pub(crate) fn stop(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().expect("it ends");
    }

    /// Starts it again on the same data and port.
    pub(crate) fn restart(&mut self) {
        (self.keeper, self.process) = serve(&self.folder, self.address);
    }

    /// Freezes all its processes in the middle of their work.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::SIGSTOP);
    }

    /// Lets them continue.
    pub(crate) fn thaw(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Signals the main process first: it starts the others, and starts none while it is frozen.
    fn signal(&self, signal: Signal) {
        send(self.process, signal);
        children(self.process).into_iter().for_each(|child| send(child, signal));
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.thaw();
        drop(self.keeper.stdin.take());
        drop(self.keeper.wait());
    }
}

fn serve(folder: &Path, address: SocketAddr) -> (Child, u32) {
    let mut keeper = Command::new(find("PACKHOUSE_TEST_XTASK"))
        .args(["postgres-server", "--port", &address.port().to_string(), "--programs"])
        .arg(find("PACKHOUSE_TEST_POSTGRES_PROGRAMS"))
        .arg("--folder")
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("xtask starts");
    let mut lines = BufReader::new(keeper.stdout.take().expect("a pipe")).lines();
    let process = lines.nth(1).expect("PostgreSQL starts").expect("xtask tells of it");
    (keeper, process.parse().expect("the number of a process"))
}

fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("processes are listed").flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    processes.filter(|process| parent_of(*process) == Some(parent)).collect()
}

/// Returns the parent process. It follows the name, which may contain any character, and the state.
fn parent_of(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
