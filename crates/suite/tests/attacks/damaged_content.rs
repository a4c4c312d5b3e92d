//! Stored bytes that were damaged without the server's knowledge.

use std::{fs, path::PathBuf};

use model::id::BlobId;
use operations::{jobs, maintenance::scrub};
use serde_json::json;
use sha2::{Digest, Sha256};
use suite::{Person, TestHouse};

/// A day of the house's clock.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Larger than content that is verified on every read.
const LARGE: usize = 300_000;

/// The path of the test file.
const PATH: &str = "/ada/tools/cat.bin";

fn content(size: usize) -> Vec<u8> {
    (0..size).map(|index| u8::try_from(index % 251).expect("a byte")).collect()
}

struct Scene {
    house: TestHouse,
    ada: Person,
    bytes: Vec<u8>,
    file: PathBuf,
}

impl Scene {
    /// Starts a house with a published file that was downloaded once, so that its response is cached.
    async fn start(size: usize, settings: &[(&str, &str)]) -> Self {
        let house = TestHouse::start_with(settings).await;
        let ada = house.user("ada").await;
        ada.post("/repos/ada/tools").json(json!({"type": "generic"})).await.expect(201);
        ada.post("/packages/ada/tools").json(json!({"name": "cat", "licenses": ["MIT"]})).await.expect(201);
        let bytes = content(size);
        let digest = model::digest::hex(&Sha256::digest(&bytes));
        let file = house.stack().blob_file(&digest);
        let scene = Self { house, ada, bytes, file };
        scene.upload().await;
        scene.expect_whole().await;
        scene
    }

    async fn upload(&self) {
        let call = self.ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1");
        call.body(self.bytes.clone()).await.expect(201);
    }

    async fn expect_whole(&self) {
        let answer = self.house.anyone().download(PATH).await.expect(200);
        assert!(answer.body == self.bytes, "the content differs");
    }

    /// Asserts that no request returns a byte of it.
    async fn expect_withheld(&self) {
        let anyone = self.house.anyone();
        for call in [
            anyone.download(PATH),
            anyone.download(PATH).header("range", "bytes=0-9"),
            anyone.download(PATH).header("if-none-match", "\"other\""),
            self.ada.download(PATH),
        ] {
            let answer = call.await.expect(503);
            assert!(answer.message().starts_with("The stored content of this file is damaged"), "{}", answer.message());
            assert_eq!(answer.header("retry-after"), "300");
        }
    }

    fn flip(&self) {
        let mut bytes = fs::read(&self.file).expect("the blob is stored");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&self.file, bytes).expect("writable");
    }

    fn truncate(&self, size: u64) {
        fs::File::options().write(true).open(&self.file).and_then(|file| file.set_len(size)).expect("writable");
    }

    async fn scrub(&self) {
        for name in ["suspects", "scrub"] {
            jobs::run_once(self.house.app().house(), name).await.expect("scrubbed");
        }
    }
}

#[tokio::test]
async fn a_flipped_byte_is_found_withheld_and_healed_by_an_upload() {
    for size in [LARGE, 100] {
        let scene = Scene::start(size, &[]).await;
        scene.flip();
        scene.scrub().await;
        scene.expect_withheld().await;
        let listed = scrub::list_damaged(scene.house.app().house(), BlobId::NONE).await.expect("listed");
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].files, ["ada/tools/cat.bin"]);
        let metrics = scene.house.anyone().get("//metrics").await.text();
        assert!(metrics.contains("packhouse_damaged_blobs 1"), "{metrics}");
        scene.upload().await;
        scene.expect_whole().await;
        assert!(scrub::list_damaged(scene.house.app().house(), BlobId::NONE).await.expect("listed").is_empty());
    }
}

#[tokio::test]
async fn a_blob_that_is_cut_or_lost_is_withheld_and_healed_by_an_upload() {
    for cut in [Some(1_000), Some(0), None] {
        let scene = Scene::start(LARGE, &[]).await;
        match cut {
            Some(size) => scene.truncate(size),
            None => fs::remove_file(&scene.file).expect("removed"),
        }
        scene.scrub().await;
        scene.expect_withheld().await;
        scene.upload().await;
        scene.expect_whole().await;
    }
}

#[tokio::test]
async fn wrong_bytes_that_nobody_has_found_yet_are_replaced_by_an_upload_a_day_later() {
    let scene = Scene::start(LARGE, &[]).await;
    scene.flip();
    scene.house.clock.advance(DAY + 1);
    scene.upload().await;
    let stored = fs::read(&scene.file).expect("the blob is stored");
    assert!(stored == scene.bytes, "the bytes are right again");
    scene.expect_whole().await;
}

