//! Files of packages that are linked into another repository.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{published, read, upload, upload_published},
};

const LINK: &str = "/repository/ada/mirror/links/bob/lib/bee";

/// `ada/mirror`, which can link to the package `bee` of `bob/lib` with three published files and a staged one.
struct Linked {
    house: TestHouse,
    ada: Person,
    bob: Person,
    eve: Person,
}

impl Linked {
    /// Links the whole package.
    async fn start() -> Self {
        Self::start_with(json!({})).await
    }

    /// Links it with this body.
    async fn start_with(body: Value) -> Self {
        let house = TestHouse::start().await;
        let (ada, bob, eve) = (house.user("ada").await, house.user("bob").await, house.user("eve").await);
        new_repo(&ada, "ada/mirror").await;
        new_repo(&bob, "bob/lib").await;
        new_package(&bob, "bob/lib", "bee").await;
        for path in ["bee.bin", "org/bee/1.bin", "org/beetle/2.bin"] {
            upload_published(&bob, &format!("bob/lib/bee/1.0/{path}"), path).await;
        }
        upload(&bob, "bob/lib/bee/1.0/org/bee/draft.bin", "buzz").await;
        ada.put(LINK).json(body).await.refuses(201, "success");
        Self { house, ada, bob, eve }
    }
}

#[tokio::test]
async fn files_of_a_linked_package_download_under_the_linking_repository() {
    let Linked { house, .. } = Linked::start().await;
    let anyone = house.anyone();
    for path in ["bee.bin", "org/bee/1.bin", "org/beetle/2.bin"] {
        let here = anyone.download(&format!("/ada/mirror/{path}")).await.expect(200);
        let there = anyone.download(&format!("/bob/lib/{path}")).await.expect(200);
        assert_eq!((here.text(), here.header("etag")), (path.to_owned(), there.header("etag")));
        anyone.download(&format!("/ada/mirror/{path}.sha1")).await.expect(200);
    }
    anyone.download("/ada/mirror/none.bin").await.expect(404);
}

#[tokio::test]
async fn files_of_a_linked_package_are_listed_in_the_folders() {
    let Linked { house, .. } = Linked::start().await;
    let page = house.anyone().download("/ada/mirror/org/bee/").header("accept", "application/json").await.expect(200);
    let names: Vec<Value> = page.json().as_array().expect("a list").iter().map(|item| item["name"].clone()).collect();
    assert_eq!(names, ["1.bin"]);
}

#[tokio::test]
async fn a_link_with_a_prefix_shows_only_what_is_below_it() {
    let Linked { house, bob, .. } = Linked::start_with(json!({"path_prefix": "org/bee"})).await;
    assert_eq!(read(&house.anyone(), "/ada/mirror/org/bee/1.bin").await, "org/bee/1.bin");
    for path in ["bee.bin", "bee.bin.sha1", "org/beetle/2.bin", "org/beetle/", "1.bin"] {
        house.anyone().download(&format!("/ada/mirror/{path}")).await.expect(404);
        bob.download(&format!("/ada/mirror/{path}")).await.expect(404);
    }
    assert_eq!(published(&house.anyone(), "ada/mirror/bee").await, ["org/bee/1.bin"]);
    let version = house.anyone().get("/packages/ada/mirror/bee/versions/1.0/files").await.expect(200);
    assert_eq!(version.header("x-rangelimit-total"), "1");
}

#[tokio::test]
async fn the_file_list_of_a_linked_package_is_that_of_its_source() {
    let Linked { house, .. } = Linked::start().await;
    for rest in ["/files", "/versions/1.0/files"] {
        let here = house.anyone().get(&format!("/packages/ada/mirror/bee{rest}")).await.expect(200);
        let there = house.anyone().get(&format!("/packages/bob/lib/bee{rest}")).await.expect(200);
        assert_eq!(here.text(), there.text(), "{rest}");
        assert_eq!(here.json().as_array().map(Vec::len), Some(3));
    }
}

