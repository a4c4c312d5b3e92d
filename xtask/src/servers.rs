//! The throw-away servers, as seen by the chore that uses them.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use crate::axe;
use crate::cargo;
use crate::failure::{Attempt, Failure, Result};
use crate::helm;
use crate::s3;
use crate::signals::Signals;
use crate::tools;

/// Both servers, ready; dropped is stopped and deleted.
pub struct Servers {
    guard: Child,
    environment: Vec<(String, String)>,
}

/// Builds the program of the S3 server. A build of all tests has it, too.
pub fn build() -> Result<()> {
    cargo::build(&[s3::PROGRAM])
}

/// Keeps the servers up until a signal arrives.
pub fn run() -> Result<ExitCode> {
    let programs = tools::ensure()?;
    let readers = [axe::ensure()?, helm::ensure()?];
    build()?;
    let signals = Signals::listen()?;
    let servers = Servers::start(&programs)?;
    for (name, value) in servers.environment().iter().chain(&readers) {
        println!("export {name}={value}");
    }
    eprintln!("the servers run until Ctrl-C");
    signals.wait();
    Ok(ExitCode::SUCCESS)
}

impl Servers {
    /// Starts both, PostgreSQL with the programs in `postgres_programs`. The S3 server has to be built: see [`build`].
    pub fn start(postgres_programs: &Path) -> Result<Self> {
        // In a process group of its own: Ctrl-C reaches the user of the servers, not the guard.
        let guard = Command::new(cargo::built("xtask")?)
            .args(["guard", "--postgres"])
            .arg(postgres_programs)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .attempt("cannot start the guard of the servers")?;
        let mut servers = Self { guard, environment: Vec::new() };
        servers.read_environment()?;
        Ok(servers)
    }

    /// The variables by which the tests find the servers.
    pub fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    fn read_environment(&mut self) -> Result<()> {
        let stdout = self.guard.stdout.take();
        let stdout = stdout.expect("standard output is a pipe");
        for line in BufReader::new(stdout).lines() {
            let line = line.attempt("cannot read from the guard of the servers")?;
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
        // Waited for, so that nothing is left when the chore ends.
        self.guard.wait().map(drop).unwrap_or_default();
    }
}
