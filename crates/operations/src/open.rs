//! Opens the stores of a house, and the house.

use std::{path::PathBuf, time::Duration};

use blobs::{Blobs, Location};
pub use database::PendingStep;
use database::{Database, Options, ProcessLock, maintenance::nodes};
use model::{node::Node, timestamp::Timestamp};

use crate::{
    Clock, Entropy, Error, House, Policy,
    catalogue::window,
    format::Format,
    maintenance::{master_key, runs::Run},
};

/// A server without a heartbeat for this long has stopped.
const DAY_MS: i64 = 24 * 60 * 60_000;

/// Whether the process is the server or an administration tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Migrates the database, and locks an embedded one for itself.
    Serve,
    /// Works next to a running server, or alone if none is running. Refuses stores without an installation.
    Administer,
    /// Administers, and creates the installation if there is none.
    Initialize,
}

/// The stores of a house.
pub struct StoreConfig {
    /// The URL of the database, which may contain a password.
    pub database_url: String,
    /// The URL of the database for messages, without its password.
    pub shown_database_url: String,
    /// The size of the connection pool, or the number of SQLite's reader threads.
    pub connections: usize,
    /// The time limit for one statement; on SQLite, only for reads.
    pub timeout: Duration,
    /// CA certificates for PostgreSQL's certificate; the system's when absent.
    pub ca_file: Option<PathBuf>,
    /// The location of content.
    pub blobs: Location,
}

/// The stores and the rules of a house.
pub struct HouseConfig {
    /// The stores.
    pub stores: StoreConfig,
    /// The file of the master key.
    pub master_key: PathBuf,
    /// The file of the server's runs.
    pub runs: PathBuf,
    /// The operator's rules.
    pub policy: Policy,
    /// The formats of repositories.
    pub formats: &'static [&'static dyn Format],
}

/// The reason why a house or its stores do not open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The database does not open, or another process uses it.
    #[error("database {url}: {reason}")]
    Database {
        /// The URL of the database, without its password.
        url: String,
        /// The reason.
        reason: String,
    },
    /// There is no installation to administer.
    #[error("database {url} has no installation; check the settings{hint}")]
    NoInstallation {
        /// The URL of the database, without its password.
        url: String,
        /// How to create one, for the commands that can.
        hint: &'static str,
    },
    /// The blob store does not open.
    #[error("blobs: {0}")]
    Blobs(String),
    /// The stores are open, but not the house on them.
    #[error(transparent)]
    House(#[from] Error),
}

/// An open house, with the lock that marks it as in use.
pub struct OpenHouse {
    /// The house.
    pub house: House,
    /// Held while the process works on an embedded database.
    pub lock: Option<ProcessLock>,
}

/// Stores opened for exclusive use, for a tool that fills them.
pub struct OpenStores {
    /// The database; it may have no schema yet.
    pub db: Database,
    /// The blob store.
    pub blobs: Blobs,
    /// Held while the process works on an embedded database.
    pub lock: Option<ProcessLock>,
}

/// Opens the stores, and builds a house on them.
#[boxed::future]
pub async fn house(
    config: HouseConfig,
    clock: Clock,
    entropy: Entropy,
    purpose: Purpose,
) -> Result<OpenHouse, OpenError> {
    let (db, lock) = config.stores.open_database(&clock, purpose).await?;
    let secrets = master_key::open(&db, &config.master_key, &entropy).await?;
    let random = entropy.number();
    let run = match purpose {
        Purpose::Serve => Run::recorded(random, &config.runs),
        Purpose::Administer | Purpose::Initialize => Run::alone(random),
    };
    let blobs = open_blobs(config.stores.blobs, random).await?;
    let house = House::open((db, blobs), clock, entropy, secrets, config.policy, config.formats, run).await?;
    if purpose == Purpose::Serve {
        window::follow_setting(&house).await?;
    }
    Ok(OpenHouse { house, lock })
}

/// Opens the stores without writing to them.
#[boxed::future]
pub async fn stores(config: StoreConfig, entropy: &Entropy) -> Result<OpenStores, OpenError> {
    let db = config.connect().await?;
    let lock = db.lock().map_err(|error| config.problem(&error))?;
    let blobs = open_blobs(config.blobs, entropy.number()).await?;
    Ok(OpenStores { db, blobs, lock })
}

/// What the start of this program would change in a database.
#[derive(Debug)]
pub struct UpgradePlan {
    /// The steps that would run.
    pub pending: Vec<PendingStep>,
    /// The servers of the last day.
    pub nodes: Vec<Node>,
}

/// Looks at a database, next to its servers, and says what a start would change. Writes nothing.
#[boxed::future]
pub async fn plan_upgrade(config: &StoreConfig, now: Timestamp) -> Result<UpgradePlan, OpenError> {
    let problem = |error: database::Error| config.problem(&error);
    let db = config.connect().await?;
    if !db.has_schema().await.map_err(problem)? {
        return Err(OpenError::NoInstallation { url: config.shown_database_url.clone(), hint: "" });
    }
    let pending = db.pending_steps().await.map_err(problem)?;
    let since = Timestamp::from_millis(now.millis() - DAY_MS);
    let nodes = nodes::list(&db, since).await.map_err(problem)?;
    Ok(UpgradePlan { pending, nodes })
}

async fn open_blobs(location: Location, instance: u64) -> Result<Blobs, OpenError> {
    Blobs::open(location, instance).await.map_err(|error| OpenError::Blobs(error.to_string()))
}

impl StoreConfig {
    async fn connect(&self) -> Result<Database, OpenError> {
        let options = Options { connections: self.connections, timeout: self.timeout, ca_file: self.ca_file.clone() };
        Database::open(&self.database_url, &options).await.map_err(|error| self.problem(&error))
    }

    fn problem(&self, error: &database::Error) -> OpenError {
        OpenError::Database { url: self.shown_database_url.clone(), reason: error.to_string() }
    }

    async fn open_database(
        &self,
        clock: &Clock,
        purpose: Purpose,
    ) -> Result<(Database, Option<ProcessLock>), OpenError> {
        let db = self.connect().await?;
        if purpose == Purpose::Administer && !db.has_schema().await.map_err(|error| self.problem(&error))? {
            let hint = ", or add --init to create one";
            return Err(OpenError::NoInstallation { url: self.shown_database_url.clone(), hint });
        }
        match (db.lock(), purpose) {
            (Ok(lock), _) => {
                self.migrate(&db, clock, purpose).await?;
                Ok((db, lock))
            }
            // The server is running: it has migrated the database, and SQLite lets both processes write in turn.
            (Err(database::Error::InUse(_)), Purpose::Administer | Purpose::Initialize) => {
                db.check_schema().await.map_err(|error| self.problem(&error))?;
                Ok((db, None))
            }
            (Err(error), _) => Err(self.problem(&error)),
        }
    }

    async fn migrate(&self, db: &Database, clock: &Clock, purpose: Purpose) -> Result<(), OpenError> {
        match (db.migrate(clock.now()).await, purpose) {
            // A node of the previous release, which restarts while the others are being upgraded.
            (Err(database::Error::Broken(_)), Purpose::Serve)
                if db.serves_this_program().await.map_err(|error| self.problem(&error))? =>
            {
                tracing::warn!("the database was migrated by a newer packhouse; this version still works with it");
                Ok(())
            }
            (migrated, _) => migrated.map_err(|error| self.problem(&error)),
        }
    }
}
