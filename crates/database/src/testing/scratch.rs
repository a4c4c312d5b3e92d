//! Throw-away databases for tests, on the stack that `PACKHOUSE_TEST_STACK` names.

use std::{
    hash::{BuildHasher, RandomState},
    path::PathBuf,
};

use tokio_postgres::Client;

use crate::{Database, Options, testing::template};

/// The name of an embedded database in its folder.
const FILE: &str = "packhouse.db";

/// A fresh, empty database of the stack under test.
pub struct Scratch {
    /// The value for `database_url`.
    pub url: String,
    /// A unique name, for other resources of the same test.
    pub name: String,
    folder: Option<PathBuf>,
}

impl Scratch {
    /// Creates a database: a folder for SQLite, or a database on the server at `PACKHOUSE_TEST_POSTGRES`.
    pub async fn create() -> Scratch {
        let scratch = Self::name();
        if let Some(server) = scratch.server() {
            create_database(&connect(&server).await, &scratch.name, "template1").await.expect("a database can be made");
        }
        scratch
    }

    /// Creates a database with the schema: a copy of a template, which the first test of a run creates. That takes a
    /// tenth of the time of all migration steps.
    pub async fn with_schema() -> Scratch {
        let scratch = Self::name();
        match scratch.file() {
            Some(file) => template::copy_file(&scratch, &file).await,
            None => template::copy_database(&connect(&server()).await, &scratch).await,
        }
        scratch
    }

    /// Chooses the location. A folder is created at once, a database on a server is not.
    fn name() -> Scratch {
        // Process ids are not enough: they are reused while the database servers keep running.
        let name = format!("scratch_{:016x}", RandomState::new().hash_one("scratch"));
        if !is_cluster() {
            let folder = std::env::temp_dir().join(format!("packhouse-{name}"));
            std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
            return Scratch { url: format!("sqlite://{}", folder.join(FILE).display()), name, folder: Some(folder) };
        }
        let server = server();
        let base = server.rsplit_once('/').expect("the address ends in a database").0;
        Scratch { url: format!("{base}/{name}"), name, folder: None }
    }

    /// Returns the URL of PostgreSQL's maintenance database; `None` for an embedded database.
    fn server(&self) -> Option<String> {
        self.folder.is_none().then(server)
    }

    /// Returns the file of an embedded database; `None` for one on a server.
    fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(FILE))
    }

    /// Opens the database with the default options.
    pub async fn open(&self) -> Database {
        Database::open(&self.url, &Options { connections: 4, ..Options::default() }).await.expect("it opens")
    }
}

fn server() -> String {
    std::env::var("PACKHOUSE_TEST_POSTGRES").expect("`cargo xtask test` sets PACKHOUSE_TEST_POSTGRES")
}

async fn connect(server: &str) -> Client {
    let (client, connection) =
        tokio_postgres::connect(server, tokio_postgres::NoTls).await.expect("the test server answers");
    tokio::spawn(connection);
    client
}

/// Creates a database. Copying the files of the template takes a third of the processor time of writing its blocks to the
/// log, which servers since version 15 do unless told otherwise; earlier ones always copy.
pub(crate) async fn create_database(client: &Client, name: &str, template: &str) -> Result<(), tokio_postgres::Error> {
    let version: String = client.query_one("SHOW server_version_num", &[]).await?.get(0);
    let strategy = if version.as_str() < "150000" { "" } else { "STRATEGY file_copy" };
    client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template} {strategy}")).await
}

impl Drop for Scratch {
    fn drop(&mut self) {
        match &self.folder {
            Some(folder) => drop(std::fs::remove_dir_all(folder)),
            None => drop_database(&self.name),
        }
    }
}

/// Deletes a database with its connections: the server's data is in memory. The thread of the test may run a runtime, so
/// another one does it.
fn drop_database(name: &str) {
    let statement = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        runtime.block_on(async {
            let client = connect(&server()).await;
            client.batch_execute(&statement).await.expect("the database can be deleted");
        });
    });
    // A database that stays only takes up room, and its thread has said so.
    thread.join().unwrap_or_default();
}

/// Returns whether the suite runs on PostgreSQL and an S3 store instead of SQLite and a folder.
pub fn is_cluster() -> bool {
    match std::env::var("PACKHOUSE_TEST_STACK").as_deref() {
        Ok("cluster") => true,
        Ok("embedded") | Err(_) => false,
        Ok(other) => panic!("PACKHOUSE_TEST_STACK is `{other}`; it may be embedded or cluster"),
    }
}