#[tokio::test]
async fn an_upload_as_another_file_heals_it_as_well() {
    let scene = Scene::start(LARGE, &[]).await;
    scene.flip();
    scene.scrub().await;
    let eve = scene.house.user("eve").await;
    eve.post("/repos/eve/own").json(json!({"type": "generic"})).await.expect(201);
    eve.post("/packages/eve/own").json(json!({"name": "dog", "licenses": ["MIT"]})).await.expect(201);
    eve.put("/content/eve/own/dog/1/dog.bin").body(scene.bytes.clone()).await.expect(201);
    scene.expect_whole().await;
}

#[tokio::test]
async fn damage_is_healed_from_a_replica() {
    let replica = tempfile::tempdir().expect("a folder");
    let place = replica.path().display().to_string();
    let scene = Scene::start(LARGE, &[("scrub.replica", &place)]).await;
    let digest = scene.file.file_name().expect("a name").to_str().expect("text").to_owned();
    let copy = replica.path().join(format!("sha256/{}/{}/{digest}", &digest[..2], &digest[2..4]));
    fs::create_dir_all(copy.parent().expect("a folder")).expect("made");
    fs::write(&copy, "these bytes are not the blob's").expect("written");
    scene.flip();
    scene.scrub().await;
    scene.expect_withheld().await;

    fs::write(&copy, &scene.bytes).expect("written");
    let healed = scrub::heal_from(
        scene.house.app().house(),
        blobs::Location::Folder(replica.path().to_owned()),
        |_, is_healed| assert!(is_healed),
    );
    healed.await.expect("looked at");
    scene.expect_whole().await;

    scene.flip();
    scene.house.clock.advance(31 * DAY);
    scene.scrub().await;
    scene.expect_whole().await;
}

#[tokio::test]
async fn a_small_file_is_held_against_its_digest_before_anybody_gets_it() {
    let scene = Scene::start(100, &[]).await;
    scene.flip();
    // A change of the repository invalidates the cached response.
    scene.ada.patch("/repos/ada/tools").json(json!({"desc": "other"})).await.expect(200);
    scene.expect_withheld().await;
    scene.scrub().await;
    assert_eq!(scrub::status(scene.house.app().house()).await.expect("known").damaged, 1);
}

#[tokio::test]
async fn a_pass_goes_on_where_it_was_and_runs_once_a_period() {
    let scene = Scene::start(LARGE, &[("scrub.period_days", "7")]).await;
    scene.scrub().await;
    let first =
        scrub::status(scene.house.app().house()).await.expect("known").scrub.expect("a pass").last.expect("over");
    assert_eq!((first.read.blobs, first.read.bytes, first.damaged), (1, 300_000, 0));
    scene.flip();
    scene.house.clock.advance(6 * DAY);
    scene.scrub().await;
    scene.expect_whole_or_flipped().await;
    scene.house.clock.advance(DAY);
    scene.scrub().await;
    scene.expect_withheld().await;
}

impl Scene {
    /// Asserts that a scrub that is not due has not withheld it.
    async fn expect_whole_or_flipped(&self) {
        self.house.anyone().download(PATH).await.expect(200);
    }
}

#[tokio::test]
async fn a_file_that_is_cut_while_it_is_served_over_tls_does_not_end_the_server() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let folder = tempfile::tempdir().expect("a folder");
    let files = server::TlsFiles { certificate: folder.path().join("certificate"), key: folder.path().join("key") };
    fs::write(&files.certificate, made.cert.pem()).expect("written");
    fs::write(&files.key, made.signing_key.serialize_pem()).expect("written");
    let house = TestHouse::start_tls(files).await;
    let client = reqwest::Client::builder().no_proxy().tls_danger_accept_invalid_certs(true).build().expect("a client");
    let base = format!("https://{}", house.address);
    let credentials = (house.admin().name().to_owned(), house.admin().key().to_owned());
    let admin = Person::new(client, base, Some(credentials));
    let name = admin.name().to_owned();
    admin.post(&format!("/repos/{name}/tools")).json(json!({"type": "generic"})).await.expect(201);
    admin.post(&format!("/packages/{name}/tools")).json(json!({"name": "cat", "licenses": ["MIT"]})).await.expect(201);
    let bytes = content(4 << 20);
    admin.put(&format!("/content/{name}/tools/cat/1/cat.bin?publish=1")).body(bytes.clone()).await.expect(201);
    let path = format!("/{name}/tools/cat.bin");
    assert!(admin.download(&path).await.expect(200).body == bytes, "the content differs");
    let file = house.stack().blob_file(&model::digest::hex(&Sha256::digest(&bytes)));
    fs::File::options().write(true).open(file).and_then(|file| file.set_len(1 << 20)).expect("writable");
    // The response and the mapping of the file are cached: the download is cut off or refused, and the server survives.
    let cut = admin.download(&path).try_send().await;
    assert!(cut.is_err() || cut.is_ok_and(|answer| answer.status != 200), "it does not arrive");
    admin.get(&format!("/users/{name}")).await.expect(200);
}
