//! Uploads that their client leaves, after each of their steps.

use futures_util::{StreamExt, stream};
use operations::jobs;
use suite::{Person, TestHouse};

use super::tools::{app, digest, manifest, push, push_blob, refused, with_images};

const DAY_MS: i64 = 24 * 3_600_000;

/// Steps of an upload, as far as a client may come.
const STEPS: [&str; 5] = ["begun", "one piece", "broken piece", "broken end", "no manifest"];

/// A body that breaks off.
fn broken() -> reqwest::Body {
    let pieces = stream::iter([Ok("half".to_owned())]);
    reqwest::Body::wrap_stream(pieces.chain(stream::once(async { Err(std::io::Error::other("gone")) })))
}

/// Leaves an upload after a step. Returns its location.
async fn leave(ada: &Person, step: &str) -> String {
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    let at = format!("/{location}");
    match step {
        "one piece" => drop(ada.patch(&at).body("piece").await.expect(202)),
        "broken piece" => drop(ada.patch(&at).body(broken()).try_send().await),
        "broken end" => {
            ada.patch(&at).body("piece").await.expect(202);
            let sum = digest("piecehalf of it");
            drop(ada.put(&format!("{at}?digest={sum}")).body(broken()).try_send().await);
        }
        "no manifest" => drop(push_blob(ada, "ada/img/app", "unused").await),
        _ => {}
    }
    location
}

async fn sweep(house: &TestHouse) {
    jobs::run_once(house.app().house(), "image_uploads").await.expect("swept");
    operations::maintenance::garbage::collect(house.app().house(), 0).await.expect("collected");
}

#[tokio::test]
async fn an_upload_that_is_left_at_any_step_goes_without_a_trace() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    for step in STEPS {
        let location = leave(&ada, step).await;
        // Other uploads of the same image are not in its way, and it can be continued for a day.
        push_blob(&ada, "ada/img/app", format!("after {step}")).await;
        ada.get(&format!("/{location}")).await.expect(204);
        house.clock.advance(DAY_MS + 1);
        sweep(&house).await;
        refused(ada.get(&format!("/{location}")).await, 404, "BLOB_UPLOAD_UNKNOWN");
        refused(ada.patch(&format!("/{location}")).body("more").await, 404, "BLOB_UPLOAD_UNKNOWN");
        for gone in ["unused", "piece", &format!("after {step}")] {
            refused(ada.get(&app(&format!("blobs/{}", digest(gone)))).await, 404, "BLOB_UNKNOWN");
        }
        let read = house.anyone().get(&app("manifests/v1")).await.expect(200);
        assert_eq!(read.text(), manifest(&["layer"]), "{step}");
        house.anyone().get(&app(&format!("blobs/{}", digest("layer")))).await.expect(200);
    }
}

#[tokio::test]
async fn a_piece_that_broke_off_is_sent_again() {
    let (_house, ada) = with_images().await;
    let location = leave(&ada, "broken end").await;
    let at = format!("/{location}");
    // The bytes that were recorded are those before the broken request.
    assert_eq!(ada.get(&at).await.expect(204).header("range"), "0-4");
    let sum = digest("piecehalf of it");
    let mut status = 503;
    for _ in 0..100 {
        status = ada.put(&format!("{at}?digest={sum}")).body("half of it").await.status;
        if status != 503 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(status, 201);
    assert_eq!(ada.get(&app(&format!("blobs/{sum}"))).await.expect(200).text(), "piecehalf of it");
}
