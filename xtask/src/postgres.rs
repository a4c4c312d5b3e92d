//! A throw-away PostgreSQL: fast because nothing in it needs to outlive the run.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{User, geteuid};

use crate::failure::{Attempt, Failure, Result};
use crate::guard;
use crate::signals::{Signals, group_of};
use crate::tools;

/// A running server; dropped is stopped.
pub(crate) struct Postgres {
    child: Child,
    port: u16,
}

const SUPERUSER: &str = "packhouse";
const READY_WITHIN: Duration = Duration::from_secs(60);
const STOPPED_WITHIN: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(20);
const LOG_TAIL_LINES: usize = 30;

// Another process can take the port between its choice and its use.
const START_ATTEMPTS: u32 = 5;

const SETTINGS: [&str; 9] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "full_page_writes=off",
    // Each test has a database of its own, and workers would visit all of them over and over.
    "autovacuum=off",
    "max_connections=300",
    // The default is for very small machines; what is not used is not taken.
    "shared_buffers=1GB",
    "log_destination=stderr",
    "logging_collector=off",
];

impl Postgres {
    /// Creates a cluster under `folder` with the programs in `programs`, and starts it.
    pub(crate) fn start(programs: &Path, folder: &Path) -> Result<Self> {
        let cluster = Cluster::create(programs, folder)?;
        for _ in 0..START_ATTEMPTS {
            match cluster.start_once(free_port()?)? {
                Start::Ready(postgres) => return Ok(postgres),
                Start::PortTaken => {}
            }
        }
        Err(cluster.failure("PostgreSQL found no free port"))
    }

    /// The address of its maintenance database, for a superuser without a password.
    pub(crate) fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts it on this port, for the first time or again.
    fn start_at(programs: &Path, folder: &Path, port: u16) -> Result<Self> {
        let cluster = if folder.join("data/PG_VERSION").is_file() {
            Cluster::at(programs, folder)?
        } else {
            Cluster::create(programs, folder)?
        };
        match cluster.start_once(port)? {
            Start::Ready(postgres) => Ok(postgres),
            Start::PortTaken => Err(cluster.failure("PostgreSQL's port is taken")),
        }
    }

    fn has_ended_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return true;
            }
            thread::sleep(POLL);
        }
        false
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let group = group_of(&self.child);
        // SIGQUIT is the immediate shutdown: backends end too, nothing is flushed.
        kill(group, Signal::SIGQUIT).unwrap_or_default();
        if !self.has_ended_within(STOPPED_WITHIN) {
            killpg(group, Signal::SIGKILL).unwrap_or_default();
            self.child.wait().map(drop).unwrap_or_default();
        }
    }
}

/// Runs one until standard input ends. A folder that has data already is used as it is, as after a restart.
pub(crate) fn serve(programs: &Path, folder: &Path, port: u16) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    guard::stop_at_end_of_input(&signals)?;
    let postgres = Postgres::start_at(programs, folder, port)?;
    let mut stdout = io::stdout();
    writeln!(stdout, "{}\n{}", postgres.url(), postgres.child.id()).attempt("cannot tell the address")?;
    stdout.flush().attempt("cannot tell the address")?;
    signals.wait();
    Ok(ExitCode::SUCCESS)
}

enum Start {
    Ready(Postgres),
    PortTaken,
}

struct Cluster {
    programs: PathBuf,
    data: PathBuf,
    log: PathBuf,
    owner: Option<User>,
}

impl Cluster {
    fn at(programs: &Path, folder: &Path) -> Result<Self> {
        let (data, log) = (folder.join("data"), folder.join("log"));
        Ok(Self { programs: programs.to_owned(), data, log, owner: owner()? })
    }

