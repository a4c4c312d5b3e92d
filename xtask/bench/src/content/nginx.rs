//! nginx, the web server that all results are compared with.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use tempfile::TempDir;

use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::group_of;

const CONFIGURATION: &str = include_str!("nginx.conf");

/// How long nginx may take to start.
const LONGEST_START: Duration = Duration::from_secs(10);

/// A running nginx. Dropping it stops it and deletes the uploads.
pub(crate) struct Nginx {
    child: Child,
    /// The host and port that it listens on.
    pub(crate) address: String,
    // Deleted after the server has stopped.
    _folder: TempDir,
}

impl Nginx {
    /// Starts nginx. It serves the folder `files`, and accepts uploads below `/uploads/`.
    pub(crate) fn start(program: &Path, files: &Path) -> Result<Self> {
        let folder = TempDir::with_prefix("packhouse-nginx-").attempt("cannot create a temporary folder")?;
        let uploads = folder.path().join("uploads");
        for name in [&uploads, &folder.path().join("temporary")] {
            fs::create_dir(name).attempt("cannot create a folder for nginx")?;
        }
        let address = free_address()?;
        let mut configuration = CONFIGURATION
            .replace("{ADDRESS}", &address)
            .replace("{FILES}", &files.display().to_string())
            .replace("{UPLOADS}", &uploads.display().to_string());
        // Otherwise its workers run as a user who cannot read the folders of root.
        if nix::unistd::geteuid().is_root() {
            configuration.insert_str(0, "user root;\n");
        }
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration).attempt("cannot write the configuration of nginx")?;
        let mut command = Command::new(program);
        command.arg("-p").arg(folder.path()).arg("-c").arg(&file).args(["-e", "stderr"]);
        let child = command.stdin(Stdio::null()).spawn().attempt("cannot start nginx")?;
        let mut nginx = Self { child, address, _folder: folder };
        nginx.wait_until_ready()?;
        Ok(nginx)
    }

    /// Returns the id of its main process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let began = Instant::now();
        while TcpStream::connect(&self.address).is_err() {
            if self.child.try_wait().attempt("cannot watch nginx")?.is_some() || began.elapsed() > LONGEST_START {
                return Err(Failure::new("nginx did not start, see above"));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have exited by itself.
        kill(group_of(&self.child), Signal::SIGTERM).unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// Returns an address for a server that cannot choose a free port by itself.
pub(crate) fn free_address() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").attempt("cannot find a free port")?;
    Ok(listener.local_addr().attempt("cannot find a free port")?.to_string())
}
