//! Who may read and write images: visitors, strangers, keys for one tag; hidden is like missing.

use serde_json::json;

use super::tools::{MANIFEST, app, digest, manifest, push, put_manifest, refused, with_images};

#[tokio::test]
async fn hidden_images_are_like_missing_ones() {
    let (house, ada) = with_images().await;
    let eve = house.user("eve").await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    let sum = digest("layer");
    let rests = [
        "manifests/v1".to_owned(),
        format!("manifests/{}", digest(manifest(&["layer"]))),
        format!("blobs/{sum}"),
        "tags/list".to_owned(),
        format!("referrers/{sum}"),
    ];
    for rest in rests {
        for who in [&eve, &house.anyone()] {
            let hidden = who.get(&format!("//v2/ada/img/app/{rest}")).await;
            let missing = who.get(&format!("//v2/ada/gone/app/{rest}")).await;
            assert_eq!(
                (hidden.status, hidden.text().replace("img", "gone")),
                (missing.status, missing.text()),
                "{rest}"
            );
            assert_eq!(hidden.status, if who.name().is_empty() { 401 } else { 404 }, "{rest}");
        }
        ada.get(&format!("//v2/ada/img/app/{rest}")).await.expect(200);
    }
    for who in [&eve, &house.anyone()] {
        let hidden = who.post("//v2/ada/img/app/blobs/uploads/").await;
        let missing = who.post("//v2/ada/gone/app/blobs/uploads/").await;
        assert_eq!((hidden.status, hidden.text().replace("img", "gone")), (missing.status, missing.text()));
    }
}

#[tokio::test]
async fn readers_do_not_push_and_do_not_delete() {
    let (house, ada) = with_images().await;
    let eve = house.user("eve").await;
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    for (who, status, code) in [(&eve, 403, "DENIED"), (&house.anyone(), 401, "UNAUTHORIZED")] {
        refused(who.post(&app("blobs/uploads/")).await, status, code);
        refused(put_manifest(who, "ada/img/app", "v2", MANIFEST, &manifest(&["layer"])).await, status, code);
        refused(who.delete(&app("manifests/v1")).await, status, code);
        who.get(&app("manifests/v1")).await.expect(200);
    }
}

#[tokio::test]
async fn a_key_for_one_tag_reads_what_the_tag_uses() {
    let (house, ada) = with_images().await;
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    push(&ada, "ada/img/app", "v1", &["shared", "one"]).await;
    push(&ada, "ada/img/app", "v2", &["shared", "two"]).await;
    let key = house.key(&ada, "red", json!({})).await;
    let grant = json!({ "access": "r", "access_keys": ["red"] });
    ada.post("/packages/ada/img/app/versions/v2/entitlements").json(grant).await.expect(201);
    for (rest, status) in [
        ("manifests/v2".to_owned(), 200),
        (format!("manifests/{}", digest(manifest(&["shared", "two"]))), 200),
        (format!("blobs/{}", digest("shared")), 200),
        (format!("blobs/{}", digest("two")), 200),
        (format!("blobs/{}", digest("{}")), 200),
        ("manifests/v1".to_owned(), 404),
        (format!("manifests/{}", digest(manifest(&["shared", "one"]))), 404),
        (format!("blobs/{}", digest("one")), 404),
    ] {
        let answer = key.get(&app(&rest)).await;
        assert_eq!(answer.status, status, "{rest}: {}", answer.text());
    }
    ada.delete("/packages/ada/img/app/versions/v1").await.expect(200);
    key.get(&app(&format!("blobs/{}", digest("shared")))).await.expect(200);
    refused(key.post(&app("blobs/uploads/")).await, 404, "NAME_UNKNOWN");
}

#[tokio::test]
async fn other_repositories_take_no_images() {
    let (_house, ada) = with_images().await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    refused(ada.post("//v2/ada/tools/app/blobs/uploads/").await, 403, "DENIED");
    ada.post("/packages/ada/img").json(json!({ "name": "app" })).await.expect(201);
    let path = format!("/content/ada/img/app/v1/app/blobs/{}", digest("x"));
    ada.put(&path).body("x").await.expect(400);
    ada.put("/content/ada/img/app/v1/app/manifests/v1").body("x").await.expect(400);
    ada.put("/content/ada/img/app/v1/readme.txt?publish=1").body("x").await.expect(201);
}
