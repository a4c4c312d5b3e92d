//! The throw-away servers, from the side of the task that uses them.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use crate::axe;
use crate::cargo;
use crate::clients;
use crate::failure::{Attempt, Failure, Result};
use crate::helm;
use crate::s3;
use crate::signals::Signals;
use crate::tools;

/// Both servers, ready for use. Dropping this stops them and deletes their data.
pub struct Servers {
    guard: Child,
    environment: Vec<(String, String)>,
}

/// Builds the program of the S3 server. A build of all tests includes it, too.
pub fn build() -> Result<()> {
    cargo::build(&[s3::PROGRAM])
}

/// Runs the servers until a signal arrives.
pub fn run() -> Result<ExitCode> {
    let programs = tools::ensure()?;
    let readers = [vec![axe::ensure()?, helm::ensure()?], clients::ensure()?].concat();
    build()?;
    let signals = Signals::listen()?;
    let servers = Servers::start(&programs)?;
    for (name, value) in servers.environment().iter().chain(&readers) {
        println!("export {name}={value}");
    }
    eprintln!("the servers are running; press Ctrl-C to stop them");
    signals.wait();
    Ok(ExitCode::SUCCESS)
}

impl Servers {
    /// Starts both, PostgreSQL with the programs in `postgres_programs`. They store their data in the temporary folder.
    /// The S3 server must be built: see [`build`].
    pub fn start(postgres_programs: &Path) -> Result<Self> {
        Self::start_in(postgres_programs, &std::env::temp_dir())
    }

    /// Starts both; they store their data below `folder`.
    pub fn start_in(postgres_programs: &Path, folder: &Path) -> Result<Self> {
        // In its own process group: Ctrl-C reaches the process that uses the servers, but not the guard.
        let guard = Command::new(cargo::built("xtask")?)
            .args(["guard", "--postgres"])
            .arg(postgres_programs)
            .env("TMPDIR", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .attempt("cannot start the process that runs the servers")?;
        let mut servers = Self { guard, environment: Vec::new() };
        servers.read_environment()?;
        Ok(servers)
    }

    /// Returns the environment variables with which the tests find the servers.
    pub fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    /// Returns the id of the process whose children the servers are.
    pub fn pid(&self) -> u32 {
        self.guard.id()
    }

    fn read_environment(&mut self) -> Result<()> {
        let stdout = self.guard.stdout.take();
        let stdout = stdout.expect("standard output is a pipe");
        for line in BufReader::new(stdout).lines() {
            let line = line.attempt("cannot read from the process that runs the servers")?;
            let Some((name, value)) = line.split_once('=') else {
                return Ok(());
            };
            self.environment.push((name.to_owned(), value.to_owned()));
        }
        Err(Failure::new("the servers did not start, see above"))
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // Waits, so that nothing is left when the task ends.
        self.guard.wait().map(drop).unwrap_or_default();
    }
}
