//! Databases with a complete schema that tests copy instead of running all migration steps.

use std::path::Path;

use model::timestamp::Timestamp;
use tokio_postgres::{Client, error::SqlState};

use crate::{
    engine::migrations,
    testing::scratch::{Scratch, create_database},
};

/// The advisory lock for creating the template on a server.
const TEMPLATE_LOCK: i64 = 7_226_418;

/// Returns a name that depends on the schema, because programs with different schemas may use the same server.
fn template_name() -> String {
    format!("template_{}", &migrations::fingerprint()[..16])
}

/// Creates a database on the server with the schema.
pub(crate) async fn copy_database(client: &Client, scratch: &Scratch) {
    let template = template_name();
    if let Err(error) = create_database(client, &scratch.name, &template).await {
        assert_eq!(error.code(), Some(&SqlState::INVALID_CATALOG_NAME), "{error}");
        make_template(client, scratch, &template).await;
        create_database(client, &scratch.name, &template).await.expect("the template can be copied");
    }
}

/// Creates an embedded database with the schema.
pub(crate) async fn copy_file(scratch: &Scratch, file: &Path) {
    let template = std::env::temp_dir().join(format!("packhouse-{}.db", template_name()));
    if !template.is_file() {
        let db = scratch.open().await;
        db.migrate(Timestamp::EPOCH).await.expect("the schema can be made");
        let snapshot = file.with_extension("template");
        db.take_snapshot(&snapshot).await.expect("the template can be written");
        // At once, so that no test reads half a template. Another test may have been faster; both wrote the same.
        std::fs::rename(&snapshot, &template).expect("the template gets its name");
        return;
    }
    std::fs::copy(&template, file).expect("the template can be copied");
}

/// Creates the template unless another test was first. It gets its final name when it is complete and has no
/// connections.
async fn make_template(client: &Client, scratch: &Scratch, template: &str) {
    let lock = format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})");
    client.batch_execute(&lock).await.expect("the lock is free at some time");
    let known = client.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&template]).await;
    if known.expect("databases can be listed").is_empty() {
        create_database(client, &scratch.name, "template1").await.expect("a database can be made");
        let db = scratch.open().await;
        db.migrate(Timestamp::EPOCH).await.expect("the schema can be made");
        drop(db);
        rename(client, &scratch.name, template).await;
    }
    let unlock = format!("SELECT pg_advisory_unlock({TEMPLATE_LOCK})");
    client.batch_execute(&unlock).await.expect("the lock is given back");
}

/// Renames a database. Retries, because the server may still count connections that were closed a moment ago.
async fn rename(client: &Client, from: &str, to: &str) {
    let statement = format!("ALTER DATABASE {from} RENAME TO {to}");
    for _ in 0..500 {
        match client.batch_execute(&statement).await {
            Ok(()) => return,
            Err(error) => assert_eq!(error.code(), Some(&SqlState::OBJECT_IN_USE), "{error}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("somebody stays connected to {from}");
}
