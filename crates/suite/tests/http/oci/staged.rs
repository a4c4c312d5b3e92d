//! Repositories that stage pushes: readers see an image after it was published, and then all of it.

use serde_json::json;
use suite::{Person, TestHouse};

use super::tools::{
    INDEX, MANIFEST, app, descriptor, digest, index, manifest, push, push_blob, put_manifest, refused, with_images,
};

async fn staging() -> (TestHouse, Person) {
    let (house, ada) = with_images().await;
    ada.patch("/repos/ada/img").json(json!({ "native_staged": true })).await.expect(200);
    (house, ada)
}

async fn publish(ada: &Person, reference: &str) -> u64 {
    let answer = ada.post(&format!("/content/ada/img/app/{reference}/publish")).await.expect(200);
    answer.json()["files"].as_u64().expect("a number")
}

#[tokio::test]
async fn a_staged_tag_is_invisible_until_it_is_published() {
    let (house, ada) = staging().await;
    let (anyone, eve) = (house.anyone(), house.user("eve").await);
    let sum = push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let rests = ["manifests/v1", &format!("manifests/{sum}"), &format!("blobs/{}", digest("layer"))].map(str::to_owned);
    for rest in &rests {
        anyone.get(&app(rest)).await.expect(401);
        eve.get(&app(rest)).await.expect(404);
        ada.get(&app(rest)).await.expect(200);
    }
    refused(ada.get(&app("tags/list")).await, 404, "NAME_UNKNOWN");
    ada.get("/packages/ada/img/app").await.expect(404);
    let read = ada.get(&app("manifests/v1")).await.expect(200);
    assert_eq!((read.text(), read.header("content-type")), (manifest(&["layer"]), MANIFEST));
    eve.post("/content/ada/img/app/v1/publish").await.expect(403);
    assert_eq!(publish(&ada, "v1").await, 4);
    for rest in &rests {
        anyone.get(&app(rest)).await.expect(200);
    }
    assert_eq!(anyone.get(&app("tags/list")).await.expect(200).json()["tags"], json!(["v1"]));
    assert_eq!(publish(&ada, "v1").await, 0);
}

#[tokio::test]
async fn an_index_its_children_and_what_refers_to_it_are_published_at_once() {
    let (house, ada) = staging().await;
    let (amd, arm) = (manifest(&["amd"]), manifest(&["arm"]));
    for (text, layer) in [(&amd, "amd"), (&arm, "arm")] {
        push(&ada, "ada/img/app", &digest(text), &[layer]).await;
    }
    let both = index(&[&amd, &arm]);
    put_manifest(&ada, "ada/img/app", "v1", INDEX, &both).await.expect(201);
    let signature = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "x/signature", "layers": [],
        "config": descriptor("application/vnd.oci.empty.v1+json", "{}"), "subject": descriptor(INDEX, &both),
    })
    .to_string();
    put_manifest(&ada, "ada/img/app", &digest(&signature), MANIFEST, &signature).await.expect(201);
    let of_unknown = index(&[&manifest(&["none"])]);
    refused(put_manifest(&ada, "ada/img/app", "v2", INDEX, &of_unknown).await, 404, "MANIFEST_BLOB_UNKNOWN");
    let anyone = house.anyone();
    let all = [&amd, &arm, &both, &signature].map(|text| app(&format!("manifests/{}", digest(text))));
    for at in &all {
        anyone.get(at).await.expect(401);
        ada.get(at).await.expect(200);
    }
    publish(&ada, "v1").await;
    for at in &all {
        anyone.get(at).await.expect(200);
    }
    let referrers = anyone.get(&app(&format!("referrers/{}", digest(&both)))).await.expect(200).json();
    assert_eq!(referrers["manifests"].as_array().expect("a list").len(), 1);
}

