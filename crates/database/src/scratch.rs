//! Throw-away databases for tests, on the stack that `PACKHOUSE_TEST_STACK` names.

use std::{
    hash::{BuildHasher, RandomState},
    path::PathBuf,
};

use crate::{Database, Options};

/// A fresh, empty database of the stack under test.
pub struct Scratch {
    /// What `database_url` would be.
    pub url: String,
    /// A name that nothing else has, for more places of the same test.
    pub name: String,
    folder: Option<PathBuf>,
}

impl Scratch {
    /// Makes one: a folder for SQLite, or a database of the server at `PACKHOUSE_TEST_POSTGRES`.
    pub async fn create() -> Scratch {
        // Process numbers come round again while the servers go on, so they are not enough.
        let name = format!("scratch_{:016x}", RandomState::new().hash_one("scratch"));
        if !is_cluster() {
            let folder = std::env::temp_dir().join(format!("packhouse-{name}"));
            std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
            return Scratch {
                url: format!("sqlite://{}", folder.join("packhouse.db").display()),
                name,
                folder: Some(folder),
            };
        }
        let server = std::env::var("PACKHOUSE_TEST_POSTGRES").expect("`cargo xtask test` sets PACKHOUSE_TEST_POSTGRES");
        let (client, connection) =
            tokio_postgres::connect(&server, tokio_postgres::NoTls).await.expect("the test server answers");
        tokio::spawn(connection);
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a database can be made");
        let base = server.rsplit_once('/').expect("the address ends in a database").0;
        Scratch { url: format!("{base}/{name}"), name, folder: None }
    }

    /// Opens it with the default options.
    pub async fn open(&self) -> Database {
        Database::open(&self.url, &Options { connections: 4, ..Options::default() }).await.expect("it opens")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}

/// Whether the suite runs on PostgreSQL and an S3 store rather than on SQLite and a folder.
pub fn is_cluster() -> bool {
    match std::env::var("PACKHOUSE_TEST_STACK").as_deref() {
        Ok("cluster") => true,
        Ok("embedded") | Err(_) => false,
        Ok(other) => panic!("PACKHOUSE_TEST_STACK is `{other}`; it may be embedded or cluster"),
    }
}
