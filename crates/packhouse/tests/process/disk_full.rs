//! A full disk: uploads are refused with a clear error, everything else works, and uploads work again when space is
//! free.

mod cramped;

use std::time::Duration;

use suite::{Person, Process};

use self::cramped::Cramped;
use crate::{
    shown::Shown,
    tools::{cat, delete, tar},
};

/// The space that a blob folder leaves free for the database.
const RESERVE: usize = 16 << 20;

/// Longer than a store buffers in memory.
const LARGE: usize = 4 << 20;

/// Large enough that its removal makes room for a large upload.
const GONE: usize = RESERVE + 2 * LARGE;

const FULL: &str = "Storage is full; ask the operator of this server to free space";

#[tokio::test]
async fn a_full_store_refuses_uploads_until_garbage_is_collected() {
    let place = Cramped::with_blobs().await;
    let server = place.start().await;
    let ada = cat(&server).await;
    upload(&ada, "kept.bin?publish=1", 40).await;
    upload(&ada, "staged.bin", 50_000).await;
    upload(&ada, "gone.bin?publish=1", GONE).await;

    place.disk.fill(RESERVE / 2);
    uploads_are_refused(&server, &ada, 507).await;
    delete(&ada, "gone.bin").await;
    place.collect().await;

    room_is_found(&ada).await;
    upload(&ada, "large.bin?publish=1", LARGE + 1).await;
    publish(&ada).await;
    place.is_whole(&server, &ada, 4).await;
}

#[tokio::test]
async fn a_full_disk_refuses_uploads_until_there_is_room() {
    let place = Cramped::with_everything().await;
    let mut server = place.start().await;
    let ada = cat(&server).await;
    upload(&ada, "kept.bin?publish=1", 40).await;
    upload(&ada, "staged.bin", 50_000).await;
    upload(&ada, "gone.bin?publish=1", GONE).await;

    place.disk.fill(0);
    uploads_are_refused(&server, &ada, place.full_status()).await;
    place.disk.make_room();
    upload(&ada, "small.bin", 41).await;
    upload(&ada, "large.bin?publish=1", LARGE + 1).await;
    publish(&ada).await;
    place.is_whole(&server, &ada, 5).await;

    server.kill();
    let server = place.start().await;
    place.is_whole(&server, &server.person("ada", ada.key()), 5).await;
}

#[tokio::test]
async fn a_disk_with_room_for_rows_alone_takes_deletes() {
    let place = Cramped::with_everything().await;
    let server = place.start().await;
    let ada = cat(&server).await;
    upload(&ada, "kept.bin?publish=1", 40).await;
    upload(&ada, "gone.bin?publish=1", GONE).await;

    place.disk.fill(RESERVE / 2);
    refused(&ada, "large.bin?publish=1", RESERVE, place.full_status()).await;
    delete(&ada, "gone.bin").await;
    place.collect().await;

    upload(&ada, "large.bin?publish=1", LARGE + 1).await;
    place.is_whole(&server, &ada, 2).await;
}

/// Waits until the server has closed the removed file, which it has sent before.
async fn room_is_found(ada: &Person) {
    let found = async { while put(ada, "small.bin", 41).await.status == 507 {} };
    tokio::time::timeout(Duration::from_secs(10), found).await.expect("removed content takes up no room");
}

/// Asserts that uploads of all sizes are refused and change nothing visible.
async fn uploads_are_refused(server: &Process, ada: &Person, status: u16) {
    let before = Shown::of(&server.anyone(), ada, "cat", "1.0").await.expect("the version is there");
    refused(ada, "small.bin", 41, status).await;
    refused(ada, "large.bin?publish=1", LARGE + 1, status).await;
    refused(ada, "kept.bin?publish=1&override=1", 70_000, status).await;
    // Spooled to the disk of the server, or stored file by file.
    let archive = ada.put("/content/ada/tools/cat/1.0/new/all.tar?explode=1").body(tar(&[("a", "a"), ("b", "b")]));
    archive.await.refuses(507, FULL);
    assert_eq!(Shown::of(&server.anyone(), ada, "cat", "1.0").await.as_ref(), Some(&before));
    before.reads_back(&server.anyone(), ada).await;
    server.anyone().get("//livez").await.expect(200);
}

async fn refused(ada: &Person, file: &str, size: usize, status: u16) {
    let message = match status {
        507 => FULL,
        _ => "The service is not available right now; please try again",
    };
    put(ada, file, size).await.refuses(status, message);
}

async fn upload(ada: &Person, file: &str, size: usize) {
    put(ada, file, size).await.expect(201);
}

fn put(ada: &Person, file: &str, size: usize) -> suite::Call {
    ada.put(&format!("/content/ada/tools/cat/1.0/{file}")).body(vec![b'x'; size])
}

async fn publish(ada: &Person) {
    ada.post("/content/ada/tools/cat/1.0/publish").await.expect(200);
}