#[tokio::test]
async fn only_readers_of_the_source_see_linked_files() {
    let Linked { house, ada, bob, eve } = Linked::start().await;
    bob.patch("/repos/bob/lib").json(json!({"private": true})).await.expect(200);
    for who in [&ada, &eve, &house.anyone()] {
        let hidden = who.download("/ada/mirror/bee.bin").await.expect(404);
        let missing = who.download("/ada/mirror/xyz.bin").await.expect(404);
        assert_eq!(hidden.text().replace("bee", "xyz"), missing.text());
        who.download("/ada/mirror/org/").await.expect(404);
        who.get("/packages/ada/mirror/bee/files").await.refuses(404, "Package 'bee' was not found");
    }
    assert_eq!(read(&bob, "/ada/mirror/bee.bin").await, "bee.bin");
    assert_eq!(read(&house.admin(), "/ada/mirror/bee.bin").await, "bee.bin");
}

#[tokio::test]
async fn a_private_linking_repository_hides_its_links() {
    let Linked { house, ada, eve, .. } = Linked::start().await;
    ada.patch("/repos/ada/mirror").json(json!({"private": true})).await.expect(200);
    house.anyone().download("/ada/mirror/bee.bin").await.expect(401);
    eve.download("/ada/mirror/bee.bin").await.expect(404);
    assert_eq!(read(&ada, "/ada/mirror/bee.bin").await, "bee.bin");
    assert_eq!(read(&house.anyone(), "/bob/lib/bee.bin").await, "bee.bin");
}

#[tokio::test]
async fn unpublished_files_stay_with_the_publishers_of_the_source() {
    let Linked { house, ada, eve, .. } = Linked::start().await;
    for who in [&ada, &eve, &house.anyone()] {
        who.download("/ada/mirror/org/bee/draft.bin").await.expect(404);
        let answer = who.get("/packages/ada/mirror/bee/files?include_unpublished=1").await;
        assert!(!answer.text().contains("draft.bin"), "{}", answer.text());
    }
}

#[tokio::test]
async fn files_go_and_come_with_the_link() {
    let Linked { house, ada, bob, .. } = Linked::start().await;
    ada.delete(LINK).await.expect(200);
    house.anyone().download("/ada/mirror/bee.bin").await.expect(404);
    ada.put(LINK).await.expect(201);
    assert_eq!(read(&house.anyone(), "/ada/mirror/bee.bin").await, "bee.bin");
    bob.delete("/content/bob/lib/bee.bin").await.expect(200);
    house.anyone().download("/ada/mirror/bee.bin").await.expect(404);
}

#[tokio::test]
async fn a_linked_package_takes_files_only_at_its_source() {
    let Linked { house, ada, bob, .. } = Linked::start().await;
    let message = "Package 'bee' is linked from 'bob/lib' and can be changed only there";
    ada.put("/content/ada/mirror/bee/1.0/more.bin").body("buzz").await.refuses(403, message);
    ada.post("/content/ada/mirror/bee/1.0/publish").await.refuses(403, message);
    bob.put("/content/ada/mirror/bee/1.0/more.bin").body("buzz").await.expect(403);
    let deleted = ada.delete("/content/ada/mirror/bee.bin").await;
    assert!(matches!(deleted.status, 403 | 404), "{}", deleted.text());
    assert_eq!(published(&house.anyone(), "bob/lib/bee").await.len(), 3);
}

#[tokio::test]
async fn a_linked_file_is_found_once() {
    let Linked { house, ada, .. } = Linked::start().await;
    let found = house.anyone().get("/search/file?name=bee.bin").await.expect(200).json();
    assert_eq!((found.as_array().map(Vec::len), &found[0]["repo"]), (Some(1), &json!("lib")));
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["quota_used_bytes"], 0, "the source pays");
}