#[tokio::test]
async fn a_tag_keeps_its_image_until_the_next_one_is_published() {
    let (house, ada) = staging().await;
    let old = push(&ada, "ada/img/app", "latest", &["old"]).await;
    publish(&ada, "latest").await;
    let new = push(&ada, "ada/img/app", "latest", &["new"]).await;
    let shown = async || {
        house.anyone().get(&app("manifests/latest")).await.expect(200).header("docker-content-digest").to_owned()
    };
    assert_eq!(shown().await, old);
    house.anyone().get(&app(&format!("manifests/{new}"))).await.expect(401);
    publish(&ada, "latest").await;
    assert_eq!(shown().await, new);
    house.anyone().get(&app(&format!("manifests/{old}"))).await.expect(200);
}

#[tokio::test]
async fn staged_pushes_wait_for_days_and_can_be_discarded() {
    let (house, ada) = staging().await;
    let kept = push(&ada, "ada/img/app", "v1", &["kept"]).await;
    push(&ada, "ada/img/app", "v2", &["dropped"]).await;
    push(&ada, "ada/img/app", "v3", &["deleted"]).await;
    let discarded = ada.post("/content/ada/img/app/v2/publish").json(json!({ "discard": true })).await.expect(200);
    assert_eq!(discarded.json()["files"], 1);
    ada.delete(&app("manifests/v3")).await.expect(202);
    house.clock.advance(3 * 24 * 3_600_000);
    operations::jobs::run_once(house.app().house(), "image_uploads").await.expect("swept");
    operations::maintenance::garbage::collect(house.app().house(), 0).await.expect("collected");
    for gone in ["dropped", "deleted"] {
        refused(ada.get(&app(&format!("blobs/{}", digest(gone)))).await, 404, "BLOB_UNKNOWN");
    }
    for tag in ["v2", "v3"] {
        ada.post(&format!("/content/ada/img/app/{tag}/publish")).await.expect(404);
    }
    ada.get(&app(&format!("manifests/{kept}"))).await.expect(200);
    publish(&ada, "v1").await;
    let layer = house.anyone().get(&app(&format!("blobs/{}", digest("kept")))).await.expect(200);
    assert_eq!(layer.text(), "kept");
    push_blob(&ada, "ada/img/app", "more").await;
}

#[tokio::test]
async fn pages_show_pushed_tags_as_drafts_to_publishers() {
    let (house, ada) = staging().await;
    let eve = house.user("eve").await;
    push(&ada, "ada/img/team/app", "v1", &["layer"]).await;
    push(&ada, "ada/img/team/app", "v2", &["layer"]).await;
    let (own, other) = (house.browser(), house.browser());
    own.sign_in("ada", ada.key()).await;
    other.sign_in("eve", eve.key()).await;
    let page = own.open("/ada/img").await.expect(200).text();
    assert!(page.contains("team/app:v1") && page.contains("/-/publish/ada/img/team:app/v2"), "{page}");
    for browser in [&other, &house.browser()] {
        let page = browser.open("/ada/img").await.expect(200).text();
        assert!(!page.contains("team/app:v1") && !page.contains("id=\"waiting\""), "{page}");
    }
    let answer = own.open("/ada/img").await.expect(200);
    own.send(&answer, "/-/publish/ada/img/team:app/v1", &[]).await.expect(303);
    own.send(&answer, "/-/discard/ada/img/team:app/v2", &[]).await.expect(303);
    house.anyone().get("//v2/ada/img/team/app/manifests/v1").await.expect(200);
    ada.get("//v2/ada/img/team/app/manifests/v2").await.expect(404);
    push(&ada, "ada/img/team/app", "v3", &["layer"]).await;
    let page = own.open("/ada/img/team:app").await.expect(200).text();
    assert!(page.contains("team/app:v3") && page.contains("id=\"waiting\""), "{page}");
    let page = other.open("/ada/img/team:app").await.expect(200).text();
    assert!(!page.contains("team/app:v3"), "{page}");
    let token = other.form_token().await;
    other.post("/-/publish/ada/img/team:app/v3", &[("form_token".to_owned(), token)]).await.expect(403);
}
