//! A repository to upload to, and direct access to its database.

use std::time::Duration;

use serde_json::json;
use suite::{Person, Process, Stack};

/// Creates a user with the package `ada/tools/cat`.
pub(crate) async fn cat(server: &Process) -> Person {
    let ada = server.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada
}

/// Uploads to `ada/tools/cat/version/path` and publishes.
pub(crate) async fn upload(by: &Person, path: &str, bytes: &str) {
    by.put(&format!("/content/ada/tools/cat/{path}?publish=1")).body(bytes.to_owned()).await.expect(201);
}

/// Deletes a file of `ada/tools`.
pub(crate) async fn delete(by: &Person, path: &str) {
    by.delete(&format!("/content/ada/tools/{path}")).await.expect(200);
}

/// Returns the content at a path of `ada/tools`.
pub(crate) async fn read(who: &Person, path: &str) -> String {
    who.download(&format!("/ada/tools/{path}")).await.expect(200).text()
}

/// Creates an archive of files, by their names.
pub(crate) fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, content.as_bytes()).expect("it is in memory");
    }
    archive.into_inner().expect("it is in memory")
}

/// Changes one row.
pub(crate) async fn tamper(stack: &Stack, sql: &str) {
    assert_eq!(change(stack, sql).await, 1);
}

/// Changes rows, and returns their number.
pub(crate) async fn change(stack: &Stack, sql: &str) -> u64 {
    match stack.database_file() {
        Some(file) => {
            let changed = rusqlite::Connection::open(file).expect("it opens").execute(sql, []);
            changed.expect("it runs") as u64
        }
        None => {
            let connect = tokio_postgres::connect(stack.database_url(), tokio_postgres::NoTls);
            let (client, connection) = connect.await.expect("it answers");
            let connection = tokio::spawn(connection);
            let changed = client.execute(sql, &[]).await.expect("it runs");
            drop(client);
            drop(connection.await);
            changed
        }
    }
}

/// Waits until the sessions of a killed server have ended: PostgreSQL may still execute their statements.
pub(crate) async fn sessions_end(stack: &Stack) {
    if stack.is_cluster() {
        let connect = tokio_postgres::connect(stack.database_url(), tokio_postgres::NoTls);
        let (client, connection) = connect.await.expect("it answers");
        let connection = tokio::spawn(connection);
        let others = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        while !client.query(others, &[]).await.expect("it runs").is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        drop(client);
        drop(connection.await);
    }
}
