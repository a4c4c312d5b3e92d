//! Uploads of blobs: whole, in pieces, mounted, cancelled.

use serde_json::json;

use super::tools::{app, bearer, digest, push, push_blob, refused, token, with_images};

#[tokio::test]
async fn a_blob_comes_in_one_request_or_two() {
    let (_house, ada) = with_images().await;
    let sum = digest("layer");
    let whole = ada.post(&app(&format!("blobs/uploads/?digest={sum}"))).body("layer").await.expect(201);
    assert_eq!(whole.header("location"), format!("/v2/ada/img/app/blobs/{sum}"));
    assert_eq!(whole.header("docker-content-digest"), sum);
    let begun = ada.post(&app("blobs/uploads/")).await.expect(202);
    assert_eq!((begun.header("range"), begun.header("docker-upload-uuid").len()), ("0-0", 32));
    let location = begun.header("location").to_owned();
    assert!(location.starts_with("/v2/ada/img/app/blobs/uploads/"), "{location}");
    let put = ada.put(&format!("/{location}?digest={}", digest("other"))).body("other").await.expect(201);
    assert_eq!(put.header("location"), format!("/v2/ada/img/app/blobs/{}", digest("other")));
    let read = ada.get(&app(&format!("blobs/{}", digest("other")))).await.expect(200);
    assert_eq!((read.text().as_str(), read.header("content-type")), ("other", "application/octet-stream"));
    assert_eq!(read.header("docker-content-digest"), digest("other"));
    refused(ada.get(&format!("/{location}")).await, 404, "BLOB_UPLOAD_UNKNOWN");
}

#[tokio::test]
async fn pieces_are_added_in_order() {
    let (_house, ada) = with_images().await;
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    let at = format!("/{location}");
    let first = ada.patch(&at).header("content-range", "0-4").body("01234").await.expect(202);
    assert_eq!((first.header("range"), first.header("location")), ("0-4", location.as_str()));
    let again = ada.patch(&at).header("content-range", "0-4").body("01234").await;
    assert_eq!(again.header("range"), "0-4");
    refused(again, 416, "BLOB_UPLOAD_INVALID");
    refused(ada.patch(&at).header("content-range", "6-7").body("67").await, 416, "BLOB_UPLOAD_INVALID");
    refused(ada.patch(&at).header("content-range", "5-3").body("5").await, 400, "BLOB_UPLOAD_INVALID");
    refused(ada.patch(&at).header("content-range", "5-9").body("5").await, 400, "SIZE_INVALID");
    ada.patch(&at).body("567").await.expect(202);
    let shown = ada.get(&at).await.expect(204);
    assert_eq!((shown.header("range"), shown.header("location")), ("0-7", location.as_str()));
    let last = ada.put(&format!("{at}?digest={}", digest("0123456789"))).header("content-range", "8-9");
    last.body("89").await.expect(201);
    let read = ada.get(&app(&format!("blobs/{}", digest("0123456789")))).await.expect(200);
    assert_eq!(read.text(), "0123456789");
    let part = ada.get(&app(&format!("blobs/{}", digest("0123456789")))).header("range", "bytes=2-4").await;
    assert_eq!(part.expect(206).text(), "234");
}

#[tokio::test]
async fn many_pieces_of_many_sizes_become_one_blob() {
    let (_house, ada) = with_images().await;
    let whole: Vec<u8> = (0..19_u32 << 20).map(|number| u8::try_from(number % 251).expect("a byte")).collect();
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    let mut start = 0;
    for size in [1, 1, 9 << 20, 3, 0, 1 << 20, 8 << 20] {
        ada.patch(&format!("/{location}")).body(whole[start..start + size].to_vec()).await.expect(202);
        start += size;
    }
    let put = ada.put(&format!("/{location}?digest={}", digest(&whole)));
    put.body(whole[start..].to_vec()).await.expect(201);
    let read = ada.get(&app(&format!("blobs/{}", digest(&whole)))).await.expect(200);
    assert!(read.body == whole);
}

#[tokio::test]
async fn a_wrong_digest_ends_the_upload() {
    let (_house, ada) = with_images().await;
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    ada.patch(&format!("/{location}")).body("one").await.expect(202);
    refused(ada.put(&format!("/{location}?digest={}", digest("two"))).await, 400, "DIGEST_INVALID");
    refused(ada.get(&format!("/{location}")).await, 404, "BLOB_UPLOAD_UNKNOWN");
    let whole = ada.post(&app(&format!("blobs/uploads/?digest={}", digest("two")))).body("one").await;
    refused(whole, 400, "DIGEST_INVALID");
    refused(ada.get(&app(&format!("blobs/{}", digest("one")))).await, 404, "BLOB_UNKNOWN");
}

