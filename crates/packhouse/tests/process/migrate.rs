//! `packhouse admin migrate`: a house on SQLite and a folder moves to the stores of the stack.

use std::fs;

use suite::{Ended, Person, Process, Stack};
use tempfile::TempDir;

use crate::{
    program::{run, run_with, start, start_with},
    store::Store,
    tools::{cat, read, upload},
};

const MEOW: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

/// A house on SQLite and a folder, on both stacks, and an empty target.
struct Move {
    data: TempDir,
    new: Stack,
}

impl Move {
    async fn begin() -> Self {
        Self { data: tempfile::tempdir().expect("the temporary folder is writable"), new: Stack::create().await }
    }

    fn here(&self) -> [(&'static str, String); 3] {
        let data = self.data.path().display();
        [
            ("PACKHOUSE_DATA", data.to_string()),
            ("PACKHOUSE_DATABASE_URL", format!("sqlite://{data}/house.db")),
            ("PACKHOUSE_BLOBS", format!("{data}/blobs")),
        ]
    }

    /// Starts a server on the old house and uploads two files.
    async fn serve(&self) -> (Process, Person) {
        let here = self.here();
        let server = start_with(&self.new, &here.each_ref().map(|(name, value)| (*name, value.as_str()))).await;
        let ada = cat(&server).await;
        upload(&ada, "1.0/one.bin", "meow").await;
        upload(&ada, "1.0/two.bin", &"purr".repeat(100_000)).await;
        ada.put("/content/ada/tools/cat/1.1/staged.bin").body("hiss").await.expect(201);
        (server, ada)
    }

    async fn migrate(&self) -> Ended {
        let settings = self.new.settings();
        let content = settings.iter().find(|(key, _)| key == "blobs").map(|(_, value)| value.clone());
        let content = content.unwrap_or_else(|| self.new.data.path().join("blobs").display().to_string());
        let here = self.here();
        let here = here.each_ref().map(|(name, value)| (*name, value.as_str()));
        run_with(&self.new, &["admin", "migrate", "--to", self.new.database_url(), &content], &here).await
    }

    fn bring_key(&self) {
        let key = |folder: &std::path::Path| folder.join("master.key");
        fs::copy(key(self.data.path()), key(self.new.data.path())).expect("the key is copied");
    }
}

#[tokio::test]
async fn a_house_moves_with_all_its_rows_and_all_its_content() {
    let moving = Move::begin().await;
    let (mut server, ada) = moving.serve().await;
    server.kill();

    let moved = moving.migrate().await.succeeds();

    assert!(moved.starts_with("moved "), "{moved}");
    assert!(
        moved.lines().next().is_some_and(|line| line.ends_with(" and 3 blobs of 400008 bytes (390.6 KiB)")),
        "{moved}"
    );
    assert!(moved.contains("\n  files 3\n"), "{moved}");
    moving.bring_key();
    run(&moving.new, &["admin", "verify"]).await.succeeds();
    assert_eq!(run(&moving.new, &["admin", "check"]).await.succeeds(), "no damage found");
    let server = start(&moving.new).await;
    let there = server.person("ada", ada.key());
    assert_eq!(read(&there, "one.bin").await, "meow");
    assert_eq!(read(&there, "two.bin").await, "purr".repeat(100_000));
    assert_eq!(read(&there, "staged.bin").await, "hiss");
    there.post("/content/ada/tools/cat/1.1/publish").await.expect(200);
    assert_eq!(read(&server.anyone(), "staged.bin").await, "hiss");
}

#[tokio::test]
async fn a_house_does_not_move_while_it_is_served() {
    let moving = Move::begin().await;
    let (server, ada) = moving.serve().await;
    let refused = moving.migrate().await.fails();
    assert!(refused.contains("only while its server is stopped"), "{refused}");
    assert_eq!(read(&server.person("ada", ada.key()), "one.bin").await, "meow");
}

#[tokio::test]
async fn a_house_moves_to_an_empty_place_only() {
    let moving = Move::begin().await;
    let (mut server, _) = moving.serve().await;
    server.kill();
    let store = Store::of(&moving.new);
    // A blob that does not belong to this house.
    store.put(&"0".repeat(64), "woof").await;
    let refused = moving.migrate().await.fails();
    assert!(refused.contains("the content store is not empty"), "{refused}");
    store.remove(&"0".repeat(64)).await;

    moving.migrate().await.succeeds();
    let refused = moving.migrate().await.fails();
    assert!(refused.contains("the database is not empty"), "{refused}");
}

#[tokio::test]
async fn a_move_that_was_cut_off_is_started_again() {
    let moving = Move::begin().await;
    let (mut server, ada) = moving.serve().await;
    server.kill();
    // A damaged blob from an earlier attempt.
    Store::of(&moving.new).put(MEOW, "woof").await;

    moving.migrate().await.succeeds();

    moving.bring_key();
    let server = start(&moving.new).await;
    assert_eq!(read(&server.person("ada", ada.key()), "one.bin").await, "meow");
}

#[tokio::test]
async fn a_house_with_damaged_content_does_not_move() {
    let moving = Move::begin().await;
    let (mut server, _) = moving.serve().await;
    server.kill();
    Store::Folder(moving.data.path().join("blobs")).put(MEOW, "woof").await;
    let refused = moving.migrate().await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stdout.starts_with(&format!("damaged {MEOW} ada/tools/one.bin: ")), "{refused:?}");
    assert!(refused.stderr.contains("no row was moved"), "{refused:?}");
}
