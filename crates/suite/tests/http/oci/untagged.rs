//! Manifests without a tag go after the days that a repository says.

use operations::jobs;
use serde_json::json;
use suite::TestHouse;

use super::tools::{INDEX, MANIFEST, app, descriptor, digest, index, manifest, push, put_manifest, with_images};

const DAY_MS: i64 = 86_400_000;

async fn remove(house: &TestHouse) {
    jobs::run_once(house.app().house(), "untagged_manifests").await.expect("removed");
}

#[tokio::test]
async fn the_days_are_set_and_shown() {
    let (_house, ada) = with_images().await;
    assert_eq!(ada.get("/repos/ada/img").await.expect(200).json().get("untagged_days"), None);
    for bad in [json!(0), json!(-1), json!(36_501), json!("soon")] {
        ada.patch("/repos/ada/img").json(json!({ "untagged_days": bad })).await.expect(400);
    }
    ada.patch("/repos/ada/img").json(json!({ "untagged_days": 7 })).await.expect(200);
    assert_eq!(ada.get("/repos/ada/img").await.expect(200).json()["untagged_days"], json!(7));
    ada.patch("/repos/ada/img").json(json!({ "desc": "Images" })).await.expect(200);
    assert_eq!(ada.get("/repos/ada/img").await.expect(200).json()["untagged_days"], json!(7));
    ada.patch("/repos/ada/img").json(json!({ "untagged_days": null })).await.expect(200);
    assert_eq!(ada.get("/repos/ada/img").await.expect(200).json().get("untagged_days"), None);
}

#[tokio::test]
async fn a_manifest_goes_some_days_after_its_last_tag() {
    let (house, ada) = with_images().await;
    let old = push(&ada, "ada/img/app", "latest", &["shared", "old"]).await;
    let pushed = push(&ada, "ada/img/app", &digest(manifest(&["bare"])), &["bare"]).await;
    house.clock.advance(40 * DAY_MS);
    let new = push(&ada, "ada/img/app", "latest", &["shared", "new"]).await;
    remove(&house).await;
    for reference in [&old, &pushed, &new] {
        ada.get(&app(&format!("manifests/{reference}"))).await.expect(200);
    }
    ada.patch("/repos/ada/img").json(json!({ "untagged_days": 7 })).await.expect(200);
    remove(&house).await;
    ada.get(&app(&format!("manifests/{pushed}"))).await.expect(404);
    ada.get(&app(&format!("manifests/{old}"))).await.expect(200);
    house.clock.advance(8 * DAY_MS);
    remove(&house).await;
    ada.get(&app(&format!("manifests/{old}"))).await.expect(404);
    ada.get(&app(&format!("blobs/{}", digest("old")))).await.expect(404);
    for rest in ["manifests/latest".to_owned(), format!("manifests/{new}"), format!("blobs/{}", digest("shared"))] {
        ada.get(&app(&rest)).await.expect(200);
    }
    let versions = ada.get("/packages/ada/img/app").await.expect(200).json()["versions"].clone();
    assert_eq!(versions, json!(["latest"]));
}

#[tokio::test]
async fn parts_of_an_index_and_signatures_stay() {
    let (house, ada) = with_images().await;
    ada.patch("/repos/ada/img").json(json!({ "untagged_days": 1 })).await.expect(200);
    let (amd, arm) = (manifest(&["amd"]), manifest(&["arm"]));
    for (text, layer) in [(&amd, "amd"), (&arm, "arm")] {
        push(&ada, "ada/img/app", &digest(text), &[layer]).await;
    }
    let both = index(&[&amd, &arm]);
    put_manifest(&ada, "ada/img/app", "v1", INDEX, &both).await.expect(201);
    let bare = index(&[&amd]);
    put_manifest(&ada, "ada/img/app", &digest(&bare), INDEX, &bare).await.expect(201);
    let signature = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "x/signature", "layers": [],
        "config": descriptor("application/vnd.oci.empty.v1+json", "{}"), "subject": descriptor(INDEX, &both),
    })
    .to_string();
    put_manifest(&ada, "ada/img/app", &digest(&signature), MANIFEST, &signature).await.expect(201);
    house.clock.advance(2 * DAY_MS);
    remove(&house).await;
    for (text, status) in [(&amd, 200), (&arm, 200), (&both, 200), (&signature, 200), (&bare, 404)] {
        ada.get(&app(&format!("manifests/{}", digest(text)))).await.expect(status);
    }
    ada.delete(&app("manifests/v1")).await.expect(202);
    house.clock.advance(2 * DAY_MS);
    for _ in 0..2 {
        remove(&house).await;
    }
    for (text, status) in [(&amd, 404), (&arm, 404), (&both, 404), (&signature, 200)] {
        ada.get(&app(&format!("manifests/{}", digest(text)))).await.expect(status);
    }
}