#[tokio::test]
async fn a_cancelled_upload_is_gone() {
    let (_house, ada) = with_images().await;
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    ada.patch(&format!("/{location}")).body("one").await.expect(202);
    ada.delete(&format!("/{location}")).await.expect(204);
    for method in [reqwest::Method::GET, reqwest::Method::PATCH, reqwest::Method::DELETE] {
        refused(ada.call(method, &format!("/{location}")).await, 404, "BLOB_UPLOAD_UNKNOWN");
    }
    let put = ada.put(&format!("/{location}?digest={}", digest("one"))).await;
    refused(put, 404, "BLOB_UPLOAD_UNKNOWN");
}

#[tokio::test]
async fn an_upload_belongs_to_its_caller_and_its_image() {
    let (house, ada) = with_images().await;
    let eve = house.user("eve").await;
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    let admin = house.admin();
    refused(admin.patch(&format!("/{location}")).body("x").await, 404, "BLOB_UPLOAD_UNKNOWN");
    refused(eve.patch(&format!("/{location}")).body("x").await, 403, "DENIED");
    let elsewhere = location.replace("/app/", "/other/");
    refused(ada.patch(&format!("/{elsewhere}")).body("x").await, 404, "BLOB_UPLOAD_UNKNOWN");
    ada.patch(&format!("/{location}")).body("x").await.expect(202);
}

#[tokio::test]
async fn a_blob_is_mounted_from_an_image_that_the_caller_may_read() {
    let (house, ada) = with_images().await;
    let eve = house.user("eve").await;
    eve.post("/repos/eve/own").json(json!({ "type": "docker" })).await.expect(201);
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let sum = digest("layer");
    let mount = |from: &str| eve.post(&format!("//v2/eve/own/x/blobs/uploads/?mount={sum}&from={from}"));
    let mounted = mount("ada/img/app").await.expect(201);
    assert_eq!(mounted.header("location"), format!("/v2/eve/own/x/blobs/{sum}"));
    assert_eq!(eve.get(&format!("//v2/eve/own/x/blobs/{sum}")).await.expect(200).text(), "layer");
    let other = format!("//v2/eve/own/x/blobs/uploads/?mount={}&from=ada/img/app", digest("nothing"));
    assert!(eve.post(&other).await.expect(202).header("location").contains("/blobs/uploads/"));
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    for from in ["ada/img/app", "ada/none/app", "not a name"] {
        mount(from).await.expect(202);
    }
    eve.post(&format!("//v2/eve/own/x/blobs/uploads/?mount={sum}")).await.expect(202);
}

#[tokio::test]
async fn pushed_content_is_for_publishers_of_its_image() {
    let (house, ada) = with_images().await;
    let eve = house.user("eve").await;
    let sum = push_blob(&ada, "ada/img/app", "layer").await;
    ada.head(&app(&format!("blobs/{sum}"))).await.expect(200);
    refused(eve.get(&app(&format!("blobs/{sum}"))).await, 404, "BLOB_UNKNOWN");
    let pull = &["repository:ada/img/app:pull"][..];
    let anonymous = token(&house.anyone(), pull).await;
    for sum in [sum.clone(), digest("nothing")] {
        let challenged = house.anyone().get(&app(&format!("blobs/{sum}"))).await;
        let challenge = challenged.header("www-authenticate").to_owned();
        assert!(challenge.ends_with(",scope=\"repository:ada/img/app:pull\""), "{challenge}");
        refused(challenged, 401, "UNAUTHORIZED");
        refused(bearer(house.anyone().get(&app(&format!("blobs/{sum}"))), &anonymous).await, 404, "BLOB_UNKNOWN");
    }
    let own = token(&ada, pull).await;
    bearer(house.anyone().head(&app(&format!("blobs/{sum}"))), &own).await.expect(200);
    ada.head(&format!("//v2/ada/img/other/blobs/{sum}")).await.expect(404);
    refused(ada.delete(&app(&format!("blobs/{sum}"))).await, 405, "UNSUPPORTED");
}

#[tokio::test]
async fn an_upload_over_a_quota_keeps_its_pieces() {
    let (house, ada) = with_images().await;
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    ada.patch(&format!("/{location}")).body("0123456789").await.expect(202);
    let set_quota = async |bytes: i64| {
        let quota = house.admin().put("/repos/ada/img/quota").json(json!({ "quota_bytes": bytes }));
        quota.await.expect(200);
    };
    let finish = || ada.put(&format!("/{location}?digest={}", digest("0123456789")));
    set_quota(5).await;
    finish().await.expect(507);
    assert_eq!(ada.get(&format!("/{location}")).await.expect(204).header("range"), "0-9");
    set_quota(1_000).await;
    finish().await.expect(201);
    let read = ada.get(&app(&format!("blobs/{}", digest("0123456789")))).await.expect(200);
    assert_eq!(read.text(), "0123456789");
}
