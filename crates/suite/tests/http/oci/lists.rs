//! Lists of tags and of images, in pages.

use serde_json::json;

use super::tools::{MANIFEST, app, descriptor, digest, push, put_manifest, refused, with_images};

#[tokio::test]
async fn tags_come_sorted_and_in_pages() {
    let (house, ada) = with_images().await;
    for tag in ["v2", "V1", "v10", "_x"] {
        push(&ada, "ada/img/app", tag, &["layer"]).await;
    }
    let anyone = house.anyone();
    let all = anyone.get(&app("tags/list")).await.expect(200);
    assert_eq!(all.json(), json!({ "name": "ada/img/app", "tags": ["V1", "_x", "v10", "v2"] }));
    assert_eq!((all.header("link"), all.header("content-type")), ("", "application/json"));
    let first = anyone.get(&app("tags/list?n=2")).await.expect(200);
    assert_eq!(first.json()["tags"], json!(["V1", "_x"]));
    assert_eq!(first.header("link"), "</v2/ada/img/app/tags/list?last=_x&n=2>; rel=\"next\"");
    let second = anyone.get(&app("tags/list?n=2&last=_x")).await.expect(200);
    assert_eq!((&second.json()["tags"], second.header("link")), (&json!(["v10", "v2"]), ""));
    assert_eq!(anyone.get(&app("tags/list?n=0")).await.expect(200).json()["tags"], json!([]));
    refused(anyone.get(&app("tags/list?n=-1")).await, 400, "PAGINATION_NUMBER_INVALID");
    refused(anyone.get("//v2/ada/img/none/tags/list").await, 404, "NAME_UNKNOWN");
    refused(ada.get("//v2/ada/none/app/tags/list").await, 404, "NAME_UNKNOWN");
}

#[tokio::test]
async fn the_catalog_lists_what_the_caller_may_read() {
    let (house, ada) = with_images().await;
    let eve = house.user("eve").await;
    eve.post("/repos/eve/own").json(json!({ "type": "docker", "private": true })).await.expect(201);
    push(&eve, "eve/own/secret", "v1", &["layer"]).await;
    for image in ["ada/img/b", "ada/img/a/c"] {
        push(&ada, image, "v1", &["layer"]).await;
    }
    let names = async |who: &suite::Person, query: &str| {
        who.get(&format!("//v2/_catalog{query}")).await.expect(200).json()["repositories"].clone()
    };
    assert_eq!(names(&house.anyone(), "").await, json!(["ada/img/a/c", "ada/img/b"]));
    assert_eq!(names(&ada, "?n=1").await, json!(["ada/img/a/c"]));
    assert_eq!(names(&ada, "?n=5&last=ada/img/a/c").await, json!(["ada/img/b"]));
    assert_eq!(names(&eve, "").await, json!(["ada/img/a/c", "ada/img/b", "eve/own/secret"]));
}

#[tokio::test]
async fn many_referrers_come_in_pages() {
    let (house, ada) = with_images().await;
    let image = push(&ada, "ada/img/app", "v1", &["layer"]).await;
    for number in 0..70 {
        let text = json!({
            "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "x/y", "layers": [],
            "config": descriptor("application/vnd.oci.empty.v1+json", "{}"),
            "subject": { "mediaType": MANIFEST, "digest": image, "size": 1 },
            "annotations": { "number": number.to_string(), "text": "x".repeat(100_000) },
        })
        .to_string();
        put_manifest(&ada, "ada/img/app", &digest(&text), MANIFEST, &text).await.expect(201);
    }
    let mut next = app(&format!("referrers/{image}?artifactType=x%2Fy"));
    let mut numbers = Vec::new();
    let mut pages = 0;
    while !next.is_empty() {
        let page = house.anyone().get(&next).await.expect(200);
        assert!(page.body.len() < 4 << 20, "{}", page.body.len());
        for entry in page.json()["manifests"].as_array().expect("a list") {
            numbers.push(entry["annotations"]["number"].as_str().expect("a number").parse::<u32>().expect("a number"));
        }
        let link = page.header("link").split(['<', '>']).nth(1).unwrap_or_default().to_owned();
        assert!(link.is_empty() || link.contains("artifactType=x/y"), "{link}");
        next = if link.is_empty() { link } else { format!("/{link}") };
        pages += 1;
    }
    numbers.sort_unstable();
    assert_eq!((pages, numbers), (3, (0..70).collect()));
}
