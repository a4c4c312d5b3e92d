//! `verify` finds differences between the database and the store.

use blobs::ReceiveOptions;
use bytes::Bytes;
use database::{ScopedFutureExt, catalogue::versions, content::stored_bytes, maintenance::verify};
use model::{
    digest::Digest,
    id::{RepoId, VersionId},
};
use operations::maintenance::verify::{Finding, Options, Progress};
use suite::TestHouse;

use crate::content::{DAY, MEOW_SHA256, cat, discard, publish, upload, upload_published};

const FULL: Options = Options { is_quick: false, removes_orphans: false };
const QUICK: Options = Options { is_quick: true, removes_orphans: false };

/// Returns the reported lines, and the number of checked blobs.
async fn found(house: &TestHouse, options: Options) -> (Vec<String>, u64) {
    let (mut lines, progress) = (Vec::new(), Progress::default());
    let report = |finding: Finding| lines.push(finding.to_string());
    operations::maintenance::verify::verify(house.app().house(), options, &progress, report).await.expect("it runs");
    lines.sort_unstable();
    (lines, progress.blobs())
}

fn nothing() -> Vec<String> {
    Vec::new()
}

#[tokio::test]
async fn a_house_that_was_used_is_as_it_should_be() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload_published(&ada, "ada/tools/cat/1.0/copy.bin", "meow").await;
    ada.put("/content/ada/tools/cat/1.0/a.bin?override=1").body("purr").await.expect(201);
    upload(&ada, "ada/tools/cat/1.1/b.bin", "hiss").await;
    discard(&ada, "ada/tools/cat/1.1").await;
    upload(&ada, "ada/tools/cat/1.2/c.bin", "yawn").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    ada.delete("/content/ada/tools/copy.bin").await.expect(200);
    assert_eq!(found(&house, FULL).await, (nothing(), 2));
    assert_eq!(found(&house, QUICK).await, (nothing(), 2));
}

#[tokio::test]
async fn missing_content_is_found_with_every_file_that_has_it() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.1/b.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.1/c.bin", "purr").await;
    let meow: Digest = MEOW_SHA256.parse().expect("a digest");
    assert!(house.app().house().blobs.delete(meow).await.expect("deleted"));
    let expected = vec![format!("missing {meow} ada/tools/a.bin"), format!("missing {meow} ada/tools/b.bin")];
    assert_eq!(found(&house, FULL).await, (expected.clone(), 2));
    assert_eq!(found(&house, QUICK).await, (expected, 2));
}

#[tokio::test]
async fn content_without_a_row_is_found_and_removed_when_it_is_old() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "purr").await;
    let orphan = plant(&house, "nobody knows").await;
    assert_eq!(found(&house, QUICK).await.0, nothing(), "an upload may be under way");
    // The store uses its own clock, not the house's.
    house.clock.advance(100 * 365 * DAY);
    assert_eq!(found(&house, QUICK).await.0, [format!("orphan {orphan} of 12 bytes")]);
    let removing = Options { removes_orphans: true, ..QUICK };
    assert_eq!(found(&house, removing).await.0, [format!("orphan {orphan} of 12 bytes: removed")]);
    assert_eq!(found(&house, removing).await.0, nothing());
    assert_eq!(house.app().house().blobs.size(orphan).await.expect("the store answers"), None);
}

/// Stores bytes without a row.
async fn plant(house: &TestHouse, text: &'static str) -> Digest {
    let body = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(text.as_bytes()))]);
    let options = ReceiveOptions { max_bytes: 100, ..ReceiveOptions::PLAIN };
    let pending = house.app().house().blobs.receive(body, options).await.expect("received");
    pending.commit().await.expect("stored").sha256
}

#[tokio::test]
async fn wrong_counts_are_found() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    let db = &house.app().house().db;
    let (repo_id, _) = verify::stored_bytes(db, RepoId::NONE).await.expect("read").expect("there is one");
    let versions = verify::published_files(db, VersionId::NONE, 1).await;
    let (version_id, _) = versions.expect("read").pop().expect("there is one");
    let now = house.clock.now();
    let changed: database::Result<()> = db
        .write(|tx| {
            async move {
                stored_bytes::add(tx, repo_id, version_id, 3).await?;
                versions::unpublish(tx, version_id, 1, now).await
            }
            .scope_boxed()
        })
        .await;
    changed.expect("changed");
    let expected = [
        "miscounted bytes of ada/tools: 7 instead of 4",
        "miscounted published files of ada/tools/cat/1.0: 0 instead of 1",
    ];
    assert_eq!(found(&house, QUICK).await.0, expected);
}
