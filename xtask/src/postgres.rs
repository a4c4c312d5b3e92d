//! A throw-away PostgreSQL server: fast, because its data need not outlive the run.

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

/// A running server. Dropping it stops it.
pub(crate) struct Postgres {
    child: Child,
    port: u16,
}

const SUPERUSER: &str = "packhouse";
const READY_WITHIN: Duration = Duration::from_secs(60);
const STOPPED_WITHIN: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(20);
const LOG_TAIL_LINES: usize = 30;

// Another process can take a free port before the server binds it.
const START_ATTEMPTS: u32 = 5;

const SETTINGS: [&str; 12] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "full_page_writes=off",
    // Each test has its own database, and workers would visit all of them repeatedly.
    "autovacuum=off",
    // Nobody replicates from it or archives its log, so it need not write what only they would read.
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_connections=300",
    // The default is for very small machines; unused memory is not allocated.
    "shared_buffers=1GB",
    // Connections of tests are short: they would plan a statement for each of its first five calls.
    "plan_cache_mode=force_generic_plan",
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

    /// Returns the URL of its maintenance database, for a superuser without a password.
    pub(crate) fn url(&self) -> String {
        format!("postgres://{SUPERUSER}@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts the server on this port, for the first time or again.
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
        // SIGQUIT is the immediate shutdown: backends exit, too, and nothing is flushed.
        kill(group, Signal::SIGQUIT).unwrap_or_default();
        if !self.has_ended_within(STOPPED_WITHIN) {
            killpg(group, Signal::SIGKILL).unwrap_or_default();
            self.child.wait().map(drop).unwrap_or_default();
        }
    }
}

/// Runs a server until standard input ends. A folder that already has data is used as it is, as after a restart.
pub(crate) fn serve(programs: &Path, folder: &Path, port: u16) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    guard::stop_at_end_of_input(&signals)?;
    let postgres = Postgres::start_at(programs, folder, port)?;
    let mut stdout = io::stdout();
    writeln!(stdout, "{}\n{}", postgres.url(), postgres.child.id()).attempt("cannot print the URL")?;
    stdout.flush().attempt("cannot print the URL")?;
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
                .attempt("cannot change the owner of the data folder")?;
        }
        let status = cluster
            .command("initdb")?
            .arg("--pgdata")
            .arg(&cluster.data)
            .args(["--username", SUPERUSER, "--auth=trust", "--no-sync"])
            // Locale C sorts and folds case by bytes, as SQLite does.
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
            // Its log proves that this server is ready, not another one on the same port.
            if self.log_has(log_start, "database system is ready to accept connections") {
                return Ok(Start::Ready(postgres));
            }
            if postgres.has_ended_within(POLL) {
                if self.log_has(log_start, "could not bind") {
                    return Ok(Start::PortTaken);
                }
                return Err(self.failure("PostgreSQL exited during startup"));
            }
        }
        let seconds = READY_WITHIN.as_secs();
        Err(self.failure(&format!("PostgreSQL was not ready within {seconds} s")))
    }

    // Returns a command for a program of PostgreSQL. It refuses to run as root, so root runs it as the owner.
    fn command(&self, program: &str) -> Result<Command> {
        let program = self.programs.join(program);
        let mut command = if tools::is_on_path("setpriv") {
            let mut command = Command::new("setpriv");
            // The kernel stops the server if this process dies before it can do so.
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

// Returns the user that root runs the server as. `None` for all users other than root.
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
