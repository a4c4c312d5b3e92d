//! Docker's registry, with an empty folder and without credentials.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use xtask::failure::{Attempt, Failure, Result};

/// The number of attempts to connect to it, one each tenth of a second.
const ATTEMPTS: u32 = 100;

/// The running registry. Dropping it stops it.
pub(super) struct DockerRegistry {
    child: Child,
    /// The host and port that it listens on.
    pub(super) address: String,
    _folder: TempDir,
}

impl DockerRegistry {
    /// Starts it, and waits until it accepts connections.
    pub(super) fn start(program: &Path) -> Result<Self> {
        let folder = TempDir::with_prefix("packhouse-bench-").attempt("cannot create a temporary folder")?;
        let address = free_address()?;
        let root = folder.path().join("registry");
        let settings = format!(
            "version: 0.1\nlog: {{level: error, accesslog: {{disabled: true}}}}\n\
             storage: {{filesystem: {{rootdirectory: \"{}\"}}}}\nhttp: {{addr: \"{address}\"}}\n",
            root.display()
        );
        let file = folder.path().join("registry.yml");
        fs::write(&file, settings).attempt("cannot write the settings of the registry")?;
        let mut command = Command::new(program);
        command.arg("serve").arg(&file).env("OTEL_TRACES_EXPORTER", "none");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().attempt("cannot start the registry")?;
        let registry = Self { child, address, _folder: folder };
        for _ in 0..ATTEMPTS {
            if std::net::TcpStream::connect(&registry.address).is_ok() {
                return Ok(registry);
            }
            sleep(Duration::from_millis(100));
        }
        Err(Failure::new("the registry does not accept connections"))
    }

    /// Returns its process id.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }
}

fn free_address() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").attempt("cannot find a free port")?;
    Ok(listener.local_addr().attempt("cannot find a free port")?.to_string())
}

impl Drop for DockerRegistry {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