    fn create(programs: &Path, folder: &Path) -> Result<Self> {
        let cluster = Self::at(programs, folder)?;
        fs::create_dir_all(&cluster.data).attempt("cannot create the data folder")?;
        if let Some(owner) = &cluster.owner {
            let (user, group) = (owner.uid.as_raw(), owner.gid.as_raw());
            std::os::unix::fs::chown(&cluster.data, Some(user), Some(group))
                .attempt("cannot give the data folder away")?;
        }
        let status = cluster
            .command("initdb")?
            .arg("--pgdata")
            .arg(&cluster.data)
            .args(["--username", SUPERUSER, "--auth=trust", "--no-sync"])
            // Locale C orders and folds case by bytes, as SQLite does.
            .args(["--locale=C", "--encoding=UTF8"])
            .status()
            .attempt("cannot start `initdb`")?;
        if !status.success() {
            return Err(cluster.failure("`initdb` failed"));
        }
        Ok(cluster)
    }

    fn start_once(&self, port: u16) -> Result<Start> {
        let log_start = fs::metadata(&self.log).map_or(0, |log| log.len());
        let mut command = self.command("postgres")?;
        command.arg("-D").arg(&self.data).args(["-p", &port.to_string()]);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        let child = command.process_group(0).spawn().attempt("cannot start `postgres`")?;
        let mut postgres = Postgres { child, port };

        let deadline = Instant::now() + READY_WITHIN;
        while Instant::now() < deadline {
            // Its own log is the proof that this server answers, not another on the same port.
            if self.log_has(log_start, "database system is ready to accept connections") {
                return Ok(Start::Ready(postgres));
            }
            if postgres.has_ended_within(POLL) {
                if self.log_has(log_start, "could not bind") {
                    return Ok(Start::PortTaken);
                }
                return Err(self.failure("PostgreSQL ended while it started"));
            }
        }
        let seconds = READY_WITHIN.as_secs();
        Err(self.failure(&format!("PostgreSQL was not ready within {seconds} s")))
    }

    // A program of PostgreSQL, which refuses to run as root: root hands it to the owner.
    fn command(&self, program: &str) -> Result<Command> {
        let program = self.programs.join(program);
        let mut command = if tools::is_on_path("setpriv") {
            let mut command = Command::new("setpriv");
            // The kernel stops the server when this process dies without a chance to.
            command.arg("--pdeathsig=QUIT");
            if let Some(owner) = &self.owner {
                command.args([&format!("--reuid={}", owner.uid), &format!("--regid={}", owner.gid), "--clear-groups"]);
            }
            command.arg("--").arg(program);
            command
        } else if self.owner.is_some() {
            return Err(Failure::new(
                "PostgreSQL does not run as root, and `setpriv` (of util-linux) is missing; \
                 install it, or run the tests as another user",
            ));
        } else {
            Command::new(program)
        };
        let log = File::options().create(true).append(true).open(&self.log).attempt("cannot open PostgreSQL's log")?;
        command
            .current_dir(&self.data)
            .stdin(Stdio::null())
            .stdout(log.try_clone().attempt("cannot open PostgreSQL's log")?)
            .stderr(log);
        Ok(command)
    }

    fn log_has(&self, start: u64, words: &str) -> bool {
        let log = fs::read(&self.log).unwrap_or_default();
        let new = log.get(usize::try_from(start).unwrap_or(0)..);
        String::from_utf8_lossy(new.unwrap_or_default()).contains(words)
    }

    fn failure(&self, what: &str) -> Failure {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<_> = log.lines().collect();
        let tail = &lines[lines.len().saturating_sub(LOG_TAIL_LINES)..];
        Failure::new(format!("{what}; the end of its log:\n{}", tail.join("\n")))
    }
}

// Whom root hands the server to; nobody but root has to.
fn owner() -> Result<Option<User>> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    for name in ["postgres", "nobody"] {
        if let Some(user) = User::from_name(name).attempt("cannot look up users")? {
            return Ok(Some(user));
        }
    }
    Err(Failure::new("PostgreSQL does not run as root; add a user with `useradd --system postgres`"))
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).attempt("cannot find a free port")?;
    let address = listener.local_addr().attempt("cannot find a free port")?;
    Ok(address.port())
}
