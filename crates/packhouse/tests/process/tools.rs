//! A repository to upload to, and a way past the program into its database.

use serde_json::json;
use suite::{Person, Process, Stack};

/// A user with the package `ada/tools/cat`.
pub(crate) async fn cat(server: &Process) -> Person {
    let ada = server.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada
}

/// Uploads to `ada/tools/cat/version/path`, published at once.
pub(crate) async fn upload(by: &Person, path: &str, bytes: &str) {
    by.put(&format!("/content/ada/tools/cat/{path}?publish=1")).body(bytes.to_owned()).await.expect(201);
}

/// Deletes a file of `ada/tools`.
pub(crate) async fn delete(by: &Person, path: &str) {
    by.delete(&format!("/content/ada/tools/{path}")).await.expect(200);
}

/// What is read at a path of `ada/tools`.
pub(crate) async fn read(who: &Person, path: &str) -> String {
    who.download(&format!("/ada/tools/{path}")).await.expect(200).text()
}

/// Changes one row.
pub(crate) async fn tamper(stack: &Stack, sql: &str) {
    match stack.database_file() {
        Some(file) => {
            let changed = rusqlite::Connection::open(file).expect("it opens").execute(sql, []);
            assert_eq!(changed.expect("it runs"), 1);
        }
        None => {
            let connect = tokio_postgres::connect(stack.database_url(), tokio_postgres::NoTls);
            let (client, connection) = connect.await.expect("it answers");
            let connection = tokio::spawn(connection);
            assert_eq!(client.execute(sql, &[]).await.expect("it runs"), 1);
            drop(client);
            drop(connection.await);
        }
    }
}
