//! The servers that people would use instead: verdaccio for npm and pypiserver for PyPI.

use std::fs;
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use tempfile::TempDir;

use crate::content::nginx::free_address;
use crate::formats::registry::Registry;
use xtask::clients;
use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::group_of;

/// How long a peer may take to start.
const LONGEST_START: Duration = Duration::from_secs(30);

const VERDACCIO: &str = "storage: ./storage
uplinks: {}
max_body_size: 100mb
packages:
  '**':
    access: $all
    publish: $all
log: { type: stdout, level: fatal }
";

/// A running peer. Dropping it stops it and deletes its packages.
pub(crate) struct Peer {
    child: Child,
    /// Its name.
    pub(crate) name: &'static str,
    /// The host and port that it listens on.
    pub(crate) address: String,
    // Deleted after the server has stopped.
    _folder: TempDir,
}

impl Peer {
    /// Starts the peer of a registry; `None` if there is none to compare with.
    pub(crate) fn start(registry: Registry) -> Result<Option<Self>> {
        let folder = TempDir::with_prefix("packhouse-peer-").attempt("cannot create a temporary folder")?;
        let address = free_address()?;
        let (name, mut command) = match registry {
            Registry::Npm => ("verdaccio", verdaccio(folder.path(), &address)?),
            Registry::Pypi => ("pypiserver", pypiserver(folder.path(), &address)?),
            Registry::Cargo => return Ok(None),
        };
        let child = command
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .attempt("cannot start the peer")?;
        let mut peer = Self { child, name, address, _folder: folder };
        peer.wait_until_ready()?;
        Ok(Some(peer))
    }

    /// Returns its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let began = Instant::now();
        while TcpStream::connect(&self.address).is_err() {
            if self.child.try_wait().attempt("cannot watch the peer")?.is_some() || began.elapsed() > LONGEST_START {
                return Err(Failure::new(format!("{} did not start", self.name)));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have exited by itself.
        killpg(group_of(&self.child), Signal::SIGTERM).unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

fn verdaccio(folder: &Path, address: &str) -> Result<Command> {
    let configuration = folder.join("config.yaml");
    fs::write(&configuration, VERDACCIO).attempt("cannot write the configuration of verdaccio")?;
    let mut command = Command::new(clients::verdaccio()?);
    command.arg("--config").arg(configuration).args(["--listen", address]);
    Ok(command)
}

fn pypiserver(folder: &Path, address: &str) -> Result<Command> {
    let (host, port) = address.rsplit_once(':').expect("an address has a port");
    let mut command = Command::new(clients::pypiserver()?);
    // Without passwords, everybody may publish; `cached-dir` is its fast way to list files.
    command.args(["run", "--interface", host, "--port", port, "-P", ".", "-a", ".", "--disable-fallback"]);
    command.args(["--backend", "cached-dir"]).arg(folder);
    Ok(command)
}
