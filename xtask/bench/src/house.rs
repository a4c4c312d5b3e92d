//! The release build with its own stores, which are deleted at the end.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use database::{Database, catalogue::repos};
use model::{
    id::RepoId,
    names::{RepoName, SubjectName},
};
use nix::sys::signal::{Signal, kill};
use tempfile::TempDir;

use crate::owner::OWNER;
use crate::processes::processor_seconds;
use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};
use xtask::servers::Servers;
use xtask::signals::group_of;
use xtask::tools;

/// The API key of the administrator of every house.
pub(crate) const ADMIN_KEY: &str = "the-key-of-the-administrator-in-benchmarks";

/// A database engine.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// SQLite, in a file
    Sqlite,
    /// A throw-away PostgreSQL server
    Postgres,
}

impl Engine {
    /// Returns its name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The database engines to measure, one after the other.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Engines {
    /// SQLite, in a file
    Sqlite,
    /// A throw-away PostgreSQL server
    Postgres,
    /// One after the other
    Both,
}

impl Engines {
    /// Returns the engines.
    pub(crate) fn each(self) -> &'static [Engine] {
        match self {
            Self::Sqlite => &[Engine::Sqlite],
            Self::Postgres => &[Engine::Postgres],
            Self::Both => &[Engine::Sqlite, Engine::Postgres],
        }
    }
}

/// The variable with the path of a program to measure instead of a build of the sources, such as an older release.
const PROGRAM: &str = "PACKHOUSE_BENCH_PROGRAM";

/// Builds the program as it is shipped, and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    if let Some(program) = std::env::var_os(PROGRAM) {
        return Ok(program.into());
    }
    eprintln!("building packhouse");
    let program = dist::compile::build(cargo::workspace_root(), &cargo::target_folder()?)?;
    dist::compile::check(&program)?;
    Ok(program)
}

/// A temporary folder and, if needed, a PostgreSQL server for a house.
pub(crate) struct HouseFolder {
    folder: TempDir,
    servers: Option<Servers>,
}

impl HouseFolder {
    /// Prepares a folder, and a PostgreSQL server if the engine needs one.
    pub(crate) fn new(engine: Engine) -> Result<Self> {
        let folder = TempDir::with_prefix("packhouse-bench-").attempt("cannot create a temporary folder")?;
        let servers = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Servers::start(&tools::ensure()?)?),
        };
        Ok(Self { folder, servers })
    }

    /// Returns the URL of its database.
    pub(crate) fn database_url(&self) -> String {
        let mut environment = self.servers.iter().flat_map(Servers::environment);
        match environment.find(|(name, _)| name == "PACKHOUSE_TEST_POSTGRES") {
            // As in production: the server of the tests plans for unknown values.
            Some((_, url)) => format!("{url}?options=-c%20plan_cache_mode%3Dauto"),
            None => format!("sqlite://{}", self.folder.path().join("packhouse.db").display()),
        }
    }

    /// Returns the processor time that the program and its PostgreSQL server have used so far, in seconds.
    pub(crate) fn processor_seconds(&self, house: &House) -> Result<f64> {
        let servers = self.servers.as_ref().map(|servers| processor_seconds(servers.pid()));
        Ok(processor_seconds(house.pid())? + servers.transpose()?.unwrap_or_default())
    }

    /// Starts the program with these stores, and waits until it is ready.
    pub(crate) fn serve(&self, program: &Path) -> Result<House> {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::vars().filter(|(name, _)| !name.starts_with("PACKHOUSE_")));
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(self.folder.path())
            .current_dir(self.folder.path())
            .env("PACKHOUSE_DATABASE_URL", self.database_url())
            .env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY)
            // Layers of images may be larger than the default.
            .env("PACKHOUSE_LIMITS__UPLOAD_BYTES", (16_u64 << 30).to_string())
            .env("PACKHOUSE_LOG__LEVEL", "warn");
        House::launch(command)
    }
}

/// The running program. Dropping it stops it.
pub(crate) struct House {
    child: Child,
    /// Its standard output, which must stay open.
    said: BufReader<ChildStdout>,
    /// The host and port that it listens on.
    pub(crate) address: String,
}

impl House {
    /// Starts the program, and waits until it is ready.
    pub(crate) fn launch(mut command: Command) -> Result<Self> {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().attempt("cannot start the program")?;
        let said = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let mut house = House { child, said, address: String::new() };
        let mut line = String::new();
        while house.said.read_line(&mut line).attempt("cannot read from the program")? > 0 {
            if let Some(address) = line.trim().strip_prefix("pages") {
                house.address = address.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
                return Ok(house);
            }
            line.clear();
        }
        Err(Failure::new("packhouse exited before it was ready, see above"))
    }

    /// Returns its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // It may have exited by itself.
        kill(group_of(&self.child), Signal::SIGTERM).unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// Returns the id of one of the owner's repositories.
pub(crate) async fn find_repo(db: &Database, name: &str) -> Result<RepoId> {
    let owner = SubjectName::parse(OWNER).attempt("invalid name of the owner")?;
    let name = RepoName::parse(name).attempt("invalid name of the repository")?;
    let found = repos::find(db, &owner, &name, None).await.attempt("cannot find the repository")?;
    Ok(found.ok_or_else(|| Failure::new("the repository is missing"))?.repo.id)
}
